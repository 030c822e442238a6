"""How each prompt of a lane ends, and an answer that is looked at before anything follows."""

from msgspec.structs import replace
from tests.core.prompts.lanes import R1, R2, A, B, C, over, prompt, running

from bascule.core.prompts.prompt_lane import (
    NOT_YOURS,
    OWN_RUN,
    Lane,
    Start,
    Steer,
)
from bascule.core.prompts.prompt_outcome import Began, Ended, OfferedDiff, PromptEnd
from bascule.model.asks import Refuse
from bascule.model.consent.audit import Remote
from bascule.model.ids import PromptKey
from bascule.model.session import Prompt

# -- an answer that is looked at before anything follows --

PATCH = replace(prompt("p", "/patch more"), purpose="patch")


def held_after(*queued: Prompt) -> Lane:
    lane = running(*queued)
    run = lane.run
    assert run is not None
    assert lane.find_prompt(run) == A
    assert lane.ended(over(run, "completed"), hold=True) == []
    assert not lane.idle
    return lane


def test_what_waits_follows_when_the_answer_is_good() -> None:
    assert held_after(B).accept_end(R1) == [Start(B)]


def test_what_is_asked_once_more_comes_before_what_waits() -> None:
    lane = held_after(B)
    assert lane.ask_again(C) == [Start(C)]
    assert lane.queue == [B]
    assert lane.accept_end(R1) == []


def test_what_was_steered_meanwhile_becomes_the_next_prompt() -> None:
    lane = held_after(B)
    assert lane.submit(C, "steer") == []
    assert lane.accept_end(R1) == [Start(C)]
    assert lane.queue == [B]


def test_who_stops_it_while_the_answer_is_looked_at_is_asked_nothing_more() -> None:
    lane = held_after(B)
    assert lane.stop() == []
    assert lane.ask_again(C) == []
    assert lane.accept_end(R1) == [Start(B)]


def test_after_the_agent_is_lost_nothing_is_asked_once_more() -> None:
    lane = held_after(B)
    lane.lost("gone")
    assert (lane.ask_again(C), lane.accept_end(R1), lane.queue) == ([], [], [B])


def test_a_prompt_for_a_patch_is_never_steered_into_a_run() -> None:
    lane = running(PATCH)
    assert lane.steer_queued(PATCH.key) == Refuse(OWN_RUN)
    assert lane.submit(replace(prompt("q", "/plan more"), purpose="plan"), "steer") == Refuse(OWN_RUN)
    assert (lane.queue, PromptKey("q") in lane.keys) == ([PATCH], False)


ORDER = Prompt(key=PromptKey("o"), text="@dev plan it", sender=Remote(user="ann", command_id="c1"))


def test_the_words_of_somebody_else_can_be_taken_out_and_not_rewritten() -> None:
    lane = running(ORDER)
    assert lane.edit(ORDER.key, "mine", "talk") == Refuse(NOT_YOURS)
    assert lane.queue == [ORDER]
    assert lane.waits(ORDER.key)
    assert lane.remove(ORDER.key) is None
    assert not lane.waits(ORDER.key)


def test_an_order_begins_beside_a_queue_that_a_person_has_held_and_does_not_release_it() -> None:
    lane = Lane(queue=(B,), held=True)
    assert lane.submit(ORDER, "queue") == [Start(ORDER)]
    assert lane.started(R1) == []
    assert (lane.ended(over(R1, "completed")), lane.queue, lane.held) == ([], [B], True)


def test_what_is_about_to_begin_still_waits() -> None:
    lane = Lane()
    lane.submit(ORDER, "queue")
    assert lane.waits(ORDER.key)
    lane.started(R1)
    assert not lane.waits(ORDER.key)


# -- what became of each prompt --


def test_a_prompt_begins_a_run_and_ends_with_it_and_so_do_the_words_steered_into_it() -> None:
    lane = running(C)
    lane.submit(B, "steer")
    assert lane.take_news() == [Began(A.key, R1), Began(B.key, R1)]
    assert lane.is_running(B.key)
    lane.ended(over(R1, "failed", "It rained."))
    end = PromptEnd(how="failed", run=R1, why="It rained.")
    assert lane.take_news() == [Ended(A.key, end), Ended(B.key, end)]
    lane.remove(C.key)
    assert lane.take_news() == [Ended(C.key, PromptEnd(how="removed"))]


def test_what_could_not_be_sent_says_why_and_may_begin_later() -> None:
    lane = Lane()
    lane.submit(A, "queue")
    lane.submit(B, "steer")
    lane.start_failed("No agent.")
    unsent = PromptEnd(how="unsent", why="No agent.")
    assert lane.take_news() == [Ended(A.key, unsent), Ended(B.key, unsent)]
    assert lane.release() == [Start(A)]
    lane.started(R1)
    assert lane.take_news() == [Began(A.key, R1)]


def test_a_steer_that_came_too_late_ends_with_the_run_that_it_begins() -> None:
    lane = running()
    assert lane.submit(B, "steer") == [Steer(B, R1)]
    lane.ended(over(R1))
    lane.take_news()
    assert lane.steer_failed(B) == [Start(B)]
    lane.started(R2)
    lane.ended(over(R2))
    assert lane.take_news() == [Began(B.key, R2), Ended(B.key, PromptEnd(how="completed", run=R2))]


def test_a_run_that_is_over_before_it_was_reported_to_have_begun_has_both() -> None:
    lane = Lane()
    lane.submit(A, "queue")
    lane.named(R1)
    assert lane.find_prompt(R1) == A
    lane.ended(over(R1))
    assert lane.take_news() == [Began(A.key, R1), Ended(A.key, PromptEnd(how="completed", run=R1))]


def test_an_agent_that_is_lost_takes_its_run_along() -> None:
    lane = running()
    lane.lost("It fell into the river.")
    end = PromptEnd(how="lost", run=R1, why="It fell into the river.")
    assert lane.take_news() == [Began(A.key, R1), Ended(A.key, end)]


def test_a_diff_that_is_asked_for_twice_is_one_outcome() -> None:
    offered = OfferedDiff(diff_id="d", title="1 file", answer="--- a/x")
    lane = Lane()
    lane.submit(PATCH, "queue")
    lane.started(R1)
    lane.ended(over(R1), hold=True)
    assert lane.take_news() == [Began(PATCH.key, R1)]
    again = Prompt(key=PromptKey("again:r1"), text="again", purpose="patch", by="bascule", asked_in=R1)
    assert lane.ask_again(again) == [Start(again)]
    lane.started(R2)
    assert lane.find_prompt(R2) == again
    assert lane.is_running(PATCH.key)
    lane.ended(over(R2), hold=True)
    lane.accept_end(R2, offered)
    assert lane.take_news() == [Ended(PATCH.key, PromptEnd(how="completed", run=R2, diff=offered))]


def test_a_run_that_is_no_prompt_is_awaited_by_a_key_of_its_own() -> None:
    lane, compact = Lane(), PromptKey("compact")
    lane.expect(compact)
    lane.started(R1)
    lane.ended(over(R1))
    assert lane.take_news() == [Began(compact, R1), Ended(compact, PromptEnd(how="completed", run=R1))]
    lane.expect(compact)
    lane.start_failed("No.")
    assert lane.take_news() == [Ended(compact, PromptEnd(how="unsent", why="No."))]


def test_a_run_that_others_begin_meanwhile_takes_nobodys_outcome_along() -> None:
    lane = running()
    lane.started(R2)
    assert lane.ended(over(R1)) == []
    assert lane.take_news() == [Began(A.key, R1), Ended(A.key, PromptEnd(how="completed", run=R1))]


def test_a_run_that_others_began_is_nobodys_news() -> None:
    lane = Lane()
    lane.started(R1)
    lane.ended(over(R1))
    assert lane.take_news() == []
