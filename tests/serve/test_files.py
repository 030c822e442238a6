"""Files by their ids: images are shown, the rest is only kept, and nothing of it runs."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.serve.local_server import LocalServer, open_server

from bascule.daemon.files.file_links import FileContent, FileLink
from bascule.host.files.confined_path import ConfinedPath
from bascule.model.ids import SessionId
from bascule.serve.auth import FILE_POLICY, SECURITY_HEADERS
from bascule.serve.files import make_headers
from bascule.serve.rules import KEY_HEADER
from bascule.serve.selftest.attack_runner import Target, carry_out
from bascule.serve.selftest.attacks import ATTACKS

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 100
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"


@pytest.fixture
async def server() -> AsyncIterator[LocalServer]:
    async with open_server() as server:
        yield server


def shelve(server: LocalServer, path: Path, data: bytes) -> str:
    """Its URL."""
    path.write_bytes(data)
    place = ConfinedPath(path.parent.resolve(), (path.name,))
    return f"/files/{server.front.file_links.put(FileLink(SessionId('s_1'), place, False))}"


@pytest.mark.parametrize(
    ("name", "data", "media_type", "disposition"),
    [
        ("a.png", PNG, "image/png", "inline; filename*=UTF-8''a.png"),
        ("a.html", PNG, "image/png", "inline; filename*=UTF-8''a.html"),
        ("a.svg", SVG, "text/plain; charset=utf-8", "attachment; filename*=UTF-8''a.svg"),
        ("a.png", SVG, "text/plain; charset=utf-8", "attachment; filename*=UTF-8''a.png"),
        ("a.pdf", b"%PDF\xff", "application/octet-stream", "attachment; filename*=UTF-8''a.pdf"),
        (
            "ö;.txt",
            b"x",
            "text/plain; charset=utf-8",
            "attachment; filename*=UTF-8''%C3%B6%3B.txt",
        ),
    ],
)
async def test_a_file_is_sent_as_what_it_is(
    server: LocalServer, tmp_path: Path, name: str, data: bytes, media_type: str, disposition: str
) -> None:
    url = shelve(server, tmp_path / name, data)
    headers = await server.browser()
    cookie_alone = {name: value for name, value in headers.items() if name != KEY_HEADER}
    for answer in (await server.tell("GET", url), await server.ask("GET", url, cookie_alone)):
        assert (answer.status, answer.body) == (200, data)
        assert answer.find("content-type") == media_type
        assert answer.find("content-disposition") == disposition
        sent = dict(answer.headers)
        wanted = {
            **SECURITY_HEADERS,
            "content-security-policy": FILE_POLICY,
            "cache-control": "private, no-cache",
        }
        assert {name: sent.get(name) for name in wanted} == wanted


def test_a_name_cannot_begin_another_header() -> None:
    headers = make_headers(FileContent('a"\r\nset-cookie: x=1.png', 1, "image/png", b"x"))
    assert headers["content-disposition"].isprintable()
    assert '"' not in headers["content-disposition"]


async def test_a_head_has_no_body(server: LocalServer, tmp_path: Path) -> None:
    answer = await server.tell("HEAD", shelve(server, tmp_path / "a.png", PNG))
    assert (answer.status, answer.body, answer.find("content-length")) == (200, b"", str(len(PNG)))


async def test_what_is_not_there_is_a_sentence(server: LocalServer, tmp_path: Path) -> None:
    url = shelve(server, tmp_path / "a.png", PNG)
    (tmp_path / "a.png").unlink()
    for target in (url, "/files/made-up"):
        answer = await server.tell("GET", target)
        assert (answer.status, answer.find("content-type")) == (404, "text/plain; charset=utf-8")
        assert answer.find("cache-control") == "no-store"
        assert b"no longer exists" in answer.body or b"no such file" in answer.body


async def test_a_real_id_opens_nothing_without_the_right(server: LocalServer, tmp_path: Path) -> None:
    """The whole table, on a file that is really there."""
    aims = tuple(Target(shelve(server, tmp_path / "a.png", PNG), method, False) for method in ("GET", "HEAD"))
    keys = await server.sign_in()
    for attack in ATTACKS:
        if attack.on.startswith("keyed"):
            continue  # an image of a page cannot send a key; its name is one
        verdict = await asyncio.to_thread(carry_out, attack, aims, keys)
        assert verdict.failures == (), attack.name
