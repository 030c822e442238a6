"""Codex: the app-server's wire, turned into Changes."""
