"""What a session is made with: a folder by its real name, a model that its agent has, a policy."""

from pathlib import Path

from bascule.agents.driver import Agent, AgentModel, Policy
from bascule.core.faults import UserError
from bascule.model.asks import Refuse
from bascule.model.said import Said
from bascule.model.session import Purpose
from bascule.model.settings import Settings

BUSY = "The agent is at work. Stop the run, or wait, before {doing}."
BUSY_COMPACTING = Refuse(BUSY.format(doing="compacting"), said=Said("compact.busy"))
BUSY_CLEARING = Refuse(BUSY.format(doing="clearing"), said=Said("clear.busy"))


def choose_model(models: list[AgentModel], name: str, effort: str) -> AgentModel | Refuse:
    """The model of that name, where it has that effort."""
    model = next((model for model in models if name in (model.name, model.other_name)), None)
    if model is None:
        return Refuse(
            f"There is no model {name}. There are: {', '.join(m.name for m in models)}.",
            said=Said("model.none", {"name": name}),
        )
    if effort and effort not in model.efforts:
        return Refuse(
            f"{model.name} has no effort {effort}. It has: {', '.join(model.efforts)}.",
            said=Said("effort.none", {"name": effort}),
        )
    return model


def real_folder(workspace: str) -> str:
    """One folder is one child, however it is written."""
    try:
        return str(Path(workspace).resolve())
    except ValueError:
        raise UserError("The workspace is not a valid path: it contains a NUL. Name a folder.") from None


def choose_policy(agent: Agent, settings: Settings, purpose: Purpose, *, ordered: bool) -> Policy:
    """What the purpose of a run lets it do: only a talk may write. In one for an Order, every command is
    asked, unless the settings leave that to the sandbox."""
    if purpose == "talk":
        return agent.policy(settings)
    asks = ordered and settings.orders.commands != "read-only"
    policy = agent.asking if asks else agent.read_only
    if policy is None:
        raise UserError(f"{agent.title} has no runs in which nothing is written, so it makes no {purpose}.")
    return policy
