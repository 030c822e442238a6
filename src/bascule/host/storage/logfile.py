"""The log that `bascule logs` shows: bounded, readable by its owner only, harmless to print, without keys."""

import contextlib
import logging
import os
import re
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from bascule.core.text.redact import Redactor, redact
from bascule.host.clock import local_time

MAX_LINE = 8 * 1024  # characters of one line in the log
MAX_SECRET = 20_000  # characters behind that are looked at: a secret is not cut in two
MAX_LINES = 200  # of one entry: a traceback, not a book
MAX_ENTRY = 256 * 1024  # characters of it
MAX_TAIL = 10_000  # lines that are read back
MAX_TAIL_BYTES = 4 * 1024 * 1024

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def clean(text: str) -> str:
    """One line as it may be stored and shown: no colours, no keys, nothing a terminal would obey."""
    text = redact(COLOUR.sub("", text[: MAX_LINE + MAX_SECRET]))
    short = text if len(text) <= MAX_LINE else text[:MAX_LINE] + "… (cut)"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in short)


class LogFile:
    """Writes lines under a subject, such as `codex[812]`; takes what our own loggers say as well."""

    def __init__(self, path: Path, *, max_bytes: int, redactor: Redactor | None = None) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._handler = _Handler(path, maxBytes=max_bytes // 2, backupCount=1, encoding="utf-8")
        self._handler.setFormatter(_Lines(redactor or Redactor()))

    @property
    def handler(self) -> logging.Handler:
        """To be added to the `bascule` logger by the owner of the process."""
        return self._handler

    def write(self, subject: str, text: str) -> None:
        record = logging.LogRecord(subject, logging.INFO, "", 0, text, None, None)
        record.subject = subject
        self._handler.handle(record)

    def close(self) -> None:
        with contextlib.suppress(OSError):  # the disk is full
            self._handler.close()


class _Handler(RotatingFileHandler):
    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  (logging's own name)
        """A line that cannot be written is lost; it is no reason to write to somebody's terminal."""

    def _open(self) -> TextIOWrapper:
        fd = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        if hasattr(os, "fchmod"):
            os.fchmod(fd, 0o600)  # the file may be older than this rule
        return open(fd, "a", encoding="utf-8", newline="\n")  # noqa: PTH123


class _Lines(logging.Formatter):
    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        at = local_time(int(record.created * 1000)).isoformat(sep=" ", timespec="milliseconds")[:23]
        subject = clean(getattr(record, "subject", f"bascule[{record.process}]"))
        lines = self._redactor.redact(super().format(record)[:MAX_ENTRY]).split("\n")
        return "\n".join(f"{at} {subject} {clean(line)}" for line in lines[:MAX_LINES])


def read_tail(path: Path, lines: int) -> list[str]:
    """The last lines of the log, oldest first; the file before the last rotation is part of it."""
    wanted = min(lines, MAX_TAIL)
    if wanted <= 0:
        return []
    found = _read_lines(path)
    if len(found) < wanted:
        found = _read_lines(path.with_name(path.name + ".1")) + found
    return found[-wanted:]


def _read_lines(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - MAX_TAIL_BYTES))
            data = file.read(MAX_TAIL_BYTES)
    except FileNotFoundError:
        return []
    whole = data if size <= MAX_TAIL_BYTES else data[data.find(b"\n") + 1 :]
    return whole.decode("utf-8", "replace").splitlines()
