"""Three nodes on a PostgreSQL under load, while nodes are killed and connections cut.

`python -m tests.relay.chaos SECONDS` runs it for longer than the test does.
"""

import asyncio
import contextlib
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from tests.relay.postgres import Postgres, run_postgres
from tests.relay.service import FRAMES, WEBHOOK, invite, make_request

from bascule.host.config.bridge_file import JoinedRelay, make_joined
from bascule.host.network.listener import LOOPBACK, Listener, bind
from bascule.host.network.relay_link import RelayAway, dial_relay, enroll
from bascule.host.network.socket_link import SocketLink
from bascule.model.consent.orders import Order, OrderOutcome
from bascule.model.relay_frames import (
    ChallengeFrame,
    CommandFrame,
    FromMachine,
    HelloFrame,
    ResultFrame,
    StoredFrame,
    TakenFrame,
)
from bascule.relay.chat.webhook_chat import SIGNATURE, sign_webhook
from bascule.relay.storage.relay_store import RelayStore, open_database

NODES, MACHINES, PEOPLE = 3, 6, 60
AGAIN_S = 30.0  # after which a person sends a message again
END_S = 90.0  # after the last fault, for everything to be reported
CONFIG = """
publicUrl = "http://127.0.0.1"
port = 0
operationsToken = "operations-token-of-the-test"
messagesPerMinute = 100000
{users}
[webhook]
secret = "{secret}"
replyUrl = "{reply}"
"""


class NodeProcess:
    """`bascule relay`, as a person runs it; killed and started again."""

    def __init__(self, home: Path, database: str) -> None:
        self._home = home
        self._database = database
        self._log = (home / "log").open("ab")
        self.url = ""  # empty while it is not there

    async def start(self) -> None:
        """Again, as a service manager does, while the database is away."""
        while not self.url:
            await self._start()

    async def _start(self) -> None:
        words = ["relay", "--config", str(self._home / "relay.toml"), "--database", self._database]
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bascule", *words),
            env={**os.environ, "BASCULE_HOME": str(self._home)},
            stdout=asyncio.subprocess.PIPE,
            stderr=self._log,
        )
        assert self._process.stdout is not None
        line = (await self._process.stdout.readline()).decode()
        if " on " in line:
            self.url = line.split(" on ")[1].split(". ")[0]
        else:
            await self._process.wait()

    async def kill(self) -> None:
        self.url = ""
        self._process.kill()
        await self._process.wait()

    async def stop(self) -> None:
        self._process.terminate()
        await self._process.wait()
        self._log.close()


class FussyChat:
    """Shows each reply once, by its key, and counts how often it came."""

    def __init__(self) -> None:
        self.came: Counter[str] = Counter()
        self.shown: dict[str, str] = {}

    async def reply(self, request: Request) -> Response:
        body = json.loads(await request.body())
        self.came[body["replyId"]] += 1
        self.shown.setdefault(body["replyId"], body["text"])
        return JSONResponse({})


class ClumsyMachine:
    """Carries out each command once; says things twice and out of order, and loses its connection."""

    def __init__(self, joined: JoinedRelay, nodes: list[NodeProcess], chance: random.Random) -> None:
        self._joined = joined
        self._nodes = nodes
        self._chance = chance
        self.done: dict[str, OrderOutcome] = {}
        self._unsent: dict[str, OrderOutcome] = {}
        self.deliveries: Counter[str] = Counter()

    async def run(self) -> None:
        while True:
            urls = [node.url for node in self._nodes if node.url]
            with contextlib.suppress(EOFError, RelayAway, OSError):
                if urls:
                    link = await dial_relay(self._chance.choice(urls))
                    try:
                        async with asyncio.timeout(self._chance.uniform(2, 20)):
                            await self._serve(link)
                    except TimeoutError:
                        pass
                    finally:
                        await link.close()
            await asyncio.sleep(self._chance.uniform(0.05, 0.3))

    async def _serve(self, link: SocketLink) -> None:
        while True:
            match FRAMES.decode(await link.receive()):
                case ChallengeFrame(nonce=nonce):
                    signature = self._joined.sign(nonce)
                    await _send(
                        link, HelloFrame(machine_id=self._joined.machine, version="1", signature=signature)
                    )
                    for outcome in list(self._unsent.values()):
                        await _send(link, ResultFrame(result=outcome))
                case CommandFrame(seq=seq, command=order):
                    await self._carry_out(link, seq, order)
                case StoredFrame(command_id=name):
                    self._unsent.pop(name, None)
                case _:
                    pass

    async def _carry_out(self, link: SocketLink, seq: int, order: Order) -> None:
        assert order.machine_id == self._joined.machine
        name = order.command_id
        self.deliveries[name] += 1
        outcome = self.done.setdefault(
            name,
            OrderOutcome(
                command_id=name,
                machine_id=order.machine_id,
                status="ok",
                summary=f"did {order.prompt}",
                created_at=order.created_at,
            ),
        )
        self._unsent[name] = outcome
        frames: list[FromMachine] = [TakenFrame(seq=seq, command_id=name), ResultFrame(result=outcome)]
        frames += self._chance.choices(frames, k=self._chance.randrange(2))
        self._chance.shuffle(frames)
        for frame in frames:
            await _send(link, frame)


async def _send(link: SocketLink, frame: FromMachine) -> None:
    await link.send(msgspec.json.encode(frame))


class Person:
    """Sends a message until some node has taken it; sometimes to two nodes at once."""

    def __init__(self, name: str, nodes: list[NodeProcess], chance: random.Random) -> None:
        self._name = name
        self._nodes = nodes
        self._chance = chance
        self.taken: list[str] = []  # message ids

    async def run(self, until_s: float) -> None:
        count = 0
        while time.monotonic() < until_s:
            count += 1
            message = f"{self._name}-{count}"
            await asyncio.gather(*(self._insist(message) for _ in range(self._chance.choice((1, 1, 1, 2)))))
            self.taken.append(message)
            await asyncio.sleep(self._chance.uniform(0.5, 2.5))

    async def _insist(self, message: str) -> None:
        while True:
            urls = [node.url for node in self._nodes if node.url]
            with contextlib.suppress(OSError, EOFError, ValueError, IndexError):
                async with asyncio.timeout(AGAIN_S):
                    if urls and await post_message(self._chance.choice(urls), self._name, message) == 200:
                        return
            await asyncio.sleep(0.1)


async def post_message(url: str, user: str, message: str) -> int:
    body = json.dumps({"messageId": message, "userId": user, "text": f"@dev plan {message}"}).encode()
    signed = sign_webhook(WEBHOOK, body, int(time.time()))
    head = f"POST /webhook HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{SIGNATURE}: {signed}\r\n"
    host, port = url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await reader.read()
        return int(answer.split(b" ")[1]) if b"\r\n\r\n" in answer else 0
    finally:
        writer.close()


async def make_trouble(
    postgres: Postgres, nodes: list[NodeProcess], until_s: float, chance: random.Random
) -> Counter[str]:
    """Every kind at least once, in any order."""
    done: Counter[str] = Counter()
    kinds = ["kill", "cut", "restart"]
    while time.monotonic() < until_s or len(done) < len(kinds):
        await asyncio.sleep(chance.uniform(1.0, 3.0))
        kind = chance.choice([one for one in kinds if not done[one]] or ["kill", "kill", "cut", "restart"])
        done[kind] += 1
        if kind == "kill":
            node = chance.choice(nodes)
            await node.kill()
            await asyncio.sleep(chance.uniform(0.0, 1.0))
            await node.start()
        elif kind == "cut":
            await asyncio.to_thread(postgres.cut_connections)
        else:
            await asyncio.to_thread(postgres.restart)
    return done


class ChaosResult(msgspec.Struct, frozen=True):
    sent: int
    commands: int
    refused: int
    troubles: dict[str, int]
    repeated_replies: int  # that the chat recognized by their key


async def run_chaos(root: Path, postgres: Postgres, seconds: float, seed: int) -> ChaosResult:
    chance, chat = random.Random(seed), FussyChat()
    database = await asyncio.to_thread(postgres.make_database)
    app = Starlette(routes=[Route("/reply", chat.reply, methods=["POST"])])
    async with Listener(app, bind(LOOPBACK, 0)) as listener:
        nodes = [NodeProcess(_write_home(root, n, listener.port), database) for n in range(NODES)]
        await asyncio.gather(*(node.start() for node in nodes))
        machines = []
        for number in range(MACHINES):
            joined = make_joined(nodes[0].url, f"m{number}")
            secret = await asyncio.to_thread(invite, database, nodes[0].url, joined.machine)
            await enroll(nodes[0].url, make_request(joined, secret))
            machines.append(ClumsyMachine(joined, nodes, chance))
        until_s = time.monotonic() + seconds
        people = [Person(f"u{n}", nodes, chance) for n in range(PEOPLE)]
        async with asyncio.TaskGroup() as group:
            working = [group.create_task(machine.run()) for machine in machines]
            trouble = group.create_task(make_trouble(postgres, nodes, until_s, chance))
            await asyncio.gather(*(person.run(until_s) for person in people))
            troubles = await trouble
            await until_reported(database)
            for task in working:
                task.cancel()
        await asyncio.gather(*(node.stop() for node in nodes))
    sent = [message for person in people for message in person.taken]
    return check_aftermath(database, sent, machines, chat, dict(troubles))


def _write_home(root: Path, number: int, chat_port: int) -> Path:
    home = root / f"node{number}"
    home.mkdir(mode=0o700)
    users = "".join(f'[[users]]\nid = "u{n}"\nmachine = "m{n % MACHINES}"\n' for n in range(PEOPLE))
    reply = f"http://{LOOPBACK}:{chat_port}/reply"
    (home / "relay.toml").write_text(CONFIG.format(users=users, secret=WEBHOOK, reply=reply))
    (home / "relay.toml").chmod(0o600)
    return home


async def until_reported(database: str) -> None:
    def count() -> int:
        db = open_database(database)
        try:
            return int(db.query("SELECT count(*) FROM commands WHERE reported = 0")[0][0])
        finally:
            db.close()

    async with asyncio.timeout(END_S):
        while await asyncio.to_thread(count):
            await asyncio.sleep(0.5)


def check_aftermath(
    database: str, sent: list[str], machines: list[ClumsyMachine], chat: FussyChat, troubles: dict[str, int]
) -> ChaosResult:
    """Every message is one command or one refusal; every command has one outcome, shown once."""
    db = open_database(database)
    bodies: dict[str, str] = dict(db.query("SELECT command_id, body FROM commands"))
    prompts = Counter(json.loads(body)["prompt"] for body in bodies.values())
    of_commands = "SELECT command_id, step FROM audit WHERE command_id <> ''"
    steps = Counter(db.query(f"{of_commands} AND status <> 'seen'"))  # without messages that came twice
    outcomes: dict[str, str] = dict(db.query("SELECT command_id, outcome FROM commands"))
    db.close()
    refused = sum(count for (name, step), count in steps.items() if step == "refused")
    assert [prompt for prompt, count in prompts.items() if count > 1] == []
    assert set(prompts) <= set(sent)
    assert len(bodies) + refused == len(sent)
    for step in ("created", "outcome", "reported"):
        assert {name for name in bodies if steps[name, step] != 1} == set(), step
    did = {name: outcome for machine in machines for name, outcome in machine.done.items()}
    assert did.keys() == bodies.keys()
    assert {name for name in bodies if json.loads(outcomes[name])["summary"] != did[name].summary} == set()
    assert chat.shown == {name: f"Done · {name}\n{did[name].summary}" for name in bodies}
    store = RelayStore(database)
    assert store.verify()[1] is None
    store.close()
    repeated = sum(count - 1 for count in chat.came.values())
    assert repeated <= 20 * sum(troubles.values())  # what was on its way when a node or the database fell
    return ChaosResult(len(sent), len(bodies), refused, troubles, repeated)


def main(seconds: float) -> None:
    with tempfile.TemporaryDirectory() as root, run_postgres() as postgres:
        seen = asyncio.run(run_chaos(Path(root), postgres, seconds, random.randrange(2**32)))
        sys.stdout.write(f"{seen}\n")


if __name__ == "__main__":
    main(float(sys.argv[1]))
