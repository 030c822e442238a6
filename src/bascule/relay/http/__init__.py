"""The relay over HTTP: callbacks of the chat, machines, and operations behind a token."""
