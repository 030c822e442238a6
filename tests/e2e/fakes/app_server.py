"""A small app-server that keeps to the wire, but for the one fault that it is set to have.

Usage: app_server.py FAULT [CODEX]. With a CODEX it has the fault in folders called `bad` only, and is
that Codex anywhere else.
"""

import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

Message = dict[str, Any]

OVERLONG = 17 * 1024 * 1024
OVERLOADED = {"code": -32001, "message": "Server overloaded; retry later."}
THREAD = "01a1e0f8-0000-7000-8000-00000000fa4e"


class Server:
    """Every prompt is echoed in a turn of its own."""

    version = "0.163.0"

    def __init__(self) -> None:
        self._turns = 0

    def serve(self) -> None:
        for line in sys.stdin:
            message = json.loads(line)
            if "id" in message and "method" in message:
                self.take(message)

    def take(self, call: Message) -> None:
        match call["method"]:
            case "initialize":
                self.answer(call, {"userAgent": f"fake/{self.version} (test)"})
            case "thread/start" | "thread/resume":
                self.answer(call, self.thread(call["params"]))
            case "turn/start":
                self.turn(call)
            case _:
                self.refuse(call, {"code": -32600, "message": "no active turn"})

    def thread(self, params: Message) -> Message:
        their_id = params.get("threadId", THREAD)
        thread = {"id": their_id, "cwd": params.get("cwd", "")}
        return {"thread": thread, "model": "fake", "initialTurnsPage": {"data": []}}

    def turn(self, call: Message) -> None:
        turn = self.next_turn()
        self.answer(call, {"turn": turn})
        self.begin(call, turn)
        self.end(call, turn)

    def next_turn(self) -> Message:
        self._turns += 1
        return {"id": f"turn-{os.getpid()}-{self._turns}", "status": "inProgress", "items": []}

    def begin(self, call: Message, turn: Message) -> None:
        params = call["params"]
        self.tell("turn/started", params, turn=turn)
        item = {
            "type": "userMessage",
            "id": f"{turn['id']}-user",
            "clientId": params["clientUserMessageId"],
            "content": params["input"],
        }
        self.tell("item/completed", params, turnId=turn["id"], item=item)

    def end(self, call: Message, turn: Message) -> None:
        params = call["params"]
        text = f"You said: {params['input'][0]['text'][:100]}"
        item = {"type": "agentMessage", "id": f"{turn['id']}-said", "text": text, "phase": "final_answer"}
        self.tell("item/completed", params, turnId=turn["id"], item=item)
        self.tell("turn/completed", params, turn={**turn, "status": "completed"})

    def answer(self, call: Message, result: Message) -> None:
        self.write({"id": call["id"], "result": result})

    def refuse(self, call: Message, error: Message) -> None:
        self.write({"id": call["id"], "error": error})

    def tell(self, method: str, params: Message, **more: Any) -> None:
        self.write({"method": method, "params": {"threadId": params["threadId"], **more}})

    def write(self, message: Message) -> None:
        self.write_text(json.dumps(message) + "\n")

    def write_text(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


class Old(Server):
    version = "0.50.0"


class Overloaded(Server):
    """Says "try again later" twice to every kind of call but the first."""

    def __init__(self) -> None:
        super().__init__()
        self._refused: dict[str, int] = {}

    def take(self, call: Message) -> None:
        method = call["method"]
        if method != "initialize" and self._refused.setdefault(method, 0) < 2:
            self._refused[method] += 1
            self.refuse(call, OVERLOADED)
        else:
            super().take(call)


class Flooding(Server):
    """Lines that are no messages, and one that hardly ends, in the middle of each turn."""

    def begin(self, call: Message, turn: Message) -> None:
        super().begin(call, turn)
        for number in range(2_000):
            self.write_text(f"panic at line {number} {{\n")
            self.write({"method": "item/completed", "params": {"wrong": number}})
            self.tell("fake/news", call["params"], number=number)
        self.write_text("x" * OVERLONG + "\n")


class Deaf(Server):
    """Reads nothing more once there is a thread."""

    def take(self, call: Message) -> None:
        super().take(call)
        if call["method"].startswith("thread/"):
            wait_for_ever()


class Mute(Server):
    """Takes a prompt and says nothing, not even that."""

    def turn(self, call: Message) -> None:
        pass


class Hasty(Server):
    """A turn is over in the same write that answers its start."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[str] | None = None

    def turn(self, call: Message) -> None:
        self._kept = []
        super().turn(call)
        text, self._kept = "".join(self._kept), None
        self.write_text(text)

    def write_text(self, text: str) -> None:
        if self._kept is None:
            super().write_text(text)
        else:
            self._kept.append(text)


class Abrupt(Server):
    """The first turn fails without having started."""

    def turn(self, call: Message) -> None:
        if self._turns:
            super().turn(call)
            return
        turn = self.next_turn()
        self.answer(call, {"turn": turn})
        failed = {**turn, "status": "failed", "error": {"message": "The bridge is up."}}
        self.tell("turn/completed", call["params"], turn=failed)


class Late(Server):
    """The first turn goes on until somebody steers, and ends just before it would take that."""

    def turn(self, call: Message) -> None:
        if self._turns:
            super().turn(call)
            return
        self._open = (call, self.next_turn())
        self.answer(call, {"turn": self._open[1]})
        self.begin(*self._open)

    def take(self, call: Message) -> None:
        if call["method"] == "turn/steer":
            self.end(*self._open)
        super().take(call)


class Asking(Server):
    """Asks for a command, a file, a permission and an answer in every turn, and says what it was answered."""

    ASKED: tuple[tuple[str, Message], ...] = (
        ("item/commandExecution/requestApproval", {"itemId": "c", "command": "make bridge", "cwd": "/"}),
        ("item/fileChange/requestApproval", {"itemId": "f", "grantRoot": "/"}),
        ("item/permissions/requestApproval", {"itemId": "p", "permissions": {"network": {"enabled": True}}}),
        (
            "item/tool/requestUserInput",
            {"itemId": "q", "questions": [{"id": "name", "header": "Name", "question": "Which name?"}]},
        ),
    )

    def turn(self, call: Message) -> None:
        turn = self.next_turn()
        self.answer(call, {"turn": turn})
        self.begin(call, turn)
        answers = [self.ask(call, turn, *asked) for asked in self.ASKED]
        said = {"type": "agentMessage", "id": f"{turn['id']}-said", "text": json.dumps(answers)}
        self.tell("item/completed", call["params"], turnId=turn["id"], item=said)
        self.tell("turn/completed", call["params"], turn={**turn, "status": "completed"})

    def ask(self, call: Message, turn: Message, method: str, params: Message) -> Any:
        name = f"{turn['id']}-{params['itemId']}"
        thread = {"threadId": call["params"]["threadId"], "turnId": turn["id"]}
        self.write({"id": name, "method": method, "params": {**params, **thread}})
        for line in sys.stdin:
            message = json.loads(line)
            if message.get("id") == name:
                return message.get("result")
        return None


def print_garbage() -> None:
    """A program that is something else, and says so."""
    sys.stdout.write("hello?\nUsage: frobnicate [--now]\n\x00\xff{]\n")


def chatter() -> None:
    """A program that is something else, and does not end."""
    print_garbage()
    sys.stdout.flush()
    wait_for_ever()


def die() -> None:
    sys.stderr.write("\x1b[2m2026-01-31T09:30:00.000000Z\x1b[0m  INFO fake: starting\n\n")
    sys.stderr.write("\x1b[31mfake: the library libfrob.so is missing\x1b[0m\n")
    sys.stderr.write("Stack backtrace:\n   0: <unknown>\n      at ./fake.rs:1\n")
    sys.exit(3)


def wait_for_ever() -> None:
    """Without a glance at stdin."""
    threading.Event().wait()


FAULTS: dict[str, Callable[[], object]] = {
    "none": lambda: Server().serve(),
    "old": lambda: Old().serve(),
    "overloaded": lambda: Overloaded().serve(),
    "flooding": lambda: Flooding().serve(),
    "deaf": lambda: Deaf().serve(),
    "mute": lambda: Mute().serve(),
    "hasty": lambda: Hasty().serve(),
    "abrupt": lambda: Abrupt().serve(),
    "late": lambda: Late().serve(),
    "asking": lambda: Asking().serve(),
    "garbage": print_garbage,
    "chatter": chatter,
    "dies": die,
}


def main(fault: str, codex: str = "") -> None:
    if codex and not Path.cwd().name.startswith("bad-"):
        os.execv(codex, [codex, "app-server"])
    FAULTS[fault]()


if __name__ == "__main__":
    main(*sys.argv[1:])
