"""What people write to the relay in a chat, and what it says back; pure."""
