"""Where a surface comes from: its door, its pass and, from outside, the device that proved itself."""

from typing import Literal

from msgspec import Struct

Door = Literal[
    "terminal",  # a command of this user: in this process, or over the local socket
    "stdio",  # the program that started `bascule runtime`
    "page",  # a browser on this machine
    "outside",  # another machine, over TLS
]
Scope = Literal["full", "look", "orders"]  # what the pass is for; never wider than its door allows


class Origin(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Set by the side that accepted the connection; nothing in it is the peer's own word."""

    door: Door
    scope: Scope = "full"
    credential: str = ""  # the pass it came with, by its public name: "browser-3f9a1c"
    device: str = ""  # id of the enrolled device whose key signed our challenge; only from outside
    device_name: str = ""
    host: str = ""  # name and port by which the peer called us, as the door checked it
    pid: int = 0  # of the peer, where the system tells

    @property
    def is_here(self) -> bool:
        """At this machine."""
        return self.door != "outside"
