"""The public server between a team's chat and the machines: it takes messages, and can say no yes."""
