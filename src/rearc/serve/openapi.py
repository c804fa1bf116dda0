"""What the service says of itself, as OpenAPI."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rearc.serve.limits import Limits
from rearc.serve.options import PARAMETERS
from rearc.serve.udpipe_formats import INPUTS, OUTPUTS
from rearc.version import __version__

CONLLU_TYPE = "text/x-conllu"
CONLLU_TYPES = (CONLLU_TYPE, "text/conllu", "application/x-conllu", "application/conllu")
JSON_LINES = "application/x-ndjson"

Tree = dict[str, Any]
STRING: Tree = {"type": "string"}
FIELDS: dict[str, Tree] = {
    "data": {"description": "The text, or sentences in the format of `input`."},
    "model": {"description": "A name out of /models, or its beginning up to a hyphen."},
    "tokenizer": {
        "description": "If there, data is text. Options between semicolons: presegmented, ranges, normalized_spaces."
    },
    "tagger": {"description": "If there, tags and lemmas are made."},
    "parser": {"description": "If there, trees are made."},
    "input": {"description": "How data is written, if it is no text.", "pattern": f"^$|^({'|'.join(INPUTS)})(=|$)"},
    "output": {"description": "How the result is written.", "pattern": f"^$|^({'|'.join(OUTPUTS)})(=|$)"},
}


def describe(models: Iterable[str], limits: Limits) -> Tree:
    """The description, with the models and limits of this service."""
    names = list(models)
    parameters = {
        name: schema | ({"enum": names, "default": names[0]} if name == "model" else {})
        for name, schema in PARAMETERS.items()
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "rearc", "version": __version__, "description": "Dependency parsing."},
        "paths": {
            "/parse": {"post": _parse(parameters, limits)},
            "/models": {"get": _models(), "post": _models()},
            "/process": {"get": _process_by_query(), "post": _process_by_form()},
            "/health": {"get": _get("Whether the service runs.", _object(status={"const": "ok"}, version=STRING))},
            "/openapi.json": {"get": _get("This description.", {"type": "object"})},
        },
        "components": {
            "schemas": {"Error": _object(error=STRING)},
            "responses": {"Error": _content("What was found and what was expected.", _ref("schemas"))},
        },
    }


def _parse(parameters: Tree, limits: Limits) -> Tree:
    text = {"type": "string", "maxLength": limits.body}
    raw = {"description": "UTF-8."}  # whatever is written so is a text
    either = [
        {"type": "object", "additionalProperties": False, "properties": {**parameters, **own}, "required": [name]}
        for name, own in (("text", {"text": text}), ("conllu", {"conllu": text, "format": {"const": "conllu"}}))
    ]
    return {
        "summary": "Parse text or sentences.",
        "description": f"At most {limits.body:,} bytes and {limits.words:,} words. Parameters stand in the query or, "
        "where the body is JSON, in it. A long answer comes in pieces; if one cannot be completed, the connection is "
        "closed before its end.",
        "parameters": [
            {
                "name": name,
                "in": "query",
                "description": schema["description"],
                "schema": {key: value for key, value in schema.items() if key != "description"},
            }
            for name, schema in parameters.items()
        ],
        "requestBody": {
            "required": True,
            "content": {
                "text/plain": {"schema": raw},
                CONLLU_TYPE: {"schema": raw},
                "application/json": {"schema": {"oneOf": either}},
            },
        },
        "responses": {
            "200": {
                "description": "The trees.",
                "content": {"text/plain": {"schema": STRING}, JSON_LINES: {"schema": STRING}},
            },
            **_errors(400, 403, 404, 408, 413, 415, 421, 422, 503, 504),
        },
    }


def _models() -> Tree:
    abilities = {"type": "array", "items": {"enum": ["tokenizer", "tagger", "parser"]}}
    shape = _object(
        models={"type": "object", "additionalProperties": abilities},
        default_model=STRING,
        about={"type": "object", "additionalProperties": {"type": "object"}},
    )
    return _get("The models, what they can do, and which is meant where none is named.", shape)


def _process_by_query() -> Tree:
    parameters = [
        {"name": name, "in": "query", "required": name == "data", "schema": STRING | field}
        for name, field in FIELDS.items()
    ]
    return {"summary": "Process data, as UDPipe's service does.", "parameters": parameters, "responses": _processed()}


def _process_by_form() -> Tree:
    form = {
        "type": "object",
        "required": ["data"],
        "properties": {name: STRING | field for name, field in FIELDS.items()},
    }
    return {
        "summary": "Process data, as UDPipe's service does.",
        "requestBody": {
            "required": True,
            "content": {
                "application/x-www-form-urlencoded": {"schema": form},
                "multipart/form-data": {"schema": form},
            },
        },
        "responses": _processed(),
    }


def _processed() -> Tree:
    shape = _object(model=STRING, acknowledgements={"type": "array", "items": STRING}, result=STRING)
    return {"200": _content("The result.", shape), **_errors(400, 403, 404, 408, 413, 415, 421, 422, 503, 504)}


def _get(summary: str, schema: Tree) -> Tree:
    return {"summary": summary, "responses": {"200": _content("As asked.", schema), **_errors(400, 403, 421, 503)}}


def _object(**properties: Tree) -> Tree:
    return {"type": "object", "required": list(properties), "properties": properties}


def _content(description: str, schema: Tree) -> Tree:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _errors(*codes: int) -> Tree:
    return {str(code): _ref("responses") for code in codes}


def _ref(kind: str) -> Tree:
    return {"$ref": f"#/components/{kind}/Error"}
