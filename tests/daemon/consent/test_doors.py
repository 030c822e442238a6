"""Doors: a pass is revoked wherever its name is known."""

from collections.abc import Callable

from bascule.daemon.consent.doors import Doors, OpenDoor
from bascule.model.consent.devices import PassInfo
from bascule.model.consent.origin import Door, Scope


class Keys:
    """One pass, named "bearer", until it is revoked."""

    def __init__(self) -> None:
        self.on_ended: Callable[[str], None] = lambda _name: None
        self.held = ["bearer"]

    def new_link(self, workspace: str = "", *, scope: Scope = "full") -> str:
        return f"{workspace}{scope}"

    def list_passes(self, door: Door) -> tuple[PassInfo, ...]:
        return ()

    def find_credential(self, name: str) -> str:
        return f"secret of {name}" if name in self.held else ""

    def revoke_named(self, name: str) -> bool:
        held = name in self.held
        self.held = [one for one in self.held if one != name]
        return held


def test_a_name_that_two_doors_know_is_revoked_at_both() -> None:
    doors, page, outside = Doors(), Keys(), Keys()
    doors.open(OpenDoor("page", "http://a/", page))
    doors.open(OpenDoor("outside", "https://b/", outside))
    assert doors.revoke("bearer")
    assert (page.held, outside.held) == ([], [])
    assert not doors.revoke("bearer")
    assert doors.revoked == {"bearer"}, "an answer that came in by it can still be on its way"


def test_a_pass_that_ends_at_its_door_is_known_as_revoked() -> None:
    """Signed out, or dropped for newer ones: no answer that came in by it counts from then on."""
    doors, page = Doors(), Keys()
    doors.open(OpenDoor("page", "http://a/", page))
    page.on_ended("browser-1")
    assert doors.revoked == {"browser-1"}
