"""Agent processes, and what they say."""
