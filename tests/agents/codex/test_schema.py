"""Our structs against the schema that the installed Codex prints; what is new there is named."""

import importlib
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import inspect
from tests.agents.codex.calls import every_call
from tests.agents.codex.events.asking import EVERY_ASK
from tests.agents.codex.listening import Json, Listener

from bascule.agents.codex.events.asks import ASKS
from bascule.agents.codex.events.translator import DEBUG_ONLY, HANDLERS, REPEATS, REQUESTS
from bascule.agents.codex.wire import items, lists, threads
from bascule.model.asks import Answer
from bascule.model.ids import AskId

pytestmark = pytest.mark.real

VOICE = "realtime voice is not offered here"
PROCESSES = "no process is started through Codex"
IMPORTS = "nothing is imported from other agents through Codex"

# Shown under "Other events (debug)" if ever sent: each with the reason why it has no place of its own.
UNHANDLED: dict[str, str] = {
    "account/gatewayOAuth/changed": "no gateway is signed in to through Codex",
    "account/login/completed": "seed 001 leaves it among the other events",
    "command/exec/outputDelta": PROCESSES,
    "externalAgentConfig/import/completed": IMPORTS,
    "externalAgentConfig/import/progress": IMPORTS,
    "mcpServer/event/stream/notification": "no MCP event stream is opened",
    "model/verification": "the account's own affair; nothing to do about it here",
    "process/exited": PROCESSES,
    "process/outputDelta": PROCESSES,
    "thread/realtime/closed": VOICE,
    "thread/realtime/error": VOICE,
    "thread/realtime/item/completed": VOICE,
    "thread/realtime/item/started": VOICE,
    "thread/realtime/item/transcript/delta": VOICE,
    "thread/realtime/itemAdded": VOICE,
    "thread/realtime/outputAudio/delta": VOICE,
    "thread/realtime/sdp": VOICE,
    "thread/realtime/started": VOICE,
    "thread/realtime/transcript/delta": VOICE,
    "thread/realtime/transcript/done": VOICE,
}

# Sent on a wire of the past or of a build of their own, and not in the schema.
UNDOCUMENTED = {"rawResponse/completed", "rawResponseItem/completed"}

ANSWERS: dict[str, type] = {
    "v1/InitializeResponse": threads.Initialized,
    "v2/ThreadStartResponse": threads.ThreadAnswer,
    "v2/ThreadResumeResponse": threads.ThreadAnswer,
    "v2/ThreadForkResponse": threads.ThreadAnswer,
    "v2/ThreadTurnsListResponse": threads.TurnsPage,
    "v2/TurnStartResponse": threads.TurnAnswer,
    "v2/TurnSteerResponse": threads.SteerAnswer,
    "v2/ModelListResponse": threads.ModelPage,
    "v2/ConfigReadResponse": lists.ConfigAnswer,
    "v2/ListMcpServerStatusResponse": lists.McpPage,
    "v2/SkillsListResponse": lists.SkillsAnswer,
    "v2/ThreadBackgroundTerminalsListResponse": lists.TerminalsPage,
}

REPLIES: dict[str, str] = {
    "item/commandExecution/requestApproval": "CommandExecutionRequestApprovalResponse",
    "item/fileChange/requestApproval": "FileChangeRequestApprovalResponse",
    "item/permissions/requestApproval": "PermissionsRequestApprovalResponse",
    "item/tool/requestUserInput": "ToolRequestUserInputResponse",
    "mcpServer/elicitation/request": "McpServerElicitationRequestResponse",
    "applyPatchApproval": "ApplyPatchApprovalResponse",
    "execCommandApproval": "ExecCommandApprovalResponse",
}

# Fields of ours that one schema or another does not name: each with the reason.
NOT_NAMED: dict[str, str] = {
    "Item.startedAtMs": "sent with every item, and left out of the schema",
    "SummaryParams.path": "of configWarning; deprecationNotice is read by the same struct",
    "PartDelta.summaryIndex": "of summaryTextDelta; textDelta is read by the same struct",
    "PartDelta.contentIndex": "of textDelta; summaryTextDelta is read by the same struct",
    "ThreadAnswer.initialTurnsPage": "of thread/resume; the other answers are read by the same struct",
}


# -- the schema --


class Schema:
    """One file that Codex printed; every $ref points into it."""

    def __init__(self, path: Path) -> None:
        self.root: Json = json.loads(path.read_bytes())

    def variants(self, schema: Any) -> Iterator[Json]:
        """Without references, unions and lists of types: each shape that a value may have, flat."""
        schema = schema if isinstance(schema, dict) else {}
        if "$ref" in schema:
            name = schema["$ref"].removeprefix("#/definitions/")
            yield from self.variants(self.root["definitions"][name])
            return
        for word in ("oneOf", "anyOf", "allOf"):
            if word in schema:
                rest = {key: value for key, value in schema.items() if key != word}
                for choice in schema[word]:
                    yield from (_merged(rest, variant) for variant in self.variants(choice))
                return
        kinds = schema.get("type")
        for kind in kinds if isinstance(kinds, list) else [kinds]:
            yield {**schema, "type": kind}

    def methods(self) -> dict[str, Any]:
        """The schema of each method's params."""
        return {
            variant["properties"]["method"]["enum"][0]: variant["properties"].get("params", {})
            for variant in self.root["oneOf"]
        }


def _merged(outer: Json, inner: Json) -> Json:
    properties = {**outer.get("properties", {}), **inner.get("properties", {})}
    required = [*outer.get("required", ()), *inner.get("required", ())]
    return {**outer, **inner, **({"properties": properties, "required": required} if properties else {})}


# -- our structs --

Ours = inspect.Type
SCALARS: dict[str, tuple[type[Ours], ...]] = {
    "null": (inspect.NoneType,),
    "boolean": (inspect.BoolType,),
    "integer": (inspect.IntType, inspect.FloatType),
    "number": (inspect.FloatType,),
    "string": (inspect.StrType,),
}


def faults(ours: Ours, schema: Schema, theirs: Any, at: str) -> Iterator[str]:
    """Why a value that Codex may send would not be read, or a field of ours would never be there."""
    options = ours.types if isinstance(ours, inspect.UnionType) else (ours,)
    if any(isinstance(option, inspect.AnyType | inspect.RawType) for option in options):
        return
    variants = list(schema.variants(theirs))
    objects = [variant for variant in variants if variant["type"] == "object" or "properties" in variant]
    for variant in variants:
        if variant not in objects:
            yield from _value_faults(options, schema, variant, at)
    if objects:
        yield from _object_faults(options, schema, objects, at)


def _value_faults(options: tuple[Ours, ...], schema: Schema, theirs: Json, at: str) -> Iterator[str]:
    kind = theirs["type"]
    literals = {value for o in options if isinstance(o, inspect.LiteralType) for value in o.values}
    lists = [option for option in options if isinstance(option, inspect.ListType | inspect.VarTupleType)]
    if kind == "array" and lists:
        yield from faults(lists[0].item_type, schema, theirs.get("items", {}), f"{at}[]")
    elif kind == "string" and literals:
        strange = set(theirs.get("enum", ["any text"])) - literals
        yield from [f"{at}: {value!r} may be sent and is not known" for value in sorted(strange)]
    elif kind == "array" or not any(isinstance(option, SCALARS.get(kind, ())) for option in options):
        yield f"{at}: {kind or 'anything'} may be sent and is not read"


def _object_faults(options: tuple[Ours, ...], schema: Schema, theirs: list[Json], at: str) -> Iterator[str]:
    structs = [option for option in options if isinstance(option, inspect.StructType)]
    dicts = [option for option in options if isinstance(option, inspect.DictType)]
    if dicts:
        for variant in theirs:
            inner = variant.get("additionalProperties", {})
            yield from faults(dicts[0].value_type, schema, inner, f"{at}{{}}")
    elif not structs:
        yield f"{at}: an object may be sent and is not read"
    elif structs[0].tag is None:
        yield from _struct_faults(structs[0], schema, theirs, at)
    else:
        yield from _tagged_faults(structs, schema, theirs, at)


def _tagged_faults(
    structs: list[inspect.StructType], schema: Schema, theirs: list[Json], at: str
) -> Iterator[str]:
    by_tag = {struct.tag: struct for struct in structs}
    for variant in theirs:
        (tag,) = variant["properties"][structs[0].tag_field]["enum"]
        if tag not in by_tag:
            yield f"{at}: the kind {tag!r} may be sent and is not known"
        else:
            yield from _struct_faults(by_tag[tag], schema, [variant], f"{at}<{tag}>")


def _struct_faults(ours: inspect.StructType, schema: Schema, theirs: list[Json], at: str) -> Iterator[str]:
    for field in ours.fields:
        name, where = field.encode_name, f"{at}.{field.encode_name}"
        having = [variant for variant in theirs if name in variant.get("properties", {})]
        if not having and not any(f"{kind.__name__}.{name}" in NOT_NAMED for kind in ours.cls.__mro__):
            yield f"{where}: not in the schema"
        if field.required and not all(name in variant.get("required", ()) for variant in theirs):
            yield f"{where}: required here, and may be missing"
        for variant in having:
            yield from faults(field.type, schema, variant["properties"][name], where)


# -- values that we say --


def misfits(schema: Schema, value: Any, theirs: Any, at: str) -> list[str]:
    """Why Codex would not take this value; empty when one variant takes it."""
    tried = [_misfits(schema, value, variant, at) for variant in schema.variants(theirs)]
    return min(tried, key=len)


def _misfits(schema: Schema, value: Any, theirs: Json, at: str) -> list[str]:
    if "enum" in theirs and value not in theirs["enum"]:
        return [f"{at}: {value!r} is none of {theirs['enum']}"]
    if not _is_a(value, theirs["type"]):
        return [f"{at}: {value!r} is no {theirs['type']}", "of another kind altogether"]
    if isinstance(value, list):
        return [bad for inner in value for bad in misfits(schema, inner, theirs.get("items"), f"{at}[]")]
    if isinstance(value, dict):
        return _object_misfits(schema, value, theirs, at)
    return []


def _object_misfits(schema: Schema, value: Json, theirs: Json, at: str) -> list[str]:
    known = theirs.get("properties", {})
    more = theirs.get("additionalProperties", not known)
    missing = [f"{at}.{name}: missing" for name in theirs.get("required", ()) if name not in value]
    strange = [f"{at}.{name}: not in the schema" for name in value if name not in known and more is False]
    strange += [f"{at}.{name}: not in the schema" for name in value if name not in known and not more]
    inner = [
        bad
        for name, kept in value.items()
        for bad in misfits(schema, kept, known.get(name, more), f"{at}.{name}")
    ]
    return missing + strange + inner


KINDS: dict[str | None, tuple[type, ...]] = {
    None: (object,),
    "null": (type(None),),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}


def _is_a(value: Any, kind: str | None) -> bool:
    return isinstance(value, KINDS[kind]) and not (isinstance(value, bool) and kind in ("integer", "number"))


# -- the tests --


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The schema of the installed Codex, with what it calls experimental."""
    codex = importlib.import_module("codex_cli_bin").bundled_codex_path()  # it carries no types
    folder = tmp_path_factory.mktemp("schema")
    home = tmp_path_factory.mktemp("home")
    command = [codex, "app-server", "generate-json-schema", "--experimental", "--out", str(folder)]
    subprocess.run(command, env={**os.environ, "CODEX_HOME": str(home)}, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def notifications(printed: Path) -> Schema:
    return Schema(printed / "ServerNotification.json")


@pytest.fixture(scope="module")
def requests(printed: Path) -> Schema:
    return Schema(printed / "ServerRequest.json")


def test_every_notification_has_its_place(notifications: Schema) -> None:
    new = set(notifications.methods()) - {*HANDLERS, *DEBUG_ONLY, *REPEATS, *UNHANDLED}
    assert new == set(), "new in this Codex: handle them, ignore them, or say why not"


def test_every_notification_that_we_know_exists(notifications: Schema) -> None:
    gone = {*HANDLERS, *DEBUG_ONLY, *REPEATS, *UNHANDLED} - set(notifications.methods()) - UNDOCUMENTED
    assert gone == set(), "no longer in this Codex"


def test_every_request_is_known_and_exists(requests: Schema) -> None:
    assert set(requests.methods()) == set(REQUESTS)


@pytest.mark.parametrize("method", sorted(HANDLERS))
def test_what_we_read_of_a_notification_is_in_the_schema(notifications: Schema, method: str) -> None:
    ours = inspect.type_info(HANDLERS[method][0])
    assert list(faults(ours, notifications, notifications.methods()[method], method)) == []


@pytest.mark.parametrize("method", sorted(REQUESTS))
def test_what_we_read_of_a_request_is_in_the_schema(requests: Schema, method: str) -> None:
    ours = inspect.type_info(REQUESTS[method])
    assert list(faults(ours, requests, requests.methods()[method], method)) == []


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_what_we_read_of_an_answer_is_in_the_schema(printed: Path, name: str) -> None:
    schema = Schema(printed / f"{name}.json")
    assert list(faults(inspect.type_info(ANSWERS[name]), schema, schema.root, name)) == []


def test_every_kind_of_item_is_known(notifications: Schema) -> None:
    theirs = notifications.root["definitions"]["ThreadItem"]
    known = {str(kind.tag) for kind in inspect.type_info(items.ThreadItem).types}  # type: ignore[attr-defined]
    sent = {variant["properties"]["type"]["enum"][0] for variant in notifications.variants(theirs)}
    assert known == sent
    assert list(faults(inspect.type_info(items.ThreadItem), notifications, theirs, "item")) == []


@pytest.mark.parametrize("method", sorted(ASKS))
def test_whatever_a_person_answers_codex_takes_it(printed: Path, method: str) -> None:
    schema = Schema(printed / f"{REPLIES[method]}.json")
    opened = Listener()
    opened.ask(method, **EVERY_ASK[method])
    for choice in opened.open_ask().choices:
        listener = Listener()
        listener.ask(method, **EVERY_ASK[method])
        answers: dict[str, tuple[str, ...]] = {"q": ("x",)} if choice.grants else {}
        assert listener.driver.answer(Answer(ask=AskId("e-0"), choice=choice.id, answers=answers)) is None
        assert misfits(schema, listener.said[0]["result"], schema.root, choice.id) == []


def test_a_refused_tool_call_is_an_answer_that_codex_takes(printed: Path) -> None:
    listener = Listener()
    listener.ask("item/tool/call", turnId="r", callId="c", tool="x", arguments={})
    schema = Schema(printed / "DynamicToolCallResponse.json")
    assert misfits(schema, listener.said[0]["result"], schema.root, "item/tool/call") == []


async def test_everything_that_we_ask_is_in_the_schema(printed: Path) -> None:
    schema = Schema(printed / "ClientRequest.json")
    methods = schema.methods()
    said = [message for message in await every_call() if "id" in message]
    bad = [
        b for call in said for b in misfits(schema, call["params"], methods[call["method"]], call["method"])
    ]
    assert bad == []


def test_the_check_itself_finds_what_is_wrong(notifications: Schema) -> None:
    class Wrong(msgspec.Struct, rename="camel"):
        thread_id: int
        turn_id: str
        hologram: str = ""
        delta: str | None = None
        item_id: str = ""

    method = "item/agentMessage/delta"
    ours = inspect.type_info(Wrong)
    assert list(faults(ours, notifications, notifications.methods()[method], "d")) == [
        "d.threadId: string may be sent and is not read",
        "d.hologram: not in the schema",
    ]
    assert misfits(notifications, {"threadId": 5}, notifications.methods()[method], "d") != []
