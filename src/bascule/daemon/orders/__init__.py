"""Orders: work that somebody asks for remotely."""
