"""Terminals that we own: a program on a pty, the shells' integration files, and scrollback on the disk."""
