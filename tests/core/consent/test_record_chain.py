"""The chain: whatever is done to a line, to the order or to the end, is found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.consent.record_chain import (
    BEGIN,
    MAX_NAME,
    MAX_REMOTE_TEXT,
    MAX_TEXT,
    UNANCHORED,
    Chain,
    find_loss,
    hash_line,
    parse_line,
    write_line,
)
from bascule.model.consent.audit import Anchor, Entry, Local, RecordProblem, Remote


def entry(number: int) -> Entry:
    who = (
        Local(surface="terminal", person="ann") if number % 2 else Remote(user="bo", command_id=f"c{number}")
    )
    return Entry(at_ms=number, kind="apply", who=who, asked=f"file{number}.txt", outcome="done", answer="yes")


def log_of(count: int) -> tuple[list[str], Anchor]:
    lines, before = list[str](), BEGIN
    for number in range(count):
        lines.append(write_line(entry(number), number + 1, before))
        before = hash_line(lines[-1])
    return lines, Anchor(first=1, seq=count, hash=before)


def check(lines: list[tuple[int, str]] | list[str], anchor: Anchor | None) -> list[str]:
    numbered = [one if isinstance(one, tuple) else (at, one) for at, one in enumerate(lines, 1)]
    chain = Chain(anchor)
    problems = [problem for seq, raw in numbered for problem in chain.feed(seq, raw)]
    return [str(problem) for problem in [*problems, *chain.end()]]


def test_a_line_says_who_what_and_what_came_of_it() -> None:
    raw = write_line(entry(1), 1, BEGIN)
    assert raw == (
        '{"seq":1,"before":"' + "0" * 64 + '","entry":{"at_ms":1,"kind":"apply","who":{"from":"local",'
        '"surface":"terminal","person":"ann"},"asked":"file1.txt","outcome":"done","answer":"yes"}}'
    )
    line = parse_line(raw)
    assert line is not None
    assert line.entry == entry(1)


def test_a_line_has_a_ceiling_and_a_lower_one_for_what_came_from_outside() -> None:
    long = "\u0001" * 10**6
    local = Entry(at_ms=1, kind="test", who=Local(surface="x"), asked=long, outcome="failed", why=long)
    sender = Remote(user=long, command_id=long, via=long)
    remote = Entry(at_ms=1, kind="order", who=sender, asked=long, outcome="refused", why=long)
    ours, theirs = (parse_line(write_line(one, 1, BEGIN)) for one in (local, remote))
    assert ours is not None
    assert theirs is not None
    assert ours.entry.asked == "\u0001" * MAX_TEXT + "…"
    assert (theirs.entry.asked, theirs.entry.why) == ("\u0001" * MAX_REMOTE_TEXT + "…",) * 2
    name = "\u0001" * MAX_NAME + "…"
    assert theirs.entry.who == Remote(user=name, command_id=name, via=name)


@pytest.mark.parametrize("count", [0, 1, 7])
def test_a_log_as_it_was_written_has_no_problems(count: int) -> None:
    lines, anchor = log_of(count)
    assert check(lines, anchor if count else None) == []
    assert check(lines, None) == ([f"the record: {UNANCHORED}"] if count else [])


def test_what_was_done_to_it_is_named_with_its_line() -> None:
    lines, anchor = log_of(6)
    numbered = list(enumerate(lines, 1))
    forged = lines[2].replace("file2", "fileX")
    assert check([*lines[:2], forged, *lines[3:]], anchor) == [
        "line 4: it does not follow from the line before, which was changed or put in"
    ]
    assert check([*numbered[:2], *numbered[3:]], anchor) == ["line 4: line 3 is missing before it"]
    assert check([*numbered[:2], *numbered[4:]], anchor) == ["line 5: lines 3 to 4 are missing before it"]
    assert check([*lines[:5], lines[5].replace("file5", "fileX")], anchor) == [
        "line 6: it is not the line that was noted in the session store"
    ]
    assert check(lines[:4], anchor) == ["the record: lines 5 to 6 are missing at the end"]
    assert check([], anchor) == ["the record: the whole of it is gone (6 lines)"]
    assert check(numbered[2:], anchor) == ["line 3: lines 1 to 2 are missing before it"]
    assert check([*lines[:2], "{}", *lines[3:]], anchor)[0] == (
        "line 3: this is not a line of the record: it was changed or added"
    )


def test_lines_after_the_anchor_are_no_problem_and_lines_before_its_first_are() -> None:
    lines, _ = log_of(4)
    assert check(lines, log_of(2)[1]) == []
    numbered = list(enumerate(lines, 1))
    later = Anchor(first=3, seq=4, hash=hash_line(lines[3]))
    assert check(numbered[2:], later) == []
    assert check(numbered[1:], later) == [
        "line 2: it comes before the first line that was kept: it was put in"
    ]


def test_a_loss_that_was_noted_is_a_problem_for_ever() -> None:
    lines, _ = log_of(2)
    raw = write_line(entry(9), 3, hash_line(lines[1]), "removed")
    assert check([*lines, raw], Anchor(first=1, seq=3, hash=hash_line(raw))) == [
        "line 3: when this line was written, lines before it had been removed or replaced"
    ]


def test_a_loss_is_seen_by_what_is_left() -> None:
    lines, anchor = log_of(5)
    other = write_line(entry(77), 5, BEGIN)
    assert find_loss(anchor, 1, 5, lines[4]) == ""
    assert find_loss(anchor, 1, 9, lines[4]) == ""
    assert find_loss(anchor, None, None, None) == "The record was removed: lines 1 to 5 are missing."
    assert find_loss(anchor, 1, 4, None) == (
        "The record was cut, or replaced by an older copy: line 5 is missing."
    )
    assert find_loss(anchor, 1, 5, other) == (
        "The record was replaced by another: lines 1 to 5 are changed or missing."
    )
    assert (
        find_loss(anchor, 3, 5, lines[4]) == "The record was cut at its beginning: lines 1 to 2 are missing."
    )


Deed = st.sampled_from(["change", "remove", "swap", "cut", "repeat"])


@given(count=st.integers(2, 12), deed=Deed, data=st.data())
def test_any_deed_is_found(count: int, deed: str, data: st.DataObject) -> None:
    lines, anchor = log_of(count)
    at = data.draw(st.integers(0, count - 1))
    match deed:
        case "change":
            place = data.draw(st.integers(0, len(lines[at]) - 1))
            other = data.draw(st.characters(codec="utf-8").filter(lambda one: one != lines[at][place]))
            lines[at] = lines[at][:place] + other + lines[at][place + 1 :]
        case "remove":
            del lines[at]
        case "swap":
            to = data.draw(st.integers(0, count - 1).filter(lambda to: to != at))
            lines[at], lines[to] = lines[to], lines[at]
        case "cut":
            lines = lines[:at]
        case _:
            lines.insert(at, lines[at])
    assert check(lines, anchor) != []


def test_a_problem_of_the_whole_record_has_no_line() -> None:
    assert str(RecordProblem(None, "gone")) == "the record: gone"
