from ..naive.tally import pytest_terminal_summary

__all__ = ["pytest_terminal_summary"]
