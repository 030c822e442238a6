"""Orders checked and spelt: which are taken at all, and how the log and the chat put them."""

import re

from msgspec.structs import replace

from bascule.core.prompts.purposes import ORDER_PREFIX
from bascule.core.text.plain import plain_line
from bascule.core.text.visible import is_hidden
from bascule.model.asks import Ask, Choice, CommandSubject, QuestionsSubject, Refuse
from bascule.model.consent.audit import Outside, Remote
from bascule.model.consent.orders import Order, OrderKind
from bascule.model.said import Said
from bascule.model.settings import OrderCommands

MAX_NAME = 200  # characters of an id
MAX_USER = 64  # characters: a name, not a sentence
MAX_PROMPT = 20_000
MAX_SUMMARY = 4_000  # characters that go back
MAX_DIFF = 200_000
MINUTE_MS = 60_000
MAX_AHEAD_MS = 5 * MINUTE_MS  # of a clock that is wrong
MAX_LOGS = 2_000  # the last characters of a test

NAME = re.compile(r"[!-~]{1,200}")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.ASCII)
NEEDS_PROMPT: frozenset[OrderKind] = frozenset({"plan", "patch"})

# Codex does not say whether the agent asked for that: its question is the same.
MAY_LEAVE = "Run this command? It may leave the sandbox."
NO_MOMENT = Refuse("createdAt must be a time with its offset, such as 2026-01-31T12:00:00Z.")
HELP = """\
help: this list
status: what this machine is doing
plan PROMPT: a plan; nothing is written
patch PROMPT: a diff; nothing is written
apply ID: write the diff of the patch order ID, after a yes at the machine
test [COMMAND]: run the tests, after a yes at the machine"""


def find_age_fault(sent_ms: int, now_ms: int, max_age_minutes: int) -> Refuse | None:
    """Why an Order of that moment is not taken now: it was held back on its way, or a clock is wrong."""
    if now_ms - sent_ms > max_age_minutes * MINUTE_MS:
        return Refuse(
            f"The order was sent more than {max_age_minutes} minutes ago, so it is too old. Send it again."
        )
    if sent_ms - now_ms > MAX_AHEAD_MS:
        return Refuse("The order was sent in the future, by this machine's clock. Check both clocks.")
    return None


def find_fault(order: Order, machine: str) -> Refuse | None:
    """Why it is not taken; the text goes back to the sender."""
    for name, value in (("commandId", order.command_id), ("machineId", order.machine_id)):
        if NAME.fullmatch(value) is None:
            return Refuse(f"{name} must be 1 to {MAX_NAME} visible ASCII characters without spaces.")
    if not _is_name(order.user_id):
        return Refuse(f"userId must be 1 to {MAX_USER} visible characters of one line.")
    if MOMENT.fullmatch(order.created_at) is None:
        return NO_MOMENT
    if order.machine_id != machine:
        return Refuse(f"This machine is {machine}, and takes no orders for {order.machine_id}.")
    return _find_wrong_words(order)


def _find_wrong_words(order: Order) -> Refuse | None:
    if len(order.prompt) > MAX_PROMPT:
        return Refuse(f"The prompt has {len(order.prompt)} characters; {MAX_PROMPT} is the most.")
    if order.kind in NEEDS_PROMPT and not order.prompt.strip():
        return Refuse(f"{order.kind} needs a prompt: {ORDER_PREFIX} {order.kind} PROMPT.")
    if order.kind == "apply" and NAME.fullmatch(order.ref_id) is None:
        return Refuse(f"apply needs the id of a patch order: {ORDER_PREFIX} apply ID.")
    return None


def _is_name(text: str) -> bool:
    return 0 < len(text) <= MAX_USER and plain_line(text) == text and not any(map(is_hidden, text))


def say_order(order: Order) -> str:
    """As a person would have typed it into the chat."""
    return " ".join(word for word in (ORDER_PREFIX, order.kind, order.ref_id, order.prompt.strip()) if word)


def say_sender(sender: Remote) -> str:
    """For the one who is asked: that nobody here wants it."""
    via = f" via {sender.via}" if sender.via else ""
    return f"Requested remotely by “{sender.user}”{via} (order {sender.command_id})."


def say_outside(outside: Outside) -> str:
    """As above, of a surface at another machine."""
    return f"Requested from another machine, by {outside.device_name or outside.credential}."


def may_ask(ask: Ask, commands: OrderCommands) -> bool:
    """In an Order's run: a question may be put to the person here, and a command where the settings let it.
    Nothing may be written, reached or allowed for longer than this once."""
    match ask.subject:
        case QuestionsSubject(questions=questions, url=url):
            return bool(questions or url)
        case CommandSubject(host=host):
            return commands == "ask" and not host and any(map(_is_once, ask.choices))
        case _:
            return False


def _is_once(choice: Choice) -> bool:
    return choice.grants and choice.lasts == "once" and not choice.rule


def for_sender(ask: Ask, sender: Remote, commands: OrderCommands) -> Ask:
    """An agent's Ask in an Order's run, with who is behind it; one that it may not put has no yes."""
    nos = tuple(choice for choice in ask.choices if not choice.grants)
    once = tuple(choice for choice in ask.choices if not choice.grants or _is_once(choice))
    choices = once if may_ask(ask, commands) else nos
    sent = replace(ask, sender=sender, choices=choices or ask.choices)
    if not isinstance(ask.subject, CommandSubject) or ask.subject.host:
        return sent
    return replace(sent, title=MAY_LEAVE, said=Said("ask.may_leave"))


def summarise(text: str) -> str:
    """What goes back of a long answer; all of it is in the log here."""
    text = text.strip()
    if len(text) <= MAX_SUMMARY:
        return text
    return f"{text[:MAX_SUMMARY].rstrip()}\n… ({len(text) - MAX_SUMMARY} more characters at the machine)"
