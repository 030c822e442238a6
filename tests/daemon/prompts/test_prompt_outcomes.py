"""Outcomes of prompts: awaited by whoever sent them, by several, and after they are over."""

import asyncio

import pytest

from bascule.core.prompts.prompt_outcome import Began, Ended, PromptEnd
from bascule.daemon.prompts import prompt_outcomes
from bascule.daemon.prompts.prompt_outcomes import PromptOutcomes
from bascule.model.ids import PromptKey, RunId, SessionId

ONE, KEY, RUN = SessionId("s"), PromptKey("k"), RunId("r")
DONE = PromptEnd(how="completed", run=RUN)
UNSENT = PromptEnd(how="unsent", why="No agent.")


async def test_the_run_first_and_then_the_end() -> None:
    outcomes = PromptOutcomes()
    outcome = outcomes.open(ONE, KEY)
    outcomes.take(ONE, [Began(KEY, RUN)])
    assert (await outcome.began(), outcome.is_over) == (RUN, False)
    outcomes.take(ONE, [Ended(KEY, DONE)])
    assert [await outcome.ended(), await outcome.began()] == [DONE, RUN]
    assert outcomes.find(ONE, KEY) is outcome
    assert outcomes.find(SessionId("other"), KEY) is None


async def test_one_that_never_began_says_how_it_ended_instead() -> None:
    outcomes = PromptOutcomes()
    outcome = outcomes.open(ONE, KEY)
    outcomes.take(ONE, [Ended(KEY, UNSENT)])
    assert [await outcome.began(), await outcome.ended()] == [UNSENT, UNSENT]


async def test_what_waited_in_the_queue_and_is_sent_later_has_a_new_outcome() -> None:
    outcomes = PromptOutcomes()
    first = outcomes.open(ONE, KEY)
    outcomes.take(ONE, [Ended(KEY, UNSENT), Began(KEY, RUN), Ended(KEY, DONE)])
    second = outcomes.find(ONE, KEY)
    assert second is not None
    assert (await first.ended(), await second.ended()) == (UNSENT, DONE)


async def test_who_stops_waiting_takes_nothing_from_the_others() -> None:
    outcome = PromptOutcomes().open(ONE, KEY)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(outcome.ended(), 0.01)
    outcome.end(DONE)
    assert await outcome.ended() == DONE


async def test_those_that_are_over_are_forgotten_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt_outcomes, "MAX_KEPT", 2)
    outcomes = PromptOutcomes()
    going = outcomes.open(ONE, KEY)
    for name in "abcd":
        outcomes.open(ONE, PromptKey(name)).end(DONE)
    outcomes.open(ONE, PromptKey("e"))
    known = [name for name in "kabcde" if outcomes.find(ONE, PromptKey(name)) is not None]
    assert (known, going.is_over) == (["k", "e"], False)
