"""What is true of an agent child."""

from bascule.core.session.agent_fold import MAX_NOTICES, fold_agent
from bascule.model.blocks import InfoBlock, SystemBlock
from bascule.model.changes import AccountSet, LimitsSet, NoticePut
from bascule.model.ids import BlockId
from bascule.model.session import AgentState, Limit

START = AgentState(workspace="/w")


def notice(name: str, text: str = "") -> InfoBlock:
    return InfoBlock(id=BlockId(name), title="Warning", text=text)


def test_a_notice_sent_again_stays_in_its_place() -> None:
    state = START
    for block in (notice("a"), SystemBlock(id=BlockId("b")), notice("a", "again")):
        state = fold_agent(state, NoticePut(block))
    expected = (notice("a", "again"), SystemBlock(id=BlockId("b")))
    assert state == AgentState(workspace="/w", notices=expected)


def test_the_oldest_notices_leave_at_the_ceiling() -> None:
    state = START
    for number in range(MAX_NOTICES + 3):
        state = fold_agent(state, NoticePut(notice(str(number))))
    assert [block.id for block in state.notices] == [str(n) for n in range(3, MAX_NOTICES + 3)]


def test_account_and_limits_replace_what_was_there() -> None:
    limit = Limit(name="primary", used_percent=1)
    state = fold_agent(START, AccountSet("authMode=apikey"))
    state = fold_agent(state, LimitsSet((limit,), "pro"))
    state = fold_agent(state, AccountSet("authMode=chatgpt plan=pro"))
    assert state == AgentState(
        workspace="/w", account="authMode=chatgpt plan=pro", limits=(limit,), plan="pro"
    )


def test_limits_without_a_plan_keep_the_plan() -> None:
    state = fold_agent(fold_agent(START, LimitsSet((), "pro")), LimitsSet(()))
    assert state == AgentState(workspace="/w", plan="pro")
