"""Hunks placed in a file: where each belongs, and the bytes with all of them in."""
