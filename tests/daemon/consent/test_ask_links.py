"""What the paths of an agent's question are when it is asked."""

from pathlib import Path

from bascule.daemon.consent.ask_links import see_links
from bascule.model.asks import Ask, FilesSubject, PermissionsSubject, RealPath
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
