"""Invitations: a code is good once, for five minutes, and is not found by trying."""

from bascule.daemon.consent.invitations import (
    LIFE_S,
    MAX_OPEN,
    MAX_WRONG_CODES,
    NOT_USED,
    OVERRUN,
    Invitation,
    Invitations,
)
from bascule.model.asks import Refuse


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def invite(invitations: Invitations, name: str = "Phone") -> str:
    code = invitations.add(name)
    assert isinstance(code, str)
    return code


async def test_a_code_is_good_once_however_it_is_written() -> None:
    invitations = Invitations(Clock())
    code = invite(invitations)
    found = invitations.spend(f"{code[:4]}-{code[4:]}".lower())
    assert isinstance(found, Invitation)
    assert found.name == "Phone"
    assert isinstance(invitations.spend(code), Refuse)


async def test_after_five_minutes_it_has_ended() -> None:
    clock = Clock()
    invitations = Invitations(clock)
    code = invite(invitations)
    invitation = invitations.find(code)
    assert invitation is not None
    clock.now_s += LIFE_S
    assert isinstance(invitations.spend(code), Refuse)
    assert invitation.end.result() == Refuse(NOT_USED)


async def test_trying_codes_ends_all_of_them() -> None:
    invitations = Invitations(Clock())
    code = invite(invitations)
    invitation = invitations.find(code)
    assert invitation is not None
    for _ in range(MAX_WRONG_CODES):
        invitations.spend("AAAAAAAA")
    assert invitation.end.result() == Refuse(OVERRUN)
    assert isinstance(invitations.spend(code), Refuse)


async def test_few_are_open_at_once_and_the_old_make_room() -> None:
    clock = Clock()
    invitations = Invitations(clock)
    for _ in range(MAX_OPEN):
        invite(invitations)
    assert isinstance(invitations.add("one more"), Refuse)
    clock.now_s += LIFE_S
    invite(invitations)
