"""A session's way to its agent: what is being said, what waits, and what a race leaves behind."""

import hashlib
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.prompts.purposes import find_purpose
from bascule.model.asks import Refuse
from bascule.model.audit import Remote
from bascule.model.ids import PromptKey, RunId
from bascule.model.session import Outcome, Prompt

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

KEY_USED = "This key was used for another prompt. Nothing was sent. Send it again with a key of its own."
NOT_YOURS = "These are somebody else's words. Take the order out of the queue, and write your own."
OWN_RUN = "/plan and /patch need a run of their own: nothing may be written in it. Queue it, or wait."


class Lane:
    """Told what people want and what the agent did; answers with the next steps to take on the wire."""

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
        self.sender: Remote | None = None  # of the Order that the present run is for
        self._named: RunId | None = None  # answered to our start, but not told to have started
        self._expected = False
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
        """Each with a short hash of what was said under it; empty where that is not known."""
        return dict(self._keys)

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
            return Refuse(f"The queue is full ({MAX_QUEUE} prompts). Remove one, or wait.")
        if not self.idle and how == "steer" and find_purpose(prompt) != "talk":
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
        while len(self._keys) > MAX_KEYS:
            del self._keys[next(iter(self._keys))]

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
            return Refuse("That prompt no longer waits in the queue.")
        if not self.idle and find_purpose(self.queue[at]) != "talk":
            return Refuse(OWN_RUN)
        prompt = self.queue.pop(at)
        return self._start(prompt) if self.idle else self._steer(prompt)

    def edit(self, key: PromptKey, text: str) -> Refuse | None:
        at = self._find(key)
        if at is None:
            return Refuse("That prompt no longer waits in the queue.")
        if self.queue[at].sender is not None:
            return Refuse(NOT_YOURS)
        self.queue[at] = replace(self.queue[at], text=text)
        return None

    def move(self, key: PromptKey, to: int) -> Refuse | None:
        at = self._find(key)
        if at is None:
            return Refuse("That prompt no longer waits in the queue.")
        self.queue.insert(max(0, min(to, len(self.queue) - 1)), self.queue.pop(at))
        return None

    def remove(self, key: PromptKey) -> Refuse | None:
        at = self._find(key)
        if at is None:
            return Refuse("That prompt no longer waits in the queue.")
        del self.queue[at]
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

    def expect(self) -> None:
        """A run that is no prompt was asked for, such as compacting: what is said now waits for its end."""
        self._expected = True

    def say_next(self, prompt: Prompt) -> list[Step]:
        """Follows the present run however that ends: the reason that a person gave with a no."""
        if self.idle:
            return self._start(prompt)
        if self._said_next is None:
            self._said_next = prompt
        else:
            self.queue.insert(0, prompt)  # a second no of the same run: its reason comes after the first
        return []

    # -- what the agent did --

    def named(self, run: RunId) -> None:
        """The answer to a start. An agent that has not told that it began takes no steer and no interrupt."""
        if run not in self._ended:  # a short run may be over before whoever started it reads the answer
            self._named = run

    def started(self, run: RunId) -> list[Step]:
        """Told by the agent, also for runs that others began."""
        if self.run == run or run in self._ended:
            return []
        if self.starting is None:
            self.sender = None  # others began it
        self.run, self.starting, self._expected = run, None, False
        steps: list[Step] = [Steer(prompt, run) for prompt in self._steer_on_start]
        if self._stop_on_start:
            steps.append(Interrupt(run))
        self._steer_on_start, self._stop_on_start = [], False
        return steps

    def start_failed(self) -> None:
        """Nothing is lost: the prompt goes back to the front and waits for a person."""
        waiting = [self.starting, self._said_next, *self._steer_on_start]
        self.queue = [*(prompt for prompt in waiting if prompt), *self.queue]
        self.starting, self._said_next, self._steer_on_start, self._stop_on_start = None, None, [], False
        self._named, self._expected = None, False
        self.held = bool(self.queue)

    def steer_failed(self, prompt: Prompt, *, gone: bool = False) -> list[Step]:
        """The run ended first, or does not take it: it becomes the next prompt, unless the agent is gone."""
        self.queue.insert(0, prompt)
        self.held = self.held or gone
        return self._next()

    def knows(self, run: RunId) -> bool:
        """It is going on, or about to be told so."""
        return run in (self.run, self._named)

    def ended(self, run: RunId, outcome: Outcome, *, hold: bool = False) -> list[Step]:
        """`hold`: its answer is looked at first; `go_on` or `ask_again` says what comes next."""
        if self.run is None and self._named == run:
            self.queue[:0] = [step.prompt for step in self.started(run) if isinstance(step, Steer)]
        if self.run != run:
            return []
        self.run, self._named = None, None
        self._ended.append(run)
        if self._said_next is not None:
            said, self._said_next = self._said_next, None
            return self._start(said)
        if outcome != "completed" and self.queue:
            self.held = True
        self._expected = hold
        return self._next()

    def go_on(self) -> list[Step]:
        """After `ended` with `hold`: nothing more is asked."""
        if not self._expected:
            return []  # the agent went away meanwhile
        self.queue[:0] = self._steer_on_start
        self._expected, self._stop_on_start, self._steer_on_start = False, False, []
        return self._next()

    def ask_again(self, prompt: Prompt) -> list[Step]:
        """After `ended` with `hold`: this comes before all that waits; no steps where it cannot be asked,
        or where a person wants no more of it."""
        if not self._expected or self._stop_on_start:
            return []
        self._expected = False
        return self._start(prompt)

    def lost(self) -> None:
        """The agent is gone, and with it whatever it was doing."""
        self.start_failed()
        self.run = None

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
        return [Steer(prompt, self.run)]

    def _find(self, key: PromptKey) -> int | None:
        return next((i for i, prompt in enumerate(self.queue) if prompt.key == key), None)


def _short_hash(said: str) -> str:
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]
