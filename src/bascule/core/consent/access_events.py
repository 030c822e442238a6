"""What comes in or goes out without being a call: orders, frames of a relay, hooks, marks, what is sent."""

from bascule.core.consent.access import FREE, Need, Rule, find_may
from bascule.model.consent.origin import Origin

SENDER_ASKS = "its commands and questions, with the sender"


def order(effect: str, *, ask: str = "", record: str = "order") -> Rule:
    return Rule(need="order", effect=effect, ask=ask, record=record)


def sent(effect: str, need: Need = "look") -> Rule:
    return Rule(need=need, effect=effect)


# What an Order can be: from a relay that this machine joined, from `bascule orders` or `order.take`.
ORDERS: dict[str, Rule] = {
    "help": order("reveals the list of commands"),
    "status": order("reveals how many sessions and questions there are, and no names"),
    "plan": order("an agent plans, and cannot write", ask=SENDER_ASKS, record="order, ask, command"),
    "patch": order(
        "an agent makes a diff, which is not written", ask=SENDER_ASKS, record="order, ask, command"
    ),
    "apply": order(
        "writes files", ask="files, bound to the plan's hash, with the sender", record="order, ask, apply"
    ),
    "test": order("runs a test", ask="command, with the sender", record="order, ask, test"),
}

# Frames on the bridge's connection, by their type. No frame can spell an answer to an Ask.
FROM_RELAY: dict[str, Rule] = {
    "challenge": order("a nonce, which this machine signs", record=""),
    "welcome": order("nothing: the relay knows this machine", record="device"),
    "command": order("an Order, as in the table above", ask="as the Order says", record="as the Order says"),
    "command.cancel": order("an Order of this relay stops"),
    "stored": order("nothing: an outcome need not be sent again", record=""),
}
TO_RELAY: dict[str, Rule] = {
    "hello": order("reveals the machine's name and version, with a signature", record=""),
    "taken": order("reveals that an Order came", record=""),
    "line": order("reveals that an Order waits here for others to end", record=""),
    "progress": order("reveals that an Order waits for an answer here, never the question", record=""),
    "result": order("reveals an Order's outcome: what the agent wrote, without known secrets", record=""),
    "heartbeat": order("nothing", record=""),
    "leave": order(
        "ends this machine's enrolment at the relay; only `bascule bridge leave` sends it", record=""
    ),
}

# What Claude's hooks write into a file of the data folder, once they were installed by a yes.
HOOKS: dict[str, Rule] = {
    "SessionStart": sent("a line on the board"),
    "UserPromptSubmit": sent("a status on the board"),
    "PermissionRequest": sent("a status on the board; the question is answered in its own terminal"),
    "Notification": sent("a status on the board"),
    "Stop": sent("a status on the board"),
    "StopFailure": sent("a status on the board"),
    "SessionEnd": sent("a line on the board ends"),
}

# What a program in a pane prints. Nothing of it answers an Ask or runs anything.
MARKS: dict[str, Rule] = {
    "folder": sent("a pane's folder", "type"),
    "prompt": sent("a pane's command has ended; its session on the board ends", "type"),
    "command": sent("a pane's name; a session on the board belongs to the pane", "type"),
    "started": sent("nothing", "type"),
    "ended": sent("nothing", "type"),
    "title": sent("a pane's name", "type"),
}

# What a surface is sent unasked, or after it asked to watch.
SENT: dict[str, Rule] = {
    "agent.event": sent("what happens in a run"),
    "run.status": sent("what a run is doing"),
    "run.context": sent("how full the agent's context is"),
    "ui.confirm.request": sent("an Ask, to a surface without a folded state", "answer"),
    "ui.prompt.request": sent("a question of an Ask, in the same way", "answer"),
    "ui.pick.request": sent("a question of an Ask, in the same way", "answer"),
    "ui.toast": sent("a sentence about this daemon or this surface's own calls"),
    "session.snapshot": sent("a session that is watched"),
    "session.changed": sent("what has changed in it"),
    "session.cards": sent("the list of sessions, once it is watched"),
    "board.changed": sent("the board, once it is watched"),
    "pane.changed": sent("the list of panes, once it is watched", "type"),
    "pane.output": sent("what an attached pane shows", "type"),
    "agent.state": sent("an agent's notices, account and limits"),
    "workspace.state": sent("the branch and the changed files of a workspace"),
    "daemon.state": sent("what is wrong with the daemon, and its connection to a relay"),
    "todos.update": sent("the steps of a plan"),
}


def may_be_sent(origin: Origin, method: str) -> bool:
    """Whether a connection is sent this when everybody is. What is wrong with the daemon is for all."""
    return method in FREE or SENT[method].need in find_may(origin)
