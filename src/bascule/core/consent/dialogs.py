"""An Ask for a surface that does not fold: one dialog after the other, and only a clear yes is a yes."""

from collections.abc import Iterator
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.consent.ask_subjects import show, title_with_plan
from bascule.core.events.surface_text import visible_line, wrap
from bascule.core.orders import say_outside, say_sender
from bascule.core.session.growing_text import shorten
from bascule.core.text.plain import plain, plain_line
from bascule.model.asks import (
    ActionSubject,
    Answer,
    Ask,
    Choice,
    CommandSubject,
    DeviceSubject,
    FilesSubject,
    PermissionsSubject,
    Question,
    QuestionsSubject,
    SettingSubject,
    Subject,
)
from bascule.model.consent.audit import Lasts
from bascule.model.protocol.runs import UiCapabilities
from bascule.model.protocol.ui import (
    PickItem,
    UiConfirmParams,
    UiConfirmResult,
    UiPickParams,
    UiPickResult,
    UiPromptParams,
    UiPromptResult,
)

MAX_WORDS = 2_000  # characters of the agent's own words, and of a question
MAX_TITLE = 200
MAX_OPTIONS = 200
MAX_ANSWER = 100_000  # characters
MAX_REASON = 10_000

# By how long it lasts: an answer of which that is unknown is never the one that a plain yes means.
ONCE: tuple[Lasts, ...] = ("once", "run")
LASTING: tuple[Lasts, ...] = ("session", "always")
NOES = ("decline", "cancel")

OWN, SKIP = "own", "skip"
NOT_SHOWN = "This is not all of it, so it cannot be allowed here. Deny it, or answer on another surface."
NO_LONGER = "This is no longer asked"
CLOSE = "Close"

UiRequest = UiConfirmParams | UiPromptParams | UiPickParams
UiReply = UiConfirmResult | UiPromptResult | UiPickResult

METHOD: dict[type, str] = {
    UiConfirmParams: "ui.confirm.request",
    UiPromptParams: "ui.prompt.request",
    UiPickParams: "ui.pick.request",
}


class Confirm(Struct, frozen=True):
    request: UiConfirmParams
    yes: Choice | None
    lasting: Choice | None


class Pick(Struct, frozen=True):
    request: UiPickParams
    question: Question
    own_words: "TextQuestion | None"  # asked next when the person chooses to write


class TextQuestion(Struct, frozen=True):
    request: UiPromptParams
    question: Question
    picked: tuple[str, ...] = ()  # beside what is written


Step = Confirm | Pick | TextQuestion


class AskDialog:
    """What is asked `now`, until it is an Answer; feed() takes each reply. Anything unclear is a no."""

    def __init__(self, ask: Ask, steps: tuple[Step, ...], yes: Choice | None, by: str) -> None:
        self._ask = ask
        self._steps = list(steps)
        self._yes = yes
        self._by = by
        self._answers: dict[str, tuple[str, ...]] = {}
        self.now: UiRequest | Answer = steps[0].request

    def feed(self, reply: UiReply | None) -> UiRequest | Answer:
        """None: the surface refused, or said something that is no reply."""
        if not isinstance(self.now, Answer):
            step = self._steps.pop(0)
            match step, reply:
                case Confirm(), UiConfirmResult():
                    self._take_confirm(step, reply)
                case Pick(), UiPickResult():
                    self._take_pick(step, reply.ids)
                case TextQuestion(), UiPromptResult():
                    self._take_words(step, reply.value)
                case _:
                    self._refuse()
        return self.now

    def _take_confirm(self, step: Confirm, reply: UiConfirmResult) -> None:
        if reply.ok is not True or step.yes is None:
            self._refuse(reply.reason or "")
            return
        self._yes = step.lasting if reply.remember is True and step.lasting else step.yes
        self._advance()

    def _take_pick(self, step: Pick, ids: tuple[str, ...]) -> None:
        chosen = dict.fromkeys(ids)
        offered = {item.id: at for at, item in enumerate(step.request.items)}
        if not chosen or not chosen.keys() <= offered.keys() or (len(chosen) > 1 and not step.request.multi):
            self._refuse()
            return
        options = step.question.options
        picked = tuple(options[offered[name]].label for name in chosen if name not in (OWN, SKIP))
        if OWN in chosen and step.own_words is not None:
            self._steps.insert(0, replace(step.own_words, picked=picked))
        else:
            self._note(step.question, picked)
        self._advance()

    def _take_words(self, step: TextQuestion, value: str | None) -> None:
        words = (value or "").strip()
        left_out = not words and step.question.required and not step.picked
        if value is None or left_out or len(words) > MAX_ANSWER:
            self._refuse()
            return
        self._note(step.question, (*step.picked, *((words,) if words else ())))
        self._advance()

    def _note(self, question: Question, values: tuple[str, ...]) -> None:
        if values:
            self._answers[question.id] = values

    def _advance(self) -> None:
        if self._steps:
            self.now = self._steps[0].request
        elif self._yes is None or (_questions(self._ask.subject) and not self._answers):
            self._refuse()
        else:
            self.now = Answer(
                ask=self._ask.id,
                choice=self._yes.id,
                answers=self._answers,
                shown=self._ask.shown,
                by=self._by,
            )

    def _refuse(self, reason: str = "") -> None:
        reason = reason.strip()[:MAX_REASON]
        self.now = Answer(
            ask=self._ask.id, choice=find_no(self._ask), reason=reason, follow_up=bool(reason), by=self._by
        )


def questions_for(ask: Ask, run_id: str, can: UiCapabilities, *, by: str = "local") -> AskDialog | None:
    """None where the surface cannot put it: the Ask stays open for others."""
    yes = find_yes(ask)
    questions = _questions(ask.subject)
    steps: list[Step] = []
    if _granting(ask, ONCE) is None or not questions or _url(ask.subject):
        steps.append(_confirm(ask, run_id, can))
    if yes is not None:
        steps += _question_steps(ask.subject, run_id, can)
    if not all(_can_put(step, can) for step in steps):
        return None
    return AskDialog(ask, tuple(steps), yes, by)


def find_yes(ask: Ask) -> Choice | None:
    """Yes to this and no more; where only a lasting yes is allowed, that one, which the dialog then names."""
    return _granting(ask, ONCE) or find_lasting(ask)


def find_lasting(ask: Ask) -> Choice | None:
    """The yes that outlives the Ask: until the session ends where that is allowed, else for good.

    One whose rule is too long to be read is not offered."""
    return _granting(ask, LASTING)


def find_no(ask: Ask) -> str:
    """The mildest no that the agent takes, and none that outlives the Ask where there is another."""
    noes = [choice for choice in ask.choices if not choice.grants]
    named = [choice for name in NOES for choice in noes if choice.id == name]
    brief = [choice for choice in noes if not choice.rule]
    return next((choice.id for choice in (*named, *brief, *noes)), "cancel")


def _granting(ask: Ask, lasting: tuple[Lasts, ...]) -> Choice | None:
    granting = [choice for choice in ask.choices if choice.grants and len(choice.rule) <= MAX_WORDS]
    return next((choice for lasts in lasting for choice in granting if choice.lasts == lasts), None)


def _can_put(step: Step, can: UiCapabilities) -> bool:
    match step:
        case Confirm():
            return can.supports_confirm
        case Pick():
            return can.supports_pick
        case TextQuestion():
            return can.supports_prompt
        case _:
            assert_never(step)


def withdrawn(request: UiRequest, by: str) -> UiRequest:
    """For a client that cannot close a dialog on request: one of the same kind, which decides nothing."""
    answered = f"{shorten(plain_line(by), MAX_TITLE)} has answered it. Nothing is decided here."
    match request:
        case UiConfirmParams():
            return UiConfirmParams(
                title=NO_LONGER,
                message=answered,
                run_id=request.run_id,
                confirm_label=CLOSE,
                cancel_label=CLOSE,
            )
        case UiPickParams():
            return UiPickParams(
                title=f"{NO_LONGER}: {answered}",
                items=(PickItem(id="close", label=CLOSE),),
                run_id=request.run_id,
            )
        case UiPromptParams():
            return UiPromptParams(title=NO_LONGER, message=answered, run_id=request.run_id)
        case _:
            assert_never(request)


# -- a yes or a no --


def _confirm(ask: Ask, run_id: str, can: UiCapabilities) -> Confirm:
    shown = show(ask.subject, preview_shown=can.supports_permission_preflight_events)
    yes = find_yes(ask) if shown.whole else None
    lasting = find_lasting(ask) if yes is not None else None
    rule = _rule_line(lasting) if lasting else ""
    said = [f"The agent says: {shorten(plain_line(ask.reason), MAX_WORDS)}"] if ask.reason else []
    if ask.sender is not None:
        said = [plain_line(say_sender(ask.sender)), *said]
    if ask.outside is not None:
        said = [plain_line(say_outside(ask.outside)), *said]
    note = [] if yes else [NOT_SHOWN if not shown.whole else "None of the allowed answers is known here."]
    request = UiConfirmParams(
        title=shorten(plain_line(title_with_plan(ask)), MAX_TITLE) or "Allow this?",
        message="\n".join([*shown.lines, *said, *([rule] if rule else []), *note]),
        run_id=run_id,
        confirm_label=_label(yes, lasting),
        cancel_label="Deny",
        danger_level="danger" if _is_dangerous(ask.subject) else "normal",
        allow_remember=lasting is not None and lasting is not yes,
        allow_reason=True,
    )
    return Confirm(request, yes, lasting)


def _label(yes: Choice | None, lasting: Choice | None) -> str:
    if yes is None:
        return "Deny"  # the protocol has no dialog with one button
    return shorten(f"Allow: {plain_line(yes.label)}", MAX_TITLE) if yes is lasting else "Allow"


def _rule_line(lasting: Choice) -> str:
    return f"Allowing it for longer means: {wrap(visible_line(lasting.rule or lasting.label))}"


def _is_dangerous(subject: Subject) -> bool:
    """What leaves the sandbox, or widens it."""
    if isinstance(subject, FilesSubject):
        return bool(subject.grant_root)
    danger = CommandSubject | PermissionsSubject | SettingSubject | ActionSubject | DeviceSubject
    return isinstance(subject, danger)


# -- questions --


def _questions(subject: Subject) -> tuple[Question, ...]:
    return subject.questions if isinstance(subject, QuestionsSubject) else ()


def _url(subject: Subject) -> str:
    return subject.url if isinstance(subject, QuestionsSubject) else ""


def _question_steps(subject: Subject, run_id: str, can: UiCapabilities) -> Iterator[Step]:
    if not isinstance(subject, QuestionsSubject):
        return
    asker = f"{plain_line(subject.server)} asks" if subject.server else "The agent asks"
    for number, question in enumerate(subject.questions, 1):
        count = f" ({number}/{len(subject.questions)})" if len(subject.questions) > 1 else ""
        said = subject.message if number == 1 and not subject.url else ""
        words = _words(question, said)
        write = _write(question, shorten(asker + count, MAX_TITLE), words, run_id)
        if not question.options:
            yield write
            continue
        own_words = write if question.free_text and can.supports_prompt else None
        may_skip = bool(subject.server) and not question.required
        yield _pick(question, f"{asker}{count}: {words}", run_id, own_words, may_skip=may_skip)


def _words(question: Question, said: str) -> str:
    text, header = plain_line(question.text), plain_line(question.header)
    asked = text if header in ("", text) else f"{header}: {text}"
    words = " — ".join(part for part in (plain_line(said), asked) if part)
    return words if len(words) <= MAX_WORDS else f"{words[:MAX_WORDS]}… (truncated)"


def _write(question: Question, title: str, words: str, run_id: str) -> TextQuestion:
    hint = "" if question.type == "text" else f" ({question.type})"
    request = UiPromptParams(
        title=title,
        message=words + hint,
        run_id=run_id,
        default_value="" if question.secret else plain(question.default),
        multiline=question.type == "text" and not question.secret,
        secret=question.secret,
    )
    return TextQuestion(request, question)


def _pick(question: Question, title: str, run_id: str, own: TextQuestion | None, *, may_skip: bool) -> Pick:
    options = question.options[:MAX_OPTIONS]
    items = [
        PickItem(
            id=f"option-{at}",
            label=shorten(plain_line(option.label), MAX_TITLE),
            detail=shorten(plain_line(option.description), MAX_WORDS),
        )
        for at, option in enumerate(options)
    ]
    more = len(question.options) - len(options)
    items += [PickItem(id=OWN, label="Other answer")] if own else []
    items += [PickItem(id=SKIP, label="Leave it empty")] if may_skip else []
    note = f" (truncated: {more} more options)" if more else ""
    return Pick(
        UiPickParams(title=title + note, items=tuple(items), run_id=run_id, multi=question.several),
        question,
        own,
    )
