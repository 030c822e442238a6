"""What is true of a session: the fold of Changes, its status, its export."""
