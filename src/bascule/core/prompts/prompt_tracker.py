"""Which run has whose words, and the fate of each prompt: news, to be taken after each step."""

from collections.abc import Iterable

from bascule.core.bounded import forget_oldest
from bascule.core.prompts.prompt_outcome import Began, Ended, OfferedDiff, PromptEnd, PromptNews
from bascule.model.asks import Refuse
from bascule.model.ids import PromptKey, RunId

MAX_RUNS = 32  # whose end is still to come


class PromptTracker:
    def __init__(self) -> None:
        self._speaking: dict[RunId, list[PromptKey]] = {}  # whose words a run has that is not over
        self._judged: dict[RunId, list[PromptKey]] = {}  # over, and their answers are looked at
        self._asked_again: list[PromptKey] = []  # for whom the next run asks once more
        self._news: list[PromptNews] = []

    def take_news(self) -> list[PromptNews]:
        news, self._news = self._news, []
        return news

    def has(self, run: RunId, key: PromptKey) -> bool:
        return key in self._speaking.get(run, ())

    # -- words get into a run --

    def begin(self, run: RunId, key: PromptKey) -> None:
        """Its words began the run, or were steered into it."""
        self._speaking.setdefault(run, []).append(key)
        self._news.append(Began(key, run))
        forget_oldest(self._speaking, MAX_RUNS)

    def begin_again(self, run: RunId) -> None:
        """The run asks once more, for those who asked before."""
        self._speaking[run], self._asked_again = self._asked_again, []

    def forget_heard(self, keys: Iterable[PromptKey]) -> None:
        """No run has heard them after all."""
        gone = set(keys)
        for run, speaking in self._speaking.items():
            self._speaking[run] = [key for key in speaking if key not in gone]

    # -- and come to an end --

    def end(self, run: RunId, end: PromptEnd) -> None:
        self._news += [Ended(key, end) for key in self._speaking.pop(run, [])]

    def lose(self, why: str) -> None:
        """The agent is gone, and every run with it."""
        for run in tuple(self._speaking):
            self.end(run, PromptEnd(how="lost", run=run, why=why))

    def unsend(self, keys: Iterable[PromptKey], why: str) -> None:
        waiting, self._asked_again = [*keys, *self._asked_again], []
        self._news += [Ended(key, PromptEnd(how="unsent", why=why)) for key in waiting]

    def remove(self, key: PromptKey) -> None:
        self._news.append(Ended(key, PromptEnd(how="removed")))

    # -- where an answer is judged first --

    def hold(self, run: RunId) -> None:
        self._judged[run] = self._speaking.pop(run, [])

    def settle(self, run: RunId, diff: OfferedDiff | Refuse | None) -> None:
        end = PromptEnd(how="completed", run=run, diff=diff)
        self._news += [Ended(key, end) for key in self._judged.pop(run, [])]

    def ask_again(self, run: RunId) -> None:
        self._asked_again = self._judged.pop(run, [])
