"""Diffs as a person is shown them."""
