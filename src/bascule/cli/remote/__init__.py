"""The relay for a team's chat, and the bridge to one."""
