"""Settings, devices and trust decisions on the disk."""
