"""What a file is, by how it begins: what it calls itself is believed by nobody."""

import codecs

HEAD = 8 * 1024  # bytes that are looked at
TEXT = "text/plain; charset=utf-8"
BYTES = "application/octet-stream"

# SVG is not among them: it may hold scripts, so it is text.
BEGINNINGS: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


def find_media_type(head: bytes) -> str:
    """Of the first bytes of a file: one of four kinds of image, text, or just bytes."""
    head = head[:HEAD]
    for beginning, media_type in BEGINNINGS:
        if head.startswith(beginning):
            return media_type
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    return TEXT if _is_text(head) else BYTES


def is_image(media_type: str) -> bool:
    return media_type.startswith("image/")


def _is_text(head: bytes) -> bool:
    """A character may be cut off at the end."""
    if b"\0" in head:
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True
