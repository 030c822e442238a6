"""Command lines: readable for a person, and checked before they run."""
