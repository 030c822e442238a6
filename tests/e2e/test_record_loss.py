"""A record that is taken away, while nobody looks or while we run: said in it, in the log and on surfaces."""

import shutil

from tests.e2e.live_app import LiveApp, Setup
from tests.e2e.test_edits_over_protocol import open_peer

from bascule.daemon.consent.record import loss_toast
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.consent.audit import Line


async def note(live: LiveApp, text: str) -> None:
    await live.app.record.write(
        live.app.record.entry("test", "done", asker="terminal", asked=text, workspace="/w")
    )


def lines(setup: Setup) -> list[Line]:
    return Audit(audit_in(setup.folder.root)).last(10)


async def test_a_record_that_went_while_nobody_looked_is_missed_at_the_start(setup: Setup) -> None:
    async with setup.run() as live:
        await note(live, "one")
        await note(live, "two")
    shutil.rmtree(audit_in(setup.folder.root))
    gone = "The record was removed: lines 1 to 2 are missing."
    async with setup.run() as live, open_peer(live) as peer:
        toast = await peer.until(lambda message: message.get("method") == "ui.toast")
        assert toast["params"]["message"] == loss_toast(gone).message
        await note(live, "three")
    assert [(line.seq, line.entry.asked, line.entry.why) for line in lines(setup)] == [
        (3, "the record", gone),
        (4, "three", ""),
    ]
    assert gone in setup.folder.log.read_text()


async def test_a_record_that_goes_while_we_run_is_missed_at_the_next_line(setup: Setup) -> None:
    async with setup.run() as live, open_peer(live) as peer:
        await note(live, "one")
        shutil.rmtree(audit_in(setup.folder.root))
        await note(live, "two")
        toast = await peer.until(lambda message: message.get("method") == "ui.toast")
        assert "line 1 is missing" in toast["params"]["message"]
    assert [line.entry.asked for line in lines(setup)] == ["the record", "two"]
