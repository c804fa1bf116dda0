"""The service and the page of `rearc serve`. Needs the extra `serve`."""
