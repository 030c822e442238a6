"""The log that `bascule logs` shows: bounded, readable by its owner only, harmless to print, without keys."""

import logging
import os
import re
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from bascule.host.clock import local_time

MAX_LINE = 8 * 1024  # characters of one line in the log
MAX_LINES = 200  # of one entry: a traceback, not a book
MAX_TAIL = 10_000  # lines that are read back
MAX_TAIL_BYTES = 4 * 1024 * 1024

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
SECRETS = (
    (re.compile(r"\b(bearer|basic)(\s+)[\w.~+/=-]{8,}", re.IGNORECASE), r"\1\2[redacted]"),
    (re.compile(r"\bsk-[\w-]{8,}"), "sk-[redacted]"),
    (re.compile(r"\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*"), "[redacted]"),  # a JSON web token
    (re.compile(r"\b(gh[pousr]_|github_pat_)\w{16,}"), r"\1[redacted]"),
    (
        re.compile(
            r"(?i)((?:api[_-]?key|access_token|refresh_token|id_token)[\"']?\s*[:=]\s*[\"']?)[^\s\"',}]{8,}"
        ),
        r"\1[redacted]",
    ),
)


def clean(text: str) -> str:
    """One line as it may be stored and shown: no colours, no keys, nothing a terminal would obey."""
    text = COLOUR.sub("", text)
    for secret, instead in SECRETS:
        text = secret.sub(instead, text)
    short = text if len(text) <= MAX_LINE else text[:MAX_LINE] + "… (cut)"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in short)


class LogFile:
    """Writes lines under a subject, such as `codex[812]`; takes what our own loggers say as well."""

    def __init__(self, path: Path, *, max_bytes: int) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._handler = _Handler(path, maxBytes=max_bytes // 2, backupCount=1, encoding="utf-8")
        self._handler.setFormatter(_Lines())

    @property
    def handler(self) -> logging.Handler:
        """To be added to the `bascule` logger by whoever owns the process."""
        return self._handler

    def write(self, subject: str, text: str) -> None:
        record = logging.LogRecord(subject, logging.INFO, "", 0, text, None, None)
        record.subject = subject
        self._handler.handle(record)

    def close(self) -> None:
        self._handler.close()


class _Handler(RotatingFileHandler):
    def _open(self) -> TextIOWrapper:
        fd = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        if hasattr(os, "fchmod"):
            os.fchmod(fd, 0o600)  # the file may be older than this rule
        return open(fd, "a", encoding="utf-8", newline="\n")  # noqa: PTH123


class _Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = local_time(int(record.created * 1000)).isoformat(sep=" ", timespec="milliseconds")[:23]
        subject = clean(getattr(record, "subject", f"bascule[{record.process}]"))
        lines = super().format(record).split("\n")
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
