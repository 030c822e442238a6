"""Links in /proc, and folders of processes there: nobody here knows where they lead an agent by then."""

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
    left, place, links = _names(path), os.sep, 0
    while left:
        name = left.popleft()
        here = os.path.dirname(place) if name == os.pardir else os.path.join(place, name)  # noqa: PTH118, PTH120
        if here.startswith(PROCESSES) and _is_of_a_process(here):
            return os.path.join(here, *left)  # noqa: PTH118
        try:
            target = os.readlink(here)  # noqa: PTH115
        except (OSError, ValueError):
            place = here
            continue
        links += 1
        if links > MAX_LINKS:
            return ""
        place = os.sep if target.startswith(os.sep) else place
        left.extendleft(reversed(_names(target)))
    return ""


def _names(path: str) -> deque[str]:
    """Without the root, which may be written `//`."""
    return deque(PurePath(path.lstrip(os.sep)).parts)


def _is_of_a_process(place: str) -> bool:
    """Also one that may be there only later, and one that can't be read."""
    return place.removeprefix(PROCESSES).isdigit() or os.path.islink(place)  # noqa: PTH114
