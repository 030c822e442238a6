"""Prompts on their way: queued, steered, raced, never lost and never doubled."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bascule.core.prompts.prompt_lane import (
    KEY_USED,
    MAX_KEYS,
    MAX_QUEUE,
    NOT_YOURS,
    OWN_RUN,
    How,
    Interrupt,
    Lane,
    Start,
    Steer,
    Step,
)
from bascule.core.prompts.prompt_outcome import Began, Ended, OfferedDiff, PromptEnd
from bascule.model.asks import Refuse
from bascule.model.consent.audit import Remote
from bascule.model.ids import PromptKey, RunId
from bascule.model.said import Said
from bascule.model.session import Outcome, Prompt, Run

R1, R2 = RunId("r1"), RunId("r2")
GONE = Refuse("That prompt no longer waits in the queue.", said=Said("queue.gone"))


def prompt(name: str, text: str = "") -> Prompt:
    return Prompt(key=PromptKey(name), text=text or name)


A, B, C, D = (prompt(name) for name in "abcd")


def over(run: RunId, outcome: Outcome = "completed", why: str = "") -> Run:
    return Run(id=run, outcome=outcome, why=why)


def running(*queued: Prompt) -> Lane:
    lane = Lane()
    assert lane.submit(A, "queue") == [Start(A)]
    assert lane.started(R1) == []
    for waiting in queued:
        assert lane.submit(waiting, "queue") == []
    return lane


def test_an_idle_agent_is_asked_at_once_either_way() -> None:
    assert Lane().submit(A, "queue") == [Start(A)]
    assert Lane().submit(A, "steer") == [Start(A)]


def test_while_it_works_a_prompt_waits_and_starts_when_the_run_is_done() -> None:
    lane = running(B, C)
    assert lane.queue == [B, C]
    assert lane.ended(over(R1, "completed")) == [Start(B)]
    assert lane.queue == [C]
    assert lane.started(R2) == []
    assert lane.ended(over(R2, "completed")) == [Start(C)]


def test_a_steered_prompt_goes_into_the_run() -> None:
    assert running().submit(B, "steer") == [Steer(B, R1)]


def test_a_steer_before_the_run_has_a_name_waits_for_it() -> None:
    lane = Lane()
    lane.submit(A, "queue")
    assert lane.submit(B, "steer") == []
    assert lane.started(R1) == [Steer(B, R1)]


def test_one_key_sent_twice_is_one_prompt() -> None:
    lane = running(B)
    assert lane.submit(A, "queue") == []
    assert lane.submit(B, "steer") == []
    assert lane.queue == [B]
    assert Lane(keys=lane.keys).submit(A, "queue") == []


def test_one_key_with_other_words_is_refused_also_in_the_next_life() -> None:
    lane = running(B)
    other = prompt(B.key, "something else")
    assert lane.submit(other, "queue") == Refuse(KEY_USED)
    assert Lane(keys=lane.keys).submit(other, "queue") == Refuse(KEY_USED)
    assert lane.submit(other, "queue", B.text) == []  # the words that came are the same
    assert Lane(keys={B.key: ""}).submit(other, "queue") == []  # of an older store: not known
    assert lane.queue == [B]


def test_only_so_many_keys_are_remembered() -> None:
    lane = Lane(keys={PromptKey(str(number)): "" for number in range(MAX_KEYS)})
    lane.submit(A, "queue")
    assert len(lane.keys) == MAX_KEYS
    assert next(iter(lane.keys)) == "1"
    assert list(lane.keys)[-1] == "a"


def test_a_full_queue_refuses_and_forgets_the_key() -> None:
    lane = running(*(prompt(str(number)) for number in range(MAX_QUEUE)))
    refused = Refuse(
        f"The queue is full ({MAX_QUEUE} prompts). Remove one, or wait.",
        said=Said("queue.full", {"most": MAX_QUEUE}),
    )
    assert lane.submit(B, "queue") == refused
    assert lane.submit(B, "steer") == [Steer(B, R1)]


def test_queued_prompts_are_edited_moved_and_removed() -> None:
    lane = running(B, C, D)
    assert lane.edit(C.key, "other words", "talk") is None
    assert lane.move(C.key, 0) is None
    assert lane.move(B.key, 99) is None
    assert lane.remove(D.key) is None
    assert lane.queue == [prompt("c", "other words"), B]


def test_a_prompt_that_left_the_queue_can_no_longer_be_touched() -> None:
    lane = running()
    assert lane.edit(B.key, "x", "talk") == GONE
    assert lane.move(B.key, 0) == GONE
    assert lane.remove(B.key) == GONE
    assert lane.steer_queued(B.key) == GONE


def test_a_queued_prompt_may_be_steered_after_all() -> None:
    lane = running(B, C)
    assert lane.steer_queued(C.key) == [Steer(C, R1)]
    assert lane.queue == [B]


def test_a_queued_prompt_of_an_idle_lane_starts() -> None:
    lane = Lane((B, C), held=True)
    assert lane.steer_queued(C.key) == [Start(C)]
    assert lane.queue == [B]


def test_after_an_interrupt_or_a_failure_the_queue_is_held_until_a_person_speaks() -> None:
    for outcome in ("interrupted", "failed"):
        lane = running(B)
        assert lane.ended(over(R1, outcome)) == []
        assert lane.held
        assert lane.release() == [Start(B)]
        lane = running(B)
        lane.ended(over(R1, outcome))
        assert lane.submit(C, "queue") == [Start(C)]
        lane.started(R2)
        assert lane.ended(over(R2, "completed")) == [Start(B)]


def test_an_interrupt_names_the_run() -> None:
    assert running().stop() == [Interrupt(R1)]
    assert Lane().stop() == []


def test_an_interrupt_before_the_run_has_a_name_is_kept() -> None:
    lane = Lane()
    lane.submit(A, "queue")
    assert lane.stop() == []
    assert lane.started(R1) == [Interrupt(R1)]
    assert lane.started(R1) == []


def test_the_answer_and_the_notification_start_one_run() -> None:
    lane = running()
    assert lane.started(R1) == []
    assert lane.run == R1


def test_a_run_that_ended_before_its_answer_was_read_stays_ended() -> None:
    lane = running(B)
    assert lane.ended(over(R1, "completed")) == [Start(B)]
    assert lane.started(R1) == []
    assert (lane.run, lane.starting) == (None, B)
    assert lane.started(R2) == []
    assert lane.run == R2


def test_the_end_of_a_run_that_is_not_ours_changes_nothing() -> None:
    lane = running(B)
    assert lane.ended(over(R2, "failed")) == []
    assert (lane.run, lane.queue, lane.held) == (R1, [B], False)


def test_a_prompt_that_could_not_start_goes_back_to_the_front_and_waits() -> None:
    lane = Lane()
    lane.submit(A, "queue")
    lane.submit(B, "steer")
    lane.submit(C, "queue")
    lane.stop()
    lane.start_failed("no")
    assert (lane.queue, lane.held, lane.idle) == ([A, B, C], True, True)
    assert lane.release() == [Start(A)]
    assert lane.started(R1) == []


def test_a_steer_that_lost_the_race_becomes_the_next_prompt() -> None:
    lane = running(C)
    assert lane.submit(B, "steer") == [Steer(B, R1)]
    assert lane.ended(over(R1, "completed")) == [Start(C)]
    assert lane.steer_failed(B) == []
    assert lane.started(R2) == []
    assert lane.ended(over(R2, "completed")) == [Start(B)]


def test_a_steer_that_fails_after_the_end_starts_by_itself() -> None:
    lane = running()
    lane.submit(B, "steer")
    assert lane.ended(over(R1, "completed")) == []
    assert lane.steer_failed(B) == [Start(B)]


def test_a_steer_that_fails_after_an_interrupt_is_held_with_the_rest() -> None:
    lane = running(C)
    lane.submit(B, "steer")
    lane.ended(over(R1, "interrupted"))
    assert lane.steer_failed(B) == []
    assert (lane.queue, lane.held) == ([B, C], True)


def test_a_reason_given_with_a_no_follows_however_the_run_ends() -> None:
    lane = running(B)
    assert lane.say_next(C) == []
    assert lane.ended(over(R1, "interrupted")) == [Start(C)]
    assert lane.queue == [B]
    assert Lane().say_next(C) == [Start(C)]


def test_two_reasons_of_one_run_are_both_said() -> None:
    lane = running(B)
    lane.say_next(C)
    lane.say_next(D)
    assert lane.ended(over(R1, "interrupted")) == [Start(C)]
    lane.started(R2)
    assert lane.ended(over(R2, "completed")) == [Start(D)]


def test_what_a_lost_agent_was_doing_is_held_and_a_reason_is_kept() -> None:
    lane = running(B)
    lane.say_next(C)
    lane.lost("gone")
    assert (lane.run, lane.queue, lane.held, lane.idle) == (None, [C, B], True, True)


def test_a_run_that_somebody_else_began_is_steered_and_queued_like_ours() -> None:
    lane = Lane()
    assert lane.started(R1) == []
    assert lane.submit(A, "steer") == [Steer(A, R1)]
    assert lane.submit(B, "queue") == []
    assert lane.ended(over(R1, "completed")) == [Start(B)]


class SmallAgent:
    """Takes the lane's steps in order, names its runs, ends and refuses them at will."""

    def __init__(self) -> None:
        self.lane = Lane()
        self.said: list[PromptKey] = []
        self.heard: list[PromptKey] = []
        self._steps: list[Step] = []
        self._runs = 0

    def queue(self) -> None:
        self._submit("queue")

    def steer(self) -> None:
        self._submit("steer")

    def _submit(self, how: How) -> None:
        new = prompt(f"p{len(self.said)}")
        self.said.append(new.key)
        steps = self.lane.submit(new, how)
        assert isinstance(steps, list)
        self._steps += steps

    def stop(self) -> None:
        self._steps += self.lane.stop()

    def release(self) -> None:
        self._steps += self.lane.release()

    def take(self) -> None:
        match self._steps.pop(0) if self._steps else None:
            case Start(started):
                self._runs += 1
                self.heard.append(started.key)
                self._steps += self.lane.started(RunId(f"r{self._runs}"))
            case Steer(steered, run) if run == self.lane.run:
                self.heard.append(steered.key)
            case Steer(late, _):
                self._steps += self.lane.steer_failed(late)
            case Interrupt() | None:
                pass

    def refuse(self) -> None:
        if self._steps and isinstance(self._steps[0], Start):
            self._steps.pop(0)
            self.lane.start_failed("no")

    def complete(self) -> None:
        if self.lane.run:
            self._steps += self.lane.ended(over(self.lane.run))

    def interrupt(self) -> None:
        if self.lane.run:
            self._steps += self.lane.ended(over(self.lane.run, "interrupted"))

    def die(self) -> None:
        if not self._steps:
            self.lane.lost("gone")

    def finish(self) -> None:
        while self._steps or self.lane.queue or not self.lane.idle:
            self.release()
            self.take()
            if not self._steps:
                self.complete()


DEEDS = [
    *(SmallAgent.queue, SmallAgent.steer, SmallAgent.stop, SmallAgent.release, SmallAgent.take),
    *(SmallAgent.refuse, SmallAgent.complete, SmallAgent.interrupt, SmallAgent.die),
]


@given(st.lists(st.sampled_from(DEEDS), max_size=40))
def test_whatever_happens_every_prompt_is_heard_once(story: list[Callable[[SmallAgent], None]]) -> None:
    agent = SmallAgent()
    for deed in story:
        deed(agent)
    agent.finish()
    assert sorted(agent.heard) == sorted(agent.said)


def test_what_is_no_prompt_has_a_key_too() -> None:
    lane = Lane()
    lane.remember(PromptKey("a"), "again")
    assert (list(lane.keys), lane.idle, lane.queue) == (["a"], True, [])
    assert lane.submit(Prompt(key=PromptKey("a"), text="again"), "queue") == []
    lane.forget(PromptKey("a"))
    lane.forget(PromptKey("never"))
    assert lane.keys == {}


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
    assert held_after(B).go_on(R1) == [Start(B)]


def test_what_is_asked_once_more_comes_before_what_waits() -> None:
    lane = held_after(B)
    assert lane.ask_again(C) == [Start(C)]
    assert lane.queue == [B]
    assert lane.go_on(R1) == []


def test_what_was_steered_meanwhile_becomes_the_next_prompt() -> None:
    lane = held_after(B)
    assert lane.submit(C, "steer") == []
    assert lane.go_on(R1) == [Start(C)]
    assert lane.queue == [B]


def test_who_stops_it_while_the_answer_is_looked_at_is_asked_nothing_more() -> None:
    lane = held_after(B)
    assert lane.stop() == []
    assert lane.ask_again(C) == []
    assert lane.go_on(R1) == [Start(B)]


def test_after_the_agent_is_lost_nothing_is_asked_once_more() -> None:
    lane = held_after(B)
    lane.lost("gone")
    assert (lane.ask_again(C), lane.go_on(R1), lane.queue) == ([], [], [B])


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
    end = PromptEnd(how="failed", run=R1, why="It fell into the river.")
    assert lane.take_news() == [Began(A.key, R1), Ended(A.key, end)]


def test_a_diff_that_is_asked_for_twice_is_one_outcome() -> None:
    offered = OfferedDiff(diff_id="d", title="1 file", unified="--- a/x")
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
    lane.go_on(R2, offered)
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
