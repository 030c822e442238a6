"""Server requests: what Codex asks of us, and must be answered."""

from typing import Any, Literal

from msgspec import Raw, Struct, field

from bascule.agents.codex.wire.items import CommandAction, Int, WireStruct

RequestId = Int | str


class NetworkContext(WireStruct, frozen=True, kw_only=True):
    host: str
    protocol: str = ""


class ExecRule(Struct, frozen=True):
    execpolicy_amendment: list[str]


class ExecAmendment(WireStruct, frozen=True, kw_only=True):
    """A decision that writes a rule about commands."""

    accept_with_execpolicy_amendment: ExecRule


class HostRule(Struct, frozen=True):
    host: str
    action: str


class NetworkRule(Struct, frozen=True):
    network_policy_amendment: HostRule


class NetworkAmendment(WireStruct, frozen=True, kw_only=True):
    """A decision that writes a rule about a host."""

    apply_network_policy_amendment: NetworkRule


class CommandApproval(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    item_id: str
    turn_id: str | None = None
    reason: str | None = None
    command: str | None = None
    cwd: str | None = None
    command_actions: list[CommandAction] | None = None
    network_approval_context: NetworkContext | None = None
    additional_permissions: Any = None
    available_decisions: list[Raw] | None = None


class FileApproval(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    item_id: str
    turn_id: str | None = None
    reason: str | None = None
    grant_root: str | None = None


class PermissionsApproval(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    item_id: str
    permissions: dict[str, Any]
    turn_id: str | None = None
    reason: str | None = None
    cwd: str = ""


class InputOption(WireStruct, frozen=True, kw_only=True):
    label: str
    description: str = ""


class InputQuestion(WireStruct, frozen=True, kw_only=True):
    id: str
    question: str
    header: str = ""
    is_other: bool = False
    is_secret: bool = False
    options: list[InputOption] | None = None


class UserInput(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    questions: list[InputQuestion]
    turn_id: str | None = None
    item_id: str = ""


class Elicitation(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    server_name: str
    mode: str
    turn_id: str | None = None
    message: str = ""
    title: str = ""
    description: str = ""
    url: str = ""
    requested_schema: Any = None
    meta: Any = field(default=None, name="_meta")


class ToolCall(WireStruct, frozen=True, kw_only=True):
    thread_id: str
    tool: str
    turn_id: str | None = None
    arguments: Any = None


class TokenRefresh(WireStruct, frozen=True, kw_only=True):
    reason: str = ""


class Attestation(WireStruct, frozen=True, kw_only=True):
    pass


class CurrentTime(WireStruct, frozen=True, kw_only=True):
    thread_id: str = ""


class LegacyFileChange(Struct, frozen=True, kw_only=True):
    type: Literal["add", "delete", "update"]
    content: str = ""
    unified_diff: str = ""
    move_path: str | None = None


class LegacyPatchApproval(WireStruct, frozen=True, kw_only=True):
    conversation_id: str
    call_id: str
    file_changes: dict[str, LegacyFileChange]
    reason: str | None = None
    grant_root: str | None = None


class LegacyCommandApproval(WireStruct, frozen=True, kw_only=True):
    conversation_id: str
    call_id: str
    command: list[str]
    cwd: str = ""
    reason: str | None = None
