"""The page's files: those that were built, by name, and no others."""

from pathlib import Path

from bascule.serve.page import EACH_TIME, FOR_EVER, INDEX, NOT_BUILT, Sheet, read_page

JS = "text/javascript; charset=utf-8"


def test_what_was_built_is_served_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / INDEX).write_text("<!doctype html>")
    (tmp_path / "assets" / "index-x1.js").write_text("1")
    (tmp_path / ".built-from").write_text("digest")
    (tmp_path / "notes.txt").write_text("not for others")
    assert read_page(tmp_path) == {
        "assets/index-x1.js": Sheet(b"1", JS, FOR_EVER),
        INDEX: Sheet(b"<!doctype html>", "text/html; charset=utf-8", EACH_TIME),
    }


def test_a_checkout_without_a_page_says_how_to_build_it(tmp_path: Path) -> None:
    page = read_page(tmp_path / "none")
    assert page == {INDEX: Sheet(NOT_BUILT.encode(), "text/html; charset=utf-8", EACH_TIME)}
    assert "make page" in NOT_BUILT


def test_nothing_of_it_needs_more_than_the_policy_allows() -> None:
    index = read_page()[INDEX].body.decode()
    assert not any(word in index for word in ("<style", "style=", "onclick", "http://", "https://"))
    assert index.count("<script") == index.count("src=")  # no inline script
