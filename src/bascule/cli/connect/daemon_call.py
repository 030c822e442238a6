"""One request to the running daemon, over its local socket."""

import socket
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING
from urllib.parse import quote

from bascule.core.faults import UserError

if TYPE_CHECKING:
    from bascule.host.network.registration import Registration

TIMEOUT_S = 10.0
MAX_ANSWER = 16 * 1024 * 1024


class NotAnswering(UserError):
    """The daemon is there and says nothing."""

    def __init__(self, said: str, next_step: str = "") -> None:
        super().__init__(f"{said} {next_step}".rstrip())
        self.said = said


class CallRefused(UserError):
    """The daemon answers, and says no."""


class _LocalConnection(HTTPConnection):
    """HTTP over a local socket."""

    def __init__(self, path: str, pid: int) -> None:
        super().__init__("localhost", timeout=TIMEOUT_S)
        self._path = path
        self._pid = pid

    def connect(self) -> None:
        from bascule.host.network.local_socket import dial_local

        self.sock: socket.socket = dial_local(self._path, TIMEOUT_S, self._pid)


def call(daemon: "Registration", method: str, path: str, workspace: str = "") -> bytes:
    """The body of its answer; a refusal is a fault."""
    from bascule.host.network.registration import WORKSPACE_HEADER

    headers = {"Content-Type": "application/json", WORKSPACE_HEADER: quote(workspace)}
    if daemon.socket:
        connection: HTTPConnection = _LocalConnection(daemon.socket, daemon.pid)
    else:
        connection = HTTPConnection("127.0.0.1", daemon.port, timeout=TIMEOUT_S)
        headers["Authorization"] = f"Bearer {daemon.token}"
    try:
        connection.request(method, path, body=b"{}" if method == "POST" else None, headers=headers)
        answer = connection.getresponse()
        body = answer.read(MAX_ANSWER)
    except (OSError, HTTPException) as fault:
        raise NotAnswering(
            f"The daemon (pid {daemon.pid}) does not answer {daemon.where}: {fault}.",
            "`bascule down` ends it, `bascule up` starts it again.",
        ) from None
    finally:
        connection.close()
    if answer.status >= 400:
        why = body.decode("utf-8", "replace").strip()
        said = f"The daemon (pid {daemon.pid}) refused {method} {path}: {why}"
        raise NotAnswering(said) if answer.status >= 500 else CallRefused(said)
    return body
