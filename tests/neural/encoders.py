"""Tiny encoders with random weights, made on the spot as the library transformers keeps them."""

from collections.abc import Iterable
from pathlib import Path

KINDS = ("bert", "roberta", "electra", "distilbert")


def make_encoder(
    folder: Path,
    words: Iterable[str],
    kind: str = "bert",
    positions: int = 40,
    activation: str = "gelu",
) -> Path:
    """An encoder of two layers with the sub-words of these words: characters, and pairs at their beginnings."""
    import torch
    import transformers
    from transformers.utils import logging

    forms = sorted({word.lower() for word in words})
    rows = _byte_pairs(folder) if kind == "roberta" else _word_pieces(folder, forms)
    sizes = {"hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2}
    if kind == "bert":
        config = transformers.BertConfig(
            vocab_size=rows, max_position_embeddings=positions, hidden_act=activation, **sizes
        )
        model = transformers.BertModel(config)
    elif kind == "roberta":
        config = transformers.RobertaConfig(
            vocab_size=rows, max_position_embeddings=positions + 2, hidden_act=activation, pad_token_id=1, **sizes
        )
        model = transformers.RobertaModel(config)
    elif kind == "electra":
        config = transformers.ElectraConfig(
            vocab_size=rows, max_position_embeddings=positions, hidden_act=activation, embedding_size=8, **sizes
        )
        model = transformers.ElectraModel(config)
    else:
        config = transformers.DistilBertConfig(
            vocab_size=rows, max_position_embeddings=positions, activation=activation, dim=16, hidden_dim=24,
            n_layers=2, n_heads=2,
        )  # fmt: skip
        model = transformers.DistilBertModel(config)
    random = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():  # larger than usual, so that words differ
            parameter += 0.15 * torch.randn(parameter.shape, generator=random)
    bars = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    model.save_pretrained(folder)
    if bars:
        logging.enable_progress_bar()
    return folder


def _word_pieces(folder: Path, forms: list[str]) -> int:
    import transformers
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing

    characters = sorted({character for form in forms for character in form})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *characters, *(f"##{c}" for c in characters)]
    pieces += sorted({form[:2] for form in forms if len(form) > 1})
    numbers = {piece: k for k, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(WordPiece(numbers, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    ends = [(name, numbers[name]) for name in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    tokenizer.enable_truncation(8)  # as some have it, which must not count
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]",
        mask_token="[MASK]",
    )  # fmt: skip
    fast.save_pretrained(folder)
    return len(numbers)


def _byte_pairs(folder: Path) -> int:
    import transformers
    from tokenizers import Tokenizer
    from tokenizers.models import BPE
    from tokenizers.pre_tokenizers import ByteLevel
    from tokenizers.processors import TemplateProcessing

    specials = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    numbers = {piece: k for k, piece in enumerate([*specials, *sorted(ByteLevel.alphabet()), "Ġt", "Ġth", "Ġthe"])}
    tokenizer = Tokenizer(BPE(numbers, [("Ġ", "t"), ("Ġt", "h"), ("Ġth", "e")], unk_token="<unk>"))
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    tokenizer.post_processor = TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="<unk>", cls_token="<s>", sep_token="</s>", pad_token="<pad>",
        mask_token="<mask>",
    )  # fmt: skip
    fast.save_pretrained(folder)
    return len(numbers)
