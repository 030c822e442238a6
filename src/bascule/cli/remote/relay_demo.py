"""`bascule relay --demo`: a chat in the browser, a relay, a machine and an offline Codex in one."""

import argparse
import asyncio
import secrets
import shutil
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bascule.cli import say
from bascule.cli.connect.start_options import agent_env, demo_prompts, open_data_folder

if TYPE_CHECKING:
    from bascule.daemon.parts import App
    from bascule.host.files.data_folder import Folder
    from bascule.relay.config import RelayConfig

COMMAND = "bascule relay --demo"  # as it signs the data folder
USER = "ann"
DATABASE = "relay.db"


async def serve_demo(args: argparse.Namespace) -> int:
    from bascule.daemon.app import open_app
    from bascule.host.clock import new_id
    from bascule.host.config.settings_files import read_settings
    from bascule.host.machine import host_name
    from bascule.host.network.listener import LOOPBACK, Listener, bind
    from bascule.host.processes.signals import STOP_SIGNALS, on_signals
    from bascule.relay.config import make_dev_config
    from bascule.relay.http.demo_chat import DemoChat
    from bascule.relay.relay_app import LIMITS, open_relay
    from bascule.serve.serving import serving

    folder, token = open_data_folder(demo=True), secrets.token_urlsafe(24)
    async with (
        open_app(
            folder, command=COMMAND, beside=lambda: _prepare(args, folder), demo_prompts=demo_prompts(args)
        ) as app,
        serving(app, folder) as doors,
    ):
        sock = bind(LOOPBACK, 0)
        url = f"http://{LOOPBACK}:{sock.getsockname()[1]}"
        machine = read_settings(folder, None).machine_id or host_name()
        config = make_dev_config(USER, machine, secrets.token_urlsafe(24), url)
        chat = DemoChat(user=USER, token=token, desk=doors.url, new_id=new_id)
        database = str(folder.root / "relay" / DATABASE)
        async with (
            open_relay(config, database, local_chat=chat) as relay,
            Listener(relay, sock, limits=LIMITS),
            _joined(folder, app, config, database),
        ):
            with on_signals(STOP_SIGNALS, doors.asked_to_stop.set):
                say(f"The chat:        {url}/chat/#token={token}")
                say(f"The desk:        {doors.new_link(str(folder.project))}")
                say(f"The operator:    {url}/ops/  (token {config.operations_token})")
                say(f"In the chat you are {USER}. Try: @dev help, @dev patch one more function")
                say("What needs a yes is asked at the desk. Ctrl+C ends all of it.")
                sys.stdout.flush()
                await doors.asked_to_stop.wait()
    say("The demo has ended.")
    return 0


@asynccontextmanager
async def _prepare(args: argparse.Namespace, folder: "Folder") -> AsyncIterator[Mapping[str, str]]:
    """Once the folder is ours: the demo's project is open to Orders, and the relay begins empty."""
    from bascule.demo.home import name_for_orders

    async with agent_env(args, folder) as env:
        name_for_orders(folder.settings, folder.project)
        shutil.rmtree(folder.root / "relay", ignore_errors=True)
        (folder.root / "relay").mkdir(mode=0o700)
        yield env


@asynccontextmanager
async def _joined(folder: "Folder", app: "App", config: "RelayConfig", database: str) -> AsyncIterator[None]:
    """The way of `bascule relay enroll` and `bascule bridge join`; at the end it is left."""
    from bascule.cli.remote.bridge import join_relay, parse_code
    from bascule.cli.remote.relay import make_join_code
    from bascule.host.config.bridge_file import BridgeFile

    file = BridgeFile(folder.root)
    file.remove()  # of a demo that was killed
    code = await asyncio.to_thread(make_join_code, config, database, config.users[0].machine)
    await join_relay(file, parse_code(code))
    try:
        await app.bridge.until(lambda state: state is not None and state.status == "connected")
        yield
    finally:
        file.remove()
