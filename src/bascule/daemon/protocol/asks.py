"""ask.* and grants.*: a person's answer, and how long it lasts."""

from typing import TYPE_CHECKING

from bascule.daemon.protocol.sessions import accept
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.model.asks import Answer
from bascule.model.ids import AskId, SessionId
from bascule.model.protocol import grants, sessions, setup

if TYPE_CHECKING:
    from bascule.daemon.parts import App


async def answer(app: "App", surface: Surface, params: sessions.AnswerParams) -> sessions.Done:
    given = Answer(
        ask=AskId(params.ask_id),
        choice=params.choice,
        answers=params.answers,
        reason=params.reason,
        shown=params.shown,
        by=surface.shown,
        origin=surface.origin,
        client=surface.label,
    )
    return accept(await app.asks.answer(SessionId(params.session_id), given))


async def list_waiting(app: "App", surface: Surface, _params: setup.InspectParams) -> setup.AskList:
    """The one that waits longest first."""
    waiting = [
        setup.WaitingAsk(
            session_id=head.id, title=head.title, ask=ask, yours=app.asks.find_asker(ask.id) == surface.who
        )
        for head in app.hub.heads()
        for ask in head.asks
    ]
    return setup.AskList(asks=tuple(sorted(waiting, key=lambda one: one.ask.opened_at_ms)))


async def list_grants(app: "App", _surface: Surface, params: sessions.SessionRef) -> grants.GrantList:
    return grants.GrantList(grants=await app.grants.list(SessionId(params.session_id)))


async def revoke_grant(app: "App", surface: Surface, params: grants.RevokeGrantParams) -> sessions.Done:
    return accept(await app.grants.revoke(SessionId(params.session_id), params.grant_id, surface))


HANDLERS: dict[str, Handler] = {
    "ask.answer": answer,
    "ask.list": list_waiting,
    "grants.list": list_grants,
    "grants.revoke": revoke_grant,
}
