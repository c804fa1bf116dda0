"""The version of rearc that is installed."""

from importlib.metadata import version

__version__ = version("rearc")
