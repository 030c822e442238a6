"""Diffs prepared, applied and reviewed; tests run."""
