"""From lines to Changes: one decode per line, one handler per method, in wire order."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, Union

import msgspec
from msgspec import Raw, Struct, defstruct

from bascule.agents.codex.events import legacy, notices, turns
from bascule.agents.codex.events.asks import ASKS, REFUSED_CALLS
from bascule.agents.codex.events.change_sink import ChangeSink
from bascule.agents.codex.wire import UNREADABLE, params
from bascule.agents.codex.wire.items import Int
from bascule.agents.codex.wire.requests import CurrentTime, RequestId

Handler = Callable[[ChangeSink, Any], None]

HANDLERS: dict[str, tuple[type, Handler]] = {
    "error": (params.ErrorParams, turns.error),
    "thread/started": (params.ThreadParams, notices.thread_started),
    "thread/status/changed": (params.StatusParams, notices.status_changed),
    "thread/archived": (params.ThreadOnly, notices.thread_notice("Archived by another client")),
    "thread/unarchived": (params.ThreadOnly, notices.thread_notice("Brought back by another client")),
    "thread/deleted": (params.ThreadOnly, notices.thread_notice("Deleted by another client")),
    "thread/reverted": (params.ThreadOnly, notices.thread_notice("Reverted to an earlier point")),
    "thread/closed": (params.ThreadOnly, notices.thread_closed),
    "thread/name/updated": (params.NameParams, notices.name_updated),
    "thread/goal/updated": (params.GoalParams, notices.goal_updated),
    "thread/goal/cleared": (params.ThreadOnly, notices.goal_cleared),
    "thread/environment/connected": (params.EnvironmentParams, notices.environment("Connected")),
    "thread/environment/disconnected": (params.EnvironmentParams, notices.environment("Disconnected")),
    "thread/settings/updated": (params.ThreadSettingsParams, notices.settings_updated),
    "thread/tokenUsage/updated": (params.TokenUsageParams, turns.token_usage),
    "thread/compacted": (params.CompactedParams, turns.thread_compacted),
    "turn/started": (params.TurnParams, turns.turn_started),
    "turn/completed": (params.TurnParams, turns.turn_completed),
    "turn/diff/updated": (params.DiffParams, turns.diff_updated),
    "turn/plan/updated": (params.PlanParams, turns.plan_updated),
    "hook/started": (params.HookParams, notices.hook),
    "hook/completed": (params.HookParams, notices.hook),
    "item/started": (params.ItemParams, turns.item_started),
    "item/completed": (params.ItemParams, turns.item_completed),
    "item/agentMessage/delta": (params.Delta, turns.message_delta),
    "item/plan/delta": (params.Delta, turns.plan_delta),
    "item/reasoning/summaryTextDelta": (params.PartDelta, turns.summary_delta),
    "item/reasoning/summaryPartAdded": (params.PartParams, turns.summary_part),
    "item/reasoning/textDelta": (params.PartDelta, turns.raw_delta),
    "item/commandExecution/outputDelta": (params.Delta, turns.output_delta),
    "item/commandExecution/terminalInteraction": (params.StdinParams, turns.terminal_input),
    "item/fileChange/outputDelta": (params.Delta, turns.detail_delta),
    "item/fileChange/patchUpdated": (params.PatchParams, turns.patch_updated),
    "item/mcpToolCall/progress": (params.ProgressParams, turns.mcp_progress),
    "item/autoApprovalReview/started": (params.ReviewParams, notices.review_started),
    "item/autoApprovalReview/completed": (params.ReviewParams, notices.review_completed),
    "autoApprovalReview/strictReviewRequired": (
        params.ThreadOnly,
        notices.thread_notice("A strict review is required"),
    ),
    "serverRequest/resolved": (params.ResolvedParams, notices.request_resolved),
    "model/rerouted": (params.RerouteParams, notices.rerouted),
    "model/safetyBuffering/updated": (params.BufferingParams, notices.buffering),
    "modelProvider/authRecoveryStarted": (params.RecoveryParams, notices.recovery_started),
    "modelProvider/authRecoveryCompleted": (params.RecoveryParams, notices.recovery_completed),
    "warning": (params.WarningParams, notices.warning),
    "guardianWarning": (params.WarningParams, notices.warning),
    "deprecationNotice": (params.SummaryParams, notices.config_notice("Deprecated")),
    "configWarning": (params.SummaryParams, notices.config_notice("Configuration")),
    "windows/worldWritableWarning": (params.WorldWritableParams, notices.world_writable),
    "windowsSandbox/setupCompleted": (params.SandboxSetupParams, notices.sandbox_setup),
    "remoteControl/status/changed": (params.RemoteControlParams, notices.remote_control),
    "mcpServer/oauthLogin/completed": (params.OauthParams, notices.mcp_login),
    "mcpServer/startupStatus/updated": (params.McpStartupParams, notices.mcp_startup),
    "account/updated": (params.AccountParams, notices.account),
    "account/rateLimits/updated": (params.RateLimitsParams, notices.rate_limits),
}

# What says again what another message says: these alone are not shown.
REPEATS: dict[str, str] = {
    "rawResponseItem/completed": "the item itself comes too",
    "rawResponse/completed": "the items themselves come too",
}

# Of no use in a log, but nothing is hidden: shown among the agent's notices, under "Other events (debug)".
DEBUG_ONLY: dict[str, str] = {
    "thread/readState/changed": "each surface keeps its own read state",
    "thread/queue/changed": "the queue is kept here, not in Codex",
    "thread/prediction/updated": "never asked for",
    "thread/attachment/updated": "attachments show with the message that carries them",
    "thread/project/updated": "Codex's own grouping of threads",
    "project/changed": "Codex's own grouping of threads",
    "skills/changed": "lists are fetched when they are shown",
    "app/list/updated": "lists are fetched when they are shown",
    "fs/changed": "no folder is watched through Codex",
    "fuzzyFileSearch/sessionUpdated": "no search is started through Codex",
    "fuzzyFileSearch/sessionCompleted": "no search is started through Codex",
    "turn/moderationMetadata": "no place of its own",
}

REQUESTS: dict[str, type] = {
    **{method: kind for method, (kind, _) in ASKS.items()},
    **{method: kind for method, (kind, _, _) in REFUSED_CALLS.items()},
    "currentTime/read": CurrentTime,
}


class AgentRequest(Struct, frozen=True):
    """Codex asks something of us."""

    id: RequestId
    method: str
    params: Any


class AgentResponse(Struct, frozen=True):
    """Codex answers something that we asked."""

    id: RequestId
    result: Raw
    error: Any = None


class AnyMessage(Struct, frozen=True, rename="camel"):
    """Any message at all: what is left when the strict reading fails."""

    id: RequestId | None = None
    method: str | None = None
    params: Raw = Raw(b"null")
    result: Raw = Raw(b"null")
    error: Any = None


def _strict(method: str, kind: type, id_: Any) -> type[Struct]:
    return defstruct(
        "Message",
        [("params", kind), ("id", id_, None), ("emitted_at_ms", Int | None, None)],
        tag_field="method",
        tag=method,
        frozen=True,
        rename="camel",
        gc=False,  # what comes from JSON has no cycles
    )


KINDS = {method: _strict(method, kind, None) for method, (kind, _) in HANDLERS.items()}
KINDS |= {method: _strict(method, kind, RequestId | None) for method, kind in REQUESTS.items()}
METHOD_OF = {kind: method for method, kind in KINDS.items()}
HANDLER_OF = {KINDS[method]: handler for method, (_, handler) in HANDLERS.items()}
DELTAS = frozenset(KINDS[method] for method, (kind, _) in HANDLERS.items() if kind is params.Delta)
DECODE: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Union[tuple(KINDS.values())])  # noqa: UP007
DECODE_LOOSE = msgspec.json.Decoder(AnyMessage)
DECODE_LEGACY = msgspec.json.Decoder(params.LegacyParams)


class Translator:
    """Feed whole lines; Changes go to the sink, requests and responses to the driver."""

    def __init__(self, sink: ChangeSink, on_call: Callable[[AgentRequest | AgentResponse], None]) -> None:
        self._sink = sink
        self._on_call = on_call

    def feed(self, lines: bytes) -> None:
        """One or more whole lines. Many well-formed notifications at once is the fast way."""
        try:
            messages = DECODE.decode_lines(lines)
        except UNREADABLE:
            self._feed_one_by_one(lines.split(b"\n"))
        else:
            self._take_all(messages)

    def _feed_one_by_one(self, lines: list[bytes]) -> None:
        read: list[Any] = []
        for line in lines:
            try:
                read.append(DECODE.decode(line))
            except UNREADABLE as strict:
                self._take_all(read)  # first: wire order
                read = []
                self._feed_loosely(line, strict)
        self._take_all(read)

    def _take_all(self, messages: Iterable[Any]) -> None:
        for kind, alike in groupby(messages, type):
            if kind in DELTAS:
                self._take_deltas(HANDLER_OF[kind], alike)
            elif kind in HANDLER_OF:
                self._take_notifications(HANDLER_OF[kind], alike)
            else:
                self._take_requests(METHOD_OF[kind], alike)

    def _take_deltas(self, handler: Handler, messages: Iterable[Any]) -> None:
        """A flood has thousands in a row: one at the place of the one before it only adds its text."""
        sink = self._sink
        place: tuple[str, str] | None = None
        pieces: list[str] = []
        for message in messages:
            received = message.params
            if message.emitted_at_ms is not None:
                sink.at_ms = message.emitted_at_ms
            if (received.item_id, received.thread_id) == place:
                pieces.append(received.delta)
            else:
                handler(sink, received)
                place, pieces = (received.item_id, received.thread_id), sink.pieces

    def _take_notifications(self, handler: Handler, messages: Iterable[Any]) -> None:
        for message in messages:
            if message.emitted_at_ms is not None:
                self._sink.at_ms = message.emitted_at_ms
            handler(self._sink, message.params)

    def _feed_loosely(self, line: bytes, strict: Exception) -> None:
        if not line.strip():
            return
        try:
            message = DECODE_LOOSE.decode(line)
        except UNREADABLE as broken:
            self._sink.note(None, f"codex sent a line that is not a message ({broken}):", _shown(line))
            return
        if message.method is None:
            self._take_response(message, line)
        elif message.id is not None:
            self._on_call(AgentRequest(message.id, message.method, message.params))
        else:
            self._take_unknown(message.method, message.params, strict)

    def _take_requests(self, method: str, messages: Iterable[Any]) -> None:
        for message in messages:
            if message.id is None:
                self._sink.note(None, f"codex sent the request {method} without an id", message.params)
            else:
                self._on_call(AgentRequest(message.id, method, message.params))

    def _take_response(self, message: AnyMessage, line: bytes) -> None:
        if message.id is None:
            self._sink.note(None, "codex sent a message without method and id:", _shown(line))
        else:
            self._on_call(AgentResponse(message.id, message.result, message.error))

    def _take_unknown(self, method: str, received: Raw, strict: Exception) -> None:
        if method in REPEATS:
            return
        thread = None if method in DEBUG_ONLY else _thread_of(received)
        if method.startswith("codex/event"):
            self._take_legacy(method, received, thread)
        elif method in KINDS:
            self._sink.note(thread, f"codex sent {method} in an unknown shape ({strict}):", received)
        else:
            self._sink.note(thread, method, received)

    def _take_legacy(self, method: str, received: Raw, thread: str | None) -> None:
        try:
            legacy.event(self._sink, DECODE_LEGACY.decode(received))
        except UNREADABLE as broken:
            self._sink.note(thread, f"codex sent {method} in an unknown shape ({broken}):", received)


class _Named(Struct, rename="camel"):
    thread_id: str | None = None
    conversation_id: str | None = None


def _thread_of(received: Raw) -> str | None:
    try:
        named = msgspec.json.decode(received, type=_Named)
    except UNREADABLE:
        return None
    return named.thread_id or named.conversation_id


def _shown(line: bytes) -> str:
    return line[:4_000].decode("utf-8", "replace")
