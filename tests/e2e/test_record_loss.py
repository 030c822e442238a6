"""A record that is taken away, while nobody looks or while we run: said in it, in the log and on surfaces."""

import shutil

from tests.e2e.stage import Life, Stage
from tests.e2e.test_edits_over_protocol import open_peer

from bascule.daemon.consent.record import loss_toast
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.consent.audit import Line


async def note(life: Life, text: str) -> None:
    await life.app.record.write(
        life.app.record.entry("test", "done", asker="terminal", asked=text, workspace="/w")
    )


def lines(stage: Stage) -> list[Line]:
    return Audit(audit_in(stage.folder.root)).last(10)


async def test_a_record_that_went_while_nobody_looked_is_missed_at_the_start(stage: Stage) -> None:
    async with stage.life() as life:
        await note(life, "one")
        await note(life, "two")
    shutil.rmtree(audit_in(stage.folder.root))
    gone = "The record was removed: lines 1 to 2 are missing."
    async with stage.life() as life, open_peer(life) as peer:
        toast = await peer.until(lambda message: message.get("method") == "ui.toast")
        assert toast["params"]["message"] == loss_toast(gone).message
        await note(life, "three")
    assert [(line.seq, line.entry.asked, line.entry.why) for line in lines(stage)] == [
        (3, "the record", gone),
        (4, "three", ""),
    ]
    assert gone in stage.folder.log.read_text()


async def test_a_record_that_goes_while_we_run_is_missed_at_the_next_line(stage: Stage) -> None:
    async with stage.life() as life, open_peer(life) as peer:
        await note(life, "one")
        shutil.rmtree(audit_in(stage.folder.root))
        await note(life, "two")
        toast = await peer.until(lambda message: message.get("method") == "ui.toast")
        assert "line 1 is missing" in toast["params"]["message"]
    assert [line.entry.asked for line in lines(stage)] == ["the record", "two"]
