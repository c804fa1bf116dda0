"""Sentence, Word and the tokens that are no words."""

import copy
import io
import pickle
from xml.etree import ElementTree

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rearc.treebank import Empty, Multiword, Sentence, TreebankError, checks, read, sample


@pytest.fixture
def dogs() -> Sentence:
    return Sentence(
        ["Dogs", "do", "n't", "bark", "."],
        lemmas=["dog", "do", "not", "bark", "."],
        upos=["NOUN", "AUX", "PART", "VERB", "PUNCT"],
        feats=["Number=Plur", "_", "Polarity=Neg", "_", "_"],
        heads=[4, 4, 4, 0, 4],
        deprels=["nsubj", "aux", "advmod", "root", "punct"],
        deps=["4:nsubj|4.1:nsubj", "_", "_", "_", "_"],
        misc=["_", "_", "_", "SpaceAfter=No", "_"],
        comments=["# sent_id = d1", "# newpar"],
        multiwords=[Multiword(2, 3, "don't")],
        empties=[Empty(4, 1, "growl", deps="4:conj")],
    )


def test_columns(dogs: Sentence) -> None:
    assert len(dogs) == 5
    assert dogs.forms == ["Dogs", "do", "n't", "bark", "."]
    assert dogs.upos[3] == "VERB"
    assert dogs.xpos == ["_"] * 5
    assert dogs.heads == [4, 4, 4, 0, 4]
    assert dogs.comments == ["# sent_id = d1", "# newpar"]
    assert dogs.multiwords == [Multiword(2, 3, "don't")]
    assert dogs.multiwords[0].id == "2-3"
    assert dogs.empties[0].id == "4.1"
    assert (dogs.file, dogs.line, dogs.format) == (None, 0, "conllu")


def test_a_column_is_a_new_list(dogs: Sentence) -> None:
    dogs.forms[0] = dogs.heads[0] = "changed"
    dogs.tree[1] = 3
    assert dogs.forms[0] == "Dogs"
    assert dogs.heads[0] == 4


def test_tree(dogs: Sentence) -> None:
    assert dogs.has_tree
    assert dogs.tree.dtype == numpy.int32
    assert dogs.tree.tolist() == [0, 4, 4, 4, 0, 4]


def test_no_tree() -> None:
    sentence = Sentence(["a", "b"])
    assert not sentence.has_tree
    assert sentence.heads == [-1, -1]
    with pytest.raises(TreebankError, match="no heads"):
        _ = sentence.tree
    assert Sentence(["a", "b"], heads=[-1, -1]) == sentence


def test_words(dogs: Sentence) -> None:
    word = dogs[1]
    assert (word.id, word.form, word.lemma, word.upos, word.xpos) == (1, "Dogs", "dog", "NOUN", "_")
    assert (word.head, word.deprel, word.misc) == (4, "nsubj", "_")
    assert word.features == {"Number": "Plur"}
    assert word.enhanced == [("4", "nsubj"), ("4.1", "nsubj")]
    assert dogs[2].features == {}
    assert dogs[2].enhanced == []
    assert Sentence(["a"])[1].head == -1
    assert [w.form for w in dogs] == dogs.forms


@pytest.mark.parametrize("index", [0, -1, 6])
def test_words_are_numbered_from_1(dogs: Sentence, index: int) -> None:
    with pytest.raises(IndexError, match="1 to 5"):
        dogs[index]


def test_sent_id_and_text(dogs: Sentence) -> None:
    assert dogs.sent_id == "d1"
    assert dogs.text == "Dogs don't bark."
    assert dogs.replace(comments=["#text=as = it stands"]).text == "as = it stands"
    assert dogs.replace(comments=[]).sent_id is None
    assert dogs.replace(misc=["_"] * 4 + ["SpaceAfter=No"]).text == "Dogs don't bark ."
    assert dogs.replace(misc=["SpaceAfter=Now"] * 5).text == "Dogs don't bark ."


def test_the_text_of_the_sample_is_what_its_tokens_make() -> None:
    for sentence in read(sample()):
        assert sentence.text == sentence.replace(comments=[]).text


def test_replace(dogs: Sentence) -> None:
    other = dogs.replace(heads=[4, 4, 4, 0, 3], deprels=None, multiwords=())
    assert other.heads == [4, 4, 4, 0, 3]
    assert other.deprels == ["_"] * 5
    assert other.multiwords == []
    assert other.forms == dogs.forms
    assert other.comments == dogs.comments
    assert dogs.heads == [4, 4, 4, 0, 4]
    assert dogs.replace() == dogs
    assert dogs.replace(heads=None).heads == [-1] * 5
    with pytest.raises(TypeError, match="no 'colour'"):
        dogs.replace(colour=["red"])  # type: ignore[call-arg]


def test_replace_keeps_the_place_while_the_lines_stay() -> None:
    sentence = next(read(sample()))
    assert sentence.line == sentence.replace(deprels=None).line == 1
    assert sentence.replace(deprels=None).file == sentence.file
    assert sentence.replace(comments=[]).file is None


def test_sentences_do_not_change(dogs: Sentence) -> None:
    with pytest.raises(AttributeError):
        dogs.forms = []  # type: ignore[misc]
    with pytest.raises(TypeError, match="does not change"):
        dogs.__init__(["a"])  # type: ignore[misc]


def test_equality_hash_and_copies(dogs: Sentence) -> None:
    for other in (pickle.loads(pickle.dumps(dogs)), copy.copy(dogs), copy.deepcopy(dogs), dogs.replace()):
        assert other == dogs
        assert hash(other) == hash(dogs)
    assert dogs != dogs.replace(heads=[4, 4, 4, 0, 3])
    assert dogs != "Dogs"
    read_one = next(read(sample()))
    again = pickle.loads(pickle.dumps(read_one))
    assert (again, again.file, again.line) == (read_one, read_one.file, read_one.line)


def test_numpy_heads_are_heads() -> None:
    assert Sentence(["a", "b"], heads=numpy.array([2, 0])).heads == [2, 0]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"forms": "a b"}, "the string 'a b'"),
        ({"forms": []}, "no words"),
        ({"forms": ["a", ""]}, "the field ''"),
        ({"forms": ["a\tb"]}, "the field 'a\\tb'"),
        ({"forms": ["a"], "misc": ["\n"]}, "the field '\\n'"),
        ({"forms": ["a"], "lemmas": [3]}, "3, expected a string"),
        ({"forms": ["a"], "lemmas": ["a", "b"]}, "2 lemmas, expected 1"),
        ({"forms": ["a"], "heads": [0, 1]}, "2 heads"),
        ({"forms": ["a"], "heads": [2]}, "the head 2 of word 1"),
        ({"forms": ["a", "b"], "heads": [0, -2]}, "the head -2 of word 2"),
        ({"forms": ["a", "b", "c"], "heads": [0, 3, 2]}, "the cycle 2 → 3 → 2"),
        ({"forms": ["a"], "heads": [1]}, "the cycle 1 → 1"),
        ({"forms": ["a"], "comments": ["a"]}, "the comment 'a'"),
        ({"forms": ["a"], "comments": ["# a\nb"]}, "the comment"),
        ({"forms": ["a"], "multiwords": [Multiword(1, 2, "a")]}, "the multiword token 1-2"),
        ({"forms": ["a", "b"], "multiwords": [Multiword(1, 2, "a")] * 2}, "the multiword token 1-2"),
        ({"forms": ["a"], "multiwords": [Multiword(1, 1, "")]}, "the field ''"),
        ({"forms": ["a"], "empties": [Empty(2, 1)]}, "the empty node 2.1"),
        ({"forms": ["a"], "empties": [Empty(0, 2)]}, "the empty node 0.2"),
        ({"forms": ["a"], "empties": [Empty(1, 1), Empty(0, 1)]}, "the empty node 0.1"),
    ],
)
def test_what_cannot_be_written_cannot_be_made(arguments: dict[str, object], found: str) -> None:
    with pytest.raises(TreebankError) as caught:
        Sentence(**arguments)  # type: ignore[arg-type]
    assert found in str(caught.value)


def test_bad_features_name_their_place(tmp_path) -> None:
    file = tmp_path / "a.conllu"
    file.write_text(
        "# c\n0.1\t_\t_\t_\t_\t_\t_\t_\t1:x\t_\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "1\tå\tå\tX\tx\tA=1|B\t0\troot\t_\t_\n2\tb\tb\tX\tx\tA=1|A=2\t1\tdep\t1:a|x:b\t_\n\n"
    )
    sentence = next(read(file))
    for bad, line, found in [
        (lambda: sentence[1].features, 4, "'B'"),
        (lambda: sentence[2].features, 5, "'A=2'"),
        (lambda: sentence[2].enhanced, 5, "'x:b'"),
    ]:
        with pytest.raises(TreebankError) as caught:
            bad()
        assert (caught.value.file, caught.value.line, caught.value.found) == (str(file), line, found)
        text = file.read_text().split("\n")[line - 1]
        assert text[caught.value.column - 1 :].startswith(found.strip("'"))


def test_errors_are_values() -> None:
    error = TreebankError("f", 1, 2, "a", "b", "c")
    assert str(pickle.loads(pickle.dumps(error))) == str(error) == "f:1:2: found a, expected b; c"
    assert str(TreebankError("f", 0, 0, "a", "b", "c")) == "f: found a, expected b; c"


# to look at ----------------------------------------------------------------------------------------------------------


def test_print_shows_the_tree_or_else_the_words():
    tree = Sentence(["I", "saw", "Jack"], heads=[2, 0, 2], deprels=["nsubj", "root", "obj"])
    assert str(tree) == "  ┌─► I     nsubj\n──┼─► saw   root\n  └─► Jack  obj"
    assert str(tree.replace(heads=None)) == "I saw Jack"
    assert repr(tree) == "<Sentence 'I saw Jack' of 3 words>"


def test_a_sentence_as_conllu():
    for sentence in read(sample()):
        (again,) = read(io.BytesIO(sentence.to_conllu().encode()), format="conllu")
        assert again == sentence
    assert "".join(s.to_conllu() for s in read(sample())) == sample().read_text("utf-8")


def test_notebooks_get_a_picture():
    tree = Sentence(["<b>", "saw"], heads=[2, 0])
    for sentence in (tree, tree.replace(heads=None)):
        root = ElementTree.fromstring(sentence._repr_html_())
        assert root.tag.endswith("svg")
        assert "<b>" in "".join(root.itertext())


strings = st.text(st.sampled_from("a_\t\n\r\0 \x85\u2028中😀\x1f"), max_size=3)


@given(
    st.lists(strings | st.sampled_from([None, 7, numpy.str_("b"), "_"]), min_size=1, max_size=4),
    st.sampled_from([list, tuple, iter]),
)
def test_the_quick_look_at_a_column_finds_what_the_careful_one_finds(values, kind):
    def result(make):
        try:
            return make()
        except TreebankError as error:
            return str(error)

    quick = result(lambda: Sentence(["a"] * len(values), lemmas=kind(values))._column("lemmas"))
    assert quick == result(lambda: checks.column((None, 0), len(values), "lemmas", values))
    if type(quick) is tuple:
        assert all(type(value) is str for value in quick)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_column_has_a_string_for_each_word(count):
    with pytest.raises(TreebankError, match=f"{count} upos"):
        Sentence(["a", "b"], upos=["X"] * count)
