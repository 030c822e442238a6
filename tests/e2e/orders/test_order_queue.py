"""Orders that wait, are cancelled, expire or take too long."""

import msgspec
import pytest
from tests.e2e.live_app import LiveApp, Setup, of_kind
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
from tests.e2e.test_edits_over_protocol import answer, open_peer
from tests.e2e.test_patches import files_of
from tests.e2e.test_test_runs import COMMAND, allow

from bascule.core.consent.line_budget import MAX_OF_ONE
from bascule.core.prompts.prompt_lane import NOT_YOURS
from bascule.daemon.edits.edits import UNANSWERED
from bascule.daemon.edits.project_tests import WITHDRAWN as NOTHING_RUN
from bascule.daemon.orders.order_actions import CANCELLED, INTERRUPTED, LATE, NOTHING, REMOVED
from bascule.daemon.orders.orders import CANCELLED_WAITING, IN_LINE
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.asks import Refuse
from bascule.model.blocks import (
    CommandBlock,
    InfoBlock,
    RemoteBlock,
)
from bascule.model.consent.orders import OrderKind
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


async def test_the_second_order_of_a_workspace_waits_visibly_and_both_can_be_cancelled(slow: LiveApp) -> None:
    live = slow
    async with open_peer(live) as peer:
        first = await begin(peer, order("c-1", "plan", SLOW))
        session = await until_session(live)
        await live.until(session, lambda seen: is_running(seen, "c-1"))
        second = await begin(peer, order("c-2", "plan", PROMPT))
        seen = await live.until(session, in_line)
        (shown,) = in_line(seen)
        assert shown.title == f"{IN_LINE}: @dev plan {PROMPT}"
        assert shown.text.startswith("1 order(s) ahead")
        await peer.call("order.cancel", {"command_id": "c-2"})
        assert await outcome(peer, second) == ("cancelled", CANCELLED_WAITING)
        assert in_line(live.see(session)) == []
        await peer.call("order.cancel", {"command_id": "c-1"})
        assert await outcome(peer, first) == ("cancelled", f"{CANCELLED} {NOTHING}")
        assert (await live.until_idle(session)).runs[-1].outcome == "interrupted"
        refused = await peer.refused("order.cancel", {"command_id": "c-1"})
        assert "No order c-1" in refused.message


@pytest.mark.parametrize(("kind", "prompt"), [("plan", PROMPT), ("test", COMMAND)])
async def test_an_order_that_is_cancelled_while_its_session_opens_never_begins(
    setup: Setup, kind: OrderKind, prompt: str
) -> None:
    """Starting an agent takes a while: what is cancelled by then asks nobody and runs nothing."""
    allow(setup)
    async with setup.run() as live, open_peer(live) as peer:
        given = await begin(peer, order("c-1", kind, prompt))
        await peer.call("order.cancel", {"command_id": "c-1"})
        assert await outcome(peer, given) == ("cancelled", CANCELLED_WAITING)
        session = await until_session(live)
        assert live.see(session).runs == ()
        assert not of_kind(live.see(session), CommandBlock)


async def test_a_cancelled_question_is_withdrawn_and_a_cancelled_test_stops(setup: Setup) -> None:
    allow(setup)
    async with setup.run() as live, open_peer(live) as peer:
        (live.project / "test_long.py").write_text(LONG_TEST)
        testing = await begin(peer, order("c-1", "test", COMMAND))
        session = await until_session(live)
        await live.until_ask(session)
        await peer.call("order.cancel", {"command_id": "c-1"})
        assert await outcome(peer, testing) == ("cancelled", NOTHING_RUN)
        testing = await begin(peer, order("c-2", "test", COMMAND))
        ask = await live.until_ask(session)
        await answer(live, session, ask, "accept")
        await live.until(
            session, lambda seen: any("begun" in block.output for block in of_kind(seen, CommandBlock))
        )
        await peer.call("order.cancel", {"command_id": "c-2"})
        status, summary = await outcome(peer, testing)
        assert status == "cancelled"
        assert "cancelled, and ended with all that it had started" in summary


async def test_nobody_answers_and_the_question_expires_as_a_no(setup: Setup) -> None:
    setup.write_settings(orders_commands='"read-only"\nanswerSeconds = 1')
    async with setup.run() as live:
        await expire(live)


async def expire(live: LiveApp) -> None:
    before = files_of(live.project)
    await give(live, order("c-1", "patch", PROMPT))
    session = session_of(live)
    async with open_peer(live) as peer:
        applying = await begin(peer, order("c-2", "apply", ref="c-1"))
        ask = await live.until_ask(session)
        assert await outcome(peer, applying) == ("rejected", UNANSWERED)
        assert await answer(live, session, ask, ask.choices[0].id) is not None
    assert live.see(session).asks == ()
    assert files_of(live.project) == before


async def test_an_order_that_takes_too_long_is_stopped_and_waiting_for_others_does_not_count(
    slow: LiveApp,
) -> None:
    live = slow
    with live.app.folder.settings.open("a") as settings:
        settings.write("[orders]\ngenerateSeconds = 2\n")
    await give(live, order("c-1", "help"))
    session = session_of(live)
    late = await give(live, order("c-2", "plan", SLOW))  # the model speaks for longer than that
    assert (late.status, late.summary) == ("error", f"{LATE['generating']} {NOTHING}")
    seen = await live.until_idle(session)
    assert [run.outcome for run in seen.runs] == ["interrupted"]
    live.say(session, "demo:slow")
    await live.until_streaming(session, words=6)
    async with open_peer(live) as peer:
        waiting = await begin(peer, order("c-3", "plan", PROMPT))
        await live.until_head(session, lambda seen: seen.queue)
        await live.until_streaming(session, words=12)  # three seconds, in which nothing is generated for it
        assert [prompt.key for prompt in live.see(session).queue] == ["order:c-3"]
        live.app.prompts.interrupt(session)
        await live.until_head(session, lambda seen: seen.queue_held)
        live.app.prompts.release_queue(session)
        assert (await outcome(peer, waiting))[0] == "ok"


async def test_a_person_here_takes_it_out_of_the_queue_or_stops_it(slow: LiveApp) -> None:
    live = slow
    await give(live, order("c-1", "help"))
    session = session_of(live)
    live.say(session, "demo:slow")
    await live.until_streaming(session)
    async with open_peer(live) as peer:
        waiting = await begin(peer, order("c-2", "plan", PROMPT))
        await live.until_head(session, lambda seen: seen.queue)
        key = PromptKey("order:c-2")
        assert live.app.prompts.edit_queued(session, key, "my own words") == Refuse(NOT_YOURS)
        assert live.app.prompts.remove_queued(session, key) is None
        assert await outcome(peer, waiting) == ("cancelled", REMOVED)
        live.app.prompts.interrupt(session)
        await live.until_idle(session)
        going = await begin(peer, order("c-3", "plan", SLOW))
        await live.until(session, lambda seen: is_running(seen, "c-3"))
        live.app.prompts.interrupt(session)
        assert await outcome(peer, going) == ("cancelled", f"{INTERRUPTED} {NOTHING}")


def is_running(seen: Session, name: str) -> bool:
    runs = {block.run for block in of_kind(seen, RemoteBlock) if block.command_id == name}
    return any(run.id in runs and run.outcome == "running" for run in seen.runs)


async def test_a_flood_of_orders_pushes_nothing_out_of_the_record(live: LiveApp) -> None:
    await give(live, order("first", "help"))
    for number in range(MAX_OF_ONE + 300):
        bad = msgspec.structs.replace(order(f"c-{number}", "help"), machine_id="x" * 10_000)
        assert (await give(live, bad)).status == "rejected"
    await live.app.record.written()
    audit = Audit(audit_in(live.app.folder.root))
    lines = [line.entry for line in audit.last(10_000)]
    assert audit.verify() == []
    assert lines[0].asked == "@dev help"
    assert len(lines) == MAX_OF_ONE + 3
    assert lines[-1].asked.startswith("100 more from senders of orders")
    assert max(len(msgspec.json.encode(entry)) for entry in lines) < 2_000
