"""Doors to tools that people work with, one file each, each behind an extra of its own."""
