"""Sessions: made, kept, found and stored."""
