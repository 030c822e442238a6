"""A link handed to the browser in a file: a process's arguments can be read by everybody."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bascule.host.files.data_folder import Folder
from bascule.host.processes.program import SearchPath

NAME = "open.html"

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={url}"><title>Bascule</title></head>
<body><p><a href="{url}">Open Bascule</a></p></body>
</html>
"""


def handover_path(folder: Folder) -> Path:
    return folder.root / NAME


def open_in_browser(folder: Folder, link: str, search_path: SearchPath) -> None:
    """The browser is sent to a file that only this user can read, and from there to the link."""
    import html  # both only here: every daemon removes the file, few open a browser
    import webbrowser

    path = handover_path(folder)
    path.unlink(missing_ok=True)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(PAGE.format(url=html.escape(link)).encode())
    with _looking_in(search_path):
        webbrowser.open(path.as_uri())


@contextmanager
def _looking_in(search_path: SearchPath) -> Iterator[None]:
    """`webbrowser` takes no PATH of ours: it looks in that of this process."""
    before = os.environ.get("PATH")
    os.environ.update(search_path.environ)
    try:
        yield
    finally:
        if before is None:
            del os.environ["PATH"]
        else:
            os.environ["PATH"] = before


def remove_handover(folder: Folder) -> None:
    handover_path(folder).unlink(missing_ok=True)
