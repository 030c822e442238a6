"""An Ask on a terminal: shown in full, answered by a key; without a terminal it is declined."""

from typing import Protocol

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from bascule.cli.terminal.keyboard import Closed
from bascule.cli.terminal.render import edits
from bascule.core.consent.answer_check import STOPS
from bascule.core.consent.ask_subjects import (
    MIXED_FILES,
    PER_PROCESS,
    existing_line,
    link_line,
    show,
    title_with_plan,
)
from bascule.core.events.surface_text import visible, visible_line
from bascule.core.orders import say_outside, say_sender
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
    TrustSubject,
)

BY = "terminal"
USUAL = {"run": "r", "session": "s", "always": "a", STOPS: "q"}
LETTERS = "bcdefghijklmopqrstuvwxz"
MANY_LINES = 15
LONG = "The command has {n} lines. Scroll up to read all of them before you answer."
WRONG = "Please type one of {keys}. Pasted text is not an answer."
NOT_WHOLE = "It is too long to show here, so you can only decline. The page shows all of it."
MORE_FILES = "The agent would also write {n} more files that it does not list here."
MAX_DIFF_LINES = 2_000  # of one file


class ReadAnswer(Protocol):
    """`read_answer` at the terminal that the question is shown on."""

    async def __call__(self, prompt: str, *, takes_pastes: bool = False, secret: bool = False) -> str: ...


def decline(ask: Ask) -> Answer:
    """The mildest no that the agent takes."""
    noes = [choice for choice in ask.choices if not choice.grants]
    return Answer(ask=ask.id, choice=noes[0].id if noes else "cancel", by=BY)


async def ask_person(console: Console, read: ReadAnswer, ask: Ask) -> Answer:
    """Asks until the answer is one of those allowed; a closed terminal is a no."""
    console.print(_panel(ask))
    try:
        while True:
            answer = _read(ask, await read(_hint(ask)))
            if answer is not None:
                break
            console.print(Text(WRONG.format(keys=_keys_text(ask)), style="yellow"))
        chosen = next(choice for choice in ask.choices if choice.id == answer.choice)
        if chosen.grants and isinstance(ask.subject, QuestionsSubject):
            return await _fill(console, read, ask.subject, answer)
    except Closed:
        return decline(ask)
    return answer


def _panel(ask: Ask) -> RenderableType:
    parts: list[RenderableType] = [*_about(ask.subject)]
    if ask.sender is not None:
        parts.append(Text(visible_line(say_sender(ask.sender)), style="bold yellow"))
    if ask.outside is not None:
        parts.append(Text(visible_line(say_outside(ask.outside)), style="bold yellow"))
    if ask.reason:
        parts += [Text(line, style="italic") for line in _quoted_reason(ask.reason)]
    parts.append(Text(""))
    if _choices(ask) != ask.choices:
        parts.append(Text(NOT_WHOLE, style="yellow"))
    for key, choice in _keys(ask).items():
        line = Text.assemble((f"{key}  ", "bold"), visible_line(choice.label))
        if choice.rule:
            line.append(f"  ({visible_line(choice.rule)})", style="dim")
        parts.append(line)
    return Panel(
        Group(*parts),
        title=Text(visible_line(title_with_plan(ask))),
        title_align="left",
        border_style="yellow",
    )


def _quoted_reason(text: str) -> list[str]:
    """An agent's words: each line is marked, so that none passes for one of ours, and they are not many."""
    lines = visible(text).split("\n")
    hidden = len(lines) - MANY_LINES
    more = [f"> [{hidden} more {'line' if hidden == 1 else 'lines'}]"] if hidden > 0 else []
    return [f"Reason: {lines[0]}", *(f"> {line}" for line in lines[1:MANY_LINES]), *more]


def _choices(ask: Ask) -> tuple[Choice, ...]:
    """No yes to what cannot be shown whole."""
    match ask.subject:
        case FilesSubject(files=files):
            whole = all(edit.diff.count("\n") <= MAX_DIFF_LINES for edit in files)
        case QuestionsSubject(message="", url=""):
            whole = True  # its questions follow, one by one
        case subject:
            whole = show(subject, preview_shown=True).whole
    return ask.choices if whole else tuple(choice for choice in ask.choices if not choice.grants)


def _about(subject: Subject) -> list[RenderableType]:
    match subject:
        case CommandSubject():
            lines = show(subject, preview_shown=True).lines
            n = max(len(lines), visible(subject.command).count("\n") + 1)  # blank ones are folded
            long = [Text(LONG.format(n=n), style="yellow")] if n > MANY_LINES else []
            return [*(Text(line) for line in lines), *long]
        case FilesSubject():
            root = [Text(f"and from now on everything below {visible_line(subject.grant_root)}")]
            links = [Text(link_line(link), style="bold red") for link in subject.links]
            existing = [Text(existing_line(path), style="bold red") for path in subject.existing]
            more = [Text(MORE_FILES.format(n=subject.more), style="yellow")] if subject.more else []
            mixed = [Text(MIXED_FILES, style="yellow")] if subject.mixed else []
            mixed += [Text(PER_PROCESS, style="yellow")] if subject.per_process else []
            return [
                *edits(subject.files, MAX_DIFF_LINES),
                *more,
                *mixed,
                *existing,
                *links,
                *(root if subject.grant_root else []),
            ]
        case DeviceSubject():
            return [
                Text(f"device: {visible_line(subject.name)}"),
                Text(f"key: {visible_line(subject.fingerprint)}", style="bold"),
            ]
        case QuestionsSubject():
            said = show(subject, preview_shown=True).lines if subject.message or subject.url else ()
            questions = [f"• {_asked(question)}" for question in subject.questions]
            return [Text(line) for line in (*said, *questions)]
        case PermissionsSubject() | SettingSubject() | ActionSubject() | TrustSubject():
            return [Text(line) for line in show(subject, preview_shown=True).lines]


def _keys(ask: Ask) -> dict[str, Choice]:
    """y and n, and for what else there is the first letter that is free."""
    choices, keys = _choices(ask), dict[str, Choice]()
    for wanted, grants in (("y", True), ("n", False)):
        fitting = [choice for choice in choices if choice.grants is grants]
        brief = [choice for choice in fitting if choice.lasts == "once" and choice.id != STOPS]
        if fitting:
            keys[wanted] = (brief or fitting)[0]
    for choice in choices:
        if choice not in keys.values():
            letters = (*USUAL.get(choice.id if choice.id == STOPS else choice.lasts, ""), *LETTERS)
            keys[next(letter for letter in letters if letter not in keys)] = choice
    return {key: keys[key] for key in sorted(keys, key=lambda key: choices.index(keys[key]))}


def _keys_text(ask: Ask) -> str:
    return ",".join(_keys(ask))


def _hint(ask: Ask) -> str:
    reason = "" if ask.by == "bascule" else "; after a no you can add a reason"
    return f"Your answer [{_keys_text(ask)}]{reason}: "


def _read(ask: Ask, line: str) -> Answer | None:
    word, _, reason = line.strip().partition(" ")
    key = {"yes": "y", "no": "n"}.get(word.lower(), word.lower())
    choice = _keys(ask).get(key)
    if choice is None or (choice.grants and reason.strip()):
        return None
    return Answer(ask=ask.id, choice=choice.id, reason=reason.strip(), shown=ask.shown, by=BY)


async def _fill(console: Console, read: ReadAnswer, subject: QuestionsSubject, answer: Answer) -> Answer:
    answers: dict[str, tuple[str, ...]] = {}
    for question in subject.questions:
        values = await _question(console, read, question)
        if values:
            answers[question.id] = values
    return Answer(ask=answer.ask, choice=answer.choice, answers=answers, shown=answer.shown, by=BY)


async def _question(console: Console, read: ReadAnswer, question: Question) -> tuple[str, ...]:
    console.print(Text(_asked(question), style="bold"))
    for number, option in enumerate(question.options, 1):
        label = f"{number}  {visible_line(option.label)}  {visible_line(option.description)}"
        console.print(Padding(Text(label), (0, 2)))
    while True:
        typed = await read(f"{_how(question)} ", takes_pastes=True, secret=question.secret)
        line = typed.strip() or question.default
        values = _values(question, line)
        if values or not (line or question.required):
            return values
        console.print(Text("That is not one of the answers.", style="yellow"))


def _asked(question: Question) -> str:
    text, header = visible(question.text), visible_line(question.header)
    return text if header in ("", text) else f"{header}: {text}"


def _how(question: Question) -> str:
    if question.default:
        return f"Your answer (Enter for {visible_line(question.default)}):"
    if not question.options:
        return "Your answer:" if question.required else "Your answer (may be empty):"
    several = "Numbers, separated by spaces" if question.several else "A number"
    free = ", or words of your own" if question.free_text else ""
    return f"{several}{free}:" if question.required else f"{several}{free} (may be empty):"


def _values(question: Question, line: str) -> tuple[str, ...]:
    words = line.replace(",", " ").split()
    if (
        question.options
        and words
        and all(w.isdecimal() and 1 <= int(w) <= len(question.options) for w in words)
    ):
        picked = tuple(question.options[int(word) - 1].label for word in words)
        return picked if question.several else picked[:1]
    free = line.strip()
    return (free,) if free and (question.free_text or not question.options) else ()
