"""The logs that agents write of their sessions: followed for a status, or read as blocks."""
