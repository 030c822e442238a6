"""Terminal panes: bytes kept with their place, marks that a shell leaves in them, and how a shell starts."""
