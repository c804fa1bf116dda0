"""rearc: dependency parsing that can change its mind."""
