"""From text to sentences, tokens and words."""
