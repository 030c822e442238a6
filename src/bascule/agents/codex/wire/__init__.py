"""What we read of the app-server's wire: structs checked against its own schema in a test."""
