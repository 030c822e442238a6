"""A session's way to its agent: what is being said, what waits, and what a race leaves behind."""

import hashlib
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.bounded import forget_oldest
from bascule.core.prompts.prompt_outcome import OfferedDiff, PromptEnd, PromptNews
from bascule.core.prompts.prompt_tracker import PromptTracker
from bascule.model.asks import Refuse
from bascule.model.blocks import Purpose
from bascule.model.consent.audit import Remote
from bascule.model.ids import PromptKey, RunId
from bascule.model.said import Said
from bascule.model.session import Prompt, Run

MAX_QUEUE = 100
MAX_KEYS = 1_000  # remembered, so that a prompt sent twice is one prompt
MAX_ENDED = 32  # runs remembered, so that a late "it has started" does not bring one back

How = Literal["queue", "steer"]
NO_KEYS: Mapping[PromptKey, str] = {}


class Start(Struct, frozen=True):
    prompt: Prompt


class Steer(Struct, frozen=True):
    prompt: Prompt
    run: RunId


class Interrupt(Struct, frozen=True):
    run: RunId


Step = Start | Steer | Interrupt

KEY_USED = "This key was used for another prompt. Nothing was sent. Send it again with a new key."
NOT_YOURS = "These are somebody else's words. Take the order out of the queue, and write your own."
OWN_RUN = "/plan and /patch need a run of their own: nothing may be written in it. Queue it, or wait."


class Lane:
    """Fed what people want and what the agent did; answers with the next steps to take on the wire.

    The fate of each prompt is news, to be taken after each step."""

    def __init__(
        self,
        queue: tuple[Prompt, ...] = (),
        held: bool = False,
        keys: Mapping[PromptKey, str] = NO_KEYS,
        ended: Iterable[RunId] = (),
    ) -> None:
        self.queue = list(queue)
        self.held = held
        self.run: RunId | None = None
        self.starting: Prompt | None = None
        self.sender: Remote | None = None  # of the Order that the current run is for
        self._named: RunId | None = None  # in the answer to our start, but not started yet
        self._expected = False
        self._expected_key: PromptKey | None = None  # under which that run is awaited
        self._prompt: Prompt | None = None  # that began the current run
        self._tracker = PromptTracker()
        self._steer_on_start: list[Prompt] = []
        self._stop_on_start = False
        self._said_next: Prompt | None = None  # said with a no that stops the run: it follows at once
        self._keys = dict(keys)
        self._ended: deque[RunId] = deque(ended, maxlen=MAX_ENDED)

    @property
    def idle(self) -> bool:
        return self.run is None and self.starting is None and not self._expected

    @property
    def keys(self) -> Mapping[PromptKey, str]:
        """Each with a short hash of what was said under it; empty where that is unknown."""
        return dict(self._keys)

    def take_news(self) -> list[PromptNews]:
        return self._tracker.take_news()

    def find_prompt(self, run: RunId) -> Prompt | None:
        """That began it, while it is going on or about to start."""
        if run == self.run:
            return self._prompt
        return self.starting if run == self._named else None

    def is_running(self, key: PromptKey) -> bool:
        return self.run is not None and self._tracker.has(self.run, key)

    # -- what people want --

    def waits(self, key: PromptKey) -> bool:
        """It is in the queue, or about to begin."""
        return self._find(key) is not None or (self.starting is not None and self.starting.key == key)

    def submit(self, prompt: Prompt, how: How, said: str | None = None) -> list[Step] | Refuse:
        """`said`: the words as they came, where the prompt has them expanded."""
        words = prompt.text if said is None else said
        if prompt.key in self._keys:
            return [] if self.is_same(prompt.key, words) else Refuse(KEY_USED)
        if not self.idle and how == "queue" and len(self.queue) >= MAX_QUEUE:
            return Refuse(
                f"The queue is full ({MAX_QUEUE} prompts). Remove one, or wait.",
                said=Said("queue.full", {"most": MAX_QUEUE}),
            )
        if not self.idle and how == "steer" and prompt.purpose != "talk":
            return Refuse(OWN_RUN)
        self.remember(prompt.key, words)
        if self.idle:
            self.held = self.held and prompt.sender is not None  # a person here speaks: what waits may follow
            return self._start(prompt)
        if how == "queue":
            self.queue.append(prompt)
            return []
        return self._steer(prompt)

    def remember(self, key: PromptKey, said: str) -> None:
        """Sent twice, it is done once; also where it is no prompt."""
        self._keys[key] = _short_hash(said)
        forget_oldest(self._keys, MAX_KEYS)

    def is_same(self, key: PromptKey, said: str) -> bool:
        """Whether a key that was used before was used for these words, as far as that is known."""
        return self._keys.get(key, "") in ("", _short_hash(said))

    def forget(self, key: PromptKey) -> None:
        """It was refused: it may be said again."""
        self._keys.pop(key, None)

    def steer_queued(self, key: PromptKey) -> list[Step] | Refuse:
        """What waits is sent now: into the run, or as one of its own."""
        at = self._find(key)
        if at is None:
            return Refuse("That prompt no longer waits in the queue.", said=Said("queue.gone"))
        if not self.idle and self.queue[at].purpose != "talk":
            return Refuse(OWN_RUN)
        prompt = self.queue.pop(at)
        return self._start(prompt) if self.idle else self._steer(prompt)

    def edit(self, key: PromptKey, text: str, purpose: Purpose) -> Refuse | None:
        at = self._find(key)
        if at is None:
            return Refuse("That prompt no longer waits in the queue.", said=Said("queue.gone"))
        if self.queue[at].sender is not None:
            return Refuse(NOT_YOURS)
        self.queue[at] = replace(self.queue[at], text=text, purpose=purpose)
        return None

    def move(self, key: PromptKey, to: int) -> Refuse | None:
        at = self._find(key)
        if at is None:
            return Refuse("That prompt no longer waits in the queue.", said=Said("queue.gone"))
        self.queue.insert(max(0, min(to, len(self.queue) - 1)), self.queue.pop(at))
        return None

    def remove(self, key: PromptKey) -> Refuse | None:
        at = self._find(key)
        if at is None:
            return Refuse("That prompt no longer waits in the queue.", said=Said("queue.gone"))
        del self.queue[at]
        self._tracker.remove(key)
        return None

    def release(self) -> list[Step]:
        """Let the queue go on after an interrupt or a failure."""
        self.held = False
        return self._next()

    def stop(self) -> list[Step]:
        """Interrupt; before the run has a name the wish is kept until it has one."""
        if self.run is not None:
            return [Interrupt(self.run)]
        self._stop_on_start = not self.idle
        return []

    def expect(self, key: PromptKey) -> None:
        """A run that is no prompt was asked for, such as compacting: what is said now waits for its end."""
        self._expected, self._expected_key = True, key

    def say_next(self, prompt: Prompt) -> list[Step]:
        """Follows the current run however that ends: the reason that a person gave with a no."""
        if self.idle:
            return self._start(prompt)
        if self._said_next is None:
            self._said_next = prompt
        else:
            self.queue.insert(0, prompt)  # a second no of the same run: its reason comes after the first
        return []

    # -- what the agent did --

    def named(self, run: RunId) -> None:
        """The answer to a start. Until the agent announces the start it takes no steer and no interrupt."""
        if run not in self._ended:  # a short run may be over before its caller reads the answer
            self._named = run

    def started(self, run: RunId) -> list[Step]:
        """Announced by the agent, also for runs that others began."""
        if self.run == run or run in self._ended:
            return []
        if self.starting is None:
            self.sender = None  # others began it
        self._track_start(run)
        self.run, self._prompt, self.starting = run, self.starting, None
        self._expected, self._expected_key = False, None
        steps: list[Step] = [step for prompt in self._steer_on_start for step in self._steer(prompt)]
        if self._stop_on_start:
            steps.append(Interrupt(run))
        self._steer_on_start, self._stop_on_start = [], False
        return steps

    def _track_start(self, run: RunId) -> None:
        key = self.starting.key if self.starting is not None else self._expected_key
        if self.starting is not None and self.starting.by == "bascule":
            self._tracker.begin_again(run)
        elif key is not None:
            self._tracker.begin(run, key)

    def start_failed(self, why: str) -> None:
        """Nothing is lost: the prompt goes back to the front and waits for a person."""
        candidates = [self.starting, self._said_next, *self._steer_on_start]
        waiting = [prompt for prompt in candidates if prompt is not None]
        self.queue = [*waiting, *self.queue]
        expected = [self._expected_key] if self._expected_key is not None else []
        self._tracker.unsend([*(prompt.key for prompt in waiting), *expected], why)
        self._expected_key = None
        self.starting, self._said_next, self._steer_on_start, self._stop_on_start = None, None, [], False
        self._named, self._expected = None, False
        self.held = bool(self.queue)

    def steer_failed(self, prompt: Prompt, *, gone: bool = False) -> list[Step]:
        """The run ended first, or does not take it: it becomes the next prompt, unless the agent is gone."""
        self.queue.insert(0, prompt)
        self.held = self.held or gone
        self._tracker.forget_heard([prompt.key])
        return self._next()

    def ended(self, run: Run, *, hold: bool = False) -> list[Step]:
        """`hold`: its answer is looked at first; `accept_end` or `ask_again` says what comes next."""
        if self.run is None and self._named == run.id:
            unheard = [step.prompt for step in self.started(run.id) if isinstance(step, Steer)]
            self.queue[:0] = unheard
            self._tracker.forget_heard(prompt.key for prompt in unheard)
        if run.outcome == "running":
            return []
        if hold:
            self._tracker.hold(run.id)
        else:
            self._tracker.end(run.id, PromptEnd(how=run.outcome, run=run.id, why=run.why))
        if self.run != run.id:
            return []
        self.run, self._prompt, self._named = None, None, None
        self._ended.append(run.id)
        if self._said_next is not None:
            said, self._said_next = self._said_next, None
            return self._start(said)
        if run.outcome != "completed" and self.queue:
            self.held = True
        self._expected = hold
        return self._next()

    def accept_end(self, run: RunId, diff: OfferedDiff | Refuse | None = None) -> list[Step]:
        """After `ended` with `hold`: nothing more is asked."""
        self._tracker.settle(run, diff)
        if not self._expected:
            return []  # the agent is gone meanwhile
        self.queue[:0] = self._steer_on_start
        self._expected, self._stop_on_start, self._steer_on_start = False, False, []
        return self._next()

    def ask_again(self, prompt: Prompt) -> list[Step]:
        """After `ended` with `hold`: this comes before all that waits; no steps where it cannot be asked,
        or where a person wants no more of it."""
        if not self._expected or self._stop_on_start:
            return []
        self._expected = False
        if prompt.asked_in is not None:
            self._tracker.ask_again(prompt.asked_in)
        return self._start(prompt)

    def take_back(self, prompts: Iterable[Prompt]) -> None:
        """What an agent never said that it has: to the front, for a person to see."""
        self.queue[:0] = prompts
        self.held = bool(self.queue)

    def lost(self, why: str) -> None:
        """The agent is gone, and with it whatever it was doing."""
        self.start_failed(why)
        self._tracker.lose(why)
        self.run, self._prompt = None, None

    # -- the pieces --

    def _next(self) -> list[Step]:
        if self.held or not self.queue or not self.idle:
            return []
        return self._start(self.queue.pop(0))

    def _start(self, prompt: Prompt) -> list[Step]:
        self.starting = prompt
        if prompt.by == "person":  # what we ask once more is still for the same
            self.sender = prompt.sender
        return [Start(prompt)]

    def _steer(self, prompt: Prompt) -> list[Step]:
        if self.run is None:
            self._steer_on_start.append(prompt)
            return []
        self._tracker.begin(self.run, prompt.key)
        return [Steer(prompt, self.run)]

    def _find(self, key: PromptKey) -> int | None:
        return next((i for i, prompt in enumerate(self.queue) if prompt.key == key), None)


def _short_hash(said: str) -> str:
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]
