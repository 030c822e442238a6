"""Links in /proc, which lead each process elsewhere: nobody here knows where they lead an agent."""

import os
import sys
from collections import deque
from pathlib import PurePath

PROCESSES = "/proc/"
MAX_LINKS = 40  # followed on one path, as Linux does


def find_process_link(path: str) -> str:
    """A path as far as it leads every process the same way, where that is not to its end; else empty."""
    if sys.platform != "linux":
        return ""
    left, place, links = deque(PurePath(path).parts), os.sep, 0
    while left:
        name = left.popleft()
        here = os.path.dirname(place) if name == os.pardir else os.path.join(place, name)  # noqa: PTH118, PTH120
        if here.startswith(PROCESSES) and os.path.islink(here):  # noqa: PTH114 - also where it can't be read
            return os.path.join(here, *left)  # noqa: PTH118
        try:
            target = os.readlink(here)  # noqa: PTH115
        except (OSError, ValueError):
            place = here
            continue
        links += 1
        if links > MAX_LINKS:
            return ""
        left.extendleft(reversed(PurePath(target).parts))
    return ""
