"""What is sent with a prompt: the parts that were asked for, within limits, and nothing from outside."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.daemon.hubs import open_hub

from bascule.daemon.agents.roster import Roster
from bascule.daemon.files.workspaces import Workspaces
from bascule.daemon.prompts.prompt_contexts import Contexts, RequestedContext
from bascule.host.files.private_places import PrivatePaths
from bascule.host.files.workspace_files import scan
from bascule.model.asks import Refuse
from bascule.model.context import ContextRequest
from bascule.model.ids import PromptKey
from bascule.model.protocol.runs import FileRef, Position, Range, UiContext, UiSelection
from bascule.model.session import Prompt
from bascule.model.settings import Settings

LINES = Range(start=Position(line=1, column=0), end=Position(line=2, column=0))


class Place:
    def __init__(self, root: Path, roster: Roster) -> None:
        self.workspace = root / "bridge"
        self.workspace.mkdir()
        (self.workspace / "a.txt").write_text("one\ntwo\nthree\n")
        (self.workspace / "b.bin").write_bytes(b"\0\1")
        (self.workspace / "secret").write_text("hush")
        private = PrivatePaths((), (str(self.workspace / "secret"),))
        workspaces = Workspaces(roster=roster, private=private, scan=lambda place: scan(place, most=100))
        settings = Settings(context_max_files=3, context_max_file_bytes=8)
        self.contexts = Contexts(workspaces=workspaces, settings=lambda _workspace: settings)

    async def plan(self, request: ContextRequest, ui: UiContext | None = None) -> RequestedContext | Refuse:
        return await self.contexts.plan(str(self.workspace), request, ui or UiContext())


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    root = tmp_path.resolve()
    with open_hub(root / "db") as hub:
        yield Place(root, Roster(hub))


def shown(context: RequestedContext | Refuse) -> list[tuple[str, str, int, str]]:
    assert isinstance(context, RequestedContext)
    return [(part.kind, part.name, part.size, part.note) for part in context.context]


async def test_files_are_sent_up_to_a_limit_and_binary_ones_are_not(place: Place) -> None:
    planned = await place.plan(ContextRequest(files=("a.txt", "b.bin")))
    assert shown(planned) == [
        ("file", "a.txt", 8, "the first 8 of 14 bytes"),
        ("file", "b.bin", 0, "a binary file is not sent"),
    ]


async def test_the_active_file_and_the_selection_are_the_editors(place: Place) -> None:
    ui = UiContext(
        workspace_root=str(place.workspace),
        active_file=FileRef(path=str(place.workspace / "a.txt")),
        selection=UiSelection(path=str(place.workspace / "a.txt"), range=LINES),
    )
    request = ContextRequest(include_active_file=True, include_selection=True)
    assert [row[:3] for row in shown(await place.plan(request, ui))] == [
        ("active_file", "a.txt", 8),
        ("selection", "a.txt#L2", 4),
    ]


@pytest.mark.parametrize(
    ("name", "why"), [("../x", "leaves the workspace"), ("gone", "no such file"), ("secret", "credential")]
)
async def test_what_is_outside_missing_or_private_is_refused(place: Place, name: str, why: str) -> None:
    refused = await place.plan(ContextRequest(files=(name,)))
    assert isinstance(refused, Refuse)
    assert why in refused.why
    assert refused.why.endswith("Nothing was sent.")


async def test_what_has_gone_since_it_was_asked_for_is_named_as_left_out(place: Place) -> None:
    planned = await place.plan(ContextRequest(files=("a.txt",)))
    assert isinstance(planned, RequestedContext)
    prompt = Prompt(key=PromptKey("k"), text="hi", context=planned.context)
    before = await place.contexts.read(str(place.workspace), prompt)
    assert "one\ntwo\n" in before.text
    (place.workspace / "a.txt").unlink()
    after = await place.contexts.read(str(place.workspace), prompt)
    assert "Not included" in after.text
    assert [part.left_out for part in after.mark.context] == [True]
