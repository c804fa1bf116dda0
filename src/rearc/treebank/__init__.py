"""Sentences and trees, in and out. Knows nothing of parsing."""
