"""Diffs as text, read: sections of files, their names and their hunks."""
