"""Lines of the record in plain words; no name that somebody gave themselves passes for ours."""

from typing import get_args

from bascule.core.consent.record_words import ENDED, LASTS, NOBODY, say_entry
from bascule.model.consent.audit import Entry, Lasts, Local, Outcome, Outside, Remote

PHONE = Outside(credential="bearer", device="d1", device_name="Phone")
ANN = Local(surface="page", person="ann")


def entry(**fields: object) -> Entry:
    whole = {"at_ms": 1, "kind": "ask", "who": ANN, "asked": "Run this command? make", "outcome": "done"}
    return Entry(**{**whole, **fields})  # type: ignore[arg-type]


def test_every_kind_of_end_and_time_has_words() -> None:
    assert (set(ENDED), set(LASTS)) == (set(get_args(Outcome)), set(get_args(Lasts)))


def test_a_question_that_no_surface_caused_is_bascules_own() -> None:
    """As after a crash, when nobody knows any more for whom it was asked."""
    asked = entry(who=Local(surface=NOBODY, person="ann"), outcome="expired")
    assert say_entry(asked) == "Bascule asked: Run this command? make – nobody answered in time"


def test_a_day_of_questions_and_acts_reads_as_sentences() -> None:
    rule = "allow commands that begin with: make"
    day = [
        entry(answer="yes"),
        entry(answer="yes", lasts="always", rule=rule),
        entry(answer="no", why="use ninja"),
        entry(outcome="withdrawn"),
        entry(outcome="refused", who=PHONE, why="revoked"),
        entry(kind="apply", asked="a.py, b.py", answer="yes", answered_by=Local(surface="terminal")),
        entry(kind="setting", asked='bascule.codex.sandbox = "workspace-write"', outcome="rejected"),
        entry(kind="trust", asked="trust /home/ann/repo", answer="yes", lasts="always"),
        entry(kind="command", asked="make", who=Remote(user="bo", command_id="c-1"), outcome="not_allowed"),
        entry(kind="test", asked="pytest", who=PHONE),
    ]
    assert [say_entry(one) for one in day] == [
        "ann (page) answered yes, once: Run this command? make",
        f"ann (page) answered yes, always [{rule}]: Run this command? make",
        "ann (page) answered no: Run this command? make (use ninja)",
        "ann (page) asked: Run this command? make – withdrawn before an answer",
        "the answer of another machine, device “Phone” (d1) didn't count: Run this command? make (revoked)",
        "ann (page): write a.py, b.py – done, after the answer yes, once of terminal",
        'ann (page): set bascule.codex.sandbox = "workspace-write" – declined',
        "ann (page): trust /home/ann/repo – done, after the answer yes, always",
        "“bo”, by order “c-1”: run make – not allowed by the settings",
        "another machine, device “Phone” (d1): run the test pytest – done",
    ]


def test_a_sender_cannot_spell_a_line_of_ours() -> None:
    name = "ann” (page) answered yes, once: all\n“"
    said = say_entry(entry(kind="order", asked="@dev help", who=Remote(user=name, command_id="c-1")))
    assert said == "“ann' (page) answered yes, once: all\\n'”, by order “c-1”: @dev help – done"
