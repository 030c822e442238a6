"""A link handed to the browser in a file: a process's arguments can be read by everybody."""

import os
from pathlib import Path

from bascule.host.files.data_folder import Folder

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


def open_in_browser(folder: Folder, link: str) -> None:
    """The browser is sent to a file that only this user can read, and from there to the link."""
    import html  # both only here: every daemon removes the file, few open a browser
    import webbrowser

    path = handover_path(folder)
    path.unlink(missing_ok=True)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(PAGE.format(url=html.escape(link)).encode())
    webbrowser.open(path.as_uri())


def remove_handover(folder: Folder) -> None:
    handover_path(folder).unlink(missing_ok=True)
