"""Messages in and out of a chat: who may, what they want, and the answer back."""
