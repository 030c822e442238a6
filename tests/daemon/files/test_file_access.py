"""Which files may be shown: what lies in the workspace, what was attached, what a block shows as an image."""

import base64
from collections.abc import AsyncIterator, Callable
from itertools import count
from pathlib import Path

import pytest
from tests.daemon.hubs import ONE, make_session, open_hub
from tests.systems import posix

from bascule.core.text.media_type import TEXT
from bascule.daemon.agents.roster import Roster, SessionMissing
from bascule.daemon.files import file_access as linking
from bascule.daemon.files.file_access import FileAccess
from bascule.daemon.files.file_links import FileLinks
from bascule.host.files.attachments import Attachments
from bascule.host.files.private_places import find_private
from bascule.model.asks import Refuse
from bascule.model.blocks import AssistantBlock, Block, ImageBlock, UserBlock
from bascule.model.changes import BlockPut
from bascule.model.consent.origin import Origin
from bascule.model.ids import BlockId, SessionId
from bascule.model.protocol.setup import AttachParams, LinkedFile, LinkParams

PAGE = Origin(door="page")
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 100
TWO = SessionId("s_two")


class SessionFiles:
    def __init__(self, root: Path, links: FileAccess, put: Callable[[Block], None]) -> None:
        self.root = root
        self.workspace = root / "ws"
        self.outside = root / "outside"
        self.links = links
        self.put = put

    async def link(self, path: str | Path, session: str = ONE) -> LinkedFile | Refuse:
        return await self.links.link(LinkParams(session_id=session, path=str(path)))

    async def given(self, path: str | Path) -> LinkedFile:
        linked = await self.link(path)
        assert isinstance(linked, LinkedFile), linked
        return linked

    async def refused(self, path: str | Path, session: str = ONE) -> str:
        refused = await self.link(path, session)
        assert isinstance(refused, Refuse), refused
        return refused.why

    async def attach(self, data: bytes | str, name: str = "a.png", session: str = ONE) -> LinkedFile | Refuse:
        text = data if isinstance(data, str) else base64.b64encode(data).decode()
        return await self.links.attach(AttachParams(session_id=session, name=name, data=text))


@pytest.fixture
async def session_files(tmp_path: Path) -> AsyncIterator[SessionFiles]:
    for folder in ("ws/src", "ws/.git", "ws/data", "outside"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "ws" / "src" / "a.png").write_bytes(PNG)
    (tmp_path / "ws" / "readme.md").write_text("# Hello")
    (tmp_path / "ws" / ".git" / "config").write_text("secret")
    (tmp_path / "ws" / "data" / "token.json").write_text("secret")
    (tmp_path / "outside" / "b.png").write_bytes(PNG)
    (tmp_path / "outside" / "id_rsa").write_text("secret")
    numbers = count()
    with open_hub(tmp_path / "db") as hub:
        for session in (ONE, TWO):
            hub.add(make_session(session, workspace=str(tmp_path / "ws")))
        data_folder = tmp_path / "ws" / "data"
        links = FileAccess(
            hub=hub,
            roster=Roster(hub),
            file_links=FileLinks(new_secret=lambda: f"id-{next(numbers)}"),
            attachments=Attachments(data_folder / "attachments"),
            private=find_private((data_folder,), home=str(tmp_path)),
        )
        yield SessionFiles(tmp_path, links, lambda block: hub.apply(ONE, [BlockPut(block)]))


async def test_a_file_of_the_workspace_has_a_link(session_files: SessionFiles) -> None:
    path = session_files.workspace.resolve() / "src" / "a.png"
    wanted = LinkedFile(file_id="id-0", path=str(path), name="a.png", size=len(PNG), media_type="image/png")
    assert await session_files.link("src/a.png") == wanted
    assert (
        await session_files.link(session_files.workspace / "src" / "a.png") == wanted
    )  # however it is named
    assert (await session_files.given("readme.md")).media_type == TEXT


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("../outside/b.png", "leaves the workspace"),
        ("src/../../outside/b.png", "leaves the workspace"),
        ("nothing.png", "no such file"),
        ("", "not a regular file"),
        ("src", "not a regular file"),
        (".git/config", "belongs to Git"),
        ("data/token.json", "Bascule's own"),
        ("a\0b", "holds a NUL"),
        ("x" * 5000, "is too long"),
    ],
)
async def test_what_may_not_be_shown_says_why(session_files: SessionFiles, path: str, why: str) -> None:
    assert why in await session_files.refused(path)


async def test_what_lies_outside_may_not_be_shown(session_files: SessionFiles) -> None:
    assert "not inside the workspace" in await session_files.refused(session_files.outside / "b.png")
    assert "not inside the workspace" in await session_files.refused(session_files.root / "db")


@posix
async def test_a_link_that_leads_out_may_not_be_shown(session_files: SessionFiles) -> None:
    (session_files.workspace / "out.png").symlink_to(session_files.outside / "b.png")
    (session_files.workspace / "git.png").symlink_to(session_files.workspace / ".git" / "config")
    (session_files.workspace / "in.png").symlink_to(session_files.workspace / "src" / "a.png")
    assert "leads out of the workspace" in await session_files.refused("out.png")
    assert "belongs to Git" in await session_files.refused("git.png")
    assert (await session_files.given("in.png")).name == "a.png"


async def test_an_image_that_a_block_names_may_be_shown_wherever_it_is(session_files: SessionFiles) -> None:
    path = str(session_files.outside / "b.png")
    await session_files.refused(path)
    session_files.put(ImageBlock(id=BlockId("i"), path=path))
    linked = await session_files.given(path)
    assert (linked.name, linked.media_type) == ("b.png", "image/png")
    assert "not inside" in await session_files.refused(path, TWO)  # another session's block says nothing here


async def test_images_of_a_prompt_may_be_shown_too(session_files: SessionFiles) -> None:
    path = str(session_files.outside / "b.png")
    session_files.put(UserBlock(id=BlockId("u"), text="Look.", images=("https://a.test/x.png", path)))
    assert (await session_files.given(path)).name == "b.png"


async def test_what_a_block_calls_an_image_and_is_none_may_not(session_files: SessionFiles) -> None:
    secret = str(session_files.outside / "id_rsa")
    session_files.put(ImageBlock(id=BlockId("i"), path=secret))
    assert "is not an image" in await session_files.refused(secret)
    other = str(session_files.outside / "b.png")
    session_files.put(AssistantBlock(id=BlockId("a"), text=other))
    assert "not inside" in await session_files.refused(other)  # words are not an image


async def test_what_is_attached_is_kept_and_linked(session_files: SessionFiles) -> None:
    attached = await session_files.attach(PNG, "../shot.png")
    assert isinstance(attached, LinkedFile)
    assert Path(attached.path).read_bytes() == PNG
    assert attached.name.endswith("-shot.png")
    assert await session_files.link(attached.path) == attached
    assert "Bascule's own" in await session_files.refused(attached.path, TWO)


@pytest.mark.parametrize("data", ["####", "YQ", "YQ==\n", "ä"])
async def test_what_is_no_base64_is_refused(session_files: SessionFiles, data: str) -> None:
    assert await session_files.attach(data) == Refuse("data: This is not base64.")


async def test_a_file_over_the_ceiling_is_refused_before_it_is_decoded(
    session_files: SessionFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linking, "MAX_BASE64", 100)
    refused = await session_files.attach("!" * 101)
    assert isinstance(refused, Refuse)
    assert "at most" in refused.why


async def test_a_session_that_is_not_there_has_no_files(session_files: SessionFiles) -> None:
    with pytest.raises(SessionMissing):
        await session_files.attach(PNG, session="s_none")
    with pytest.raises(SessionMissing):
        await session_files.link("src/a.png", "s_none")


async def test_a_prompt_names_its_images_by_id(session_files: SessionFiles) -> None:
    attached = await session_files.attach(PNG)
    assert isinstance(attached, LinkedFile)
    text = await session_files.given("readme.md")

    async def find(session: SessionId, image: str) -> str | Refuse:
        return await session_files.links.find_path(session, image, PAGE)

    assert await find(ONE, f"bascule-file:{attached.file_id}") == attached.path
    assert await find(ONE, "data:image/png;base64,AA==") == "data:image/png;base64,AA=="
    for session, name, why in (
        (TWO, attached.file_id, "does not have a file of this prompt"),
        (ONE, "made-up", "does not have a file of this prompt"),
        (ONE, text.file_id, "is not an image"),
    ):
        refused = await find(session, f"bascule-file:{name}")
        assert isinstance(refused, Refuse)
        assert why in refused.why
    Path(attached.path).unlink()
    assert isinstance(await find(ONE, f"bascule-file:{attached.file_id}"), Refuse)


async def test_a_page_names_no_image_outside_the_workspace_and_nobody_a_private_one(
    session_files: SessionFiles, tmp_path: Path
) -> None:
    find = session_files.links.find_path
    outside = tmp_path / "elsewhere" / "passport.png"
    outside.parent.mkdir()
    outside.write_bytes(PNG)
    for origin in (PAGE, Origin(door="outside")):
        refused = await find(ONE, str(outside), origin)
        assert isinstance(refused, Refuse), origin
        assert isinstance(await find(ONE, "/etc/hostname", origin), Refuse)
    assert await find(ONE, str(outside), Origin(door="terminal")) == str(outside)
