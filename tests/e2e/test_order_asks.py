"""An agent that asks in an Order's run: who is behind it is shown, and what it may not ask is declined."""

import asyncio

import msgspec
from tests.e2e.live_app import LiveApp, Setup, replies
from tests.e2e.orders.given_orders import entries, give, order, until_session
from tests.e2e.test_edits_over_protocol import answer

from bascule.daemon.orders.order_guard import BY_ITSELF
from bascule.model.asks import QuestionsSubject
from bascule.model.consent.audit import Local, Remote
from bascule.model.ids import AskId, SessionId

SENDER = Remote(user="ann", command_id="c-1", via="chat")


def set_up(setup: Setup) -> None:
    """An agent that asks for everything, and settings that allow it questions only."""
    setup.use_fake("app_server", "asking")
    with setup.folder.settings.open("a") as settings:
        settings.write('[orders]\ncommands = "deny"\n')


async def until_closed(live: LiveApp, session: SessionId, ask: AskId) -> None:
    await live.until_head(session, lambda seen: all(one.id != ask for one in seen.asks))


async def answer_question(live: LiveApp) -> None:
    session = await until_session(live)
    ask = await live.until_ask(session)
    while not isinstance(ask.subject, QuestionsSubject):
        assert (ask.sender, [choice.grants for choice in ask.choices if choice.grants]) == (SENDER, [])
        await until_closed(live, session, ask.id)
        ask = await live.until_ask(session)
    assert ask.sender == SENDER
    await answer(live, session, ask, "decline")


async def test_an_order_runs_asks_carry_its_sender_and_only_questions_wait_for_a_person(setup: Setup) -> None:
    set_up(setup)
    async with setup.run() as live:
        outcome, _ = await asyncio.gather(give(live, order("c-1", "plan", "a plan")), answer_question(live))
        command, files, permissions, _ = msgspec.json.decode(outcome.summary)
        assert (command, files) == ({"decision": "decline"}, {"decision": "decline"})
        assert permissions["permissions"] == {}
        asks = [entry for entry in await entries(live) if entry.kind == "ask"]
        by = [entry.who.surface for entry in asks if isinstance(entry.who, Local)]
        assert by == [BY_ITSELF, BY_ITSELF, BY_ITSELF, "somebody"]
        assert [(entry.answer, entry.outcome) for entry in asks] == [("no", "done")] * 4


async def test_a_person_who_goes_on_in_the_same_session_is_asked_as_ever(setup: Setup) -> None:
    set_up(setup)
    async with setup.run() as live:
        await asyncio.gather(give(live, order("c-1", "plan", "a plan")), answer_question(live))
        session = await until_session(live)
        live.say(session, "and now I")
        for _ in range(4):
            ask = await live.until_ask(session)
            assert ask.sender is None
            assert any(choice.grants for choice in ask.choices)
            await answer(live, session, ask, "decline")
            await until_closed(live, session, ask.id)
        assert len(replies(await live.until_idle(session))) == 2
