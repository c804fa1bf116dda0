"""The small treebank that comes with rearc."""

from rearc.treebank import read, sample


def test_the_sample_has_what_a_reader_must_know() -> None:
    sentences = list(read(sample(), single_root=True))
    assert len(sentences) >= 36
    assert all(s.has_tree and s.sent_id for s in sentences)
    assert len({s.sent_id for s in sentences}) == len(sentences)
    assert sum(len(s.multiwords) for s in sentences) >= 5
    assert sum(len(s.empties) for s in sentences) >= 2
    assert any("SpaceAfter=No" in s.misc for s in sentences)
    assert any(s.forms[:6] == ["The", "cook", "offered", "the", "soup", "sneezed"] for s in sentences)


def test_every_field_of_the_sample_can_be_read() -> None:
    for sentence in read(sample()):
        nodes = {str(k) for k in range(len(sentence) + 1)} | {e.id for e in sentence.empties}
        for word in sentence:
            assert "_" not in (word.form, word.lemma, word.upos, word.xpos, word.deprel)
            assert word.features or word.feats == "_"
            assert word.enhanced
            assert {head for head, _ in word.enhanced} <= nodes
