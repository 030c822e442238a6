"""The edits of a run, from its blocks and from what its commands were seen to do."""

from bascule.core.diff.make.compare import hunks_between
from bascule.core.diff.make.compose import Edit
from bascule.core.diff.show.unified import added, deleted, updated
from bascule.core.session.run_edits import (
    FAILED,
    NOT_WATCHED,
    NOT_WHOLE,
    RUNNING,
    TOOLS,
    Observed,
    Version,
    edits_of,
    notes_of,
)
from bascule.model.blocks import Block, CommandBlock, FileChangeBlock, McpBlock
from bascule.model.ids import BlockId

ABSENT = Version("absent")


def changes(name: str, *files: object, status: str = "completed") -> FileChangeBlock:
    return FileChangeBlock(id=BlockId(name), files=files, status=status)  # type: ignore[arg-type]


def command(name: str) -> CommandBlock:
    return CommandBlock(id=BlockId(name), status="completed")


def observed(block: str, path: str, before: Version, after: Version) -> Observed:
    return Observed(block=BlockId(block), path=path, before=before, after=after)


def test_what_the_agent_reported_and_what_commands_did_in_the_order_of_the_log() -> None:
    blocks: list[Block] = [
        changes("1", updated("a", "@@ -1 +1 @@\n-a\n+b\n\n\nMoved to: c\n", "c"), added("n", "new\n")),
        command("2"),
        changes("3", deleted("n", "new\n")),
        changes("4", updated("a", "@@ -1 +1 @@\n-a\n+no\n"), status="declined"),
    ]
    seen = [
        observed("2", "c", Version("text", b"b\n"), Version("text", b"c\n")),
        observed("2", "made", ABSENT, Version("text", b"x")),
        observed("gone", "late", Version("text", b"x"), ABSENT),
    ]
    edits, unreadable = edits_of(blocks, seen)
    assert unreadable == []
    assert edits == [
        Edit(path="a", change="update", hunks=hunks_between(b"a\n", b"b\n"), moved_to="c"),
        Edit(path="n", change="add", hunks=hunks_between(b"", b"new\n")),
        Edit(path="c", change="update", hunks=hunks_between(b"b\n", b"c\n"), by="command"),
        Edit(path="made", change="add", hunks=hunks_between(b"", b"x"), by="command"),
        Edit(path="n", change="delete", hunks=hunks_between(b"new\n", b"")),
        Edit(path="late", change="delete", hunks=hunks_between(b"x", b""), by="command"),
    ]


def test_a_new_file_in_the_place_of_another_is_an_edit_of_that() -> None:
    seen = [observed("1", "a", Version("text", b"old\n"), Version("text", b"new\n"))]
    edits, _ = edits_of([changes("1", added("a", "new\n"))], seen)
    assert edits == [Edit(path="a", change="update", hunks=hunks_between(b"old\n", b"new\n"))]


def test_what_is_not_known_of_a_file_is_said() -> None:
    seen = [
        observed("1", "bin", Version("binary"), Version("binary")),
        observed("1", "late", Version("unknown"), Version("text", b"x")),
    ]
    edits, _ = edits_of([command("1")], seen)
    assert [(edit.path, edit.unknown) for edit in edits] == [
        ("bin", "it is a binary file"),
        ("late", "it was first seen while the command was already running"),
    ]


def test_an_edit_that_cannot_be_read_is_named() -> None:
    edits, unreadable = edits_of([changes("1", updated("a", "@@ -1 +1 @@\nwhat is this\n+x\n"))], [])
    assert (edits, unreadable) == ([], ["a"])


def test_notes() -> None:
    def note(
        *blocks: Block, is_running: bool = False, was_watched: bool = True, is_whole: bool = True
    ) -> str:
        return notes_of(blocks, is_running=is_running, was_watched=was_watched, is_whole=is_whole)

    assert note(command("1")) == ""
    assert note(is_running=True) == RUNNING
    assert note(was_watched=False, is_whole=False) == ""  # there was nothing to watch
    assert note(command("1"), was_watched=False) == NOT_WATCHED
    assert note(command("1"), is_whole=False) == NOT_WHOLE
    assert note(changes("1", status="failed"), McpBlock(id=BlockId("2"))) == f"{FAILED} {TOOLS}"
