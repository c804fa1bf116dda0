"""Packages that only an extra brings. Where one is not installed, what needs it is left out and says so."""

EXTRAS = {
    "torch": "neural",
    "tokenizers": "encoders",
    "transformers": "transformers",
    "matplotlib": "plot",
    "pandas": "tables",
    "pyarrow": "tables",
    "spacy": "spacy",
    "starlette": "serve",
    "uvicorn": "serve",
    "anyio": "serve",  # starlette brings it
    "ray": "ray",
    "pyspark": "spark",
}


def reason(error: ModuleNotFoundError) -> str:
    """Why a module cannot be imported here, if an extra is all that it needs; else the error goes on."""
    package = (error.name or "").partition(".")[0]
    if package not in EXTRAS:
        raise error
    return f"no {package}; pip install 'rearc[{EXTRAS[package]}]'"
