"""Commands about files: show, apply, review and undo changes."""
