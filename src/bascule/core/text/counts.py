"""Counted things in English: "1 file", "2 files"."""


def counted(count: int, noun: str) -> str:
    """For nouns that take an s."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
