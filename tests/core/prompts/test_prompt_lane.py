"""Prompts on their way: queued, steered, raced, never lost and never doubled."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from tests.core.prompts.lanes import R1, R2, A, B, C, D, over, prompt, running

from bascule.core.prompts.prompt_lane import (
    KEY_USED,
    MAX_KEYS,
    MAX_QUEUE,
    How,
    Interrupt,
    Lane,
    Start,
    Steer,
    Step,
)
from bascule.model.asks import Refuse
from bascule.model.ids import PromptKey, RunId
from bascule.model.said import Said
from bascule.model.session import Prompt

GONE = Refuse("That prompt no longer waits in the queue.", said=Said("queue.gone"))


# -- on the way --


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
