"""The chain: whatever is done to a line, to the order or to the end, is found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.audit import MAX_LINE, MAX_TEXT, Chain, hash_line, parse_line, write_line
from bascule.model.audit import Entry, Head, Local, Problem, Remote

FILE = "audit.jsonl"


def entry(number: int) -> Entry:
    who = (
        Local(surface="terminal", person="ann") if number % 2 else Remote(user="bo", command_id=f"c{number}")
    )
    return Entry(at_ms=number, kind="apply", who=who, asked=f"file{number}.txt", outcome="done", answer="yes")


def log_of(count: int) -> tuple[list[bytes], Head]:
    head, lines = Head(), list[bytes]()
    for number in range(count):
        raw = write_line(entry(number), head)[:-1]
        lines.append(raw)
        head = Head(seq=head.seq + 1, hash=hash_line(raw))
    return lines, head


def check(lines: list[bytes], head: Head | None) -> list[str]:
    chain = Chain(head)
    problems = [problem for number, raw in enumerate(lines, 1) for problem in chain.feed(FILE, number, raw)]
    return [str(problem) for problem in [*problems, *chain.end(FILE)]]


def test_a_line_says_who_what_and_what_came_of_it() -> None:
    raw = write_line(entry(1), Head())
    assert raw == (
        b'{"seq":1,"before":"' + b"0" * 64 + b'","entry":{"at_ms":1,"kind":"apply","who":{"from":"local",'
        b'"surface":"terminal","person":"ann"},"asked":"file1.txt","outcome":"done","answer":"yes"}}\n'
    )
    line = parse_line(raw[:-1])
    assert line is not None
    assert line.entry == entry(1)


def test_a_line_has_a_ceiling() -> None:
    long = Entry(
        at_ms=1,
        kind="test",
        who=Local(surface="x"),
        asked="\u0001" * 10**6,
        outcome="failed",
        why="\u0001" * 10**6,
    )
    raw = write_line(long, Head())
    assert len(raw) < MAX_LINE
    line = parse_line(raw[:-1])
    assert line is not None
    assert line.entry.asked == "\u0001" * MAX_TEXT + "…"


@pytest.mark.parametrize("count", [0, 1, 7])
def test_a_log_as_it_was_written_has_no_problems(count: int) -> None:
    lines, head = log_of(count)
    assert check(lines, head) == []


def test_what_was_done_to_it_is_named_with_its_line() -> None:
    lines, head = log_of(6)
    forged = lines[2].replace(b"file2", b"fileX")
    assert check([*lines[:2], forged, *lines[3:]], head) == [
        "audit.jsonl line 4: it does not follow from the line before, which was changed or put in"
    ]
    assert check([*lines[:2], *lines[3:]], head) == ["audit.jsonl line 3: line 3 is missing before it"]
    assert check([*lines[:2], *lines[4:]], head) == ["audit.jsonl line 3: lines 3 to 4 are missing before it"]
    assert check([*lines[:5], lines[5].replace(b"file5", b"fileX")], head) == [
        "audit.jsonl: line 6 is not the one that was written last"
    ]
    assert check(lines[:4], head) == ["audit.jsonl: lines 5 to 6 are missing at the end"]
    assert check(lines[2:], head) == ["audit.jsonl line 1: lines 1 to 2 are missing before it"]
    assert check([*lines[:2], b"{}", *lines[2:]], head)[0] == (
        "audit.jsonl line 3: this is no line of the log: it was changed, or put in"
    )
    assert check(lines, None) == [
        "audit.jsonl: the head file is missing: whether lines were cut off is not known"
    ]


def test_one_line_after_the_head_is_a_kill_and_two_are_not() -> None:
    lines, _ = log_of(4)
    assert check(lines, log_of(3)[1]) == []
    assert check(lines, log_of(2)[1]) == ["audit.jsonl: lines 3 to 4 are more than were written"]


def test_a_head_that_had_gone_is_a_problem_for_ever() -> None:
    lines, head = log_of(2)
    raw = write_line(entry(9), head, "headless")[:-1]
    (problem,) = check([*lines, raw], Head(seq=3, hash=hash_line(raw)))
    assert problem.startswith("audit.jsonl line 3: the head file had gone")


Deed = st.sampled_from(["change", "remove", "insert", "swap", "cut", "repeat"])


@given(count=st.integers(2, 12), deed=Deed, data=st.data())
def test_any_deed_is_found(count: int, deed: str, data: st.DataObject) -> None:
    lines, head = log_of(count)
    at = data.draw(st.integers(0, count - 1))
    match deed:
        case "change":
            byte = data.draw(st.integers(0, len(lines[at]) - 1))
            changed = bytearray(lines[at])
            changed[byte] ^= data.draw(st.integers(1, 255))
            lines[at] = bytes(changed)
        case "remove":
            del lines[at]
        case "insert":
            lines.insert(
                at,
                write_line(entry(99), Head(seq=at, hash=hash_line(lines[at - 1]) if at else "0" * 64))[:-1],
            )
        case "swap":
            other = data.draw(st.integers(0, count - 1).filter(lambda other: other != at))
            lines[at], lines[other] = lines[other], lines[at]
        case "cut":
            lines = lines[:at]
        case _:
            lines.insert(at, lines[at])
    assert check(lines, head) != []


def test_a_problem_of_a_whole_file_has_no_line() -> None:
    assert str(Problem("a", None, "gone")) == "a: gone"
