"""Files over the wire with a real Codex: attached, named in a prompt, linked, and served by their ids."""

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from tests.e2e.live_app import LiveApp, of_kind, open_setup
from tests.e2e.mirror_surface import MirrorSurface, onlooker

from bascule.core.wire.rpc import MAX_FRAME
from bascule.host.files.attachments import MAX_FILE
from bascule.host.network.registration import Registration
from bascule.model.blocks import UserBlock
from bascule.model.ids import SessionId
from bascule.model.protocol.runs import ImageUrl, InputPart, RunInput, RunStartParams
from bascule.model.protocol.setup import LinkedFile
from bascule.serve.selftest.probe import ProbeResponse, ask, make_request
from bascule.serve.serving import serving

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]

# One red pixel.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)


class ServedFiles:
    def __init__(self, live: LiveApp, daemon: Registration, surface: MirrorSurface) -> None:
        self.live = live
        self.daemon = daemon
        self.surface = surface

    async def begin(self) -> str:
        return str((await self.surface.call("session.create")).session_id)

    async def attach(self, session: str, name: str, data: bytes) -> LinkedFile:
        text = base64.b64encode(data).decode()
        linked: LinkedFile = await self.surface.call("files.attach", session_id=session, name=name, data=text)
        return linked

    async def link(self, session: str, path: str) -> LinkedFile:
        linked: LinkedFile = await self.surface.call("files.link", session_id=session, path=path)
        return linked

    async def get(self, file_id: str, *, key: bool = True) -> ProbeResponse:
        where, host = (
            (self.daemon.socket, "localhost") if key else (self.daemon.port, f"127.0.0.1:{self.daemon.port}")
        )
        request = make_request("GET", f"/files/{file_id}", [("Host", host)])
        return await asyncio.to_thread(ask, where, request)

    async def show(self, session: str, text: str, *urls: str) -> str:
        """A prompt with images; the run's id."""
        parts = tuple(InputPart(type="image_url", image_url=ImageUrl(url)) for url in urls)
        said = RunInput(type="parts", parts=(InputPart(type="text", text=text), *parts))
        answer = await self.surface.link.call("run.start", RunStartParams(input=said, session_id=session))
        return str(answer.run_id)


@asynccontextmanager
async def open_house(root: Path) -> AsyncIterator[ServedFiles]:
    async with (
        open_setup(root, word_delay_s=0.002) as setup,
        setup.run() as live,
        serving(live.app, setup.folder) as doors,
        onlooker(doors.registration, "looker", str(live.project)) as surface,
    ):
        yield ServedFiles(live, doors.registration, surface)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served_files(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ServedFiles]:
    async with open_house(tmp_path_factory.mktemp("files")) as served_files:
        yield served_files


async def test_an_attached_image_goes_with_a_prompt_and_is_seen_again(served_files: ServedFiles) -> None:
    session = await served_files.begin()
    attached = await served_files.attach(session, "pixel.png", PNG)
    assert (attached.size, attached.media_type) == (len(PNG), "image/png")
    await served_files.show(session, "What is this?", f"bascule-file:{attached.file_id}")
    seen = await served_files.live.until_idle(SessionId(session))
    [block] = of_kind(seen, UserBlock)
    assert (block.images, block.sent) == ((attached.path,), True)
    assert seen.runs[-1].outcome == "completed"
    assert await served_files.link(session, block.images[0]) == attached
    answer = await served_files.get(attached.file_id)
    assert (answer.status, answer.body, answer.find("content-type")) == (200, PNG, "image/png")
    assert answer.find("content-security-policy") == "sandbox; default-src 'none'"


async def test_a_file_of_the_workspace_is_served_and_no_other(served_files: ServedFiles) -> None:
    session = await served_files.begin()
    (served_files.live.project / "note.html").write_text("<script>alert(1)</script>", encoding="utf-8")
    linked = await served_files.link(session, "note.html")
    answer = await served_files.get(linked.file_id)
    assert (answer.status, answer.body) == (200, b"<script>alert(1)</script>")
    assert answer.find("content-type") == "text/plain; charset=utf-8"
    assert answer.find("content-disposition").startswith("attachment")
    for path in (
        "../data/bascule.db",
        str(served_files.live.project.parent / "data" / "bascule.db"),
        ".git/config",
    ):
        refused = await served_files.surface.refused("files.link", session_id=session, path=path)
        assert "bascule.db" in refused.message or "Git" in refused.message


async def test_an_id_is_nothing_without_a_key_and_a_key_nothing_without_an_id(
    served_files: ServedFiles,
) -> None:
    session = await served_files.begin()
    attached = await served_files.attach(session, "pixel.png", PNG)
    assert (await served_files.get(attached.file_id, key=False)).status == 401
    assert (await served_files.get(attached.file_id[:-1])).status == 404
    assert (await served_files.get("%2e%2e%2fbascule.db")).status in (400, 404)


async def test_an_id_belongs_to_its_session(served_files: ServedFiles) -> None:
    one, other = await served_files.begin(), await served_files.begin()
    attached = await served_files.attach(one, "pixel.png", PNG)
    part = {"type": "image_url", "image_url": {"url": f"bascule-file:{attached.file_id}"}}
    refused = await served_files.surface.refused(
        "run.start", session_id=other, input={"type": "parts", "parts": [part]}
    )
    assert "does not have a file of this prompt" in refused.message
    assert not of_kind(served_files.live.see(SessionId(other)), UserBlock)


async def test_the_largest_file_fits_into_a_frame_and_a_larger_one_is_refused(
    served_files: ServedFiles,
) -> None:
    session = await served_files.begin()
    data = PNG + b"\0" * (MAX_FILE - len(PNG))
    assert len(base64.b64encode(data)) + 1024 < MAX_FRAME
    attached = await served_files.attach(session, "large.png", data)
    assert attached.size == MAX_FILE
    assert len((await served_files.get(attached.file_id)).body) == MAX_FILE
    text = base64.b64encode(data + b"\0\0\0").decode()
    refused = await served_files.surface.refused("files.attach", session_id=session, name="l.png", data=text)
    assert "at most" in refused.message


async def test_what_belongs_to_no_session_is_swept_with_the_next_start(tmp_path: Path) -> None:
    async with open_setup(tmp_path) as setup:
        stale = setup.folder.attachments / "s_gone"
        stale.mkdir(parents=True)
        (stale / "a.png").write_bytes(PNG)
        async with setup.run():
            assert not stale.exists()
