"""Doors that are open, and the passes by which surfaces came in; kept by the part that listens."""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from bascule.model.consent.devices import PassInfo
from bascule.model.consent.origin import Door, Scope


class Passes(Protocol):
    """The keys of one door."""

    on_ended: Callable[[str], None]  # with a pass's name, before what it has open is closed

    def new_link(self, workspace: str = "", *, scope: Scope = "full") -> str:
        """A token that opens once."""

    def list_passes(self, door: Door) -> tuple[PassInfo, ...]: ...

    def find_credential(self, name: str) -> str:
        """The secret of a pass that a later daemon may be given again; empty where it is no such pass."""

    def revoke_named(self, name: str) -> bool:
        """What came in with it is closed; False where there is no such pass."""


class OpenDoor(Struct, frozen=True):
    door: Door
    url: str  # of its page, with the slash
    passes: Passes


class Doors:
    def __init__(self) -> None:
        self._open: dict[Door, OpenDoor] = {}
        self.revoked: set[str] = set()  # or signed out: an answer that came in by it can still be on its way

    def open(self, door: OpenDoor) -> None:
        door.passes.on_ended = self.revoked.add
        self._open[door.door] = door

    def close(self, door: Door) -> None:
        self._open.pop(door, None)

    def find(self, door: Door) -> OpenDoor | None:
        return self._open.get(door)

    def list_passes(self) -> tuple[PassInfo, ...]:
        return tuple(one for door in self._open.values() for one in door.passes.list_passes(door.door))

    def find_credential(self, name: str) -> str:
        return next(filter(None, (door.passes.find_credential(name) for door in self._open.values())), "")

    def revoke(self, name: str) -> bool:
        """At every door: two of them may know a pass by the same name."""
        self.revoked.add(name)
        revoked = [door.passes.revoke_named(name) for door in self._open.values()]
        return any(revoked)
