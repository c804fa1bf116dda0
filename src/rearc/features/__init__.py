"""Feature templates in the papers' notation, compiled to small integer programs."""
