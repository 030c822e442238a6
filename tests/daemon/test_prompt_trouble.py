"""A prompt that could not be sent is said once: in the session to who mirrors it, else as a toast."""

from pathlib import Path

from tests.daemon.hubs import make_session
from tests.daemon.sessions.test_opened_store import connect

from bascule.daemon.app import open_app
from bascule.daemon.prompts.prompts import UNSENT
from bascule.host.files.data_folder import open_folder
from bascule.model.blocks import ErrorBlock
from bascule.model.ids import PromptKey
from bascule.model.protocol.ui import UiToastNotify
from bascule.model.session import Prompt


async def test_the_page_gets_a_block_and_a_plain_client_a_toast(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "data")
    folder.settings.write_text('[codex]\ncommand = "no-such-codex"\n')
    (tmp_path / "project").mkdir()
    session = make_session("s_unsent", workspace=str(tmp_path / "project"))
    async with open_app(folder, command="tests") as app:
        app.hub.add(session)
        page, plain = connect(app, mirrors=True), connect(app, mirrors=False)
        app.prompts.submit(session.id, Prompt(key=PromptKey("k"), text="raise it"))
        toast = await plain.until("ui.toast")
        assert toast["message"].startswith(UNSENT)
        [block] = [block for block in app.hub.session(session.id).blocks if isinstance(block, ErrorBlock)]
        assert block.title == UNSENT
        app.surfaces.broadcast("ui.toast", UiToastNotify(level="info", message="after it"))
        assert (await page.until("ui.toast"))["message"] == "after it"  # and nothing before
