"""One request to the running daemon, with the token that only this user can read."""

from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING
from urllib.parse import quote

from bascule.core.faults import CannotGoOn

if TYPE_CHECKING:
    from bascule.host.registration import Registration

TIMEOUT_S = 10.0
MAX_ANSWER = 16 * 1024 * 1024


class NotAnswering(CannotGoOn):
    """The daemon is there and says nothing."""


def call(daemon: "Registration", method: str, path: str, workspace: str = "") -> bytes:
    """The body of its answer; a refusal is a fault."""
    from bascule.host.registration import WORKSPACE_HEADER

    headers = {
        "Authorization": f"Bearer {daemon.token}",
        "Content-Type": "application/json",
        WORKSPACE_HEADER: quote(workspace),
    }
    connection = HTTPConnection("127.0.0.1", daemon.port, timeout=TIMEOUT_S)
    try:
        connection.request(method, path, body=b"{}" if method == "POST" else None, headers=headers)
        answer = connection.getresponse()
        body = answer.read(MAX_ANSWER)
    except (OSError, HTTPException) as fault:
        raise NotAnswering(
            f"The daemon (pid {daemon.pid}) does not answer on port {daemon.port}: {fault}. "
            f"If it hangs, end process {daemon.pid} and start it anew with `bascule up`."
        ) from None
    finally:
        connection.close()
    if answer.status >= 400:
        raise NotAnswering(
            f"The daemon (pid {daemon.pid}) refused {method} {path} with {answer.status}. "
            f"End process {daemon.pid} and start it anew with `bascule up`."
        )
    return body
