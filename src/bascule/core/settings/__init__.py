"""Settings files: read with the line of every problem, and changed without touching the rest."""
