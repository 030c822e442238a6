"""Machines: enrolled by a one-time code, known by a key of their own, connected by a WebSocket."""
