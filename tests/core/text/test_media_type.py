"""Kinds of files by their first bytes; a name or a claim changes nothing."""

import pytest

from bascule.core.text.media_type import BYTES, HEAD, TEXT, find_media_type, is_image

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        (PNG + b"\0\0\0\rIHDR", "image/png"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
        (b"GIF87a\x01\0", "image/gif"),
        (b"GIF89a\x01\0", "image/gif"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
        (b"RIFF\x24\0\0\0WAVEfmt ", BYTES),
        (PNG[:-1] + b"\0", BYTES),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>", TEXT),
        (b"<!doctype html><script>1</script>", TEXT),
        (b" " + b"GIF89a", TEXT),
        (b"", TEXT),
        ("größer".encode(), TEXT),
        ("größer".encode("latin-1"), BYTES),
        (b"a\0b", BYTES),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", BYTES),
    ],
)
def test_what_begins_so_is_that(head: bytes, wanted: str) -> None:
    assert find_media_type(head) == wanted
    assert is_image(wanted) is wanted.startswith("image/")


def test_a_character_that_is_cut_off_at_the_end_is_still_text() -> None:
    assert find_media_type(b"x" * (HEAD - 1) + "ö".encode()) == TEXT
    assert find_media_type(b"x" * HEAD + b"\0") == TEXT  # what comes later is not looked at
