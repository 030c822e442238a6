"""What is true of an agent child: notices, account and limits, folded like a session."""

from typing import assert_never

from msgspec.structs import replace

from bascule.model.blocks import InfoBlock, SystemBlock
from bascule.model.changes import AccountSet, AgentChange, LimitsSet, NoticePut, SilenceSet
from bascule.model.session import AgentState

MAX_NOTICES = 100  # the oldest leave


def fold_agent(state: AgentState, change: AgentChange) -> AgentState:
    match change:
        case NoticePut():
            return replace(state, notices=_put(state.notices, change.block))
        case AccountSet():
            return replace(state, account=change.account)
        case LimitsSet():
            return replace(state, limits=change.limits, plan=change.plan or state.plan)
        case SilenceSet():
            return replace(state, silent_since_ms=change.since_ms)
        case _:
            assert_never(change)


def _put(
    notices: tuple[InfoBlock | SystemBlock, ...], block: InfoBlock | SystemBlock
) -> tuple[InfoBlock | SystemBlock, ...]:
    """In its old place when it is sent again."""
    kept = {notice.id: notice for notice in notices}
    kept[block.id] = block
    return tuple(kept.values())[-MAX_NOTICES:]
