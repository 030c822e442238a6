"""The application in a process of its own, to be killed: it tells on stdout what it has shown."""

import asyncio
import json
import sys
import time
from pathlib import Path

from bascule.daemon.app import open_app
from bascule.daemon.parts import App
from bascule.daemon.sessions.composer import TypedPrompt
from bascule.daemon.sessions.session_saver import DELAY_S
from bascule.host.clock import new_id
from bascule.host.files.data_folder import open_folder
from bascule.model.asks import Answer
from bascule.model.ids import PromptKey, SessionId
from bascule.model.session import Prompt, Session


async def run(root: Path, project: str, session: str, texts: list[str]) -> None:
    """Say the texts in that session, or in a new one where none is named."""
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
            tell_line(app.hub.session(session), settled=True)
        else:
            tell_line(app.hub.session(session), settled=False)


def tell_line(seen: Session, *, settled: bool) -> None:
    last = seen.blocks[-1] if seen.blocks else None
    line = {
        "session": seen.id,
        "at_s": time.monotonic(),
        "settled": settled,
        "asks": len(seen.asks),
        "last": getattr(last, "id", ""),
        "text": getattr(last, "output", "") or getattr(last, "text", ""),
    }
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]))
