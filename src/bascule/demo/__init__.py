"""An offline model good enough to exercise every block kind, with a home and a project for a real Codex."""
