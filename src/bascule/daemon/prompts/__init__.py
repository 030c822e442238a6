"""Prompts: what a person sends, whose turn it is, and what happened to it."""
