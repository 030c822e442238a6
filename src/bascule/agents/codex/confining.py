"""What holds for a thread whatever its turns say: is its folder trusted, and what can no command read.

Seen with Codex 0.163 and 0.166 (docs/explain/decisions/0017-workspace-trust.md has the whole table):
`thread/start` with the sandbox workspace-write marks the folder trusted in the person's own configuration,
unless the call's `config` says a trust level itself. A level in `config` is never written anywhere, and wins
over the person's own. `untrusted` turns off the folder's .codex/config.toml, hooks, rules and AGENTS.md, but
not its skills. So every folder is untrusted for Codex: between our check and its own reading, the files could
be swapped. What a person trusts is handed over as it was checked (folder_files.py). A level counts for the
folder that is named and not for those below it. What commands may read can only be said by a permission
profile; one with `deny` also keeps approved commands in the sandbox, so ours lists what is readable.
"""

from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from bascule.agents.codex.folder_files import join_instructions, merge, merge_config, read_excluded
from bascule.agents.codex.launch import GIT_DIR
from bascule.agents.codex.wire.items import WireStruct
from bascule.agents.driver import Confinement, FolderRules, Policy, RemoteRules

# Variables that are no command's business; the mark by which we find what a child started stays.
OURS = (GIT_DIR, "CODEX_DEMO_KEY", "BASCULE_HOME", "BASCULE_*KEY*", "BASCULE_*TOKEN*", "BASCULE_*SECRET*")
# Of the person's own, and started in the workspace, where their programs could be taken from it.
START_PROGRAMS = ("plugins", "hooks")
# Unfinished in Codex: what is given with a command is not part of its question, and what is given for a
# session would also hold in a run that is read-only.
GIVE_PERMISSIONS = ("exec_permission_approvals", "request_permissions_tool")
# A goal that a model sets makes Codex go on by itself: after Stop, and when its session is opened again.
# Here every run begins with a person's prompt.
BEGIN_RUNS = ("goals",)
NEVER = (*GIVE_PERMISSIONS, *BEGIN_RUNS)
# What reads, runs or reaches something without a command that could be asked about.
NOT_REMOTE = (
    *START_PROGRAMS,
    *NEVER,
    "apps",
    "browser_use",
    "computer_use",
    "image_generation",
    "memories",
    "multi_agent",
    "multi_agent_v2",
    "skill_mcp_dependency_install",
    "tool_suggest",
    "unified_exec_tty",  # a yes is to a command, not to what is typed into it later
    "view_image",
)
COMMAND_TOOLS = ("shell_tool", "unified_exec")
ROOT_MARK = ".git"
PERSON = "user"  # Codex's name for the one who answers its questions over this wire
# Of plans and diffs: Codex refuses every write by itself, and every call that would need somebody's yes.
READ_ONLY = Policy(sandbox="read-only", approvals="never")
SEALED = "sealed"  # the profile for them: read-only, and no rule of the person's own leads out of it
EXTENDS = {"read-only": ":read-only", "workspace-write": ":workspace"}
# Whatever the person's own configuration says: with the network, a command also reaches the sockets of tmux,
# D-Bus, containers and editors, and has them run what it likes. One that needs the network asks.
NO_NETWORK = {"enabled": False}
WORKSPACE_WRITES = {".": "write", ".git": "read", ".agents": "read", ".codex": "read"}  # as :workspace has it


class WorkspaceWrite(Struct, frozen=True):
    """`[sandbox_workspace_write]` of the person's own configuration."""

    writable_roots: tuple[str, ...] = ()
    exclude_tmpdir_env_var: bool = False
    exclude_slash_tmp: bool = False


class EnvironmentPolicy(Struct, frozen=True):
    exclude: tuple[str, ...] | None = None
    set: dict[str, str] | None = None


class SkillsConfig(Struct, frozen=True):
    config: list[dict[str, Any]] | None = None


class OwnConfig(Struct, frozen=True):
    """What our overrides would hide of the person's own configuration, so that they repeat it."""

    sandbox_workspace_write: WorkspaceWrite | None = None
    shell_environment_policy: EnvironmentPolicy | None = None
    skills: SkillsConfig | None = None
    mcp_servers: dict[str, dict[str, Any]] | None = None
    developer_instructions: str | None = None


class OwnConfigAnswer(WireStruct, frozen=True, kw_only=True):
    config: OwnConfig | UnsetType = UNSET


class Confining:
    """The permission profiles of one child: every thread gets all of them, and each turn names one.

    No file of a workspace can know their names, so none can add to them."""

    def __init__(
        self, epoch: str, neutral: str, find_programs: Callable[[], tuple[str, ...]] = lambda: ()
    ) -> None:
        self._epoch = epoch
        self._neutral = neutral
        self._find_programs = find_programs  # Codex runs itself in the sandbox, so it must be readable there
        self._own: OwnConfig | None = None

    def learn(self, own: OwnConfigAnswer) -> None:
        self._own = own.config or OwnConfig()

    def knows_servers(self, own: OwnConfigAnswer) -> bool:
        """Whether every server of the person's own was there when it was learned."""
        known = (self._own or OwnConfig()).mcp_servers or {}
        now = (own.config or OwnConfig()).mcp_servers or {}
        return all(known.get(name) == server for name, server in now.items())

    def name(self, sandbox: str) -> str:
        return f"bascule-{sandbox}-{self._epoch}"

    def turn_params(self, policy: Policy) -> dict[str, object]:
        """Codex's own configuration may let a model review for the person; here the person does."""
        return {
            "approvalPolicy": policy.approvals,
            "approvalsReviewer": PERSON,
            "permissions": self.name(SEALED if policy == READ_ONLY else policy.sandbox),
        }

    def thread_params(self, confinement: Confinement) -> dict[str, object]:
        """Every thread begins read-only, whatever its turns may do: Codex trusts no folder because of us."""
        begins = Policy(sandbox="read-only", approvals=confinement.approvals)
        rules, own = confinement.rules, self._own or OwnConfig()
        words = [text for text in (own.developer_instructions, join_instructions(rules.files)) if text]
        return {
            **self.turn_params(begins),
            "config": merge(_without_own(merge_config(rules.files), own), self._config(rules, own)),
            **({"developerInstructions": "\n\n".join(words)} if rules.files and words else {}),
        }

    def _config(self, rules: FolderRules, own: OwnConfig) -> dict[str, object]:
        level = {"trust_level": "untrusted"}
        theirs = merge_config(rules.files)
        excluded = [*_excluded(own.shell_environment_policy), *read_excluded(theirs), *OURS]
        config: dict[str, object] = {
            "projects": dict.fromkeys(rules.folders, level),
            "approvals_reviewer": PERSON,
            "project_root_markers": [ROOT_MARK],  # as Bascule finds it
            "default_permissions": self.name(
                "read-only"
            ),  # Codex reads it when it looks at its servers again
            "permissions": {self.name(one): self._profile(one, rules, own) for one in (*EXTENDS, SEALED)},
            "shell_environment_policy": {"exclude": list(dict.fromkeys(excluded)), **_set_path(rules, own)},
        }
        if rules.remote is not None:
            servers = {*(own.mcp_servers or {}), *theirs.get("mcp_servers", {})}
            return merge(config, _remote_config(rules.remote, servers))
        if own.mcp_servers:
            here = [name for name, server in own.mcp_servers.items() if _starts_here(server)]
            config["mcp_servers"] = {name: {"cwd": self._neutral} for name in here}
        off = NEVER if rules.trusted else (*NEVER, *START_PROGRAMS)
        config["features"] = dict.fromkeys(off, False)
        if not rules.trusted and (rules.skills or rules.all_skills_off):
            config["skills"] = _skills(rules, own)
        return config

    def _profile(self, sandbox: str, rules: FolderRules, own: OwnConfig) -> dict[str, object]:
        """With one place denied, Codex keeps also those commands in the sandbox that a rule allows."""
        if rules.remote is not None and rules.remote.readable:
            programs = self._find_programs()
            narrowed = replace(rules, readable=(*rules.remote.readable, *programs), protected=())
            return _deny(_profile(sandbox, narrowed, OwnConfig()), rules.remote.hidden)
        profile = _profile(sandbox, rules, own)
        return _deny(profile, (self._neutral,)) if sandbox == SEALED else profile


def _deny(profile: dict[str, object], places: tuple[str, ...]) -> dict[str, object]:
    filesystem = profile.get("filesystem", {})
    assert isinstance(filesystem, dict)
    return {**profile, "filesystem": {**filesystem, **dict.fromkeys(places, "deny")}}


def _remote_config(remote: RemoteRules, servers: set[str]) -> dict[str, object]:
    off = NOT_REMOTE if remote.commands else (*NOT_REMOTE, *COMMAND_TOOLS)
    return {
        "features": dict.fromkeys(off, False),
        "mcp_servers": {name: {"enabled": False} for name in sorted(servers)},
        "web_search": "disabled",
        "shell_environment_policy": {"inherit": "core"},
    }


def _without_own(theirs: dict[str, Any], own: OwnConfig) -> dict[str, Any]:
    """A folder adds no field to a server of the person's own: their keys would go where it says."""
    servers = {
        name: server
        for name, server in theirs.get("mcp_servers", {}).items()
        if name not in (own.mcp_servers or {})
    }
    return {**theirs, "mcp_servers": servers} if servers else _without(theirs, "mcp_servers")


def _without(table: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key != name}


def _excluded(policy: EnvironmentPolicy | None) -> tuple[str, ...]:
    return (policy.exclude if policy is not None else None) or ()


def _set_path(rules: FolderRules, own: OwnConfig) -> dict[str, object]:
    """Codex's own programs come from a PATH that no agent writes; commands have the whole one."""
    chosen = (own.shell_environment_policy.set if own.shell_environment_policy else None) or {}
    return {"set": {"PATH": rules.path}} if rules.path and "PATH" not in chosen else {}


def _starts_here(server: dict[str, Any]) -> bool:
    """One of the person's own that would be started in the workspace: `npx`, say, takes its program from
    there before it looks anywhere else."""
    return bool(server.get("command")) and not server.get("cwd")


def _profile(sandbox: str, rules: FolderRules, own: OwnConfig) -> dict[str, object]:
    """As Codex's own profile of that name; with a list of what is readable, spelt out."""
    writes = sandbox == "workspace-write" and rules.writable
    write = (own.sandbox_workspace_write if writes else None) or WorkspaceWrite()
    filesystem: dict[str, object] = {}
    if rules.readable:
        filesystem |= {":minimal": "read", **dict.fromkeys(rules.readable, "read")}
    if rules.readable and writes:
        filesystem |= {":workspace_roots": WORKSPACE_WRITES, ":slash_tmp": "write", ":tmpdir": "write"}
    if write.exclude_slash_tmp or not rules.tmp_writable:
        filesystem.pop(":slash_tmp", None)
    if write.exclude_tmpdir_env_var or not rules.tmp_writable:
        filesystem.pop(":tmpdir", None)
    filesystem |= dict.fromkeys(write.writable_roots, "write")
    if rules.readable and writes:
        roots = {*map(PurePath, write.writable_roots)}
        programs = [one for one in rules.programs if roots & {PurePath(one), *PurePath(one).parents}]
        filesystem |= dict.fromkeys((*rules.protected, *programs), "read")
    return {
        **({} if rules.readable else {"extends": EXTENDS["workspace-write" if writes else "read-only"]}),
        **({"filesystem": filesystem} if filesystem else {}),
        "network": NO_NETWORK,
    }


def _skills(rules: FolderRules, own: OwnConfig) -> dict[str, object]:
    off: list[dict[str, Any]] = [{"path": path, "enabled": False} for path in rules.skills]
    before = (own.skills.config if own.skills else None) or []
    return {"config": [*before, *off], **({"include_instructions": False} if rules.all_skills_off else {})}
