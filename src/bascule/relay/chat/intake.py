"""A message from a chat, from its arrival to the order that it becomes, or to why it does not."""

from collections.abc import Callable

from msgspec import Struct

from bascule.core.relay.dev_commands import BadCommand, DevCommand, Language, find_language, parse_message
from bascule.core.relay.replies import HELP, cut_message, say
from bascule.core.text.plain import plain_line
from bascule.model.consent.orders import Order
from bascule.relay.chat.admission import REPEAT_MS, Admission, make_fingerprint
from bascule.relay.machines.machine_hub import MachineHub
from bascule.relay.storage.audit_chain import AuditLine
from bascule.relay.storage.relay_store import NewCommand, RelayStore

MAX_WAITING = 32  # commands without an outcome, for one machine
MAX_ID = 200  # characters
NEEDS_YES = ("apply", "test")


class ChatMessage(Struct, frozen=True, kw_only=True):
    platform: str
    id: str
    user: str
    text: str
    chat: str = ""  # where the outcome goes; empty: to the sender
    direct: bool = False  # to the bot alone: the prefix may be left out


class TakenMessage(Struct, frozen=True):
    text: str = ""  # what is said at once; empty where that is nothing
    command_id: str = ""  # of what will have an outcome


class Intake:
    def __init__(
        self,
        *,
        store: RelayStore,
        admission: Admission,
        hub: MachineHub,
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
        utc_text: Callable[[int], str],
    ) -> None:
        self._store = store
        self._admission = admission
        self._hub = hub
        self._new_id = new_id
        self._now_ms = now_ms
        self._utc_text = utc_text

    async def take(self, message: ChatMessage) -> TakenMessage:
        if not _is_id(message.id) or not _is_id(message.user) or len(message.chat) > MAX_ID:
            return TakenMessage()
        language = find_language(message.text)
        if self._admission.is_too_often(message.platform, message.user):
            return TakenMessage(say("too_many", language))  # not audited: a flood is not written down
        if not await self._store.is_new_message(message.platform, message.id, self._now_ms()):
            return TakenMessage()
        machine = self._admission.find_machine(message.user)
        if machine is None:
            await self._refuse(message, "not on the list")
            return TakenMessage(say("not_allowed", language))
        command = parse_message(message.text, needs_prefix=not message.direct)
        match command:
            case None:
                return TakenMessage()
            case BadCommand(kind=kind):
                await self._refuse(message, "no command", machine)
                known = f"bad_{kind}" if kind in ("plan", "patch", "apply") else "bad"
                text = say(known, language)
                return TakenMessage(f"{text}\n{HELP[language]}" if known == "bad" else text)
            case DevCommand(kind="help"):
                return TakenMessage(cut_message(HELP[language]))
            case DevCommand():
                return await self._dispatch(message, machine, command, language)

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
        added = await self._store.add_command(
            new, now_ms=now_ms, repeat_ms=REPEAT_MS, most_waiting=MAX_WAITING
        )
        if added != "added":
            return TakenMessage(say(added, language, machine=machine))
        self._hub.wake(machine)
        name = "away" if not self._hub.is_connected(machine) else "taken"
        name = "needs_yes" if name == "taken" and command.kind in NEEDS_YES else name
        return TakenMessage(say(name, language, machine=machine, id=order.command_id), order.command_id)

    async def _refuse(self, message: ChatMessage, why: str, machine: str = "") -> None:
        await self._store.note(
            AuditLine(at_ms=self._now_ms(), step="refused", actor=message.user, machine=machine, status=why)
        )


def _is_id(text: str) -> bool:
    return 0 < len(text) <= MAX_ID and plain_line(text) == text
