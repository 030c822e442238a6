"""Sessions that are set aside are named by their titles, wherever one can still be found."""

from pathlib import Path

from tests.daemon.hubs import make_session

from bascule.daemon.sessions.opened_store import Storage
from bascule.daemon.surfaces.notices import Notices
from bascule.host.findings import find_damage
from bascule.host.storage.search_index import SearchIndex, search_path
from bascule.host.storage.store import Saved, Store
from bascule.model.blocks import UserBlock
from bascule.model.ids import BlockId

TEXT = "words that fill a page " * 300


def store_sessions(path: Path, *titles: str) -> None:
    store, index = Store(path), SearchIndex(search_path(path))
    for number, title in enumerate(titles):
        head = make_session(f"s_{number}", title=title, updated_at_ms=number)
        block = UserBlock(id=BlockId("b"), text=f"{TEXT}<end of {number}>")
        saved = Saved(head=head, blocks=((0, block),), whole=True)
        store.save([saved])
        index.save([saved])
    store.close()
    index.close()


def ruin_page(path: Path, wanted: bytes) -> None:
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    begin = data.rindex(wanted) // size * size
    data[begin : begin + size] = b"\xff" * size
    path.write_bytes(data)


def open_storage(path: Path) -> dict[str, str]:
    """What surfaces are sent, by kind."""
    notices = Notices()
    storage = Storage(path, notices, now_ms=lambda: 0)
    storage.saver.close()
    return {notice.kind: notice.text for notice in notices.all()}


def test_a_page_of_heads_takes_its_sessions_and_the_index_still_names_them(tmp_path: Path) -> None:
    path = tmp_path / "bascule.db"
    store_sessions(path, "Fix the parser", "Write the guide")
    ruin_page(path, b'{"id":"s_0"')
    said = open_storage(path)
    assert said["set_aside"] == (
        "2 sessions can't be read and are set aside: Fix the parser, Write the guide. "
        "Nothing was deleted. `bascule doctor` has details."
    )
    assert said["database_replaced"].endswith("and a new one was begun with the 0 sessions that can be read.")
    (broken,) = tmp_path.glob("bascule.db.broken-*")
    assert [(found.detail, found.then) for found in find_damage(path)[:2]] == [
        (
            f"session {title} (s_{number}): its part of the damaged database can't be read",
            f"What is left of it is kept in {broken}.",
        )
        for number, title in enumerate(("Fix the parser", "Write the guide"))
    ]


def test_a_page_of_a_log_takes_one_session_and_its_own_head_names_it(tmp_path: Path) -> None:
    path = tmp_path / "bascule.db"
    store_sessions(path, "Fix the parser", "Write the guide")
    search_path(path).unlink()
    ruin_page(path, b"<end of 0>")
    path.with_name("bascule.db.damaged").touch()  # as the daemon that came upon it left it
    said = open_storage(path)
    assert said["set_aside"] == (
        "1 session can't be read and is set aside: Fix the parser. "
        "Nothing was deleted. `bascule doctor` has details."
    )
    assert said["database_replaced"].endswith("and a new one was begun with the 1 session that can be read.")
    assert find_damage(path)[0].detail.startswith("session Fix the parser (s_0): ")


def test_doctor_names_them_before_any_daemon_has_looked(tmp_path: Path) -> None:
    path = tmp_path / "bascule.db"
    store_sessions(path, "Fix the parser")
    data = path.read_bytes()
    assert data.count(b'{"id":"s_0"') == 1
    path.write_bytes(data.replace(b'{"id":"s_0"', b'{"id":!s_0"'))
    (found,) = find_damage(path)
    assert found.detail.startswith("session Fix the parser (s_0): JSON is malformed")
    assert found.then == f"It is kept in {path}."
