"""Every route of the relay without credentials: nothing is done, and nothing is revealed."""

import asyncio
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.relay.service import OPERATIONS as TOKEN
from tests.relay.service import WEBHOOK, Service, open_service

from bascule.relay.http.openapi import OPERATIONS, PUBLIC

PATHS = sorted(
    {one.path for one in (*OPERATIONS, *PUBLIC)}
    | {"/", "/machine", "/ops/config/", "/docs", "/commands", "//x"}
)
NAMES = st.sampled_from(["desk", "c", "..", "%2e%2e", "a%00b", "\u00e9".encode().hex(), "x" * 300])
QUERIES = st.sampled_from(
    ["", "?", "?limit=99999999999999999999", "?msg_signature=x&timestamp=1&nonce=n&echostr=e", "?userId=%00"]
)
TOKENS = st.one_of(
    st.sampled_from(["", "Bearer ", "Basic x", f"bearer {TOKEN}", TOKEN, f"Bearer  {TOKEN}"]),
    st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=60).map("Bearer {}".format),
)
SIGNED = st.one_of(
    st.sampled_from(["", "t=,v1=", "t=99999999999999,v1=0", "t=1,v1=0", "t=-1,v1="]),
    st.from_regex(r"t=[0-9]{1,14},v1=[0-9a-f]{0,64}", fullmatch=True),
)
BODIES = st.one_of(
    st.binary(max_size=2_000),
    st.binary(max_size=80).map(lambda data: b"<xml><Encrypt>" + data.hex().encode() + b"</Encrypt></xml>"),
    st.sampled_from(
        [
            b'{"machineId":"desk","secret":"x","publicKey":"AA==","signature":"AA=="}',
            b'{"messageId":"1","userId":"ann","text":"@dev plan it"}',
            b"<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><xml><Encrypt>&e;</Encrypt></xml>",
            b"[" * 5_000,
        ]
    ),
)
METHODS = st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])
REFUSALS = {400, 401, 403, 404, 405, 413, 426}


async def test_nothing_gets_in_without_credentials(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        await service.enroll("desk")
        loop = asyncio.get_running_loop()
        await asyncio.to_thread(knock, service, loop)
        _, flying = await service.operate("GET", "/inflight")
        _, audit = await service.operate("GET", "/audit/recent")
        _, machines = await service.operate("GET", "/machines")
        assert flying == {"items": []}
        assert {line["step"] for line in audit["items"]} == {"code made", "enrolled"}
        assert [(one["machineId"], one["revoked"]) for one in machines["items"]] == [("desk", False)]


def knock(service: Service, loop: asyncio.AbstractEventLoop) -> None:
    """On a thread, since the service answers on the loop."""

    @settings(
        max_examples=5 * settings().max_examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(METHODS, st.sampled_from(PATHS), NAMES, QUERIES, TOKENS, SIGNED, BODIES)
    def check(method: str, path: str, name: str, query: str, token: str, signed: str, body: bytes) -> None:
        target = path.format(command_id=name, machine_id=name) + query
        headers = {"Authorization": token, "X-Bascule-Signature": signed}
        asked = asyncio.run_coroutine_threadsafe(service.http(method, target, body, headers), loop)
        status, answer = asked.result(30)
        assert status in REFUSALS, (method, target, status)
        for secret in (TOKEN, WEBHOOK, "desk", "ann", "Traceback", "bascule_relay"):
            assert secret.encode() not in answer

    check()
