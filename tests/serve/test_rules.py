"""The checks before the key, one request at a time."""

import pytest

from bascule.serve.rules import (
    AFTER_THE_KEY,
    BEFORE_THE_KEY,
    LOOPBACK_NAMES,
    RequestHead,
    find_refusal,
    make_door,
    parse_cookies,
)

DOOR = make_door("http", LOOPBACK_NAMES, 4711)
HOST = ("host", "127.0.0.1:4711")


def status(*headers: tuple[str, str], kind: str = "http", method: str = "GET", path: str = "/") -> int | None:
    head = RequestHead(kind, method, path, headers)
    refusal = find_refusal((*BEFORE_THE_KEY, *AFTER_THE_KEY), head, DOOR)
    return refusal.status if refusal else None


@pytest.mark.parametrize("host", ["127.0.0.1:4711", "localhost:4711", "LOCALHOST:4711"])
def test_our_own_names_pass(host: str) -> None:
    assert status(("host", host)) is None


def test_the_default_port_may_be_left_out() -> None:
    assert make_door("http", ("127.0.0.1",), 80).hosts == {"127.0.0.1:80", "127.0.0.1"}
    assert make_door("https", ("127.0.0.1",), 80).hosts == {"127.0.0.1:80"}
    assert make_door("https", ("a.test",), 443).hosts == {"a.test:443", "a.test"}


@pytest.mark.parametrize(
    ("headers", "kind", "method", "expected"),
    [
        ([], "http", "GET", None),
        ([("origin", "http://127.0.0.1:4711")], "http", "GET", None),
        ([("origin", "http://localhost:4711")], "http", "GET", 403),
        ([("sec-fetch-site", "none")], "http", "GET", None),
        ([("sec-fetch-site", "same-origin")], "http", "GET", None),
        ([("sec-fetch-site", "same-site")], "http", "GET", 403),
        ([], "websocket", "GET", 403),
        ([("authorization", "Bearer x")], "websocket", "GET", None),
        ([("origin", "http://127.0.0.1:4711")], "websocket", "GET", None),
        ([("origin", "null")], "websocket", "GET", 403),
        ([("authorization", "Bearer x"), ("origin", "null")], "websocket", "GET", 403),
        ([("content-type", "application/json")], "http", "POST", 403),
        ([("authorization", "Bearer x")], "http", "POST", 415),
        (
            [("authorization", "Bearer x"), ("content-type", "Application/JSON; charset=utf-8")],
            "http",
            "POST",
            None,
        ),
        ([("content-length", "1")], "http", "GET", 400),
        ([("transfer-encoding", "chunked")], "http", "GET", 400),
        ([("content-length", "0")], "http", "GET", None),
    ],
)
def test_what_passes_and_what_does_not(
    headers: list[tuple[str, str]], kind: str, method: str, expected: int | None
) -> None:
    assert status(HOST, *headers, kind=kind, method=method) == expected


@pytest.mark.parametrize(
    "path", ["/../x", "/a/..", "/.", "/a\\b", "/a\x00", "/a\n", "x", "*", "", "/" + "a" * 3000]
)
def test_what_is_no_path(path: str) -> None:
    assert status(HOST, path=path) == 400


@pytest.mark.parametrize("path", ["/", "/a.b", "/..a", "/.well-known/x", "/é"])
def test_what_is_one(path: str) -> None:
    assert status(HOST, path=path) is None


@pytest.mark.parametrize("length", ["-1", "x", "65537", "9" * 30, "٣"])
def test_lengths_that_nobody_waits_for(length: str) -> None:
    headers = (HOST, ("authorization", "x"), ("content-type", "application/json"), ("content-length", length))
    assert status(*headers, method="POST") == 413


def test_cookies_are_with_code() -> None:
    assert parse_cookies("a=1; bascule_1=x=y;b") == {"a": "1", "bascule_1": "x=y", "b": ""}
