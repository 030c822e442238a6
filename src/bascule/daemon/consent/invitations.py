"""Invitations: for five minutes one device may offer its key, and a person here decides."""

import asyncio
import secrets
from collections.abc import Callable

from bascule.model.asks import Refuse
from bascule.model.consent.devices import Device

LIFE_S = 300.0
MAX_OPEN = 4
MAX_WRONG_CODES = 10  # while any is open; after that all of them end
LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"  # none that is taken for another
CODE_LENGTH = 8

NO_SUCH_CODE = "This code is not valid: it was used, or its five minutes are over."
OVERRUN = "Too many wrong codes were tried, so the invitation has ended. Invite the device again."
NOT_USED = "The device did not connect within five minutes. Invite it again."


class Invitation:
    """Ends once: as a Device, or as a Refuse."""

    def __init__(self, name: str, ends_s: float) -> None:
        self.name = name
        self.ends_s = ends_s
        self.is_spent = False  # a key was offered
        self.end: asyncio.Future[Device | Refuse] = asyncio.get_running_loop().create_future()

    def finish(self, end: Device | Refuse) -> None:
        if not self.end.done():
            self.end.set_result(end)


class Invitations:
    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._open: dict[str, Invitation] = {}
        self._wrong = 0

    def add(self, name: str) -> str | Refuse:
        """Its code."""
        self._forget()
        if len(self._open) >= MAX_OPEN:
            return Refuse(f"{MAX_OPEN} invitations are open. Wait until one of them ends.")
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        if not self._open:
            self._wrong = 0
        self._open[code] = Invitation(name, self._now_s() + LIFE_S)
        return code

    def find(self, code: str) -> Invitation | None:
        """For who made it; its end stays readable until its time is over."""
        return self._open.get(code)

    def spend(self, code: str) -> Invitation | Refuse:
        """For the device; once. Wrong codes are counted, no matter who tries them."""
        self._forget()
        plain = code.upper().replace("-", "").replace(" ", "")
        found = [one for known, one in self._open.items() if _same(plain, known) and not one.is_spent]
        if found:
            found[0].is_spent = True
            return found[0]
        self._wrong += 1
        if self._wrong >= MAX_WRONG_CODES:
            for one in self._open.values():
                if not one.is_spent:
                    one.finish(Refuse(OVERRUN))
            self._open = {code: one for code, one in self._open.items() if one.is_spent}
        return Refuse(NO_SUCH_CODE)

    def remove(self, code: str) -> None:
        self._open.pop(code, None)

    def left_s(self, invitation: Invitation) -> float:
        return max(0.0, invitation.ends_s - self._now_s())

    def _forget(self) -> None:
        for code, one in tuple(self._open.items()):
            if one.ends_s <= self._now_s() and (one.end.done() or not one.is_spent):
                one.finish(Refuse(NOT_USED))
                del self._open[code]


def _same(given: str, kept: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "replace"), kept.encode())
