"""What each agent speaks; opens nothing, is handed streams."""
