"""The script: from the conversation so far, what the model does next. Nothing is remembered between calls."""

import re
from collections.abc import Sequence

import msgspec

from bascule.core.prompts.purposes import AGAIN, ORDER_PREFIX, parse_purpose
from bascule.demo.outputs import Fail, Output, Patch, Phase, Say, ToolUse
from bascule.demo.plays import KINDS, DemoMachine, Play, help_text, make_plan, patch
from bascule.demo.request import ModelRequest, RequestItem, plain_text
from bascule.model.blocks import Purpose

MAX_KINDS = 24  # in one run; a pasted wall of demo words should still end
MAX_QUOTE = 200  # characters of a steered message that the acknowledgement repeats

COMPACT_PROMPT = "Summarise this conversation for the demo model, which will go on from the summary."
SUMMARY = "The person tried the demo. Everything asked for so far was played; nothing is pending."

_RESULTS = {"function_call_output", "custom_tool_call_output"}
_OWN = {"message", "function_call", "custom_tool_call", "web_search_call"}
ORDERED_PATCH = f"{ORDER_PREFIX} patch "
_KIND = re.compile(r"\bdemo:(" + "|".join(KINDS) + r")\b")
_SAID = {kind.says: name for name, kind in KINDS.items()}
_CODEX_NOTE = re.compile(r"\s*(<(\w+)>.*</\2>\s*|# AGENTS\.md instructions.*)", re.DOTALL)


class ScriptedAnswer(msgspec.Struct, frozen=True):
    """What the model does now, and the ids that Codex will show for it."""

    outputs: list[Output]
    ids: list[str]


class Scene(msgspec.Struct, frozen=True):
    """The part of the conversation that is still being answered."""

    texts: list[str]  # the prompt, then what was steered in
    results: list[str]  # what the tools gave back, in order
    unheard: list[str]  # steered in since the model last spoke
    continued: bool  # all was said already, and then more was steered in


def next_answer(request: ModelRequest, machine: DemoMachine, *, number: int) -> ScriptedAnswer:
    """The number tells this answer from all others of the same server."""
    outputs = _next_outputs(request, machine)
    # Ids begin with the turn's, which is how the next request tells this turn's items from older ones.
    # A steer makes Codex drop the answer it was reading and ask again, so an id must not be used twice.
    tag = f"{request.client_metadata.turn_id or 'turn'}_{number}"
    return ScriptedAnswer(outputs, [f"{tag}_{at}" for at in range(len(outputs))])


def _next_outputs(request: ModelRequest, machine: DemoMachine) -> list[Output]:
    if request.input and plain_text(request.input[-1].content).startswith(COMPACT_PROMPT):
        return [Say(SUMMARY, phase=Phase.FINAL)]
    scene = read_scene(_turn_of(request))
    play = _answer_purpose(request, scene, machine) or _perform(scene, machine)
    played, ended = _resume(play, scene.results)
    outputs = _heed(scene.unheard, played)
    return _finish(outputs) if ended else outputs


def _heed(unheard: Sequence[str], played: list[Output]) -> list[Output]:
    """Someone who cuts in is answered first, and does not get the slow text from its beginning again."""
    if not unheard:
        return played
    kept = [output for output in played if not (isinstance(output, Say) and output.slow)]
    return [*(Say(_acknowledge(text)) for text in unheard), *kept]


def read_scene(turn: Sequence[RequestItem]) -> Scene:
    finals = [at for at, item in enumerate(turn) if item.phase == Phase.FINAL]
    open_part = turn[finals[-1] + 1 :] if finals else turn
    prompts = [(at, plain_text(item.content)) for at, item in enumerate(open_part) if _is_prompt(item)]
    last_spoken = max((at for at, item in enumerate(open_part) if _is_own(item)), default=-1)
    steered = prompts if finals else prompts[1:]
    return Scene(
        texts=[text for _, text in prompts],
        results=[plain_text(item.output) for item in open_part if item.type in _RESULTS],
        unheard=[text for at, text in steered if at > last_spoken],
        continued=bool(finals),
    )


def find_kinds(texts: Sequence[str]) -> list[str]:
    """The demo words of a run, in the order in which they were said; a prompt of the page has none."""
    return [name for text in texts for line in text.splitlines() for name in _named(line)][:MAX_KINDS]


def _named(line: str) -> list[str]:
    said = _SAID.get(line.strip())
    return [said] if said else _KIND.findall(line)


def _turn_of(request: ModelRequest) -> list[RequestItem]:
    """This turn's items: Codex's ids sort by time, and ours begin with the turn's own."""
    turn_id = request.client_metadata.turn_id
    return [item for item in request.input if item.id is None or item.id.partition("_")[2] >= turn_id]


def _is_own(item: RequestItem) -> bool:
    return item.type in _OWN and item.role in {"", "assistant"}


def _is_prompt(item: RequestItem) -> bool:
    """A person's words, not what Codex says in their name about the folder or the sandbox."""
    return item.role == "user" and not _CODEX_NOTE.fullmatch(plain_text(item.content))


def _answer_purpose(request: ModelRequest, scene: Scene, machine: DemoMachine) -> Play | None:
    """What /plan and /patch and the Orders of that name ask for, in a turn of their own."""
    first = scene.texts[0] if scene.texts and not scene.continued else ""
    if first.startswith(AGAIN) or _purpose_of(first) == "patch":
        asked = [text for item in request.input if _purpose_of(text := plain_text(item.content)) == "patch"]
        return patch(machine, asked[-1].partition("\n")[0] if asked else "", again=first.startswith(AGAIN))
    return make_plan(machine, first) if _purpose_of(first) == "plan" else None


def _purpose_of(text: str) -> Purpose:
    if text.startswith(ORDER_PREFIX):
        return "patch" if text.startswith(ORDERED_PATCH) else "plan"
    return parse_purpose(text)


def _perform(scene: Scene, machine: DemoMachine) -> Play:
    kinds = find_kinds(scene.texts)
    for name in kinds:
        yield from KINDS[name].play(machine)
    if not kinds and not scene.continued:
        yield Say(help_text())


def _resume(play: Play, results: Sequence[str]) -> tuple[list[Output], bool]:
    """Play on to the first tool call without a result: what to do now, and whether that is the end."""
    waiting = list(results)
    outputs: list[Output] = []
    answer: str | None = None  # a generator's first step takes None
    while True:
        try:
            output = next(play) if answer is None else play.send(answer)
        except StopIteration:
            return outputs, True
        outputs.append(output)
        answer = ""
        if isinstance(output, ToolUse | Patch):
            if not waiting:
                return outputs, False
            answer = waiting.pop(0)
            outputs.clear()  # said and done in an earlier answer


def _finish(outputs: list[Output]) -> list[Output]:
    match outputs[-1:]:
        case [Fail()]:
            return outputs
        case [Say() as last]:
            return [*outputs[:-1], msgspec.structs.replace(last, phase=Phase.FINAL)]
        case _:
            return [*outputs, Say("That was all.", phase=Phase.FINAL)]


def _acknowledge(text: str) -> str:
    quote = " ".join(text.split())
    shown = quote if len(quote) <= MAX_QUOTE else quote[:MAX_QUOTE] + "…"
    return f"You added: “{shown}”. I take it into account from here on."
