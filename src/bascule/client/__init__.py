"""Talk to a daemon: find it, call it, mirror its sessions."""
