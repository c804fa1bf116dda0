"""A BiLSTM parser by its definition: every configuration is scored anew, from the vectors of the words in it.

In double precision, one sentence and one transition at a time, with PyTorch's own LSTM.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from rearc.neural.shape import Shape
from rearc.neural.vocabulary import Vocabulary
from rearc.systems import State, System
from rearc.tagger.rules import apply_rule
from rearc.treebank import Sentence
from tests.naive.configurations import arc_of, arcs_of, class_of, lists_of, slot_words
from tests.naive.second_pass import repaired


def torch_lstm(inputs: Tensor, recurrent: Tensor, bias: Tensor) -> torch.nn.LSTM:
    """PyTorch's bidirectional LSTM with the weights of one layer."""
    lstm = torch.nn.LSTM(inputs.shape[1], recurrent.shape[1], batch_first=True, bidirectional=True).double()
    with torch.no_grad():
        for k, suffix in enumerate(("l0", "l0_reverse")):
            getattr(lstm, f"weight_ih_{suffix}").copy_(inputs[k].T)
            getattr(lstm, f"weight_hh_{suffix}").copy_(recurrent[k].T)
            getattr(lstm, f"bias_ih_{suffix}").copy_(bias[k])
            getattr(lstm, f"bias_hh_{suffix}").zero_()
    return lstm


class NaiveNetwork:
    """Shape, vocabulary and weights as in a model file; labels: for each whether it hangs on the root, and on words."""

    def __init__(
        self,
        shape: Shape,
        vocabulary: Vocabulary,
        labels: Sequence[tuple[bool, bool]],
        weights: Mapping[str, np.ndarray],
        encoder: Callable[[list[str]], Tensor] | None = None,
    ) -> None:
        self.encoder = encoder  # vectors of the words of a sentence
        self.shape, self.vocabulary, self.labels = shape, vocabulary, labels
        self.w = {name: torch.from_numpy(np.array(array)).double() for name, array in weights.items()}
        parts = ("input", "recurrent", "bias")
        names = sorted(name.removesuffix(".input") for name in weights if name.endswith(".input"))
        self.lstms = {name: torch_lstm(*(self.w[f"{name}.{part}"] for part in parts)) for name in names}

    def lstm(self, name: str, inputs: Tensor) -> Tensor:
        """All layers under a name, over one sequence."""
        for layer in sorted(layer for layer in self.lstms if layer.startswith(f"{name}.")):
            inputs = self.lstms[layer](inputs.unsqueeze(0))[0][0]
        return inputs

    def linear(self, name: str, inputs: Tensor) -> Tensor:
        outputs = inputs @ self.w[f"{name}.weight"].T
        return outputs + self.w[f"{name}.bias"] if f"{name}.bias" in self.w else outputs

    @torch.no_grad()
    def encode(self, sentence: Sentence) -> tuple[Tensor, dict[str, list[str]]]:
        """The vectors of the words, and the tags that are predicted."""
        inputs = torch.stack([self.embed(*word) for word in zip(*self.columns(sentence), strict=True)])
        if self.encoder is not None:
            inputs = torch.cat([inputs, self.encoder(sentence.forms)], dim=1)
        tags: dict[str, list[str]] = {}
        if self.shape.columns:
            hidden = self.lstm("tagger", inputs)
            seen = torch.cat([hidden, inputs], dim=1) if self.shape.stacked else hidden
            between = self.linear("tag_hidden", seen).relu()
            parts = [inputs]
            for column in self.shape.columns:
                names = list(getattr(self.vocabulary, column))
                scores = self.linear(f"tag_{column}", between) + self.shared(column, names, between)
                tags[column] = [names[k] for k in scores.argmax(dim=1).tolist()]
                if f"{column}.weight" in self.w:
                    parts.append(scores.softmax(dim=1) @ self.w[f"{column}.weight"][1:])
            if "lemmas" in tags:
                tags["lemmas"] = list(map(apply_rule, tags["lemmas"], sentence.forms))
            inputs = torch.cat([*parts, hidden] if self.shape.stacked else parts, dim=1)
        return self.lstm("layers", inputs), tags

    def shared(self, column: str, names: list[str], between: Tensor) -> Tensor:
        """What the parts of each class add to its score: the features of FEATS, three thirds of a lemma rule."""
        total = torch.zeros(len(between), len(names), dtype=torch.float64)
        if f"tag_{column}.parts" in self.w:
            of_parts = between @ self.w[f"tag_{column}.parts"].T
            known: list[tuple[int, str]] = []
            for k, name in enumerate(names):
                absent = name[0] == "=" if column == "lemmas" else name == "_"
                for place, part in enumerate(() if absent else name.split("|")):
                    one = (place if column == "lemmas" else 0, part)
                    known += [] if one in known else [one]
                    total[:, k] += of_parts[:, known.index(one)]
        return total

    def columns(self, sentence: Sentence) -> tuple[list[str], list[str], list[str], list[str]]:
        return sentence.forms, sentence.upos, sentence.xpos, sentence.feats

    def embed(self, form: str, upos: str, xpos: str, feats: str) -> Tensor:
        """What is known of a word before its neighbours are looked at."""
        v, w = self.vocabulary, self.w
        parts = [torch.zeros(0, dtype=torch.float64)]
        if self.shape.words:
            parts.append(w["words.weight"][v.words.get(form.lower(), 0)])
        if v.vectors:
            parts.append(w["vectors.weight"][v.vectors.get(form.lower(), 0)])
        if self.shape.spelling:
            read = self.lstm("spelling", torch.stack([w["characters.weight"][v.characters.get(c, 0)] for c in form]))
            half = self.shape.spelling
            parts += [read[-1, :half], read[0, half:]]
        if self.shape.affixes:
            word = form.lower()
            affixes = [word[:k] + "-" for k in (1, 2, 3) if k <= len(word)]
            affixes += ["-" + word[len(word) - k :] for k in (1, 2, 3, 4, 5, 6) if k <= len(word)]
            parts.append(sum(w["affixes.weight"][v.affixes.get(affix, 0)] for affix in affixes))
        if not self.shape.columns:
            if self.shape.upos:
                parts.append(w["upos.weight"][v.upos.get(upos, 0)])
            if self.shape.xpos:
                parts.append(w["xpos.weight"][v.xpos.get(xpos, 0)])
            if self.shape.feats:
                total = torch.zeros(self.shape.feats, dtype=torch.float64)
                for feature in feats.split("|") if feats != "_" else []:
                    total = total + w["feats.weight"][v.feats.get(feature, 0)]
                parts.append(total)
        return torch.cat(parts)

    def pair_score(self, table: Tensor, i: Tensor, j: Tensor, of: str = "") -> Tensor:
        """Biaffine: each vector with a 1 behind it."""
        one = torch.ones(1, dtype=torch.float64)
        head = torch.cat([self.linear(f"{of}head", i).relu(), one])
        dependent = torch.cat([self.linear(f"{of}dependent", j).relu(), one])
        return head @ table @ dependent

    def second_pass(self, vectors: Tensor, heads: list[int], single_root: bool) -> tuple[list[int], float]:
        """The heads behind it, and the narrowest choice."""
        table = [[float(self.pair_score(self.w["repair_pairs"], h, d, of="repair_")) for d in vectors] for h in vectors]
        return repaired(table, heads, single_root)

    def scores(self, system: System, state: State, vectors: Tensor) -> list[float]:
        """Of the legal transitions; row 0 of the vectors is the root's."""
        legal = system.legal(state)
        if "rows.weight" in self.w:
            classes = self.stack_scores(state, vectors)
            return [classes[class_of(transition)] for transition in legal]
        before, *_, buffer = lists_of(state)
        front = vectors[buffer[0]]
        headed = {d for _, d in arcs_of(state)} if "nonmonotonic" in system.name else set()
        found = []
        for transition in legal:
            if transition == "shift":
                one = torch.ones(1, dtype=torch.float64)
                shift = self.w["settled" if buffer[0] in headed else "shift"]
                found.append(torch.cat([self.linear("dependent", front).relu(), one]) @ shift)
            elif transition == "no-arc":
                found.append(self.pair_score(self.w["no_arc"], vectors[before[-1]], front))
            else:
                h, d = arc_of(state, transition)
                table = self.w["repair" if d in headed else "arc"]
                found.append(self.pair_score(table, vectors[h], vectors[d]))
        return [float(score) for score in found]

    def stack_scores(self, state: State, vectors: Tensor) -> list[float]:
        """The words in the slots, side by side, through a hidden layer."""
        words = slot_words(state, self.shape.slots)
        together = torch.cat([self.w["none"] if word is None else vectors[word] for word in words])
        blocks = self.w["rows.weight"].reshape(len(words), self.shape.hidden, -1)
        hidden = torch.cat(list(blocks), dim=1) @ together + self.w["rows.bias"]
        found: list[float] = self.linear("output", hidden.relu()).tolist()
        return found

    @torch.no_grad()
    def parse(self, system: System, sentence: Sentence) -> tuple[list[int], list[int], float]:
        """Heads, labels, and by how much the narrowest of all choices was made."""
        vectors = torch.cat([self.w["root"].unsqueeze(0), self.encode(sentence)[0]])
        state = system.start(len(sentence))
        narrowest = float("inf")
        while not state.is_terminal:
            legal, scores = system.legal(state), self.scores(system, state, vectors)
            order = sorted(range(len(legal)), key=lambda k: -scores[k])
            if len(legal) > 1:
                narrowest = min(narrowest, scores[order[0]] - scores[order[1]])
            system.apply(state, legal[order[0]])
        labels = []
        heads = list(state.heads[1:])
        if self.shape.repair:
            heads, narrow = self.second_pass(vectors, heads, system.single_root)
            narrowest = min(narrowest, narrow)
        for d, h in enumerate(heads, 1):
            hidden = (self.linear("label_head", vectors[h]) + self.linear("label_dependent", vectors[d])).relu()
            scores = self.linear("label_output", hidden).tolist()
            fitting = [k for k, (of_root, of_word) in enumerate(self.labels) if (of_word if h else of_root)]
            fitting.sort(key=lambda k: -scores[k])
            if len(fitting) > 1:
                narrowest = min(narrowest, scores[fitting[0]] - scores[fitting[1]])
            labels.append(fitting[0])
        return heads, labels, narrowest
