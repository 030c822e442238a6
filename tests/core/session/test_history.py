"""The agent's account of the past, and what of it we know better."""

from bascule.core.session.history import correct_history
from bascule.model.blocks import ErrorBlock, UserBlock
from bascule.model.changes import BlockGone, BlockPut, HistoryPut, RunPut
from bascule.model.ids import BlockId, RunId, SessionId
from bascule.model.session import Run, Session

R = RunId("r")


def page(run: Run) -> HistoryPut:
    return HistoryPut((), (run,), "", False)


def session(run: Run, *blocks: UserBlock | ErrorBlock) -> Session:
    return Session(id=SessionId("s"), workspace="/w", runs=(run,), blocks=blocks)


def test_a_run_that_we_saw_fail_was_not_interrupted() -> None:
    failed = Run(id=R, outcome="failed")
    assert list(correct_history(session(failed), page(Run(id=R, outcome="interrupted")))) == [RunPut(failed)]
    stopped = Run(id=R, outcome="interrupted")
    assert list(correct_history(session(stopped), page(stopped))) == []


def test_what_the_agent_has_not_heard_yet_comes_after_its_past() -> None:
    waiting = UserBlock(id=BlockId("w"), text="and then", sent=False)
    sent = UserBlock(id=BlockId("u"), text="first")
    done = Run(id=R, outcome="completed")
    changes = list(correct_history(session(done, waiting, sent), page(done)))
    assert changes == [BlockGone(BlockId("w")), BlockPut(waiting)]


def test_a_run_whose_end_we_missed_did_not_stop() -> None:
    stopped = ErrorBlock(id=BlockId("e"), run=R, title="It stopped", text="", agent_stopped=True)
    ours = session(Run(id=R, outcome="failed"), stopped)
    assert list(correct_history(ours, page(Run(id=R, outcome="completed")))) == [BlockGone(BlockId("e"))]
