"""Diffs: read as models and Git write them, and planned to the byte before anything is written."""
