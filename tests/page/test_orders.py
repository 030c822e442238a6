"""Orders on the page: who sent them, what came of them, and a yes that says for whom it is."""

import pytest
from playwright.async_api import expect
from tests.e2e.orders.given_orders import begin, give, order, outcome, session_of, until_session
from tests.e2e.test_edits_over_protocol import open_peer
from tests.page.session_blocks import answer
from tests.page.test_asks import cards
from tests.page.viewer import Viewer

pytestmark = pytest.mark.asyncio(loop_scope="session")

PROMPT = "one more function"
WORD_DELAY_S = 0.3


async def test_a_remote_patch_is_shown_with_its_sender_and_applied_after_a_yes_here(
    viewer: Viewer,
) -> None:
    async with open_peer(viewer.live) as peer:
        making = await begin(peer, order("p-1", "patch", PROMPT, user="Wen"))
        await viewer.enter(await until_session(viewer.live, "Wen"))
        card = cards(viewer)
        await expect(card).to_contain_text("cat wordkit.py")
        await expect(card).to_contain_text("Requested remotely by “Wen” via ")
        await expect(card.get_by_role("button", name="Yes, and always")).to_have_count(0)
        await answer(card, "Yes, once")
        assert (await outcome(peer, making))[0] == "ok"
    await expect(viewer.page.get_by_role("heading", name="Orders of Wen", level=1)).to_be_visible()
    asked = viewer.block("remote")
    await expect(asked).to_contain_text(f"@dev patch {PROMPT}")
    await expect(asked).to_contain_text("Wen")
    await expect(asked).to_contain_text("p-1")
    await expect(viewer.log.get_by_role("button", name="View Diff")).to_be_visible()
    async with open_peer(viewer.live) as peer:
        applying = await begin(peer, order("p-2", "apply", ref="p-1", user="Wen"))
        card = cards(viewer)
        await expect(card).to_contain_text("Requested remotely by “Wen” via ")
        await expect(card).to_contain_text("(order p-2)")
        row = viewer.page.get_by_role("option", name="Orders of Wen")
        await expect(row).to_contain_text("Waiting for you")
        await answer(card, "Yes, exactly this")
        status, _ = await outcome(peer, applying)
        assert status == "ok"
    assert "def initials" in (viewer.live.project / "wordkit.py").read_text()


async def test_an_order_that_waits_shows_whose_it_is_and_can_be_taken_out_but_not_rewritten(
    viewer: Viewer,
) -> None:
    await give(viewer.live, order("q-1", "help", user="Bo"))
    session = session_of(viewer.live, "Bo")
    await viewer.enter(session)
    await expect(viewer.log).to_contain_text("patch PROMPT: a diff; nothing is written")
    async with open_peer(viewer.live) as peer:
        viewer.live.say(session, "demo:slow")
        await viewer.live.until_head(session, lambda seen: seen.status == "working")
        waiting = await begin(peer, order("q-3", "plan", PROMPT, user="Bo"))
        queued = viewer.page.get_by_role("region", name="Queue").get_by_role("listitem")
        await expect(queued).to_contain_text(f"Bo@dev plan {PROMPT}")
        await expect(queued.get_by_role("button", name="Edit")).to_have_count(0)
        await queued.get_by_role("button", name="Remove from queue").click()
        assert (await outcome(peer, waiting))[0] == "cancelled"
        await viewer.page.get_by_role("button", name="Stop").click()
        await viewer.live.until_idle(session)
