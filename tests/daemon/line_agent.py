"""An agent with a wire of its own: a word, a conversation and the rest on each line; no JSON-RPC, no run ids.

It says each prompt back. `run: COMMAND` asks first; `wait` goes on until it is stopped. What was said is kept
in the folder it starts in, so that a conversation can be opened again.
"""

import json
import sys
from pathlib import Path


def hear() -> list[str]:
    line = sys.stdin.readline()
    return line.rstrip("\n").split(" ", 2) if line else []


def say(*words: str) -> None:
    sys.stdout.write(" ".join(words) + "\n")
    sys.stdout.flush()


def serve() -> None:
    while words := hear():
        match words:
            case ["hello", _]:
                say("hello", "line-agent/1")
            case ["new", _]:
                name = f"c{len(list(Path().glob('*.log'))) + 1}"
                Path(f"{name}.log").write_text("", encoding="utf-8")
                say("opened", name)
            case ["open", name]:
                lines = Path(f"{name}.log").read_text(encoding="utf-8").splitlines()
                say("opened", name, json.dumps([json.loads(line) for line in lines]))
            case ["say", name, text]:
                answer(name, json.loads(text))
            case _:
                sys.exit(f"not of this wire: {words}")


def answer(name: str, text: str) -> None:
    say("begun", name)
    if text == "wait":
        say("text", name, json.dumps("Waiting."))
        hear()  # stop
        say("stopped", name)
        return
    reply = f"You said: {text}"
    if text.startswith("run: "):
        say("ask", name, json.dumps(text.removeprefix("run: ")))
        reply = f"The answer was {hear()[0]}."
    for word in reply.split(" "):
        say("text", name, json.dumps(f"{word} "))
    with Path(f"{name}.log").open("a", encoding="utf-8") as log:
        log.write(json.dumps([text, reply]) + "\n")
    say("done", name)


if __name__ == "__main__":
    serve()
