"""queue.*: prompts that wait for their turn."""

from typing import TYPE_CHECKING

from bascule.daemon.prompts.prompt_contexts import read_selection
from bascule.daemon.protocol.sessions import accept
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.model.ids import PromptKey, SessionId
from bascule.model.protocol import sessions

if TYPE_CHECKING:
    from bascule.daemon.parts import App


async def _open(app: "App", session: str) -> SessionId:
    """What waits for its agent is known with its log."""
    return (await app.roster.open(SessionId(session))).id


async def edit(app: "App", surface: Surface, params: sessions.QueueEditParams) -> sessions.Done:
    session, key = await _open(app, params.session_id), PromptKey(params.key)
    changed = app.composer.edit(session, key, params.text, read_selection(surface.context))
    return accept(await changed)


async def move(app: "App", _surface: Surface, params: sessions.QueueMoveParams) -> sessions.Done:
    session = await _open(app, params.session_id)
    return accept(app.prompts.move_queued(session, PromptKey(params.key), params.to))


async def remove(app: "App", _surface: Surface, params: sessions.QueueRef) -> sessions.Done:
    session = await _open(app, params.session_id)
    return accept(app.prompts.remove_queued(session, PromptKey(params.key)))


async def steer(app: "App", _surface: Surface, params: sessions.QueueRef) -> sessions.Done:
    session = await _open(app, params.session_id)
    return accept(app.prompts.steer_queued(session, PromptKey(params.key)))


async def release(app: "App", _surface: Surface, params: sessions.SessionRef) -> sessions.Done:
    app.prompts.release_queue(await _open(app, params.session_id))
    return sessions.Done()


HANDLERS: dict[str, Handler] = {
    "queue.edit": edit,
    "queue.move": move,
    "queue.remove": remove,
    "queue.steer": steer,
    "queue.release": release,
}
