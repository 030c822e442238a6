"""The budget of lines: senders of Orders get so many in a day, and people here always theirs."""

from msgspec.structs import replace

from bascule.core.consent.line_budget import DAY_MS, MAX_OF_ALL, MAX_OF_ONE, LineBudget
from bascule.model.consent.audit import Entry, Local, Remote


def refused(number: int, user: str = "eve", at_ms: int = 0) -> Entry:
    who = Remote(user=user, command_id=f"c{number}")
    return Entry(at_ms=at_ms, kind="order", who=who, asked=f"order {number}", outcome="refused", ref="r")


def feed(budget: LineBudget, entries: list[Entry]) -> list[Entry]:
    return [line for entry in entries for line in budget.feed(entry)]


def test_one_sender_has_so_many_and_the_rest_are_counted_ever_more_rarely() -> None:
    budget = LineBudget()
    flood = [refused(number) for number in range(MAX_OF_ONE + 5_000)]
    written = feed(budget, flood)
    assert written[:MAX_OF_ONE] == flood[:MAX_OF_ONE]
    counted = [entry.asked.partition(" more")[0] for entry in written[MAX_OF_ONE:]]
    assert counted == ["1", "10", "100", "1000"]
    (rest,) = budget.rest()
    assert rest == replace(
        flood[-1],
        asked="5000 more from senders of orders on this day, counted instead of listed (refused 5000)",
        why="This is the last of them.",
        ref="",
    )
    assert budget.rest() == []


def test_another_name_for_each_order_does_not_help() -> None:
    written = feed(LineBudget(), [refused(number, f"user{number}") for number in range(10_000)])
    assert len(written) == MAX_OF_ALL + 4


def test_people_here_and_what_they_answered_are_never_counted_away() -> None:
    budget = LineBudget()
    feed(budget, [refused(number, f"user{number}") for number in range(10_000)])
    here = replace(refused(1), who=Local(surface="terminal"))
    answered = replace(refused(1), kind="apply", answer="yes", outcome="done")
    assert feed(budget, [here, answered] * 100) == [here, answered] * 100


def test_the_next_day_begins_with_what_was_not_counted_yet() -> None:
    budget = LineBudget()
    feed(budget, [refused(number) for number in range(MAX_OF_ONE + 50)])
    tomorrow = refused(1, at_ms=DAY_MS)
    rest, entry = budget.feed(tomorrow)
    assert rest.asked.startswith("50 more")
    assert entry == tomorrow
