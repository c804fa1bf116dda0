"""Attachment scores, significance, error analysis."""
