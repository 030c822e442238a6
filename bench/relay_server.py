"""A node of a relay, for the bench: `python -m bench.relay_server DATABASE PEOPLE CHAT_PORT`."""

import asyncio
import sys

from bascule.host.network.fast_loop import run_fast
from bascule.host.network.listener import LOOPBACK, Listener, bind
from bascule.relay.config import RelayConfig, RelayUser, WebhookConfig
from bascule.relay.relay_app import LIMITS, open_relay
from bench.relay_load import SECRET


async def serve(database: str, people: int, chat: str) -> None:
    sock = bind(LOOPBACK, 0)
    url = f"http://{LOOPBACK}:{sock.getsockname()[1]}"
    config = RelayConfig(
        public_url=url,
        operations_token=SECRET,
        messages_per_minute=1_000_000,
        users=tuple(RelayUser(id=f"u{number}", machine=f"m{number}") for number in range(people)),
        webhook=WebhookConfig(secret=SECRET, reply_url=f"http://{LOOPBACK}:{chat}/reply"),
    )
    async with open_relay(config, database) as app, Listener(app, sock, limits=LIMITS):
        print(url, flush=True)
        await asyncio.to_thread(sys.stdin.read)  # until the bench is over


if __name__ == "__main__":
    run_fast(serve(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
