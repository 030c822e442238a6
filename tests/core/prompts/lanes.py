"""Prompts and a lane in which the first of them runs."""

from bascule.core.prompts.prompt_lane import (
    Lane,
    Start,
)
from bascule.model.ids import PromptKey, RunId
from bascule.model.session import Outcome, Prompt, Run

R1, R2 = RunId("r1"), RunId("r2")


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
