"""The plays: for each demo kind, what the model says and does, as a generator that tools answer.

A play yields outputs; a tool call is answered with what the tool gave back, anything else with "".
"""

import re
from collections.abc import Callable, Generator, Mapping

import msgspec

from bascule.demo.edit import SOURCE, make_diff, make_patch
from bascule.demo.outputs import Fail, Output, Patch, Say, Search, Think, ToolUse
from bascule.demo.prose import make_prose
from bascule.model.protocol.setup import DemoPrompt

LONG_WORDS = 20_000
README = "README.md"
YIELD_MS = 30_000  # the longest that Codex waits for a command
MAX_WAITS = 10
SLOW_WORDS = 300  # a word every 200 ms for a minute
MCP_NAMESPACE = "mcp__demo"  # Codex's name for the tools of the server that its configuration calls demo

Play = Generator[Output, str, None]


class DemoMachine(msgspec.Struct, frozen=True):
    """What the plays need to know of the machine they run on."""

    python: str  # the word that starts Python in the shell that Codex uses


class Kind(msgspec.Struct, frozen=True):
    about: str
    says: str  # a prompt that plays it, as a person would write it; its session is named by it
    play: Callable[[DemoMachine], Play]


TEXT = """\
## A raised bridge

This is **Markdown** from the demo model, sent a word at a time.

1. Lists keep their numbers,
2. `inline code` keeps its font,
3. and [links](https://example.com/) keep their target.

| leaf  | angle | traffic |
| ----- | ----: | ------- |
| north |   72° | waits   |
| south |    0° | crosses |

```python
def lower(angle: int) -> int:
    return max(0, angle - 1)
```

> Nothing crosses until someone at the machine lowers the bridge. 橋が下りるまで待つ。
"""

PROPOSAL = """\
This is a plan to agree on before anything is done.

<proposed_plan>
# Raise the bridge

1. Stop the traffic.
2. Raise the leaf.
3. Let the ship through.
</proposed_plan>
"""


def text(_machine: DemoMachine) -> Play:
    yield Say(TEXT)


def reasoning(_machine: DemoMachine) -> Play:
    yield Think(
        (
            "**Reading the question**\n\nThe prompt asks to see reasoning, so I show a summary in two parts.",
            "**Choosing an answer**\n\nA short one will do: the summary itself is what matters here.",
        )
    )
    yield Say("That was a reasoning summary in two parts; this is the answer that follows it.")


def command(machine: DemoMachine) -> Play:
    yield Say("I will run the project's tests.")
    result = yield from _run(f"{machine.python} -m unittest -v")
    if _succeeded(result):
        yield Say("The tests pass.")
    else:
        yield Say(f"The tests did not pass. What came back:\n\n```\n{_output(result)}\n```")


def approval(machine: DemoMachine) -> Play:
    yield Say("Compiling the module writes a cache next to it, so I ask to leave the sandbox.")
    result = yield from _run(
        f"{machine.python} -m compileall -q {SOURCE}",
        sandbox_permissions="require_escalated",
        justification="May I compile the module? That writes to the project's __pycache__ folder.",
    )
    if _succeeded(result):
        yield Say("You allowed it, and the module is compiled.")
    else:
        yield Say("It was not run, so nothing was written. That is fine.")


def edit(_machine: DemoMachine) -> Play:
    yield Say(f"I will read `{SOURCE}` and add a function to it, with a test in a file of its own.")
    source = yield from _run(f"cat {SOURCE}")
    result = yield Patch(make_patch(_output(source)))
    if _succeeded(result):
        yield Say(f"`{SOURCE}` has one more function, and a new test file checks it.")
    else:
        yield Say("The edit was not made, so the files are as they were.")


def rewrite(_machine: DemoMachine) -> Play:
    yield Say(
        f"I will add a line to `{README}` with a command, not with an edit, so I ask to leave the sandbox."
    )
    result = yield from _run(
        f"echo A command wrote this line. >> {README}",
        sandbox_permissions="require_escalated",
        justification=f"May I add a line to {README}?",
    )
    if _succeeded(result):
        yield Say(f"`{README}` has one more line. The review of this run says who wrote it.")
    else:
        yield Say("The command did not run, so the file is as it was.")


def question(_machine: DemoMachine) -> Play:
    result = yield ToolUse(
        "request_user_input",
        {
            "questions": [
                _question(
                    "leaf",
                    "Leaf",
                    "Which leaf of the bridge should go up first?",
                    {"North (Recommended)": "The wind is behind it.", "South": "The ferry waits there."},
                ),
                _question(
                    "pace",
                    "Pace",
                    "How fast should it go?",
                    {"Slowly": "Kind to the hinge.", "Quickly": "Kind to the ferry."},
                ),
            ]
        },
    )
    yield Say(_echo_answers(result))


def plan(_machine: DemoMachine) -> Play:
    steps = ("Stop the traffic", "Raise the leaf", "Let the ship through")
    result = yield _plan(steps, done=0, why="Three steps, one after the other.")
    if "Plan mode" in result:  # there Codex refuses the tool, and takes a proposal out of the text instead
        yield Say(PROPOSAL)
        return
    yield _plan(steps, done=1, why="The road is clear.")
    yield _plan(steps, done=len(steps), why="The ship is through.")
    yield Say("All three steps of the plan are done.")


def search(_machine: DemoMachine) -> Play:
    yield Search("how does a bascule bridge work")
    yield Say("That is how a web search shows. The demo is offline, so nothing was looked up.")


def mcp(_machine: DemoMachine) -> Play:
    yield Say("I will ask the demo's MCP server what a word means, then have it sign the guest book.")
    meaning = yield ToolUse("define", {"word": "bascule"}, namespace=MCP_NAMESPACE)
    # not marked read-only, so Codex asks before it runs; then the server itself asks for a name
    signed = yield ToolUse("sign_guest_book", {"page": 1}, namespace=MCP_NAMESPACE)
    yield Say(f"The server says:\n\n> {_output(meaning)}\n\nAnd of the guest book:\n\n> {_output(signed)}")


def long(_machine: DemoMachine) -> Play:
    yield Say(make_prose(LONG_WORDS))


def slow(_machine: DemoMachine) -> Play:
    yield Say(make_prose(SLOW_WORDS), slow=True)


def error(_machine: DemoMachine) -> Play:
    yield Say("The next thing that the demo model does is fail.")
    yield Fail("invalid_prompt", "The demo model failed on purpose, because the prompt asked for it.")


def make_plan(_machine: DemoMachine, asked: str) -> Play:
    """The answer to /plan. With demo:slow in it word by word."""
    yield Say(
        f"1. Add a function to `{SOURCE}`, and name it in `__all__`.\n"
        "2. Add a test of it in a file of its own.\n"
        "3. Run the tests.\n",
        slow="demo:slow" in asked,
    )


def patch(_machine: DemoMachine, asked: str, *, again: bool) -> Play:
    """The answer to /patch. With demo:wrong in it the first is of no use, with demo:useless each one;
    with demo:write it tries to write first, three ways."""
    source = yield from _run(f"cat {SOURCE}")
    if "demo:write" in asked:
        tried = yield Patch(make_patch(_output(source)))
        more = yield from _run("echo written > written.txt")
        escaped = yield from _run(
            "echo written > written.txt", sandbox_permissions="require_escalated", justification="May I?"
        )
        yield Say(f"I tried to write:\n\n```\n{tried}\n{more}\n{escaped}\n```")
    if "demo:useless" in asked or ("demo:wrong" in asked and not again):
        yield Say(f"```diff\n--- a/{SOURCE}\n+++ b/{SOURCE}\n@@ -1 +1 @@\n-not there\n+at all\n```\n")
        return
    yield Say(f"One more function, and a test of it.\n\n```diff\n{make_diff(_output(source) + chr(10))}```\n")


KINDS: Mapping[str, Kind] = {
    "text": Kind("a Markdown answer with a list, a table and code", "Show me how an answer looks", text),
    "reasoning": Kind("a reasoning summary, then an answer", "Think it through, then answer", reasoning),
    "command": Kind("runs the project's tests in the sandbox", "Run the tests", command),
    "approval": Kind(
        "a command that wants to leave the sandbox: you are asked", "Compile the module", approval
    ),
    "edit": Kind(
        "edits one file and adds another: you are asked when the sandbox is read-only",
        "Add an initials function with a test",
        edit,
    ),
    "rewrite": Kind(
        "a command that changes a file, for the review of the run: you are asked",
        "Add a line to the README with a command",
        rewrite,
    ),
    "question": Kind("asks you two questions", "Ask me before you begin", question),
    "plan": Kind("a plan whose steps get done", "Make a plan and follow it", plan),
    "search": Kind("a web search (nothing is fetched)", "Search the web for bascule bridges", search),
    "mcp": Kind(
        "two tool calls to a real MCP server; the second asks you twice",
        "Look up a word and sign the guest book",
        mcp,
    ),
    "long": Kind("an answer of 20,000 words", "Write 20,000 words", long),
    "slow": Kind(
        "a word every 200 ms for a minute: time to steer, queue or interrupt",
        "Write slowly for a minute",
        slow,
    ),
    "error": Kind("the model fails and the run with it", "Fail halfway", error),
}


def make_prompts() -> tuple[DemoPrompt, ...]:
    return tuple(DemoPrompt(title=kind.about, text=kind.says) for kind in KINDS.values())


def help_text() -> str:
    rows = "\n".join(f"- `demo:{name}`: {kind.about}" for name, kind in KINDS.items())
    return (
        "I am the demo model: scripted, offline, driving a real Codex. "
        f"Put any of these into a prompt, several play in order:\n\n{rows}\n"
    )


def _run(line: str, **more: str) -> Generator[Output, str, str]:
    """To its end: Codex answers before that where a shell is slow, and a model then asks again."""
    result = yield ToolUse("exec_command", {"cmd": line, "yield_time_ms": YIELD_MS, **more})
    for _ in range(MAX_WAITS):
        running = re.search(r"^Process running with session ID (\d+)$", result, re.MULTILINE)
        if running is None:
            break
        waiting = {"session_id": int(running[1]), "chars": "", "yield_time_ms": YIELD_MS}
        result = yield ToolUse("write_stdin", waiting)
    return result


def _output(result: str) -> str:
    """What the tool printed, without the lines that Codex puts before it."""
    return result.partition("Output:\n")[2].strip() or result.strip()


def _succeeded(result: str) -> bool:
    return re.search(r"^(Process exited with code|Exit code:) 0$", result, re.MULTILINE) is not None


def _plan(steps: tuple[str, ...], *, done: int, why: str) -> ToolUse:
    def status(at: int) -> str:
        if at < done:
            return "completed"
        return "in_progress" if at == done else "pending"

    rows = [{"step": step, "status": status(at)} for at, step in enumerate(steps)]
    return ToolUse("update_plan", {"explanation": why, "plan": rows})


def _question(key: str, header: str, asked: str, options: Mapping[str, str]) -> dict[str, object]:
    choices = [{"label": label, "description": about} for label, about in options.items()]
    return {"id": key, "header": header, "question": asked, "options": choices}


class _Chosen(msgspec.Struct, frozen=True):
    answers: list[str]


class _Answers(msgspec.Struct, frozen=True):
    answers: dict[str, _Chosen]


def _echo_answers(result: str) -> str:
    try:
        given = msgspec.json.decode(result, type=_Answers).answers
    except msgspec.DecodeError:
        return f"No answer came back: {result.strip()}"
    rows = [f"- {key}: {', '.join(chosen.answers) or 'nothing'}" for key, chosen in sorted(given.items())]
    return "You answered:\n\n" + "\n".join(rows) if rows else "You left both questions open."
