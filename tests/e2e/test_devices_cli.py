"""`bascule devices` as a person uses it: a link, two fingerprints, a yes; a list; and an end."""

import asyncio
import re
import ssl
import urllib.request
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from tests.e2e.peer import argv, daemon, environ
from tests.e2e.screen import Screen
from tests.outside import CREDENTIAL, Key, dialled_outside, make_outside, trust

from bascule.core.consent.devices import fingerprint
from bascule.host.config.signatures import decode
from bascule.host.processes.tasks import Tasks
from bascule.serve.http import SignedIn
from bascule.serve.rules import KEY_PROTOCOL, PROTOCOL
from bascule.serve.serving import OuterDoor


@pytest.fixture
async def outside(tmp_path: Path) -> AsyncIterator[OuterDoor]:
    """A daemon with an outer door, in a process of its own."""
    outside = make_outside(tmp_path)
    credential = tmp_path / "credential"
    credential.write_text(CREDENTIAL)
    credential.chmod(0o600)
    async with daemon(tmp_path, *door(tmp_path, outside)):
        yield outside


def door(home: Path, outside: OuterDoor) -> tuple[str, ...]:
    certificate, key = str(outside.exposure.certificate), str(outside.exposure.key)
    words = ("--bind", "127.0.0.1:0", "--credential", str(home / "credential"), "--tls-cert", certificate)
    return (*words, "--tls-key", key)


async def devices(home: Path, *words: str) -> tuple[int, str]:
    return await bascule(home, "devices", *words)


async def bascule(home: Path, *words: str) -> tuple[int, str]:
    """Exit code, and all that it said; not on a terminal."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *argv(*words),
        env={**environ(home), "COLUMNS": "40"},
        cwd=home,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=pipe,
        stderr=pipe,
    )
    out, err = await process.communicate()
    return process.returncode or 0, (out + err).decode()


async def test_a_device_is_added_listed_and_revoked(tmp_path: Path, outside: OuterDoor) -> None:
    key = Key()
    words = argv("devices", "add", "Phone")
    with closing(Screen(words, {**environ(tmp_path), "TERM": "xterm"}, tmp_path)) as adding:
        await add_list_and_revoke(tmp_path, outside, adding, key)


async def add_list_and_revoke(home: Path, outside: OuterDoor, adding: Screen, key: Key) -> None:
    text = await adding.until("enter the code")
    link = re.search(r"https://(\S+)/#token=\S+&enrol=\S+", text)
    code = re.search(r"code (\S+)\.", text)
    assert link is not None
    assert code is not None
    async with Tasks() as tasks, dialled_outside(outside, link[1], tasks) as phone:
        await phone.initialize()
        offered = await phone.begin("device.offer", key.offer(link[1], code[1]))
        text = await adding.until("Enrol it? [y/n]")
        print_ = fingerprint(decode(key.public, 1000))
        assert print_ in text
        adding.type("y\r")
        device = (await phone.result(offered))["device_id"]
        await adding.until(f"Phone is enrolled as {device}.")
        await adding.until("Its yes counts for nothing yet")
        nonce = (await phone.call("device.challenge"))["nonce"]
        await phone.call("device.prove", key.proof(link[1], device, nonce))
        _, listed = await devices(home, "list")
        assert (
            f"Phone\n  device {device}, outside\n  key: {print_}\n  may: look, ask, answer (no only)"
            in listed
        )
        assert "bearer\n  credential, outside\n  may: look, ask\n" in listed
        revoked = "Revoked the device Phone and closed 1 connection.\n"
        assert await devices(home, "revoke", "Phone") == (0, revoked)
        await phone.ended()
        gone = "There is no device and no pass called Phone. `bascule devices list` shows them."
        assert await devices(home, "revoke", "Phone") == (1, f"bascule: {gone}\n")


async def test_a_link_to_look_gives_a_pass_that_can_be_revoked(tmp_path: Path, outside: OuterDoor) -> None:
    _, said = await devices(tmp_path, "link", "--look")
    before, _, link = said.strip().rpartition(" ")
    assert before == "This link can only look, and works once, within five minutes:"
    host, token = link.split("/")[2], link.partition("#token=")[2]
    cookie, key = await asyncio.to_thread(sign_in, host, token, trust(outside))
    headers, protocols = {"Cookie": cookie, "Origin": f"https://{host}"}, (PROTOCOL, KEY_PROTOCOL + key)
    async with Tasks() as tasks, dialled_outside(outside, host, tasks, headers, protocols) as browser:
        await browser.initialize()
        assert browser.welcome["access"] == {"door": "outside", "scope": "look", "may": ["look"]}
        refused = await browser.refused("session.create")
        assert refused.message == "This connection is for looking only."
        _, listed = await devices(tmp_path, "list")
        name = re.search(r"(browser-\w+)\n  browser, outside\n  may: look\n", listed)
        assert name is not None
        revoked = f"Revoked the pass {name[1]} and closed 1 connection.\n"
        assert await devices(tmp_path, "revoke", name[1]) == (0, revoked)
        await browser.ended()


async def test_status_and_up_name_the_outer_door(tmp_path: Path, outside: OuterDoor) -> None:
    code, said = await bascule(tmp_path, "status")
    door = re.search(r"^for other machines: (https://127\.0\.0\.1:\d+/)$", said, re.MULTILINE)
    assert code == 0
    assert door is not None
    _, said = await bascule(tmp_path, "up", "--no-open")
    assert f"For other machines it is at {door[1]}. `bascule devices" in said


async def test_the_selftest_attacks_the_outer_door(tmp_path: Path, outside: OuterDoor) -> None:
    code, said = await bascule(tmp_path, "selftest", "security")
    assert code == 0, said
    for row in (
        "other machines can't answer, send orders, manage or use panes",
        "a link for looking does nothing else",
        "other machines loosen no setting",
        "other machines make no link and stop nothing",
        "a forged device is not believed",
    ):
        assert f"✓ {row}" in said


async def test_without_an_outer_door_it_says_so(tmp_path: Path) -> None:
    code, said = await devices(tmp_path, "add", "Phone")
    assert (code, said.startswith("bascule: There is no door for other machines.")) == (1, True)


def sign_in(host: str, token: str, trusting: ssl.SSLContext) -> tuple[str, str]:
    """As the page does; its cookie and its key."""
    origin = f"https://{host}"
    request = urllib.request.Request(
        f"{origin}/signin",
        data=msgspec.json.encode({"token": token}),
        headers={"Content-Type": "application/json", "Origin": origin},
    )
    with urllib.request.urlopen(request, timeout=10, context=trusting) as answer:
        key = msgspec.json.decode(answer.read(), type=SignedIn).key
        cookie = answer.headers["set-cookie"].partition(";")[0]
    return cookie, key


async def test_a_revoked_credential_opens_nothing_in_a_later_daemon_either(tmp_path: Path) -> None:
    outside = make_outside(tmp_path)
    credential = tmp_path / "credential"
    credential.write_text(CREDENTIAL)
    credential.chmod(0o600)
    async with daemon(tmp_path, *door(tmp_path, outside)):
        assert (await devices(tmp_path, "revoke", "bearer"))[0] == 0
    code, said = await bascule(tmp_path, "up", *door(tmp_path, outside))
    assert (code, "This credential was revoked" in said) == (1, True)
    credential.write_text("another-credential-of-some-length-0123456789")
    async with daemon(tmp_path, *door(tmp_path, outside)):
        assert "bearer" in (await devices(tmp_path, "list"))[1]
