"""An edit that fails is put back, folders too; what cannot be is named, and done at the next start."""

import errno
import os
from collections.abc import Callable
from typing import Any

import pytest
from tests.host.edits.edit_folder import EditFolder, why
from tests.host.plans import plan_of

from bascule.host.edits.apply import recover
from bascule.model.edits import Applied, EditPlan

CALLS = ("mkdir", "rmdir", "unlink", "rename", "link", "fsync", "write")
FAULT = OSError(errno.EIO, os.strerror(errno.EIO))


def edit_in_new_folders(disk: EditFolder) -> EditPlan:
    """A file of each kind: made, changed, moved and gone."""
    return plan_of(
        disk.plan("new/deep/made.txt", b"made"),
        disk.plan("new/moved.py", b"moved", source="src/b.py"),
        disk.plan("a.txt", b"changed\n"),
        disk.plan("src/c.sh", None),
    )


def say_no(broken: pytest.MonkeyPatch, name: str, is_now: Callable[[Any], bool]) -> None:
    """To this call, if so for what it is about."""
    call = getattr(os, name)

    def guarded(what: Any, *args: Any, **named: Any) -> Any:
        if is_now(what):
            raise FAULT
        return call(what, *args, **named)

    broken.setattr(os, name, guarded)


def test_a_folder_that_cannot_be_removed_is_named_and_removed_by_the_next_start(
    disk: EditFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, plan = disk.look(), edit_in_new_folders(disk)
    with monkeypatch.context() as broken:
        say_no(broken, "unlink", lambda name: name == "c.sh")
        say_no(broken, "rmdir", lambda _name: True)
        said = why(disk.apply(plan))
    assert "Not put back yet: new/deep, new; the next start tries again." in said
    (recovered,) = recover(disk.journals)
    assert recovered.is_whole
    assert disk.look() == before


def test_a_folder_in_which_somebody_put_something_stays(
    disk: EditFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, mine = edit_in_new_folders(disk), disk.workspace / "new" / "mine"

    def save_mine(name: str) -> bool:
        if name == "c.sh":
            mine.write_bytes(b"mine")
        return name == "c.sh"

    with monkeypatch.context() as broken:
        say_no(broken, "unlink", save_mine)
        assert (
            why(disk.apply(plan))
            == "Edit refused: src/c.sh: Input/output error. Check that it can be written."
        )
    assert recover(disk.journals) == []
    assert [path.name for path in mine.parent.iterdir()] == ["mine"]


@pytest.mark.parametrize("lasts", [True, False], ids=["from then on", "once"])
def test_a_disk_that_says_no_to_any_call_leaves_all_or_nothing_after_the_next_start(
    disk: EditFolder, monkeypatch: pytest.MonkeyPatch, lasts: bool
) -> None:
    before, plan, refused = disk.look(), edit_in_new_folders(disk), 0
    while True:
        calls = 0

        def count(_what: object, step: int = refused) -> bool:
            nonlocal calls
            calls += 1
            return calls > step if lasts else calls == step + 1

        with monkeypatch.context() as broken:
            for name in CALLS:
                say_no(broken, name, count)
            answer = disk.apply(plan)
        at_once, recovered = disk.look(), recover(disk.journals)
        if isinstance(answer, Applied):
            break
        refused += 1
        assert at_once == before or "the next start tries again" in answer.why
        assert all(one.is_whole for one in recovered)
        assert disk.look() == before
    assert refused > 10
