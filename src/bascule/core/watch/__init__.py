"""Sessions that others started: what is seen of them, and the status that it proves."""
