"""The agents that a session can be had with: the one place that names them."""

from collections.abc import Iterable, Iterator, Mapping

from bascule.agents.codex.agent import Codex
from bascule.agents.driver import Agent
from bascule.core.faults import UserError
from bascule.model.agents import Launch
from bascule.model.settings import Settings


class AvailableAgents:
    """By name; the first is what a session gets that names none."""

    def __init__(self, agents: Iterable[Agent]) -> None:
        self._by_name = {agent.name: agent for agent in agents}

    def __iter__(self) -> Iterator[Agent]:
        return iter(self._by_name.values())

    @property
    def default(self) -> Agent:
        return next(iter(self))

    def get(self, name: str) -> Agent:
        """The default one without a name."""
        agent = self._by_name.get(name) if name else self.default
        if agent is None:
            raise UserError(f"There is no agent {name!r} here. There are: {', '.join(self._by_name)}.")
        return agent

    def launches(self, settings: Settings) -> dict[str, Launch]:
        return {agent.name: agent.launch(settings) for agent in self}

    def find_credentials(self, environ: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(path for agent in self for path in agent.find_credentials(environ))


def find_available() -> AvailableAgents:
    return AvailableAgents([Codex()])
