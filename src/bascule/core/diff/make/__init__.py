"""Diffs made: from two versions of a file, from many edits, and the other way round."""
