"""Whose fault: what the agent or its wire did wrong, as opposed to a plain crash of ours."""


class UserError(Exception):
    """As things are this cannot be done; the text is for a person, and says what, where and what next."""


class DaemonGone(UserError):
    """The daemon is not running, or is about to stop."""


class AgentFault(UserError):
    """The agent broke the rules or said no; the text says what, where and what next."""


class AgentRefused(AgentFault):
    """The agent answered a call with an error."""

    def __init__(self, agent: str, method: str, code: int, message: str) -> None:
        super().__init__(f"{agent} refused {method}: {message} (code {code})")
        self.method, self.code, self.message = method, code, message


class ThreadHeld(AgentFault):
    """Another process has the conversation open, and only one process writes to it."""


class AgentGone(AgentFault):
    """The agent's process ended, or could not be started."""


class AgentSilent(AgentFault):
    """The agent did not answer in time."""


CODES: dict[type[UserError], str] = {
    AgentGone: "agent_gone",
    AgentSilent: "agent_timed_out",
    AgentRefused: "agent_refused",
    ThreadHeld: "thread_held",
    AgentFault: "agent_fault",
}


def code_of(fault: UserError) -> str:
    """For a program to tell them apart."""
    return next((CODES[kind] for kind in type(fault).__mro__ if kind in CODES), "cannot_go_on")
