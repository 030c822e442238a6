"""The page's files: those that were built, by name, and no others."""

import gzip
from pathlib import Path

import pytest

from bascule.host.files.built_page import (
    EACH_TIME,
    FOR_EVER,
    INDEX,
    NOT_BUILT,
    PageFile,
    read_page,
    takes_packed,
)

JS = "text/javascript; charset=utf-8"


def test_what_was_built_is_served_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / INDEX).write_text("<!doctype html>")
    (tmp_path / "assets" / "index-x1.js").write_text("1")
    (tmp_path / "assets" / "index-x1.js.gz").write_bytes(b"packed")
    (tmp_path / ".built-from").write_text("digest")
    (tmp_path / "notes.txt").write_text("not for others")
    assert read_page(tmp_path) == {
        "assets/index-x1.js": PageFile(b"1", JS, FOR_EVER, b"packed"),
        INDEX: PageFile(b"<!doctype html>", "text/html; charset=utf-8", EACH_TIME),
    }


@pytest.mark.parametrize(
    ("accepted", "is_taken"),
    [
        ("gzip, deflate, br, zstd", True),
        ("br,GZIP", True),
        ("", False),
        ("identity", False),
        ("gzip;q=0, br", False),
        ("x-gzip", False),
    ],
)
def test_it_comes_packed_to_whoever_takes_it_so(accepted: str, is_taken: bool) -> None:
    sheet = PageFile(b"plain", JS, FOR_EVER, b"packed")
    plain = {"cache-control": FOR_EVER, "vary": "accept-encoding"}
    packed = (b"packed", {**plain, "content-encoding": "gzip"})
    assert takes_packed(accepted) is is_taken
    assert sheet.fit(accepted) == (packed if is_taken else (b"plain", plain))


def test_what_was_not_packed_comes_as_it_is() -> None:
    body, headers = PageFile(b"plain", JS, FOR_EVER).fit("gzip")
    assert (body, "content-encoding" in headers) == (b"plain", False)


def test_a_checkout_without_a_page_says_how_to_build_it(tmp_path: Path) -> None:
    page = read_page(tmp_path / "none")
    assert page == {INDEX: PageFile(NOT_BUILT.encode(), "text/html; charset=utf-8", EACH_TIME)}
    assert "make page" in NOT_BUILT


def test_nothing_of_it_needs_more_than_the_policy_allows() -> None:
    index = read_page()[INDEX].body.decode()
    assert not any(word in index for word in ("<style", "style=", "onclick", "http://", "https://"))
    assert index.count("<script") == index.count("src=")  # no inline script


def test_a_page_says_how_its_own_daemon_is_started(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<html><head></head></html>")
    (tmp_path / "index.html.gz").write_bytes(gzip.compress(b"<html><head></head></html>"))
    index = read_page(tmp_path, start_command='up "here"')[INDEX]
    said = '<html><head><meta name="bascule-start" content="up &quot;here&quot;" /></head></html>'
    assert index.body.decode() == said
    assert index.packed is not None
    assert gzip.decompress(index.packed) == index.body
    assert b"meta" not in read_page(tmp_path)[INDEX].body
