"""Merging: the best source wins, an end is final until something new, order and repeats do not matter."""

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bascule.core.watch import merge
from bascule.core.watch.board import Board, group_sessions
from bascule.core.watch.merge import MEANINGS, SOURCES, SessionEvidence
from bascule.model.session import Status
from bascule.model.watch import Signal, Source, WatchedSession


def signal(source: Source, said: str, *, session: str = "s", at_ms: int = 0, pane: str = "") -> Signal:
    status: Status = MEANINGS.get((source, said)) or "unknown"
    return Signal(
        source=source, agent="a", session=session, evidence=said, status=status, at_ms=at_ms, pane=pane
    )


def driven(status: Status) -> Signal:
    return Signal(source="protocol", agent="a", session="s", evidence=status, status=status, our_id="ses_1")


def shown(*signals: Signal) -> WatchedSession:
    board = Board()
    for number, one in enumerate(signals, start=1):
        board.feed(one, number)
    (only,) = board.all()
    return only


def test_the_best_source_that_says_something_wins() -> None:
    hook, registry = signal("hook", "UserPromptSubmit"), signal("registry", "idle")
    assert shown(hook, registry).status == "completed"  # Esc: hooks miss it
    assert shown(registry, hook).status == "completed"
    assert shown(signal("registry", "no status"), hook).status == "working"
    assert shown(signal("socket", "active"), signal("rollout", "task_complete")).status == "working"
    assert shown(driven("waiting_user"), signal("socket", "active")).status == "waiting_user"


def test_a_source_that_no_longer_says_leaves_the_word_to_the_next() -> None:
    hook = signal("hook", "PermissionRequest")
    assert shown(hook, signal("registry", "busy"), signal("registry", "no status")).status == "waiting_user"
    lost = shown(signal("socket", "active"), signal("socket", "connection lost"))
    assert (lost.status, lost.source) == ("unknown", "socket")


def test_a_rollout_alone_has_no_dot_but_a_last_activity() -> None:
    alone = shown(signal("rollout", "open tool call", at_ms=77))
    assert (alone.status, alone.activity_at_ms, alone.evidence) == ("unknown", 77, "open tool call")


def test_a_rollout_counts_in_a_pane() -> None:
    for word, status in (("prompt", "working"), ("request_user_input", "waiting_user")):
        known = SessionEvidence()
        known.feed(signal("rollout", word), 1)
        assert known.shown is not None
        assert known.shown.status == "unknown"
        known.bind("p1", 2)
        assert (known.shown.status, known.shown.pane) == (status, "p1")
        known.bind("", 3)
        assert (known.shown.status, known.shown.pane) == ("unknown", "")


def test_a_process_that_ended_is_stopped_whatever_hooks_said_before() -> None:
    assert shown(signal("hook", "UserPromptSubmit"), signal("registry", "process ended")).status == "stopped"


def test_an_end_is_over_when_another_source_says_something_new() -> None:
    ended = signal("registry", "process ended")
    assert shown(ended, signal("hook", "SessionStart")).status == "completed"
    assert shown(signal("hook", "Stop"), ended, signal("hook", "Stop")).status == "stopped"  # a repeat
    assert shown(ended, signal("hook", "SessionEnd")).status == "stopped"
    assert shown(ended, signal("rollout", "prompt")).status == "stopped"  # read late, perhaps


def test_since_is_when_the_status_changed_and_not_when_it_was_said_again() -> None:
    board = Board()
    board.feed(signal("hook", "UserPromptSubmit", at_ms=10), 11)
    board.feed(signal("registry", "busy", at_ms=20), 21)
    again = board.feed(signal("registry", "busy", at_ms=30), 31)
    assert again is not None
    assert (again.since_ms, again.heard_at_ms) == (10, 30)


def test_what_only_a_lower_source_knows_is_shown_too() -> None:
    line = shown(
        Signal(
            source="rollout",
            agent="a",
            session="s",
            evidence="open tool call",
            status="working",
            title="T",
            cwd="/p",
            doing="make",
        ),
        signal("socket", "active"),
    )
    assert (line.title, line.cwd, line.doing, line.source) == ("T", "/p", "make", "socket")


def test_time_is_never_evidence() -> None:
    board = Board()
    first = board.feed(signal("hook", "UserPromptSubmit", at_ms=1), 1)
    board.feed(signal("hook", "UserPromptSubmit", session="other"), 10**12)
    assert first is not None
    assert board.find("a:s") == first
    assert not hasattr(board, "tick")


def test_hidden_sessions_are_never_shown() -> None:
    board = Board()
    hidden = Signal(source="socket", agent="a", session="s", evidence="idle", status="completed", hidden=True)
    assert board.feed(hidden, 1) is None
    assert board.all() == []
    assert board.find("a:s") is None
    assert board.feed(signal("rollout", "prompt"), 2) is None


def test_the_board_has_a_ceiling_and_what_goes_on_stays() -> None:
    board = Board(max_sessions=3)
    board.feed(signal("hook", "UserPromptSubmit", session="busy", at_ms=1), 1)
    for number in range(10):
        board.feed(signal("hook", "Stop", session=f"s{number}", at_ms=10 + number), 1)
    assert {one.their_id for one in board.all()} == {"busy", "s8", "s9"}


def test_a_flood_of_sessions_costs_no_look_at_all_of_them_for_each() -> None:
    class Counting(Board):
        looked = 0

        def _age(self, key: str) -> tuple[int, int]:
            self.looked += 1
            return super()._age(key)

    board = Counting(max_sessions=1000)
    for number in range(3000):
        board.feed(signal("hook", "UserPromptSubmit", session=f"s{number}", at_ms=number), number)
    assert len(board.all()) <= 1000
    assert board.find("a:s2999") is not None
    assert board.looked < 100 * 3000


def test_lines_that_leave_the_board_are_named_once() -> None:
    board = Board(max_sessions=2)
    for number in range(1, 4):
        board.feed(signal("socket", "idle", session=f"s{number}"), number)
    assert board.take_left() == ["a:s1"]
    made_for_a_title = Signal(source="socket", agent="a", session="s3", evidence="idle", hidden=True)
    board.feed(made_for_a_title, 9)
    assert board.take_left() == ["a:s3"]
    assert board.take_left() == []


def test_those_that_wait_come_first_and_folders_are_grouped() -> None:
    board = Board()
    for session, said, cwd in (
        ("old", "Stop", "/a"),
        ("wait", "PermissionRequest", "/b"),
        ("work", "UserPromptSubmit", "/a"),
    ):
        named = Signal(
            source="hook",
            agent="a",
            session=session,
            evidence=said,
            status=MEANINGS["hook", said] or "unknown",
            cwd=cwd,
        )
        board.feed(named, 1)
    assert [one.their_id for one in board.all()] == ["wait", "work", "old"]
    grouped = [(folder, [one.their_id for one in group]) for folder, group in group_sessions(board.all())]
    assert grouped == [("/b", ["wait"]), ("/a", ["work", "old"])]


def test_every_source_has_its_own_rank() -> None:
    assert sorted(rule.rank for rule in SOURCES.values()) == list(range(1, len(SOURCES) + 1))
    assert {source for source, _ in MEANINGS} <= set(SOURCES)


# -- any order, any repeats --

said_by = {source: sorted(said for one, said in MEANINGS if one == source) for source in SOURCES}
streams = st.fixed_dictionaries(
    {source: st.lists(st.sampled_from(said), max_size=5) for source, said in said_by.items() if said}
)


def weave(data: st.DataObject, words: dict[Source, list[str]]) -> list[Signal]:
    """Each source in its own order, in any order among each other."""
    left = {source: list(said) for source, said in words.items() if said}
    woven = []
    while left:
        source = data.draw(st.sampled_from(sorted(left)))
        woven.append(signal(source, left[source].pop(0)))
        left = {source: said for source, said in left.items() if said}
    return woven


@given(streams, st.data())
def test_how_sources_interleave_changes_nothing_unless_something_ended(
    words: dict[Source, list[str]], data: st.DataObject
) -> None:
    one, other = weave(data, words), weave(data, words)
    if one and not any(signal.status == "stopped" for signal in one):
        assert (shown(*one).status, shown(*one).source) == (shown(*other).status, shown(*other).source)


@given(streams, st.data())
def test_a_signal_that_comes_twice_changes_nothing(
    words: dict[Source, list[str]], data: st.DataObject
) -> None:
    woven = weave(data, words)
    if woven:
        twice = shown(*(one for one in woven for _ in range(2)))
        assert (twice.status, twice.source) == (shown(*woven).status, shown(*woven).source)


@given(streams, st.data())
def test_the_status_is_always_what_some_source_said_last(
    words: dict[Source, list[str]], data: st.DataObject
) -> None:
    woven = weave(data, words)
    if woven:
        last = {one.source: one.status for one in woven}
        assert shown(*woven).status in {*last.values(), "unknown"}


def test_the_page_about_watching_shows_these_tables() -> None:
    page = (Path(__file__).parents[3] / "docs" / "explain" / "watching.md").read_text(encoding="utf-8")
    said = {None: "no change", "unknown": "not known"}
    meanings = [
        f"| {source} | {word} | {said.get(status, status)} |" for (source, word), status in MEANINGS.items()
    ]
    sources = [
        f"| {rule.rank} | {source} | {rule.about} | {'yes' if rule.has_dot else 'no'} |"
        for source, rule in SOURCES.items()
    ]
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    wanted = [*sources, *meanings]
    assert [row for row in wanted if row not in rows] == []
    assert len(rows) == len(wanted) + 4  # and the two heads


def test_every_word_of_the_table_can_be_said() -> None:
    """A row that no reader can reach would be a promise that nobody keeps."""
    folder = Path(merge.__file__).parent
    sources = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py") if path.name != "merge.py"]
    parts = {word for _, said in MEANINGS for word in re.split(r"[:,] ", said)}
    panes = folder.parents[1] / "daemon" / "watch" / "pane_sessions.py"
    sources.append(panes.read_text(encoding="utf-8"))
    runner = (folder.parents[1] / "host" / "watch" / "runner" / "bascule-notify.sh").read_text()
    assert [word for word in sorted(parts) if not any(word in text for text in [*sources, runner])] == [
        "compact",  # passed on as Claude says it
        "idle_prompt",  # ignored where it arrives
    ]
