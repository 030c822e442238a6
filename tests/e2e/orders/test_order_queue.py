"""Orders that wait, are cancelled, expire or take too long."""

import msgspec
import pytest
from tests.e2e.orders.given_orders import (
    PROMPT,
    SLOW,
    begin,
    give,
    order,
    outcome,
    session_of,
    until_session,
)
from tests.e2e.stage import Life, Stage, of_kind
from tests.e2e.test_edits_over_protocol import answer, open_peer
from tests.e2e.test_patches import files_of
from tests.e2e.test_test_runs import COMMAND, allow

from bascule.core.consent.line_budget import MAX_OF_ONE
from bascule.core.prompts.prompt_lane import NOT_YOURS
from bascule.daemon.edits.edits import UNANSWERED
from bascule.daemon.edits.project_tests import WITHDRAWN as NOTHING_RUN
from bascule.daemon.orders.order_actions import CANCELLED, INTERRUPTED, LATE, REMOVED
from bascule.daemon.orders.orders import CANCELLED_WAITING, IN_LINE
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.asks import Refuse
from bascule.model.blocks import (
    CommandBlock,
    InfoBlock,
    RemoteBlock,
)
from bascule.model.ids import PromptKey
from bascule.model.session import Session

pytestmark = pytest.mark.real


LONG_TEST = """
import time, unittest
class Long(unittest.TestCase):
    def test_long(self):
        print("begun", flush=True)
        time.sleep(600)
"""


def in_line(seen: Session) -> list[InfoBlock]:
    return [block for block in of_kind(seen, InfoBlock) if block.title.startswith(IN_LINE)]


async def test_the_second_order_of_a_workspace_waits_visibly_and_both_can_be_cancelled(slow: Life) -> None:
    life = slow
    async with open_peer(life) as peer:
        first = await begin(peer, order("c-1", "plan", SLOW))
        session = await until_session(life)
        await life.until(session, lambda seen: is_running(seen, "c-1"))
        second = await begin(peer, order("c-2", "plan", PROMPT))
        seen = await life.until(session, in_line)
        (shown,) = in_line(seen)
        assert shown.title == f"{IN_LINE}: @dev plan {PROMPT}"
        assert shown.text.startswith("1 order(s) ahead")
        await peer.call("order.cancel", {"command_id": "c-2"})
        assert await outcome(peer, second) == ("cancelled", CANCELLED_WAITING)
        assert in_line(life.see(session)) == []
        await peer.call("order.cancel", {"command_id": "c-1"})
        assert await outcome(peer, first) == ("cancelled", CANCELLED)
        assert (await life.until_idle(session)).runs[-1].outcome == "interrupted"
        refused = await peer.refused("order.cancel", {"command_id": "c-1"})
        assert "No order c-1" in refused.message


async def test_a_cancelled_question_is_withdrawn_and_a_cancelled_test_stops(stage: Stage) -> None:
    allow(stage)
    async with stage.life() as life, open_peer(life) as peer:
        (life.project / "test_long.py").write_text(LONG_TEST)
        testing = await begin(peer, order("c-1", "test", COMMAND))
        session = await until_session(life)
        await life.until_ask(session)
        await peer.call("order.cancel", {"command_id": "c-1"})
        assert await outcome(peer, testing) == ("cancelled", NOTHING_RUN)
        testing = await begin(peer, order("c-2", "test", COMMAND))
        ask = await life.until_ask(session)
        await answer(life, session, ask, "accept")
        await life.until(
            session, lambda seen: any("begun" in block.output for block in of_kind(seen, CommandBlock))
        )
        await peer.call("order.cancel", {"command_id": "c-2"})
        status, summary = await outcome(peer, testing)
        assert status == "cancelled"
        assert "cancelled, and ended with all that it had started" in summary


async def test_nobody_answers_and_the_question_expires_as_a_no(stage: Stage) -> None:
    stage.write_settings(orders_commands='"read-only"\nanswerSeconds = 1')
    async with stage.life() as life:
        await expire(life)


async def expire(life: Life) -> None:
    before = files_of(life.project)
    await give(life, order("c-1", "patch", PROMPT))
    session = session_of(life)
    async with open_peer(life) as peer:
        applying = await begin(peer, order("c-2", "apply", ref="c-1"))
        ask = await life.until_ask(session)
        assert await outcome(peer, applying) == ("rejected", UNANSWERED)
        assert await answer(life, session, ask, ask.choices[0].id) is not None
    assert life.see(session).asks == ()
    assert files_of(life.project) == before


async def test_an_order_that_takes_too_long_is_stopped_and_waiting_for_others_does_not_count(
    slow: Life,
) -> None:
    life = slow
    with life.app.folder.settings.open("a") as settings:
        settings.write("[orders]\ngenerateSeconds = 2\n")
    await give(life, order("c-1", "help"))
    session = session_of(life)
    late = await give(life, order("c-2", "plan", SLOW))  # the model speaks for longer than that
    assert (late.status, late.summary) == ("error", LATE["generating"])
    seen = await life.until_idle(session)
    assert [run.outcome for run in seen.runs] == ["interrupted"]
    life.say(session, "demo:slow")
    await life.until_streaming(session, words=6)
    async with open_peer(life) as peer:
        waiting = await begin(peer, order("c-3", "plan", PROMPT))
        await life.until_head(session, lambda seen: seen.queue)
        await life.until_streaming(session, words=12)  # three seconds, in which nothing is generated for it
        assert [prompt.key for prompt in life.see(session).queue] == ["order:c-3"]
        life.app.prompts.interrupt(session)
        await life.until_head(session, lambda seen: seen.queue_held)
        life.app.prompts.release_queue(session)
        assert (await outcome(peer, waiting))[0] == "ok"


async def test_a_person_here_takes_it_out_of_the_queue_or_stops_it(slow: Life) -> None:
    life = slow
    await give(life, order("c-1", "help"))
    session = session_of(life)
    life.say(session, "demo:slow")
    await life.until_streaming(session)
    async with open_peer(life) as peer:
        waiting = await begin(peer, order("c-2", "plan", PROMPT))
        await life.until_head(session, lambda seen: seen.queue)
        key = PromptKey("order:c-2")
        assert life.app.prompts.edit_queued(session, key, "my own words") == Refuse(NOT_YOURS)
        assert life.app.prompts.remove_queued(session, key) is None
        assert await outcome(peer, waiting) == ("cancelled", REMOVED)
        life.app.prompts.interrupt(session)
        await life.until_idle(session)
        going = await begin(peer, order("c-3", "plan", SLOW))
        await life.until(session, lambda seen: is_running(seen, "c-3"))
        life.app.prompts.interrupt(session)
        assert await outcome(peer, going) == ("cancelled", INTERRUPTED)


def is_running(seen: Session, name: str) -> bool:
    runs = {block.run for block in of_kind(seen, RemoteBlock) if block.command_id == name}
    return any(run.id in runs and run.outcome == "running" for run in seen.runs)


async def test_a_flood_of_orders_pushes_nothing_out_of_the_record(life: Life) -> None:
    await give(life, order("first", "help"))
    for number in range(MAX_OF_ONE + 300):
        bad = msgspec.structs.replace(order(f"c-{number}", "help"), machine_id="x" * 10_000)
        assert (await give(life, bad)).status == "rejected"
    await life.app.record.written()
    audit = Audit(audit_in(life.app.folder.root))
    lines = [line.entry for line in audit.last(10_000)]
    assert audit.verify() == []
    assert lines[0].asked == "@dev help"
    assert len(lines) == MAX_OF_ONE + 3
    assert lines[-1].asked.startswith("100 more from senders of orders")
    assert max(len(msgspec.json.encode(entry)) for entry in lines) < 2_000
