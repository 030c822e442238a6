"""The other ways to run, write or reveal something here: commands, routes, and what an agent asks for."""

from msgspec.structs import replace

from bascule.core.consent.access import STARTS, Rule

AS_METHOD = "as the method says"
BOUND = "files, bound to the plan's hash"


def command(effect: str, *, ask: str = "", record: str = "") -> Rule:
    return Rule(need="manage", effect=effect, ask=ask, record=record)


def agent(effect: str, ask: str) -> Rule:
    return Rule(need="ask", effect=effect, ask=ask, record="ask" if ask else "")


# Typed at this machine, by this user. What is asked is answered in the terminal or on any other surface.
COMMANDS: dict[str, Rule] = {
    "ask": command("a prompt goes to the agent", ask=STARTS, record="ask, trust"),
    "demo": command("an offline agent in a project of its own", ask=STARTS, record="ask, trust"),
    "up": command("starts the daemon, opens the page with a one-time link"),
    "down": command("stops the daemon and every agent that it started"),
    "status": command("reveals what runs"),
    "runtime": command("everything that the protocol can do", ask=AS_METHOD, record=AS_METHOD),
    "orders": command("hands Orders over: order.take and nothing else", ask=AS_METHOD, record=AS_METHOD),
    "bridge": command(
        "joins or leaves a relay, from which Orders then come, and nothing else", record="device"
    ),
    "relay": command("serves a team's chat: it sends Orders to machines that enrolled, and has no daemon"),
    "watch": command("reveals titles, folders and status of every agent's sessions"),
    "sessions": command("reveals the names of sessions"),
    "session": command(
        "renames, hides, pins, archives, deletes, restores, forks, clears, restarts, prints a session",
        ask="session (delete)",
        record="ask, delete",
    ),
    "diff": command("writes files (apply)", ask=BOUND, record="ask, apply"),
    "review": command("writes files (--revert)", ask=BOUND, record="ask, apply"),
    "undo": command("writes files", ask=BOUND, record="ask, undo"),
    "audit": command("reveals the record"),
    "replay": command("reveals a recorded wire"),
    "doctor": command("reveals what is installed"),
    "logs": command("reveals the log"),
    "settings": command("writes a setting (set)", ask="old and new, where it loosens", record="ask, setting"),
    "hooks": command(
        "writes hooks into Claude's settings", ask="the file and the hooks", record="ask, hooks"
    ),
    "devices": command(
        "says whose yes counts from outside", ask="the device's fingerprint", record="ask, device, pass"
    ),
    "trust": command("says which folders' files agents obey", ask="what is found", record="ask, trust"),
    "selftest": command("attacks this daemon and nothing else"),
}

# HTTP, at each door. Whatever is not the page itself needs a key; a WebSocket then speaks the protocol.
ROUTES: dict[str, Rule] = {
    "GET /": Rule(need="look", effect="the page, which holds no secret"),
    "GET /icon.svg": Rule(need="look", effect="the page's icon"),
    "GET /assets/{name}": Rule(need="look", effect="the page's scripts and styles"),
    "GET /status": Rule(need="look", effect="version, counts of sessions and surfaces"),
    "GET /files/{id}": Rule(need="look", effect="one file, by an id that cannot be guessed"),
    "POST /signin": Rule(
        need="look", effect="a browser gets a pass for a link that works once", record="pass"
    ),
    "POST /signout": Rule(need="look", effect="the browser's own pass ends", record="pass"),
    "POST /link": Rule(need="manage", effect="a link that lets a browser in once"),
    "POST /shutdown": Rule(need="manage", effect="stops the daemon"),
    "WEBSOCKET /ws": Rule(need="look", effect="the protocol", ask=AS_METHOD, record=AS_METHOD),
}

# What a Codex child asks of us.
AGENT_REQUESTS: dict[str, Rule] = {
    "item/commandExecution/requestApproval": agent("runs a command, or reaches a host", "command"),
    # and a line where a link changed after the yes, so that it wrote elsewhere
    "item/fileChange/requestApproval": replace(agent("writes files", "files"), record="ask, apply"),
    "item/permissions/requestApproval": agent("widens the sandbox", "permissions"),
    "item/tool/requestUserInput": agent("reveals the person's answer to the agent", "questions"),
    "mcpServer/elicitation/request": agent("calls a tool, or reveals an answer to a server", "questions"),
    "applyPatchApproval": agent("writes files", "files"),
    "execCommandApproval": agent("runs a command", "command"),
    "item/tool/call": agent("nothing: always refused", ""),
    "account/chatgptAuthTokens/refresh": agent("nothing: always refused", ""),
    "attestation/generate": agent("nothing: always refused", ""),
}
