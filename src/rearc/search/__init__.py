"""Beam search over derivations, for every system and any scorer."""
