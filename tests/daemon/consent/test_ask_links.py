"""What the paths of an agent's question are when it is asked."""

import sys
from pathlib import Path

import msgspec
import pytest

from bascule.core.consent.ask_subjects import PER_PROCESS, show
from bascule.daemon.consent.ask_links import see_links
from bascule.model.asks import (
    Ask,
    Choice,
    CommandSubject,
    FilesSubject,
    PermissionsSubject,
    RealPath,
    Subject,
)
from bascule.model.blocks import FileEdit
from bascule.model.ids import AskId


def test_a_new_file_or_the_target_of_a_move_that_exists_is_named(tmp_path: Path) -> None:
    for name in ("kept.txt", "there.txt", "changed.txt"):
        (tmp_path / name).write_text("fifty lines", encoding="utf-8")
    files = (
        FileEdit(path="changed.txt", change="update"),
        FileEdit(path="changed.txt", change="update", moved_to="kept.txt"),
        FileEdit(path="changed.txt", change="update", moved_to="free.txt"),
        FileEdit(path="there.txt", change="add"),
        FileEdit(path="new.txt", change="add"),
    )
    ask = Ask(id=AskId("f"), title="Write these files?", subject=FilesSubject(files=files), choices=())
    subject = see_links(ask, str(tmp_path)).subject
    assert isinstance(subject, FilesSubject)
    assert subject.existing == ("kept.txt", "there.txt")


def test_where_the_paths_of_permissions_lead_is_named(tmp_path: Path) -> None:
    away = tmp_path / "away"
    place = tmp_path / "place"
    for folder in (away, place):
        folder.mkdir()
    (place / "docs").symlink_to(away)
    paths = (str(place / "docs" / "a"), str(place / "src"))
    wanted = PermissionsSubject(wants=("write docs/a", "write src"), paths=paths)
    ask = Ask(id=AskId("p"), title="Give these permissions?", subject=wanted, choices=())
    subject = see_links(ask, str(place)).subject
    assert isinstance(subject, PermissionsSubject)
    assert subject.links == (RealPath(path=paths[0], real=str(away / "a"), is_outside=True),)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such links")
@pytest.mark.parametrize(
    "subject",
    [
        CommandSubject(command="ls", original="ls", cwd="{place}/link"),
        CommandSubject(command="ls", original="ls", cwd="/proc/self/cwd"),
        FilesSubject(files=(FileEdit(path="/proc/self/cwd/a", change="add"),)),
        FilesSubject(files=(FileEdit(path="{place}/link/a", change="add"),)),
        PermissionsSubject(wants=("write",), paths=("/proc/self/root/etc",)),
    ],
)
def test_what_leads_each_process_elsewhere_takes_no_yes(tmp_path: Path, subject: Subject) -> None:
    """Here it would be followed as the daemon, and there as the agent."""
    (tmp_path / "link").symlink_to("/proc/self/cwd")
    place = msgspec.json.decode(
        msgspec.json.encode(subject).replace(b"{place}", str(tmp_path).encode()), type=type(subject)
    )
    yes, no = Choice(id="accept", label="Yes", grants=True), Choice(id="cancel", label="No", grants=False)
    ask = see_links(Ask(id=AskId("x"), title="?", subject=place, choices=(yes, no)), str(tmp_path))
    assert ask.choices == (no,)
    shown = show(ask.subject, preview_shown=True)
    assert PER_PROCESS in " ".join(" ".join(shown.lines).split())
    assert not shown.whole
    assert b'"/proc/self/' in msgspec.json.encode(ask.subject)
    assert see_links(ask, str(tmp_path)) == ask
