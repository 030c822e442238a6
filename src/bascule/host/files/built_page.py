"""The page as it was built: a few files, read once, given by their names and no others."""

import gzip
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path

from msgspec import Struct

from bascule import __version__

FOLDER = Path(__file__).parents[2] / "page"
INDEX = "index.html"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
FOR_EVER = "private, max-age=31536000, immutable"  # the name of an asset holds a digest of its content
EACH_TIME = "no-store"
PACKED = ".gz"  # beside a file: the same, packed when the page was built
PACKING = "gzip"

NOT_BUILT = f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Bascule</title></head>
<body>
<h1>Bascule {__version__} is running</h1>
<p>The page was not built in this checkout. <code>make page</code> builds it; then start Bascule again.</p>
<p>In a terminal: <code>bascule ask</code> talks to an agent, <code>bascule status</code> says what runs,
<code>bascule down</code> stops it.</p>
</body>
</html>
"""


class PageFile(Struct, frozen=True):
    body: bytes
    media_type: str
    cache: str
    packed: bytes | None = None

    def fit(self, accepted: str) -> tuple[bytes, dict[str, str]]:
        """The body, and headers that say how it comes: compressed for clients that accept it."""
        headers = {"cache-control": self.cache, "vary": "accept-encoding"}
        if self.packed is None or not takes_packed(accepted):
            return self.body, headers
        return self.packed, {**headers, "content-encoding": PACKING}


def takes_packed(accepted: str) -> bool:
    """Of an Accept-Encoding header. A header with weights (`gzip;q=0`) gets it plain."""
    return PACKING in (word.strip().lower() for word in accepted.split(","))


def read_page(folder: Path = FOLDER, *, start_command: str = "") -> Mapping[str, PageFile]:
    """By name: `index.html`, `icon.svg`, `assets/…`. What is not in here is not served.

    `start_command` is what the page tells those who aren't signed in to type; empty: the usual one."""
    sheets = dict(_read(folder))
    if INDEX not in sheets:
        return {INDEX: PageFile(NOT_BUILT.encode(), TYPES[".html"], EACH_TIME)}
    if start_command:
        sheets[INDEX] = _with_start(sheets[INDEX], start_command)
    return sheets


def _with_start(index: PageFile, command: str) -> PageFile:
    meta = f'<meta name="bascule-start" content="{escape(command)}" /></head>'
    body = index.body.replace(b"</head>", meta.encode(), 1)
    return PageFile(body, index.media_type, index.cache, gzip.compress(body, mtime=0))


def _read(folder: Path) -> Iterator[tuple[str, PageFile]]:
    for path in sorted([*folder.glob("*"), *folder.glob("assets/*")]):
        name = path.relative_to(folder).as_posix()
        if path.suffix in TYPES and path.is_file():
            cache = FOR_EVER if name.startswith("assets/") else EACH_TIME
            yield name, PageFile(path.read_bytes(), TYPES[path.suffix], cache, _read_packed(path))


def _read_packed(path: Path) -> bytes | None:
    packed = path.with_name(path.name + PACKED)
    return packed.read_bytes() if packed.is_file() else None
