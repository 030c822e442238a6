"""Codex as one of the agents: its launch, its policies and its driver."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bascule.agents.codex.confining import READ_ONLY
from bascule.agents.codex.launch import NOISE, find_credentials, find_rules_file, make_launch
from bascule.agents.codex.silence import SILENT_AFTER_S
from bascule.agents.driver import Agent, DriverPorts, ModelChoice, Policy
from bascule.core.watch.places import SOCKET
from bascule.model.agents import Launch
from bascule.model.session import Session
from bascule.model.settings import Settings

if TYPE_CHECKING:
    from bascule.agents.codex.driver import CodexDriver

# Codex asks before every command, but for those that a rule of the person's own allows.
ASKING = Policy(sandbox="read-only", approvals="untrusted")


class Codex(Agent):
    name = "codex"
    title = "Codex"
    read_only = READ_ONLY
    asking = ASKING

    def launch(self, settings: Settings) -> Launch:
        return make_launch(settings.codex)

    def policy(self, settings: Settings) -> Policy:
        return Policy(sandbox=settings.codex.sandbox, approvals=settings.codex.approvals)

    def model(self, settings: Settings) -> ModelChoice:
        return ModelChoice(settings.codex.model, settings.codex.effort)

    def find_credentials(self, environ: Mapping[str, str]) -> tuple[str, ...]:
        return find_credentials(environ)

    def find_socket(self, home: str) -> str:
        return f"{home}/{SOCKET}"

    def find_rules_file(self, environ: Mapping[str, str]) -> str:
        return find_rules_file(environ)

    def is_noise(self, line: str) -> bool:
        return NOISE.match(line) is not None

    def make_driver(self, ports: DriverPorts) -> "CodexDriver":
        """All of the wire is loaded with the first one: most commands that host a daemon start no agent."""
        from bascule.agents.codex.driver import CodexDriver
        from bascule.agents.codex.shared_driver import SharedCodexDriver

        make = SharedCodexDriver if ports.is_shared else CodexDriver
        return make(ports, silent_after_s=SILENT_AFTER_S)

    def replay(self, recording: bytes) -> tuple[list[Session], str]:
        from bascule.agents.codex.events.replay import replay

        return replay(recording)
