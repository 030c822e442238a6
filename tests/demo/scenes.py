"""The scenes: what a client says to Codex, one function for each thing worth seeing on the wire."""

from collections.abc import Awaitable, Callable

from tests.demo.codex_peer import CodexPeer, accept, keep_silent, refuse

Scene = Callable[[CodexPeer], Awaitable[object]]

WHOLE_TURN = "Show me a whole turn: demo:reasoning demo:command demo:edit demo:approval demo:text"


def prompt(text: str) -> Scene:
    async def scene(peer: CodexPeer) -> None:
        await peer.open_thread()
        await peer.play(text, clientUserMessageId="prompt-1")

    return scene


def refused(word: str, text: str) -> Scene:
    async def scene(peer: CodexPeer) -> None:
        peer.answer = refuse(word)
        await prompt(text)(peer)

    return scene


async def cancelled(peer: CodexPeer) -> None:
    """The next turn does not take up what was cancelled."""
    await refused("cancel", "demo:approval")(peer)
    peer.answer = accept
    await peer.play("demo:search")


async def withdrawn(peer: CodexPeer) -> None:
    """An interrupt while Codex waits for an approval."""
    peer.answer = keep_silent
    await peer.open_thread()
    turn = await peer.begin("demo:approval")
    await peer.hear("item/commandExecution/requestApproval")
    await peer.interrupt(turn)
    await peer.hear("turn/completed")
    await peer.hear("serverRequest/resolved")  # comes after the turn's end


async def steered(peer: CodexPeer) -> None:
    """A message that arrives while Codex waits for an approval."""
    peer.answer = keep_silent
    await peer.open_thread()
    turn = await peer.begin("demo:approval", clientUserMessageId="prompt-1")
    ask = await peer.hear("item/commandExecution/requestApproval")
    await peer.steer(turn, "Please be quick. demo:plan", clientUserMessageId="steer-1")
    peer.send({"id": ask["id"], "result": {"decision": "accept"}})
    await peer.hear("turn/completed")


async def steered_while_speaking(peer: CodexPeer) -> None:
    """Codex drops the message it was reading; then a steer and an interrupt that come too late."""
    await peer.open_thread()
    turn = await peer.begin("demo:slow")
    await peer.hear("item/agentMessage/delta")
    await peer.steer(turn, "One more thing", clientUserMessageId="steer-1")
    await peer.hear("turn/completed")
    await peer.steer(turn, "Too late")
    await peer.interrupt(turn)


async def interrupted(peer: CodexPeer) -> None:
    await peer.open_thread()
    turn = await peer.begin("demo:slow")
    await peer.hear("item/agentMessage/delta")
    await peer.interrupt(turn)
    await peer.hear("turn/completed")
    await peer.play("demo:reasoning")


async def misdirected(peer: CodexPeer) -> None:
    """A steer and an interrupt that name the wrong turn, and a second start while a turn is going."""
    await peer.open_thread()
    turn = await peer.begin("demo:slow")
    await peer.hear("item/agentMessage/delta")
    await peer.steer(peer.thread_id, "Not for this turn")
    await peer.interrupt(peer.thread_id)
    await peer.begin("A second start", clientUserMessageId="prompt-2")
    await peer.interrupt(turn)
    await peer.hear("turn/completed")


async def proposed(peer: CodexPeer) -> None:
    """In plan mode Codex takes a proposal out of the message and makes it an item of its own."""
    settings = {"model": "demo", "reasoning_effort": None, "developer_instructions": None}
    await peer.open_thread()
    await peer.play("demo:plan", collaborationMode={"mode": "plan", "settings": settings})


async def compacted(peer: CodexPeer) -> None:
    await peer.open_thread()
    await peer.play("demo:reasoning")
    since = len(peer.heard)
    await peer.call("thread/compact/start", {"threadId": peer.thread_id})
    await peer.hear("turn/completed", since=since)
    await peer.play("demo:search")


async def listed(peer: CodexPeer) -> None:
    """Two turns, their history, and a fork that has the first one only."""
    await peer.open_thread()
    first = await peer.play("demo:command", clientUserMessageId="prompt-1")
    await peer.play("demo:edit demo:mcp demo:plan demo:search demo:reasoning")
    await peer.call("thread/turns/list", {"threadId": peer.thread_id, "itemsView": "full", "limit": 5})
    params = {"threadId": peer.thread_id, "lastTurnId": first, "excludeTurns": True}
    fork = await peer.call("thread/fork", params)
    their_id = fork["result"]["thread"]["id"]
    await peer.call("thread/turns/list", {"threadId": their_id, "itemsView": "full"})


def resumed(thread_id: str) -> Scene:
    """A thread of an earlier process: its last turn in full, and one turn more."""

    async def scene(peer: CodexPeer) -> None:
        page = {"limit": 1, "itemsView": "full"}
        params = {"threadId": thread_id, "excludeTurns": True, "initialTurnsPage": page}
        await peer.call("thread/resume", params)
        peer.thread_id = thread_id
        await peer.play("demo:reasoning")

    return scene


SCENES: dict[str, Scene] = {
    "text": prompt("demo:text"),
    "reasoning": prompt("demo:reasoning"),
    "command": prompt("demo:command"),
    "approval": prompt("demo:approval"),
    "approval-decline": refused("decline", "demo:approval"),
    "approval-cancel": cancelled,
    "approval-withdrawn": withdrawn,
    "edit": prompt("demo:edit"),
    "edit-decline": refused("decline", "demo:edit"),
    "edit-cancel": refused("cancel", "demo:edit"),
    "question": prompt("demo:question"),
    "question-open": refused("decline", "demo:question"),
    "plan": prompt("demo:plan"),
    "plan-mode": proposed,
    "search": prompt("demo:search"),
    "mcp": prompt("demo:mcp"),
    "mcp-decline": refused("decline", "demo:mcp"),
    "error": prompt("demo:error"),
    "steer": steered,
    "steer-speaking": steered_while_speaking,
    "interrupt": interrupted,
    "misdirected": misdirected,
    "compact": compacted,
    "history": listed,
    "turn": prompt(WHOLE_TURN),
}
