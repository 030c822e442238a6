"""What Git says of a workspace: its branch, its changed files and its ignored ones."""
