"""What must hold of a running daemon holds, and is missed where it does not."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from tests.serve.house import House, open_house

from bascule.serve.inspection import CHECKS, Check, NotAnswered, inspect, sign_in
from bascule.serve.siege import Keyring

pytestmark = pytest.mark.asyncio(loop_scope="module")
NAMES = [name for name, _, _ in CHECKS]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house() -> AsyncIterator[House]:
    async with open_house() as house:
        yield house


@pytest.mark.parametrize(("name", "incident", "check"), CHECKS, ids=NAMES)
async def test_it_holds(house: House, name: str, incident: str, check: Check) -> None:
    keys = await house.sign_in()
    verdict = await asyncio.to_thread(inspect, name, incident, check, keys)
    assert verdict.failures == ()
    assert not house.front.asked_to_stop.is_set()


async def test_nothing_holds_of_an_application_without_its_gate() -> None:
    async with open_house(lambda front, _port: front.app) as house:
        keys = Keyring(house.port, house.keys.bearer, "bascule=x")
        verdicts = [await asyncio.to_thread(inspect, *row, keys) for row in CHECKS]
    assert [verdict.name for verdict in verdicts if not verdict.failures] == [
        "the content policy is strict",  # which looks at the policy itself
    ]


async def test_a_wrong_token_is_said(house: House) -> None:
    with pytest.raises(NotAnswered, match="POST /link answered 401"):
        await asyncio.to_thread(sign_in, house.port, "wrong")
