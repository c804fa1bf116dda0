"""One file per transition system: configurations, transitions, when each is legal."""
