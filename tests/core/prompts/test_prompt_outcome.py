"""An errand: what became of a prompt, whichever way its session tells it."""

import pytest

from bascule.core.prompts.prompt_outcome import Errand, ErrandEnd
from bascule.core.prompts.purposes import Purpose
from bascule.core.session.fold import Fold
from bascule.model.blocks import AssistantBlock, ErrorBlock, RemoteBlock, SystemBlock
from bascule.model.changes import BlockGone, BlockPut, Change, HistoryPut, RunPut, StatusSet
from bascule.model.ids import BlockId, PromptKey, RunId, SessionId
from bascule.model.session import Outcome, Run, Session

KEY = PromptKey("order:c1")
R1, R2, OTHER = RunId("r1"), RunId("r2"), RunId("r0")


def said(run: RunId | None = None) -> BlockPut:
    return BlockPut(RemoteBlock(id=BlockId(KEY), run=run, text="@dev patch it"))


def spoke(name: str, text: str, run: RunId = R1, *, final: bool = False) -> AssistantBlock:
    return AssistantBlock(id=BlockId(name), run=run, text=text, final=final, status="completed")


def ended(run: RunId = R1, outcome: Outcome = "completed", why: str = "") -> RunPut:
    return RunPut(Run(id=run, outcome=outcome, why=why))


ANSWER = AssistantBlock(id=BlockId("patch:r1"), run=R1, text="A diff", status="completed")
USELESS = ErrorBlock(id=BlockId("patch:r1"), run=R2, title="No diff")
AGAIN = BlockPut(SystemBlock(id=BlockId("again:r1"), run=R2, title="Asked once more"))
UNNAMED_AGAIN = BlockPut(SystemBlock(id=BlockId("again:r1"), title="Asked once more"))

FIRST, LAST, AFTER = spoke("a1", "on the way"), spoke("a2", "the plan", final=True), spoke("a3", "more")
COMMENT = spoke("x", "another run", OTHER)


STORIES: dict[str, tuple[Purpose, list[Change], ErrandEnd | None]] = {
    "a plan": (
        "plan",
        [said(), StatusSet("working"), said(R1), BlockPut(FIRST), BlockPut(LAST), BlockPut(AFTER), ended()],
        ErrandEnd(outcome="completed", answer=LAST),
    ),
    "a plan without a final answer": (
        "plan",
        [said(R1), BlockPut(FIRST), BlockPut(AFTER), ended()],
        ErrandEnd(outcome="completed", answer=AFTER),
    ),
    "other runs do not count": (
        "plan",
        [BlockPut(COMMENT), ended(OTHER), said(R1), BlockPut(LAST), ended(OTHER, "failed")],
        None,
    ),
    "a patch": (
        "patch",
        [said(R1), BlockPut(LAST), BlockPut(ANSWER), ended()],
        ErrandEnd(outcome="completed", answer=ANSWER),
    ),
    "a patch that was asked for again": (
        "patch",
        [said(R1), BlockPut(LAST), ended(), UNNAMED_AGAIN, AGAIN, BlockPut(ANSWER), ended(R2)],
        ErrandEnd(outcome="completed", answer=ANSWER),
    ),
    "a patch that was useless twice": (
        "patch",
        [said(R1), ended(), AGAIN, BlockPut(USELESS), ended(R2)],
        ErrandEnd(outcome="completed", answer=USELESS),
    ),
    "a patch that is still being asked for again": ("patch", [said(R1), ended(), AGAIN], None),
    "a run that failed": (
        "patch",
        [said(R1), ended(R1, "failed", "the agent stopped")],
        ErrandEnd(outcome="failed", why="the agent stopped"),
    ),
    "a second run that was stopped": (
        "patch",
        [said(R1), ended(), AGAIN, ended(R2, "interrupted")],
        ErrandEnd(outcome="interrupted"),
    ),
    "a prompt that could not be sent": (
        "plan",
        [
            said(),
            BlockGone(BlockId(KEY)),
            BlockPut(ErrorBlock(id=BlockId("u"), title="Not sent", text="no agent")),
        ],
        ErrandEnd(outcome="failed", why="no agent"),
    ),
    "an error of somebody else": (
        "plan",
        [said(R1), BlockPut(ErrorBlock(id=BlockId("e"), run=OTHER, title="Oh", text="oh"))],
        None,
    ),
    "the past told anew": (
        "plan",
        [said(R1), HistoryPut((said(R1).block, LAST), (Run(id=R1, outcome="completed"),))],
        ErrandEnd(outcome="completed", answer=LAST),
    ),
}


@pytest.mark.parametrize("name", STORIES)
def test_what_became_of_it(name: str) -> None:
    purpose, changes, end = STORIES[name]
    errand = Errand(KEY, purpose)
    told = [end for change in changes if (end := errand.feed(change)) is not None]
    assert told[:1] == ([end] if end else [])


@pytest.mark.parametrize("name", [name for name in STORIES if name != "a prompt that could not be sent"])
def test_a_whole_session_tells_the_same_as_its_changes(name: str) -> None:
    purpose, changes, end = STORIES[name]
    fold = Fold(Session(id=SessionId("s"), workspace="/w"))
    fold.apply_all(changes)
    assert Errand(KEY, purpose).begin(fold.session()) == end


@pytest.mark.parametrize("cut", range(8))
def test_joining_in_the_middle_changes_nothing(cut: int) -> None:
    purpose, changes, end = STORIES["a patch that was asked for again"]
    fold = Fold(Session(id=SessionId("s"), workspace="/w"))
    fold.apply_all(changes[:cut])
    errand = Errand(KEY, purpose)
    first = errand.begin(fold.session())
    rest = [errand.feed(change) for change in changes[cut:]]
    assert next(filter(None, [first, *rest])) == end


def test_it_is_shown_when_it_stands_in_the_log() -> None:
    errand = Errand(KEY, "plan")
    errand.feed(BlockPut(COMMENT))
    seen = [errand.is_shown]
    for change in (said(), BlockGone(BlockId(KEY)), said(R1)):
        errand.feed(change)
        seen.append(errand.is_shown)
    assert seen == [False, True, False, True]
