"""The debugger's answers: derivations are the parser's, costs are the oracle's, for every system and oracle."""

from random import Random

import pytest

import rearc
from rearc.oracles import oracle
from rearc.parser import Parser
from rearc.serve import debugger
from rearc.serve.asking import Unanswerable, question
from rearc.serve.debugger import derivation, frames
from rearc.systems import systems, traits
from rearc.treebank import Sentence, read, sample
from rearc.treebank.pseudoprojective import projective_heads
from tests.serve.ways import PAIRS, asked, network_parser, random_way, replayed
from tests.trained import train_parser


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    return list(read(sample()))


def gold_of(sentence: Sentence, name: str) -> list[int]:
    tree = sentence.tree
    return (projective_heads(tree) if traits(name).projective else tree).tolist()


@pytest.mark.parametrize("name", systems())
@pytest.mark.parametrize("kind", ["perceptron", "network"])
def test_a_derivation_is_that_of_the_parser(name: str, kind: str, sentences: list[Sentence]):
    parser: Parser
    if kind == "perceptron":
        parser = train_parser(sentences[:5], system=name, epochs=1, seed=2)
    else:
        parser = network_parser(name, sentences)
    for sentence in sentences[:8]:
        answer = derivation(question(asked(sentence, model="m"), {"m": parser}))
        taken = [step["transition"] for step in answer["steps"]]
        assert taken == parser.derivation(sentence)
        tree = parser.parse(sentence, tags="given")
        assert (answer["heads"], answer["deprels"]) == (tree.heads, tree.deprels)
        assert answer["terminal"]
        assert all(step["by"] == "parser" and step["choice"] for step in answer["steps"])
        gold = answer["wrong"]
        assert gold["heads"] == [d for d in range(1, len(sentence) + 1) if tree.heads[d - 1] != sentence.heads[d - 1]]


@pytest.mark.parametrize(("name", "judge"), PAIRS)
def test_costs_are_those_of_the_oracle(name: str, judge: str, sentences: list[Sentence]):
    """Along random ways, from which the oracle goes on."""
    for seed, sentence in enumerate(sentences[:6]):
        way = random_way(name, len(sentence), 2 * seed + 3, seed)
        it = question(asked(sentence, system=name, oracle=judge, transitions=way), {})
        answer = derivation(it)
        taken = [step["transition"] for step in answer["steps"]]
        assert taken[: len(way)] == way
        assert [step["by"] for step in answer["steps"]] == ["you"] * len(way) + ["oracle"] * (len(taken) - len(way))
        expected = oracle(name, judge, gold_of(sentence, name))
        looks = frames(it, 0, 200)["frames"]
        assert len(looks) == len(taken) + 1
        for step, (look, state) in enumerate(zip(looks, replayed(expected, taken), strict=True)):
            assert [each["name"] for each in look["transitions"]] == expected.system.legal(state)
            costs = expected.costs(state)
            assert {each["name"]: each["cost"] for each in look["transitions"] if each["allowed"]} == costs
            assert [each["name"] for each in look["transitions"] if each["optimal"]] == sorted(
                expected.optimal(state), key=expected.system.legal(state).index
            )
            assert look["loss"] == (None if expected.is_static else expected.loss(state))
            assert look["configuration"] == str(state)
            assert [entry["words"] for entry in look["lists"]] == list(state.lists)
            assert [(h, d) for h, d, _ in look["arcs"]] == [(state.heads[d], d) for d in state.headed]
            if step < len(taken):
                assert answer["steps"][step]["cost"] == costs.get(taken[step])
                assert answer["steps"][step]["loss"] == looks[step + 1]["loss"]
        check_changes(answer["steps"], looks)
        check_mistake(answer, looks)


def check_changes(steps: list[dict], looks: list[dict]) -> None:
    """What a step adds and takes back is what tells two configurations apart."""
    for step, before, after in zip(steps, looks, looks[1:], strict=False):
        was, now = ({tuple(arc) for arc in look["arcs"]} for look in (before, after))
        for told in (step, after):
            assert {tuple(arc) for arc in told["added"]} == now - was
            assert {tuple(arc) for arc in told["removed"]} == was - now


def check_mistake(answer: dict, looks: list[dict]) -> None:
    def is_wrong(look: dict) -> bool:
        costs = {each["name"]: each["cost"] for each in look["transitions"] if each["allowed"]}
        return look["taken"] not in costs or costs[look["taken"]] > min(costs.values())

    wrong = [look["step"] for look in looks if look["taken"] and is_wrong(look)]
    assert (answer["mistake"] or {}).get("step") == (wrong[0] if wrong else None)
    assert [step["wrong"] for step in answer["steps"]] == [look["step"] in wrong for look in looks if look["taken"]]


@pytest.mark.parametrize("name", [name for name in systems() if not traits(name).monotonic])
def test_arcs_are_taken_back(name: str, sentences: list[Sentence]):
    """Some random way shows it for every non-monotonic system."""
    back = 0
    for seed in range(12):
        way = random_way(name, len(sentences[1]), 40, seed)
        answer = derivation(question(asked(sentences[1], system=name, transitions=way), {}))
        back += sum(bool(step["removed"]) for step in answer["steps"])
    assert back


@pytest.mark.parametrize("name", systems())
def test_another_way_and_on_from_there(name: str, sentences: list[Sentence]):
    """After other transitions the parser goes on by its own scores."""
    parser = network_parser(name, sentences)
    sentence = sentences[4]
    own = parser.derivation(sentence)
    stepper = parser.stepper(sentence)
    state = stepper.start()
    others = 0
    for k, transition in enumerate(own):
        for other in set(stepper.system.legal(state)) - {transition}:
            chosen = [*own[:k], other]
            answer = derivation(question(asked(sentence, model="m", transitions=chosen), {"m": parser}))
            assert [step["transition"] for step in answer["steps"]][: k + 1] == chosen
            branch = state.copy()
            stepper.apply(branch, other)
            for step in answer["steps"][k + 1 :]:
                assert step["transition"] == stepper.choice(branch)
                assert step["by"] == "parser"
                stepper.apply(branch, step["transition"])
            assert branch.is_terminal
            others += 1
        if k > 6:
            break
        stepper.apply(state, transition)
    assert others > 2


def test_scores_are_those_of_the_parser(sentences: list[Sentence]):
    parser = rearc.load("en")
    stepper = parser.stepper(sentences[6])
    state = stepper.start()
    for look in frames(question(asked(sentences[6], model="en"), {"en": parser}), 0, 200)["frames"]:
        assert {each["name"]: each["score"] for each in look["transitions"]} == stepper.scores(state)
        assert [each["name"] for each in look["transitions"] if each["choice"]] == [
            name for name in [stepper.choice(state)] if name
        ]
        for each in look["transitions"]:
            arc = stepper.system.builds(state, each["name"])
            assert each["arc"] == (None if arc is None else [*arc, stepper.label(state, each["name"])])
        if look["taken"]:
            stepper.apply(state, look["taken"])
    assert state.is_terminal


@pytest.mark.parametrize("name", systems())
def test_fixed_heads_hold(name: str, sentences: list[Sentence]):
    """The derivation keeps them, and its tree is the one of Parser.parse with these constraints."""
    parser = network_parser(name, sentences, single_root=True)
    parsers = {"m": parser}
    for seed, sentence in enumerate(sentences[:4]):
        known = [[d, sentence.heads[d - 1]] for d in range(1 + seed % 2, len(sentence) + 1, 3)]
        answer = derivation(question(asked(sentence, model="m", heads=known), parsers))
        constraints = rearc.Constraints(heads=dict(known))
        assert all(answer["heads"][d - 1] == h for d, h in known)
        assert answer["heads"] == parser.parse(sentence, tags="given", constraints=constraints).heads
        taken = [step["transition"] for step in answer["steps"]]
        again = derivation(question(asked(sentence, model="m", heads=known, transitions=taken), parsers))
        assert again["heads"] == answer["heads"]
        way = taken[: len(taken) // 2]
        looks = frames(question(asked(sentence, model="m", heads=known, transitions=way), parsers), 0, 200)["frames"]
        some = frames(question(asked(sentence, model="m", heads=known, transitions=way), parsers), len(way), 200)
        assert some["frames"] == looks[len(way) :]
        assert [look["taken"] for look in looks[:-1]] == taken


def test_a_step_that_would_break_a_fixed_head(sentences: list[Sentence]):
    parsers = {"en": rearc.load("en")}
    sentence = Sentence(["Owls", "see"])
    it = question(asked(sentence, model="en", heads=[[2, 1]], transitions=["shift", "left-arc"]), parsers)
    with pytest.raises(Unanswerable, match="left-arc as step 2, expected one that keeps the fixed heads"):
        derivation(it)
    with pytest.raises(ValueError, match="cannot hold together"):
        derivation(question(asked(sentence, model="en", heads=[[2, 1], [1, 2]]), parsers))


def test_without_gold_and_model_one_steps_by_hand(sentences: list[Sentence]):
    bare = sentences[0].replace(heads=None, deprels=None)
    answer = derivation(question(asked(bare, system="arc-eager", transitions=["shift"]), {}))
    assert [step["transition"] for step in answer["steps"]] == ["shift"]
    assert not answer["terminal"]
    assert (answer["gold"], answer["mistake"], answer["oracle"]) == (None, None, None)
    (look,) = frames(question(asked(bare, system="arc-eager", transitions=["shift"]), {}), 1, 2)["frames"]
    assert [each["name"] for each in look["transitions"]] == ["shift", "left-arc", "right-arc"]
    assert {each["cost"] for each in look["transitions"]} == {None}


def test_a_part_of_the_gold_tree(sentences: list[Sentence]):
    some = sentences[1].replace(heads=[h if d % 2 else -1 for d, h in enumerate(sentences[1].heads)])
    answer = derivation(question(asked(some, system="covington", oracle="dynamic"), {}))
    assert answer["gold"] == [h if d % 2 else None for d, h in enumerate(sentences[1].heads)]
    assert answer["wrong"]["heads"] == []
    with pytest.raises(ValueError, match="unknown heads"):
        derivation(question(asked(some, system="covington", oracle="static"), {}))


def test_notes(sentences: list[Sentence]):
    crossing = sentences[1]
    (lifted, static) = derivation(question(asked(crossing, system="arc-standard"), {}))["notes"]
    assert "other heads for read" in lifted
    assert "is static" in static
    answer = derivation(question(asked(crossing, system="arc-hybrid-swap", oracle="static-dynamic"), {}))
    assert answer["notes"] == []
    assert answer["heads"] == crossing.heads


def test_pseudo_projective_models_end_in_their_trees(sentences: list[Sentence]):
    parser = train_parser(sentences, system="arc-hybrid", epochs=8, non_projective="head")
    for sentence in sentences[:10]:
        answer = derivation(question(asked(sentence, model="m"), {"m": parser}))
        assert answer["heads"] == parser.parse(sentence).heads


def test_pieces_are_the_whole(sentences: list[Sentence]):
    it = question(asked(sentences[3], system="covington"), {})
    whole = frames(it, 0, 200)["frames"]
    pieces = [look for start in range(0, 200, 7) for look in frames(it, start, start + 7)["frames"]]
    assert pieces == whole
    assert len(whole) == len(derivation(it)["steps"]) + 1


def words(n: int) -> Sentence:
    return Sentence([f"w{k}" for k in range(n)], heads=[max(0, k // 2) for k in range(n)])


def test_the_longest_sentence():
    answer = derivation(question(asked(words(200), system="covington"), {}))
    assert answer["heads"] == words(200).heads


WRONG = [
    (None, "expected an object of JSON"),
    ([], "expected an object of JSON"),
    ({}, "found no sentence"),
    ({"conllu": 3}, "found the conllu 3, expected a string"),
    ({"conllu": "1\tx\n"}, "expected 10 columns"),
    ({"conllu": "a" * 300_000}, "expected at most 200,000"),
    (asked(words(201), system="covington"), "a sentence of 201 words, expected at most 200"),
    (asked(words(4)), "found the system None"),
    (asked(words(4), system="arc-hybird"), "did you mean arc-hybrid"),
    (asked(words(4), system="covington", oracle="dynamo"), "did you mean dynamic"),
    (asked(words(4), system="covington", oracle=["x"]), "expected a string"),
    (asked(words(4), model="../en"), "expected one of en"),
    (asked(words(4), model="en", system="covington"), "expected arc-hybrid, which the model has"),
    (asked(words(4), system="covington", single_root="yes"), "expected true or false"),
    (asked(words(4), system="covington", transitions="shift"), "expected a list of their names"),
    (asked(words(4), system="covington", transitions=["shift"] * 50_000), "more than there can be"),
    (asked(words(4), system="covington", transitions=["left-arc"]), "step 1, expected a legal transition: shift"),
    (asked(words(4), system="covington", transitions=["x" * 9999]), "expected a legal transition"),
    (asked(words(2), system="covington", transitions=["shift", "shift", "shift"]), "none, it is the end"),
    (asked(words(4), system="covington", heads=[[1, 2]]), "without a model"),
    (asked(words(4), model="en", heads=[[1, 2, 3]]), "expected pairs"),
    (asked(words(4), model="en", heads=[[1, True]]), "expected pairs"),
    (asked(words(4), model="en", heads={"1": 2}), "expected pairs"),
    (asked(words(4), model="en", heads=[[9, 2]]), "found a head of the word 9"),
    (asked(words(4), system="covington", transition=[]), "found 'transition', expected some of"),
]


@pytest.mark.parametrize(("content", "message"), WRONG)
def test_what_is_refused(content: object, message: str):
    with pytest.raises(ValueError, match=message):
        derivation(question(content, {"en": rearc.load("en")}))


def test_the_catalogue(sentences: list[Sentence]):
    found = debugger.catalogue({"m": network_parser("attardi", sentences)})
    assert [entry["name"] for entry in found["systems"]] == systems()
    assert [(entry["name"], name) for entry in found["systems"] for name in entry["oracles"]] == PAIRS
    assert found["models"] == [
        {"name": "m", "system": "attardi", "kind": "bilstm", "single_root": False, "segmenter": False,
         "oracles": ["static", "dynamic"]}
    ]  # fmt: skip


def test_a_loss_that_would_take_too_long(monkeypatch: pytest.MonkeyPatch):
    """Attardi's is found by search. On a tree like no sentence's it is left out, and costs are still told."""
    rng = Random(1)
    order = rng.sample(range(1, 41), 40)
    heads = [0] * 41
    for k, word in enumerate(order[1:], 1):
        heads[word] = order[rng.randrange(k)]
    tree = Sentence([f"w{k}" for k in range(40)], heads=heads[1:])
    answer = derivation(question(asked(tree, system="attardi", oracle="dynamic"), {}))
    assert answer["terminal"]
    told = any("too long" in note for note in answer["notes"])
    assert told == any(step["loss"] is None for step in answer["steps"])
    assert all(step["cost"] is not None for step in answer["steps"])
    monkeypatch.setattr("rearc.serve.walking.SECONDS", -1)
    with pytest.raises(Unanswerable, match="take a shorter sentence") as error:
        derivation(question(asked(tree, system="attardi"), {}))
    assert error.value.status == 504
