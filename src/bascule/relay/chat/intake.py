"""A message from a chat, from its arrival to the order that it becomes, or to why it does not."""

from collections.abc import Callable

from msgspec import Struct

from bascule.core.relay.dev_commands import (
    MAX_TEXT,
    BadCommand,
    DevCommand,
    Language,
    find_language,
    parse_message,
)
from bascule.core.relay.relay_ids import MAX_ID, is_id
from bascule.core.relay.replies import HELP, cut_message, say
from bascule.core.session.growing_text import shorten
from bascule.core.text.visible import visible
from bascule.model.consent.orders import Order
from bascule.relay.chat.admission import REPEAT_MS, Admission, make_fingerprint
from bascule.relay.machines.machine_hub import MachineHub
from bascule.relay.storage.audit_chain import AuditLine
from bascule.relay.storage.records import NewCommand
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.storage.steps import Admit, Admitted, MessageKey, Remember

MAX_WAITING = 32  # commands without an outcome, for one machine
NEEDS_YES = ("apply", "test")


class ChatMessage(Struct, frozen=True, kw_only=True):
    platform: str
    id: str
    user: str
    text: str
    chat: str = ""  # where the outcome goes; empty: to the sender
    direct: bool = False  # to the bot alone: the prefix may be left out
    nonce: str = ""  # of its envelope, where the platform has one: it counts once

    def keys(self) -> tuple[MessageKey, ...]:
        nonce = ((f"{self.platform} nonce", self.nonce),) if self.nonce else ()
        return (*nonce, (self.platform, self.id))


class TakenMessage(Struct, frozen=True):
    text: str = ""  # what is said at once; empty where that is nothing
    command_id: str = ""  # of what will have an outcome


class Replayed(Exception):
    """Its envelope was seen before."""


class Intake:
    def __init__(
        self,
        *,
        store: RelayStore,
        admission: Admission,
        hub: MachineHub,
        node: str,
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
        utc_text: Callable[[int], str],
    ) -> None:
        self._store = store
        self._admission = admission
        self._hub = hub
        self._node = node
        self._new_id = new_id
        self._now_ms = now_ms
        self._utc_text = utc_text

    async def take(self, message: ChatMessage) -> TakenMessage:
        """What it leads to is stored when this returns."""
        language = find_language(message.text)
        ids = (message.id, message.user, message.nonce or "-", message.chat or "-")
        if not all(map(is_id, ids)):
            return await self._refuse_ids(message, language)
        if self._admission.is_refused(message.platform, message.user):
            return TakenMessage(say("too_many", language))
        machine = self._admission.find_machine(message.platform, message.user)
        if machine is None:
            said = say("not_allowed", language)
            return await self._answer(message, said, self._refusal(message, "not on the list"))
        command = parse_message(message.text, needs_prefix=not message.direct)
        match command:
            case None:
                return await self._answer(message, "")
            case BadCommand() as bad:
                said = _say_bad(bad, language)
                return await self._answer(message, said, self._refusal(message, "no command", machine))
            case DevCommand(kind="help"):
                return await self._answer(message, cut_message(HELP[language]))
            case DevCommand():
                return await self._dispatch(message, machine, command, language)

    async def _refuse_ids(self, message: ChatMessage, language: Language) -> TakenMessage:
        """They can't be kept, so it isn't known whether it came before."""
        sender = f"“{shorten(visible(message.user), MAX_ID)}”"  # not somebody whose id is the rest of it
        if self._admission.is_refused(message.platform, sender):
            return TakenMessage(say("too_many", language))
        line = AuditLine(at_ms=self._now_ms(), step="refused", actor=sender, status="unfit id")
        limit = self._admission.get_limit(message.platform, sender)
        remember = Remember(messages=(), now_ms=self._now_ms(), limit=limit, line=line)
        if (await self._store.run(remember)).refusal:
            self._admission.refuse(message.platform, sender)
            return TakenMessage(say("too_many", language))
        return TakenMessage(say("unfit", language))

    async def _answer(self, message: ChatMessage, said: str, line: AuditLine | None = None) -> TakenMessage:
        limit = self._admission.get_limit(message.platform, message.user)
        remember = Remember(messages=message.keys(), now_ms=self._now_ms(), limit=limit, line=line)
        admitted = await self._store.run(remember)
        return self._refuse(message, admitted, "") if admitted.refusal else TakenMessage(said)

    async def _dispatch(
        self, message: ChatMessage, machine: str, command: DevCommand, language: Language
    ) -> TakenMessage:
        now_ms = self._now_ms()
        order = Order(
            command_id=self._new_id("c"),
            machine_id=machine,
            user_id=message.user,
            kind=command.kind,
            prompt=command.prompt,
            ref_id=command.ref_id,
            created_at=self._utc_text(now_ms),
        )
        new = NewCommand(
            order=order,
            platform=message.platform,
            chat=message.chat,
            language=language,
            fingerprint=make_fingerprint(message.user, machine, command),
        )
        admit = Admit(
            messages=message.keys(),
            new=new,
            now_ms=now_ms,
            repeat_ms=REPEAT_MS,
            most_waiting=MAX_WAITING,
            node=self._node,
            limit=self._admission.get_limit(message.platform, message.user),
        )
        admitted = await self._store.run(admit)
        if admitted.command is None:
            return self._refuse(message, admitted, machine)
        self._hub.deliver(admitted.command)
        name = "away" if not admitted.node else "taken"
        name = "needs_yes" if name == "taken" and command.kind in NEEDS_YES else name
        return TakenMessage(say(name, language, machine=machine, id=order.command_id), order.command_id)

    def _refuse(self, message: ChatMessage, admitted: Admitted, machine: str) -> TakenMessage:
        if admitted.seen is not None:
            return _take_seen(message, admitted.seen)
        if admitted.refusal == "too_many":
            self._admission.refuse(message.platform, message.user)
        return TakenMessage(say(admitted.refusal or "full", find_language(message.text), machine=machine))

    def _refusal(self, message: ChatMessage, why: str, machine: str = "") -> AuditLine:
        return AuditLine(
            at_ms=self._now_ms(), step="refused", actor=message.user, machine=machine, status=why
        )


def _say_bad(bad: BadCommand, language: Language) -> str:
    if bad.is_long:
        return say("bad_long", language, most=f"{MAX_TEXT:,}")
    if bad.kind in ("plan", "patch", "apply"):
        return say(f"bad_{bad.kind}", language)
    return f"{say('bad', language)}\n{HELP[language]}"


def _take_seen(message: ChatMessage, seen: MessageKey) -> TakenMessage:
    """A platform sends a message again that was not answered in time; an envelope it does not."""
    if seen != (message.platform, message.id):
        raise Replayed
    return TakenMessage()
