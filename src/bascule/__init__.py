"""Bascule: the local-first control room for coding agents."""

__version__ = "0.1.0"
