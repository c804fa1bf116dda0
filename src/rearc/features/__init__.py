"""Feature templates in the papers' notation, compiled to small integer programs."""

from typing import TYPE_CHECKING

from rearc.lazy import lazy

if TYPE_CHECKING:
    from rearc.features.sets import feature_sets, load_templates
    from rearc.features.templates import Template, TemplateError, parse_templates

__all__ = ["Template", "TemplateError", "feature_sets", "load_templates", "parse_templates"]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Template": "rearc.features.templates",
        "TemplateError": "rearc.features.templates",
        "feature_sets": "rearc.features.sets",
        "load_templates": "rearc.features.sets",
        "parse_templates": "rearc.features.templates",
    },
)
