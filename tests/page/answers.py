"""Answers: hostile texts in every field of what a daemon answers, and a wire on which it says so."""

import json
from typing import Any

import msgspec
from playwright.async_api import Page, WebSocketRoute
from tests.page.filled_models import make_diff, make_numbers, make_said

from bascule.model.context import ContextPart
from bascule.model.edits import Moved, ShownHunk
from bascule.model.protocol.edits import (
    Prepared,
    PreparedFile,
    ReviewedFile,
    ReviewedHunk,
    RunReview,
    Viewed,
    ViewedFile,
    Written,
)
from bascule.model.protocol.files import (
    DirEntry,
    FoundFiles,
    ListedDir,
    ReadFile,
    SearchedFiles,
    SearchHit,
)
from bascule.model.protocol.runs import ModelDetails, ModelListResult
from bascule.model.protocol.sessions import Artifact
from bascule.model.protocol.setup import (
    Check,
    CommandList,
    DemoPrompt,
    Inspected,
    ListedSetting,
    ListedSettings,
    PreviewedContext,
    SlashCommand,
)
from bascule.model.settings import Kind

TURNING = {ord(char): None for char in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}
VALUES: dict[Kind, Any] = {"text": "", "texts": (), "number": 0, "choice": "", "flag": False}


def make_answers(texts: tuple[str, ...]) -> dict[str, msgspec.Struct]:
    """By method. Where a list is sent each text is an entry of it, elsewhere all of them are one text."""
    whole = "\n".join(texts)
    own = tuple(
        text.translate(TURNING) for text in texts
    )  # of the daemon's own tables: nobody else writes them
    return {
        "model.list": ModelListResult(
            provider=whole,
            models=texts,
            current=whole,
            reasoning=whole,
            details={text: ModelDetails(description=text, reasoning_efforts=(text,)) for text in texts},
        ),
        "settings.list": ListedSettings(
            settings=tuple(
                make_setting(text, number, kind) for number, text in enumerate(texts) for kind in VALUES
            ),
            user_file=whole,
            workspace_file=whole,
            problems=texts,
            ignored=texts,
        ),
        "setup.inspect": Inspected(
            checks=tuple(
                Check(name=name, state="missing", text=text, next=text, commands=(text,))
                for name, text in zip(own, texts, strict=True)
            ),
            workspaces=texts,
            demo=True,
            program=texts[0],
            prompts=tuple(DemoPrompt(title=text, text=text) for text in own),
        ),
        "commands.list": CommandList(
            commands=tuple(SlashCommand(name=f"/{text}", argument=text, doc=text) for text in own)
        ),
        "context.preview": PreviewedContext(
            parts=tuple(ContextPart(kind="file", name=text, note=text, left_out=True) for text in texts),
            max_files=len(texts),
            max_file_bytes=9,
        ),
        "files.find": FoundFiles(files=texts, truncated=True),
        "workspace.list": ListedDir(
            path=whole, entries=tuple(DirEntry(name=text, kind="file", size=1) for text in texts)
        ),
        "workspace.read": ReadFile(path=whole, text=whole, size=len(whole)),
        "workspace.search": SearchedFiles(
            hits=tuple(SearchHit(path=text, line=1, text=text) for text in texts)
        ),
        "artifact.read": Artifact(artifact_id=whole, text=whole, size=len(whole)),
        "edits.review": RunReview(
            session_id="s",
            run_id=whole,
            files=tuple(make_reviewed(text) for text in texts),
            unified="".join(make_diff(text) for text in texts),
            note=whole,
        ),
        "edits.prepared": Prepared(
            diff_id=whole,
            hash=whole,
            bar=whole,
            files=tuple(make_prepared(text) for text in texts),
            preview="".join(make_diff(text) for text in texts),
        ),
        "edits.view": Viewed(
            diff_id=whole, files=tuple(ViewedFile(path=text, before=text, after=text) for text in texts)
        ),
        "edits.apply": Written(status="rejected", summary=whole, said=make_said(whole)),
    }


def make_setting(text: str, number: int, kind: Kind) -> ListedSetting:
    plain, own = VALUES[kind], text.translate(TURNING)
    value = text if plain == "" else (text,) if plain == () else plain
    return ListedSetting(
        key=f"{own}.{kind}{number}",
        kind=kind,
        value=value,
        default=value,
        doc=own,
        source="user",
        workspace="free",
        choices=(own,),
    )


def make_reviewed(text: str) -> ReviewedFile:
    hunks = (ReviewedHunk(**make_numbers(text), there=False, why=text),)
    return ReviewedFile(
        path=text, kind="update", additions=1, deletions=1, hunks=hunks, moved_to=text, note=text
    )


def make_prepared(text: str) -> PreparedFile:
    return PreparedFile(
        path=text,
        kind="update",
        additions=1,
        deletions=1,
        source=text,
        mode=text,
        moved=(Moved(hunk=1, offset=2),),
        head=text,
        hunks=(ShownHunk(**make_numbers(text)),),
    )


class FakeAnswers:
    """A wire before the page is opened: what is answered or refused here never reaches the daemon."""

    def __init__(self, page: Page) -> None:
        self.answers: dict[str, msgspec.Struct] = {}
        self.refusals: dict[str, str] = {}
        self.answered: set[str] = set()  # methods that were lied to
        self._page = page

    async def lay(self) -> "FakeAnswers":
        await self._page.route_web_socket("**/ws", self._dialled)
        return self

    async def _dialled(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            asked = json.loads(message)
            answer = self._find_answer(str(asked.get("method", "")))
            if answer is None:
                server.send(message)
            else:
                page.send(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}))

        page.on_message(pass_on)

    def _find_answer(self, method: str) -> dict[str, Any] | None:
        if method in self.refusals:
            self.answered.add(method)
            return {"error": {"code": -32000, "message": self.refusals[method]}}
        if method in self.answers:
            self.answered.add(method)
            return {"result": msgspec.to_builtins(self.answers[method])}
        return None
