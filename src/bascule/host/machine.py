"""What this machine is: its name, and its system."""

import platform
import re
import sys

IS_WINDOWS = sys.platform == "win32"


def host_name() -> str:
    """Its own name for itself, in characters that an id may have."""
    return re.sub(r"[^!-~]", "-", platform.node())[:200] or "this-machine"
