import math

import numpy as np
import pytest

from rearc.evaluation import approximate_randomisation, holm, mcnemar, paired_bootstrap, significance
from tests.naive import experiment as naive_experiment
from tests.naive import significance as naive


def systems(seed: int, sentences: int = 30, gain: float = 0.0):
    """Right words of two systems in random sentences; the second one is better by `gain`."""
    rng = np.random.default_rng(seed)
    words = rng.integers(1, 30, sentences)
    return rng.binomial(words, 0.8), rng.binomial(words, 0.8 + gain), words


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("cells", [1 << 20, 100])
def test_randomisation_is_the_naive_one_on_the_same_coins(seed, cells, monkeypatch):
    monkeypatch.setattr(significance, "_CELLS", cells)
    a, b, _ = systems(seed, gain=0.03)
    differ = a != b
    chunks = significance._coins(200, int(differ.sum()), np.random.default_rng(seed))
    coins = np.concatenate(list(chunks)).astype(int).tolist()
    assert len(coins) == 200
    expected = naive.randomisation(a[differ].tolist(), b[differ].tolist(), coins)
    assert approximate_randomisation(a, b, rounds=200, seed=seed) == float(expected)


@pytest.mark.parametrize("seed", range(5))
def test_randomisation_comes_near_the_exact_enumeration(seed):
    a, b, _ = systems(seed, sentences=9, gain=0.1)
    exact = float(naive.randomisation_exact(a.tolist(), b.tolist()))
    rounds = 20_000
    assert (
        abs(approximate_randomisation(a, b, rounds=rounds, seed=seed) - exact)
        < 5 * math.sqrt(exact * (1 - exact) / rounds) + 1 / rounds
    )


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("cells", [1 << 20, 100])
def test_bootstrap_is_the_naive_one_on_the_same_draws(seed, cells, monkeypatch):
    monkeypatch.setattr(significance, "_CELLS", cells)
    a, b, words = systems(seed, gain=0.03)
    rng = np.random.default_rng(seed)
    draws = [
        row
        for rows in significance._chunks(150, len(words))
        for row in rng.integers(0, len(words), size=(rows, len(words)), dtype=np.int32).tolist()
    ]
    assert len(draws) == 150
    expected = naive.bootstrap(a.tolist(), b.tolist(), words.tolist(), draws)
    result = paired_bootstrap(a, b, words, samples=150, seed=seed)
    assert result.p == float(expected)
    differences = [100 * sum(a[i] - b[i] for i in draw) / sum(words[i] for i in draw) for draw in draws]
    assert [result.low, result.high] == pytest.approx(np.percentile(differences, [2.5, 97.5]))


def test_the_coins_are_fair_and_each_round_has_its_own():
    coins = np.concatenate(list(significance._coins(4000, 13, np.random.default_rng(3))))
    assert coins.shape == (4000, 13)
    assert set(coins.ravel()) == {0.0, 1.0}
    assert np.abs(coins.mean(axis=0) - 0.5).max() < 0.05
    assert np.abs(np.corrcoef(coins.T) - np.eye(13)).max() < 0.1


def test_p_is_uniform_where_there_is_no_difference():
    by_randomisation, by_bootstrap = [], []
    for seed in range(300):
        a, b, words = systems(1000 + seed, sentences=80)
        by_randomisation.append(approximate_randomisation(a, b, rounds=300, seed=seed))
        by_bootstrap.append(paired_bootstrap(a, b, words, samples=300, seed=seed).p)
    for values in (np.array(by_randomisation), np.array(by_bootstrap)):
        assert abs(values.mean() - 0.5) < 0.08
        for level in (0.05, 0.25, 0.5, 0.75):
            assert abs((values <= level).mean() - level) < 4 * math.sqrt(level * (1 - level) / 300)


def test_a_large_difference_gets_the_smallest_p_there_is():
    a, b, words = systems(1, sentences=200, gain=-0.4)
    assert approximate_randomisation(a, b, rounds=999) == 1 / 1000
    result = paired_bootstrap(a, b, words, samples=999)
    assert result.p == 1 / 1000
    assert 20 < result.low < 40 < result.high < 60


def test_equal_outputs_get_p_1():
    a, _, words = systems(1)
    assert approximate_randomisation(a, a, rounds=100) == 1
    result = paired_bootstrap(a, a, words, samples=100)
    assert (result.p, result.low, result.high) == (1, 0, 0)
    assert mcnemar(0, 0) == 1


def test_the_order_of_the_systems_does_not_matter_and_the_seed_does():
    a, b, words = systems(4, gain=0.01)
    assert approximate_randomisation(a, b) == approximate_randomisation(b, a)
    there, back = paired_bootstrap(a, b, words), paired_bootstrap(b, a, words)
    assert there.p == back.p
    assert there.low == pytest.approx(-back.high)
    assert approximate_randomisation(a, b, seed=1) != approximate_randomisation(a, b, seed=2)
    assert paired_bootstrap(a, b, words, seed=1) != paired_bootstrap(a, b, words, seed=2)


def test_sentences_without_scored_words_do_not_matter():
    a, b, words = systems(4, gain=0.01)
    with_blanks = [np.insert(values, 3, 0) for values in (a, b, words)]
    assert paired_bootstrap(*with_blanks) == paired_bootstrap(a, b, words)
    assert approximate_randomisation(*with_blanks[:2]) == approximate_randomisation(a, b)
    with pytest.raises(ValueError, match="no sentence has words"):
        paired_bootstrap([0], [0], [0])


def test_mcnemar_is_the_exact_binomial():
    for only_a in range(25):
        for only_b in range(25):
            assert mcnemar(only_a, only_b) == pytest.approx(float(naive.mcnemar(only_a, only_b)), rel=1e-14)


@pytest.mark.parametrize(("only_a", "only_b"), [(480, 521), (700, 500), (1200, 1200), (1200, 1300), (5000, 0)])
def test_mcnemar_stays_exact_for_large_counts(only_a, only_b):
    assert mcnemar(only_a, only_b) == pytest.approx(float(naive.mcnemar(only_a, only_b)), rel=1e-9)


def test_mcnemar_by_hand():
    assert mcnemar(1, 9) == pytest.approx(2 * (1 + 10) / 1024)
    assert mcnemar(5, 5) == 1


@pytest.mark.parametrize("rounds", [0, -1])
def test_at_least_one_round(rounds):
    with pytest.raises(ValueError, match="rounds"):
        approximate_randomisation([1], [0], rounds=rounds)
    with pytest.raises(ValueError, match="samples"):
        paired_bootstrap([1], [0], [1], samples=rounds)
    with pytest.raises(ValueError, match="negative"):
        mcnemar(-1, 2)


@pytest.mark.parametrize("seed", range(30))
def test_holm_is_the_step_down_procedure(seed):
    rng = np.random.default_rng(seed)
    p_values = np.round(rng.random(int(rng.integers(1, 8))) ** 3, 2).tolist()  # with ties and zeros
    assert holm(p_values) == pytest.approx(naive_experiment.holm(p_values))


def test_holm_of_nothing_and_of_what_is_no_probability():
    assert holm([]) == []
    with pytest.raises(ValueError, match="found the p-value"):
        holm([0.1, 1.5])
