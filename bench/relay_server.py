"""A relay in a process of its own, for the bench: `python -m bench.relay_server FOLDER PEOPLE`."""

import asyncio
import sys
from pathlib import Path

from bascule.host.network.listener import LOOPBACK, Listener, bind
from bascule.relay.config import RelayConfig, RelayUser, WebhookConfig
from bascule.relay.relay_app import open_relay

SECRET = "the secret of the bench"  # nothing else knows it


async def serve(folder: Path, people: int) -> None:
    sock = bind(LOOPBACK, 0)
    url = f"http://{LOOPBACK}:{sock.getsockname()[1]}"
    config = RelayConfig(
        public_url=url,
        operations_token=SECRET,
        messages_per_minute=1_000_000,
        users=tuple(RelayUser(id=f"u{number}", machine=f"m{number}") for number in range(people)),
        webhook=WebhookConfig(secret=SECRET, reply_url="http://127.0.0.1:9/nobody-listens"),
    )
    async with open_relay(config, folder / "relay.db") as app, Listener(app, sock):
        print(url, flush=True)
        await asyncio.to_thread(sys.stdin.read)  # until the bench is over


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), int(sys.argv[2])))
