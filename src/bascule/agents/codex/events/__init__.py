"""What Codex sends, translated into Changes and Asks."""
