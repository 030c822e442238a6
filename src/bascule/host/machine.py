"""What this machine is called."""

import platform
import re


def host_name() -> str:
    """Its own name for itself, in characters that an id may have."""
    return re.sub(r"[^!-~]", "-", platform.node())[:200] or "this-machine"
