"""Child processes, signals and tasks."""
