"""Asks to make dialogs of."""

from bascule.core.consent.dialogs import UiReply, UiRequest, questions_for
from bascule.model.asks import (
    Answer,
    Ask,
    Choice,
    CommandSubject,
    Option,
    Question,
    Subject,
)
from bascule.model.ids import AskId
from bascule.model.protocol.runs import UiCapabilities
from bascule.model.protocol.ui import (
    UiConfirmResult,
)

ALL = UiCapabilities(
    supports_confirm=True,
    supports_prompt=True,
    supports_pick=True,
    supports_permission_preflight_events=True,
)
ACCEPT = Choice(id="accept", label="Yes, once", grants=True)
SESSION = Choice(
    id="acceptForSession",
    label="Yes, for this session",
    grants=True,
    lasts="session",
    rule="Not asked again.",
)
UNKNOWN = Choice(
    id="acceptAllForEver", label="acceptAllForEver", grants=True, lasts="unknown", rule="not known here"
)
DECLINE = Choice(id="decline", label="No, go on without it", grants=False)
CANCEL = Choice(id="cancel", label="No, and stop the run", grants=False)
ANSWER = Choice(id="answer", label="Answer", grants=True)
LEAF = Question(
    id="leaf", text="Which leaf?", header="Leaf", options=(Option("North", "cold"), Option("South"))
)
NAME = Question(id="name", text="Your name?", free_text=True)
COMMAND = CommandSubject(command="rm x", original="bash -c 'rm x'", cwd="/w")


def make_ask(subject: Subject = COMMAND, *choices: Choice, reason: str = "") -> Ask:
    given_choices = choices or (ACCEPT, SESSION, DECLINE, CANCEL)
    return Ask(id=AskId("a"), title="Run this?", subject=subject, choices=given_choices, reason=reason)


def first(ask: Ask, can: UiCapabilities = ALL) -> UiRequest | Answer:
    dialogue = questions_for(ask, "r", can)
    assert dialogue is not None
    return dialogue.now


def answer(ask: Ask, *replies: UiReply | None) -> Answer:
    dialogue = questions_for(ask, "r", ALL, by="tui")
    assert dialogue is not None
    for reply in replies:
        assert not isinstance(dialogue.now, Answer)
        dialogue.feed(reply)
    assert isinstance(dialogue.now, Answer)
    assert dialogue.feed(UiConfirmResult(ok=True, remember=True)) is dialogue.now  # answered once
    return dialogue.now


def said(choice: str, reason: str = "", **answers: tuple[str, ...]) -> Answer:
    return Answer(
        ask=AskId("a"), choice=choice, answers=answers, reason=reason, follow_up=bool(reason), by="tui"
    )


YES, NO = UiConfirmResult(ok=True), UiConfirmResult(ok=False)
