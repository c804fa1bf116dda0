"""The feature sets that come with rearc."""

from pathlib import Path

from rearc.features.templates import Template, TemplateError, parse_templates

_FOLDER = Path(__file__).parent


def feature_sets() -> list[str]:
    """The names of the sets.

    >>> "zhang-nivre" in feature_sets()
    True
    """
    return sorted(path.stem for path in _FOLDER.glob("*.txt"))


def load_templates(name: str) -> list[Template]:
    """The templates of a set by its name, or of a file by its path.

    >>> load_templates("labels")[0].text
    'H0p'
    """
    file = _FOLDER / f"{name}.txt" if name in feature_sets() else Path(name)
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "bytes that are not UTF-8"
        known = ", ".join(feature_sets())
        raise TemplateError(
            f"{name}: found {reason.lower()}, expected a file of templates, or one of the sets {known}"
        ) from None
    return parse_templates(text, name)
