"""What we read of the app-server's wire: structs checked against its own schema in a test."""

import msgspec

# What a decoder raises on bytes that are not the message it wants; too deep a nesting is one of them.
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
