"""Sockets: listening, connecting, and who is at the other end."""
