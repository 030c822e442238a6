"""What a session is made with: a folder by its real name, a model that its agent has, a policy, a past."""

from pathlib import Path

from msgspec.structs import replace

from bascule.agents.driver import Agent, AgentModel, OpenedThread, Policy
from bascule.core.faults import UserError
from bascule.core.session.growing_text import shorten
from bascule.core.session.titles import default_title, fork_title
from bascule.model.agents import AgentCapabilities
from bascule.model.asks import Refuse
from bascule.model.blocks import Purpose
from bascule.model.changes import Change, ModelSet, UsageSet
from bascule.model.ids import RunId, SessionId
from bascule.model.said import Said
from bascule.model.session import Session
from bascule.model.settings import Settings

MAX_SENDER = 60  # characters of a title
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


def model_changes(head: Session, model: AgentModel, effort: str) -> list[Change]:
    changes: list[Change] = [ModelSet(model.name, effort or model.default_effort)]
    if head.usage is not None and head.model != model.name:
        changes.append(UsageSet(replace(head.usage, context_window=None)))  # it was the other model's
    return changes


def find_fork_bar(agent: Agent, head: Session, run: RunId | None) -> Refuse | None:
    """Why it cannot be forked there."""
    if run is not None and all(run != known.id for known in head.runs):
        return Refuse(f"Session {head.id} has no run {run}.")
    if head.thread is None:
        return Refuse("A session that has not begun cannot be forked.", said=Said("fork.not_begun"))
    if any(known.outcome == "running" and run in (None, known.id) for known in head.runs):
        return Refuse("A run that is still going cannot be forked. Wait, stop it, or name an earlier run.")
    if not head.capabilities.fork:
        return Refuse(f"{agent.title} cannot fork a conversation.")
    return None


def make_draft(session: SessionId, folder: str, agent: str, sender: str, relay: str, now_ms: int) -> Session:
    """In which nothing was said yet; `sender`: whose Orders it takes."""
    orders = f"Orders of {shorten(sender, MAX_SENDER)}"
    return Session(
        id=session,
        workspace=folder,
        agent=agent,
        title=orders if sender else default_title(folder, session),
        title_by="person" if sender else "default",
        sender=sender,
        relay=relay,
        created_at_ms=now_ms,
        updated_at_ms=now_ms,
    )


def make_fork(
    session: SessionId, parent: Session, can: AgentCapabilities, opened: OpenedThread, now_ms: int
) -> Session:
    is_named = parent.title_by != "default"
    return Session(
        id=session,
        workspace=parent.workspace,
        agent=parent.agent,
        capabilities=can,
        thread=opened.id,
        title=fork_title(parent.title) if is_named else default_title(parent.workspace, opened.id),
        title_by="prompt" if is_named else "default",
        model=opened.model,
        effort=opened.effort,
        parent=parent.id or None,
        created_at_ms=now_ms,
        updated_at_ms=now_ms,
    )


def real_folder(workspace: str) -> str:
    """One folder is one child, however it is written."""
    try:
        return str(Path(workspace).resolve())
    except ValueError:
        raise UserError("The workspace is not a valid path: it contains a NUL. Name a folder.") from None
    except (OSError, RuntimeError) as fault:
        why = getattr(fault, "strerror", None) or "its links lead in a circle"
        raise UserError(f"The workspace cannot be opened: {why}. Name another folder.") from None


def choose_policy(agent: Agent, settings: Settings, purpose: Purpose, *, ordered: bool) -> Policy:
    """What the purpose of a run lets it do: only a talk may write. In one for an Order, every command is
    asked, unless the settings leave that to the sandbox."""
    if purpose == "talk":
        return agent.policy(settings)
    asks = ordered and settings.orders.commands != "read-only"
    policy = agent.asking if asks else agent.read_only
    if policy is None:
        raise UserError(f"{agent.title} can't run read-only, so it can't make a {purpose}.")
    return policy
