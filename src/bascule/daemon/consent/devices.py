"""Devices: enrolled after a yes at this machine, proved at each connection, revoked at once."""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.consent.access import find_answer_bar, find_kinds, find_may
from bascule.core.consent.devices import (
    MAX_KEY,
    find_bad_name,
    find_device,
    fingerprint,
    offer_words,
    proof_words,
)
from bascule.core.consent.who import describe_who
from bascule.core.faults import UserError
from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.doors import Doors, OpenDoor
from bascule.daemon.consent.invitations import NOT_USED, Invitation, Invitations
from bascule.daemon.consent.record import Record
from bascule.daemon.surfaces.surfaces import Surface
from bascule.daemon.workspace_settings import WorkspaceSettings
from bascule.host.config.device_file import EnrolledDevices
from bascule.host.config.signatures import decode, is_key, is_signed
from bascule.host.processes.tasks import whole
from bascule.model.asks import Answer, Ask, Choice, DeviceSubject, Refuse
from bascule.model.consent.audit import Asker, Kind, Lasts, Outcome, Reply
from bascule.model.consent.devices import Device
from bascule.model.consent.origin import Origin, Scope
from bascule.model.protocol import devices as wire
from bascule.model.said import Said

MAX_WRONG = 3  # proofs and codes of one connection; then it is closed
MAX_REFUSALS = 60  # recorded within REFUSALS_S
REFUSALS_S = 3600.0
NONCE_LIFE_S = 60.0
NONCE_BYTES = 32
ID_BYTES = 5

NO_DOOR = (
    "There is no door for other machines. Start Bascule with one: "
    "`bascule up --bind ADDRESS:PORT --credential FILE --tls-cert FILE --tls-key FILE`."
)
NOT_PROVED = "This does not prove a device: it is not enrolled, or the signature is not its own."
NO_NONCE = "Ask for device.challenge first: a nonce is good once, on its own connection, for a minute."
NOT_OUTSIDE = "This is for other machines. At this machine, there is nothing to prove."
REVOKED_CREDENTIAL = (
    "This credential was revoked, so it no longer works. Put a new one into the file that --credential names."
)
REVOKED = "This device, or its pass, was revoked. Its answers no longer count."
LEFT = "The device disconnected before it was confirmed. Invite it again."
SAME_KEY = "Yes, the device shows the same key"
YES = Choice(id="accept", label=SAME_KEY, grants=True, lasts="always", said=Said("choice.device"))

log = logging.getLogger("bascule.devices")


class Nonce(Struct, frozen=True):
    text: str
    ends_s: float


class Devices:
    """The one owner of who, outside, may say yes."""

    def __init__(
        self,
        *,
        enrolled: EnrolledDevices,
        doors: Doors,
        asks: Asks,
        record: Record,
        settings: WorkspaceSettings,
        surfaces: Callable[[], list[Surface]],
        now_ms: Callable[[], int],
        now_s: Callable[[], float],
    ) -> None:
        self._enrolled = enrolled
        self._doors = doors
        self._asks = asks
        self._record = record
        self._settings = settings
        self._surfaces = surfaces
        self._now_ms = now_ms
        self._now_s = now_s
        self._invitations = Invitations(now_s)
        self._nonces: dict[str, Nonce] = {}  # by surface
        self._wrong: dict[str, int] = {}  # by surface
        self._passes: dict[str, set[str]] = {}  # browsers that a device proved itself over
        self._revoked: set[str] = set()
        self._refusals: deque[float] = deque(maxlen=MAX_REFUSALS)
        self._changing = asyncio.Lock()

    # -- at this machine --

    async def list_all(self) -> wire.DeviceList:
        door = self._doors.find("outside")
        devices = await asyncio.to_thread(self._enrolled.read)
        return wire.DeviceList(
            devices=tuple(map(self._listed, devices)),
            passes=self._doors.list_passes(),
            yes_to=self._settings.get("").devices.answers,
            outside=door.url if door else "",
        )

    def _listed(self, device: Device) -> wire.ListedDevice:
        return wire.ListedDevice(
            device_id=device.id,
            name=device.name,
            fingerprint=fingerprint(decode(device.key, MAX_KEY)),
            enrolled_at_ms=device.enrolled_at_ms,
            seen_at_ms=device.seen_at_ms,
            connected=len(self._connected(device.id)),
        )

    def _connected(self, device: str) -> list[Surface]:
        return [surface for surface in self._surfaces() if surface.origin.device == device]

    async def invite(self, surface: Surface, name: str) -> wire.Invited | Refuse:
        door = self._doors.find("outside")
        if door is None:
            return Refuse(NO_DOOR)
        bad = find_bad_name(name, await asyncio.to_thread(self._enrolled.read))
        code = bad or self._invitations.add(name)
        if isinstance(code, Refuse):
            return code
        surface.on_leaving(f"invites {code}", lambda: self._withdraw(code))
        await self._note("device", "done", surface.who, f"Invite the device {name}")
        return wire.Invited(
            link=f"{_link(door)}&enrol={code}",
            code=f"{code[:4]}-{code[4:]}",
            session_id=self._asks.open_machine(),
            ends_at_ms=self._now_ms() + int(self._left_s(code) * 1000),
        )

    def _left_s(self, code: str) -> float:
        invitation = self._invitations.find(code)
        return self._invitations.left_s(invitation) if invitation else 0.0

    def _withdraw(self, code: str) -> None:
        """Who invited has left; a key that was offered is still decided upon."""
        invitation = self._invitations.find(code)
        if invitation is not None and not invitation.is_spent:
            invitation.finish(Refuse(NOT_USED))
            self._invitations.remove(code)

    async def wait(self, code: str) -> wire.ListedDevice | Refuse:
        code = code.replace("-", "")
        invitation = self._invitations.find(code)
        if invitation is None:
            return Refuse(NOT_USED)
        try:
            async with asyncio.timeout(self._invitations.left_s(invitation)):
                end = await asyncio.shield(invitation.end)
        except TimeoutError:
            end = Refuse(NOT_USED)
            if invitation.is_spent:  # a person is looking at the two fingerprints
                end = await asyncio.shield(invitation.end)
            invitation.finish(end)
        self._invitations.remove(code)
        return end if isinstance(end, Refuse) else self._listed(end)

    async def link(self, surface: Surface, scope: Scope) -> wire.OuterLink | Refuse:
        door = self._doors.find("outside")
        if door is None:
            return Refuse(NO_DOOR)
        await self._note("pass", "done", surface.who, f"Make a link to the outer door, to {_scope(scope)}")
        return wire.OuterLink(link=_link(door, scope))

    async def revoke(self, surface: Surface, name: str) -> wire.Revoked | Refuse:
        return await whole("revoke a device or a pass", self._revoke(surface, name))

    async def _revoke(self, surface: Surface, name: str) -> wire.Revoked | Refuse:
        """What it has open is closed, then this is recorded; its browser's pass goes with a device."""
        async with self._changing:
            device = find_device(name, await asyncio.to_thread(self._enrolled.read))
            if device is not None:
                return await self._revoke_device(surface, device)
        known = {one.name: one for one in self._doors.list_passes()}
        if name not in known:
            return Refuse(f"There is no device and no pass called {name}. `bascule devices list` shows them.")
        closed = sum(one.origin.credential == name for one in self._surfaces())
        credential = self._doors.find_credential(name)
        self._doors.revoke(name)
        if credential:
            await asyncio.to_thread(self._enrolled.revoke_credential, credential)
        await self._note("pass", "done", surface.who, f"Revoke the pass {name}")
        return wire.Revoked(what=f"the pass {name}", closed=closed)

    async def note_pass(self, origin: Origin, asked: str) -> None:
        """A browser came in or left. A record that fails keeps nobody from looking: no answer counts then."""
        try:
            await self._note("pass", "done", describe_who(origin, ""), asked)
        except UserError as fault:
            log.error("not recorded: %s: %s", asked, fault)

    def check_credential(self, credential: str) -> None:
        """`UserError` for one that was revoked, also in an earlier life."""
        if self._enrolled.is_revoked(credential):
            raise UserError(REVOKED_CREDENTIAL)

    async def _revoke_device(self, surface: Surface, device: Device) -> wire.Revoked:
        self._revoked.add(device.id)
        try:
            await asyncio.to_thread(self._enrolled.remove, device.id)
        finally:
            open_ones = self._connected(device.id)
            for one in open_ones:
                one.close()
            self._revoke_browsers(device.id)
        await self._note("device", "done", surface.who, f"Revoke {_named(device)}", ref=device.id)
        return wire.Revoked(what=f"the device {device.name}", closed=len(open_ones))

    def _revoke_browsers(self, device: str) -> None:
        """Not the credential, which others use as well."""
        browsers = {one.name for one in self._doors.list_passes() if one.kind == "browser"}
        for name in self._passes.pop(device, set()) & browsers:
            self._doors.revoke(name)

    # -- from outside --

    async def offer(self, surface: Surface, params: wire.OfferParams) -> wire.ListedDevice | Refuse:
        """Waits for the person at the machine, who compares the fingerprints."""
        if surface.origin.is_here:
            return Refuse(NOT_OUTSIDE)
        words = offer_words(surface.origin.host, params.code, params.key)
        if not is_key(params.key) or not is_signed(params.key, words, params.signature):
            return await self._wrong_proof(surface, "The key is no ECDSA P-256 key, or not signed for.")
        invitation = self._invitations.spend(params.code)
        if isinstance(invitation, Refuse):
            return await self._wrong_proof(surface, invitation.why)
        end: Device | Refuse = Refuse(LEFT)
        try:
            end = await self._decide(surface, invitation, params.key)
        finally:
            invitation.finish(end)
        return end if isinstance(end, Refuse) else self._listed(end)

    async def _decide(self, surface: Surface, invitation: Invitation, key: str) -> Device | Refuse:
        shown = fingerprint(decode(key, MAX_KEY))
        yes = replace(YES, id=f"{YES.id}:{shown.replace(' ', '')}")
        answer = await self._asks.ask(
            None,
            "Enrol this device?",
            DeviceSubject(name=invitation.name, fingerprint=shown),
            (yes, Choice(id="decline", label="No", grants=False)),
            surface.who,
            said=Said("ask.device"),
        )
        name = f"device-{secrets.token_hex(ID_BYTES)}"
        device = Device(id=name, name=invitation.name, key=key, enrolled_at_ms=self._now_ms())
        asked = f"Enrol {_named(device)}"
        if answer.choice != yes.id:
            await self._note("device", "rejected", surface.who, asked, answer="no", by=answer)
            return Refuse("The person at the machine said no.")

        async def enrol() -> Device | Refuse:
            async with self._changing:
                bad = find_bad_name(device.name, await asyncio.to_thread(self._enrolled.read))
                if bad is None:
                    await self._note(
                        *("device", "done", surface.who, asked),
                        answer="yes",
                        lasts=yes.lasts,
                        by=answer,
                        ref=device.id,
                    )
                    await asyncio.to_thread(self._enrolled.add, device)
            invitation.finish(bad or device)  # also where the device has left meanwhile
            return bad or device

        return await whole(f"enrol {device.name}", enrol())

    def challenge(self, surface: Surface) -> wire.Challenge | Refuse:
        if surface.origin.is_here:
            return Refuse(NOT_OUTSIDE)
        nonce = Nonce(secrets.token_urlsafe(NONCE_BYTES), self._now_s() + NONCE_LIFE_S)
        self._nonces[surface.id] = nonce
        surface.on_leaving("device proof", lambda: self._forget(surface))
        return wire.Challenge(nonce=nonce.text)

    def _forget(self, surface: Surface) -> None:
        self._nonces.pop(surface.id, None)
        self._wrong.pop(surface.id, None)

    async def prove(self, surface: Surface, params: wire.ProveParams) -> wire.Access | Refuse:
        if surface.origin.is_here:
            return Refuse(NOT_OUTSIDE)
        nonce = self._nonces.pop(surface.id, None)  # good once, whatever comes of it
        if nonce is None or nonce.ends_s <= self._now_s():
            return await self._wrong_proof(surface, NO_NONCE)
        devices = await asyncio.to_thread(self._enrolled.read)
        device = next((one for one in devices if one.id == params.device_id), None)
        words = proof_words(surface.origin.host, params.device_id, nonce.text)
        if device is None or not is_signed(device.key, words, params.signature):
            return await self._wrong_proof(surface, NOT_PROVED)
        async with self._changing:
            await asyncio.to_thread(self._enrolled.see, device.id, self._now_ms())
        if device.id in self._revoked or surface.closed:
            return Refuse(REVOKED)
        surface.origin = replace(surface.origin, device=device.id, device_name=device.name)
        self._passes.setdefault(device.id, set()).add(surface.origin.credential)
        log.info("%s is the device %s", surface.id, device.name)
        return self.access(surface.origin)

    async def _wrong_proof(self, surface: Surface, why: str) -> Refuse:
        """Recorded; a connection that goes on guessing is closed."""
        wrong = self._wrong[surface.id] = self._wrong.get(surface.id, 0) + 1
        surface.on_leaving("device proof", lambda: self._forget(surface))
        log.warning("%s (%s) did not prove a device: %s", surface.id, surface.origin.credential, why)
        if self._is_worth_a_line():
            await self._note("device", "refused", surface.who, "Prove to be a device", why=why)
        if wrong >= MAX_WRONG:
            surface.close()
        return Refuse(why)

    def _is_worth_a_line(self) -> bool:
        """Who goes on guessing must not push the rest out of the record; the log has them all."""
        now_s = self._now_s()
        if len(self._refusals) == MAX_REFUSALS and now_s - self._refusals[0] < REFUSALS_S:
            return False
        self._refusals.append(now_s)
        return True

    # -- what counts --

    def access(self, origin: Origin) -> wire.Access:
        return wire.Access(
            door=origin.door,
            scope=origin.scope,
            may=tuple(sorted(find_may(origin, panes_outside=self._settings("").panes.from_outside))),
            yes_to=find_kinds(origin, self._settings("").devices.answers if origin.device else ()),
            device=origin.device,
            device_name=origin.device_name,
        )

    def find_answer_bar(self, ask: Ask, answer: Answer) -> Refuse | None:
        """Why an answer does not count: decided here for every surface, whichever way it came."""
        origin = answer.origin
        if origin is None:
            return None
        barred = self._bar(origin, ask, answer)
        if barred is not None and not origin.is_here:
            name = origin.device_name or origin.credential
            log.warning("an answer of %s did not count: %s", name, barred.why)
        return barred

    def _bar(self, origin: Origin, ask: Ask, answer: Answer) -> Refuse | None:
        if origin.device in self._revoked or origin.credential in self._doors.revoked:
            return Refuse(REVOKED)
        chosen = next(choice for choice in ask.choices if choice.id == answer.choice)
        allowed = self._settings.get("").devices.answers if origin.device else ()
        return find_answer_bar(origin, ask, chosen, allowed)

    async def _note(
        self,
        kind: Kind,
        outcome: Outcome,
        who: Asker,
        asked: str,
        *,
        answer: Reply = "none",
        lasts: Lasts = "once",
        by: Answer | None = None,
        ref: str = "",
        why: str = "",
    ) -> None:
        entry = self._record.entry(
            kind,
            outcome,
            asker=who,
            asked=asked,
            workspace="",
            answer=answer,
            lasts=lasts,
            answered_by=by,
            ref=ref,
            why=why,
        )
        await self._record.write(entry)


def _link(door: OpenDoor, scope: Scope = "full") -> str:
    """Behind the #, which a browser keeps to itself."""
    return f"{door.url}#token={door.passes.new_link(scope=scope)}"


def _named(device: Device) -> str:
    return f"the device {device.name}, key {fingerprint(decode(device.key, MAX_KEY))}"


def _scope(scope: Scope) -> str:
    return "look only" if scope == "look" else "look and ask"
