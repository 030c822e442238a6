"""What a person sends: slash commands, mentions, context, and the order of prompts."""
