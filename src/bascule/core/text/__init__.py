"""Text from outside: safe to print, without secrets, of a known type."""
