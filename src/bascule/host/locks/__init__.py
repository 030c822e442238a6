"""Locks: one owner for a data folder, and one writer at a time for a file."""
