"""Diffs written to the disk: planned, applied, undone, recovered."""
