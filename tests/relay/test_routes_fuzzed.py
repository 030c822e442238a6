"""Every route of the relay without credentials: nothing is done, and nothing is revealed."""

import random
from pathlib import Path

from tests.relay.service import OPERATIONS, WEBHOOK, Service, open_service

PATHS = (
    *("/", "/healthz", "/machines", "/inflight", "/commands/c", "/commands/c/cancel", "/commands/c/retry"),
    "/metrics",
    *(
        "/audit/recent",
        "/ops/config",
        "/wecom/callback",
        "/webhook",
        "/machine/enroll",
        "/machine",
        "/metrics",
    ),
)
QUERIES = ("", "?", "?msg_signature=x&timestamp=1&nonce=n&echostr=e")
TOKENS = ("", "Bearer ", "Bearer guessed", "Basic x", f"bearer {OPERATIONS}", OPERATIONS)
SIGNED = ("", "t=,v1=", "t=99999999999999,v1=0", "t=1,v1=0", "t=-1,v1=")
REFUSALS = {400, 401, 403, 404, 405, 413, 426}


def make_body(chance: random.Random) -> bytes:
    kind = chance.randrange(4)
    if kind == 0:
        return chance.randbytes(chance.randrange(2_000))
    if kind == 1:
        return b"<xml><Encrypt>" + chance.randbytes(60).hex().encode() + b"</Encrypt></xml>"
    if kind == 2:
        return b'{"machineId":"desk","secret":"x","publicKey":"AA==","signature":"AA=="}'
    return b"[" * chance.randrange(5_000)


async def test_nothing_gets_in_without_credentials(tmp_path: Path) -> None:
    chance = random.Random(7)  # the same every time
    async with open_service(tmp_path) as service:
        await service.enroll("desk")
        for _ in range(300):
            path = chance.choice(PATHS) + chance.choice(
                ["", "?", "?msg_signature=x&timestamp=1&nonce=n&echostr=e"]
            )
            headers = {"Authorization": chance.choice(TOKENS), "X-Bascule-Signature": chance.choice(SIGNED)}
            method = chance.choice(["GET", "POST", "PUT", "DELETE"])
            status, body = await service.http(method, path, make_body(chance), headers)
            assert status in REFUSALS, (method, path, status)
            assert not any(secret.encode() in body for secret in (OPERATIONS, WEBHOOK, "desk"))
        await find_nothing(service)


async def find_nothing(service: Service) -> None:
    _, flying = await service.operate("GET", "/inflight")
    _, audit = await service.operate("GET", "/audit/recent")
    assert flying == {"items": []}
    assert {line["step"] for line in audit["items"]} == {"code made", "enrolled"}
