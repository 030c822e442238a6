"""The application in a process of its own, to be killed: it says on stdout what it has shown and stored."""

import asyncio
import json
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

from bascule.daemon.app import open_app
from bascule.daemon.parts import App
from bascule.daemon.prompts.composer import TypedPrompt
from bascule.daemon.sessions.session_saver import DELAY_S
from bascule.host.clock import new_id
from bascule.host.files.data_folder import open_folder
from bascule.host.storage.store import Saved, Store
from bascule.model.asks import Answer
from bascule.model.blocks import Block
from bascule.model.ids import PromptKey, SessionId
from bascule.model.session import Prompt, Session

STDOUT = threading.Lock()  # the store has a thread of its own


async def run(root: Path, project: str, session: str, texts: list[str]) -> None:
    """Say the texts in that session, or in a new one where none is named."""
    tell_what_is_stored()
    async with open_app(open_folder(root), command="daemon of a test", env={}) as app:
        found = SessionId(session) if session else await app.sessions.create(project)
        for text in texts:
            if text.startswith("/test "):
                await begin_test(app, found, text)
            else:
                app.prompts.submit(found, Prompt(key=PromptKey(new_id("k")), text=text))
        await tell(app, found)


async def begin_test(app: App, session: SessionId, text: str) -> None:
    """With a yes."""
    watcher = app.hub.watch(session)
    await app.composer.take(session, TypedPrompt(text=text, key=PromptKey(new_id("k")), by="terminal"))
    while not (asks := app.roster.get(session).asks):
        await watcher.next()
    watcher.close()
    await app.asks.answer(session, Answer(ask=asks[0].id, choice="accept", by="terminal"))


async def tell(app: App, session: SessionId) -> None:
    """Each time something is shown; and `settled` when all of it must have been stored."""
    watcher = app.hub.watch(session)
    while True:
        try:
            await asyncio.wait_for(watcher.next(), 2 * DELAY_S)
        except TimeoutError:
            is_settled = True
        else:
            is_settled = False
        seen = app.hub.session(session)
        tell_line(seen, seen.blocks[-1] if seen.blocks else None, settled=is_settled)


def tell_what_is_stored() -> None:
    save = Store.save

    def save_and_tell(store: Store, saved: Iterable[Saved]) -> None:
        listed = list(saved)
        save(store, listed)
        for one in listed:
            last = one.blocks[-1][1] if one.blocks else None
            tell_line(one.head, last, settled=False, stored=True)

    Store.save = save_and_tell  # type: ignore[method-assign, assignment]


def tell_line(seen: Session, last: Block | None, *, settled: bool, stored: bool = False) -> None:
    line = {
        "session": seen.id,
        "settled": settled,
        "stored": stored,
        "asks": len(seen.asks),
        "last": getattr(last, "id", ""),
        "text": getattr(last, "output", "") or getattr(last, "text", ""),
    }
    with STDOUT:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]))
