"""What must hold of consent: asked of the running daemon as any local program would, and never answered."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_never

from bascule.client.link import LinkRefused
from bascule.core.consent.access import FREE, GIVES, RULES
from bascule.core.settings.reading import needs_yes
from bascule.core.wire import rpc
from bascule.model.asks import ActionSubject, CommandSubject, SettingSubject, Subject
from bascule.model.consent.origin import Scope
from bascule.model.protocol import edits, hooks, runs, sessions, setup
from bascule.model.settings import TABLE, Setting, Value

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined
    from bascule.host.files.data_folder import Folder
    from bascule.host.network.registration import Registration
    from bascule.serve.selftest.attack_runner import Verdict

INCIDENT = "run or write without a yes"
NARROW_INCIDENT = "GHSA-rqpp-rjj8-7wv8"
ASKED_WITHIN_S = 5.0
NARROW: dict[Scope, str] = {
    "look": "a connection that may only look does nothing else",
    "orders": "a connection for orders does nothing else",
}
MADE_UP = "selftest-made-up"
BARRED = "refused: "

Check = Callable[["Joined", "Folder"], Awaitable[list[str]]]


async def inspect_consent(daemon: "Registration", folder: "Folder") -> list["Verdict"]:
    from bascule.serve.selftest.attack_runner import Verdict

    asked = [Verdict(name, INCIDENT, 1, tuple(await _try(daemon, folder, check))) for name, check in CHECKS]
    return asked + [
        Verdict(
            name,
            NARROW_INCIDENT,
            len(find_barred(scope)),
            tuple(await _try(daemon, folder, partial(more_than_its_scope, scope), scope)),
        )
        for scope, name in NARROW.items()
    ]


async def _try(daemon: "Registration", folder: "Folder", check: Check, scope: Scope = "full") -> list[str]:
    """On a connection of its own: leaving withdraws what it asked."""
    from bascule.cli.connect.join_daemon import Joined
    from bascule.host.network.dial import dial
    from bascule.host.processes.tasks import Tasks

    wire = await dial(daemon, scope=scope)
    try:
        async with Tasks() as tasks:
            link = Joined(wire, "", tasks)
            await link.begin("selftest")
            return await check(link, folder)
    finally:
        await wire.close()


async def _refused(link: "Joined", method: str, params: Any, code: int | None = None) -> list[str]:
    try:
        await link.call(method, params)
    except LinkRefused as refused:
        return [] if code in (None, refused.code) else [f"{method} was refused with {refused.code}"]
    return [f"{method} was done"]


async def _asks_first(
    link: "Joined", method: str, params: Any, about: type[Subject], *, may_be_barred: bool = False
) -> list[str]:
    """Opens an Ask about that, which gets no answer; or is refused, where a setting or a file may do so."""
    before = {one.ask.id for one in (await link.call("ask.list", setup.InspectParams())).asks}
    ended: list[str] = []
    calling = link.tasks.start(method, _call(link, method, params, ended))
    try:
        async with asyncio.timeout(ASKED_WITHIN_S):
            while not calling.done():
                asks = (await link.call("ask.list", setup.InspectParams())).asks
                if any(one.ask.id not in before and isinstance(one.ask.subject, about) for one in asks):
                    return []
                await asyncio.sleep(0.02)
    except TimeoutError:
        return [f"{method} opened no question"]
    return [] if may_be_barred and ended[0].startswith(BARRED) else [f"{method}: {ended[0]}"]


async def _call(link: "Joined", method: str, params: Any, ended: list[str]) -> None:
    """How it ended, in words."""
    try:
        await link.call(method, params)
        ended.append("done without a question")
    except LinkRefused as refused:
        ended.append(f"{BARRED}{refused}")


async def second_initialize(link: "Joined", _folder: "Folder") -> list[str]:
    hello = runs.InitializeParams(protocol_version="0", client=runs.Client(name="selftest", version="0"))
    return await _refused(link, "initialize", hello, rpc.INVALID_REQUEST)


async def typed_command(link: "Joined", folder: "Folder") -> list[str]:
    made = folder.root / "selftest-was-here"
    params = runs.ShellExecParams(command=f"touch '{made}'")
    failures = await _asks_first(link, "shell.exec", params, CommandSubject, may_be_barred=True)
    if made.exists():
        made.unlink()
        failures.append("the command ran")
    return failures


async def loosened_setting(link: "Joined", _folder: "Folder") -> list[str]:
    """Each that names a program, or loosens the sandbox, the approvals, the doors or a limit."""
    listed = await link.call("settings.list", setup.SettingsParams())
    now: dict[str, Value] = {one.key: one.value for one in listed.settings}
    failures = []
    for row in TABLE.values():
        value = find_looser(row, now[row.shown])
        if needs_yes(row, value, now[row.shown]):
            params = setup.SetSettingParams(key=row.shown, value=value, scope="user")
            asked = await _asks_first(link, "settings.set", params, SettingSubject)
            failures += [f"{row.shown}: {failure}" for failure in asked]
    return failures


def find_looser(row: Setting, now: Value) -> Value:
    """What a stranger would set; the same as now where nothing is looser."""
    match row.kind:
        case "flag":
            return not now if row.guarded else True
        case "number":
            assert isinstance(now, int)
            return now + 1 if row.most is None or now < row.most else now - row.guarded
        case "texts":
            assert isinstance(now, Sequence)
            return tuple(dict.fromkeys((*now, *(row.choices or (MADE_UP,)))))
        case "choice":
            return row.choices[-1]
        case "text":
            return MADE_UP
        case _:
            assert_never(row.kind)


async def claude_hooks(link: "Joined", _folder: "Folder") -> list[str]:
    """Writing into another program's settings; a file that can't be changed bars it."""
    there = await link.call("hooks.status", hooks.HooksParams())
    change = "hooks.uninstall" if there.state == "installed" else "hooks.install"
    return await _asks_first(link, change, hooks.HooksParams(), ActionSubject, may_be_barred=True)


async def unprepared_edit(link: "Joined", _folder: "Folder") -> list[str]:
    applied = await link.call("edits.apply", edits.DiffRef(diff_id=MADE_UP))
    undone = await link.call("edits.undo", edits.UndoParams(undo_id=MADE_UP))
    ended = {"edits.apply": applied, "edits.undo": undone}
    return [f"{method} ended as {done.status}" for method, done in ended.items() if done.status != "error"]


def find_barred(scope: Scope) -> tuple[str, ...]:
    """Methods that a connection of that scope may not call."""
    return tuple(
        method for method, rule in RULES.items() if rule.need not in GIVES[scope] and method not in FREE
    )


async def more_than_its_scope(scope: Scope, link: "Joined", _folder: "Folder") -> list[str]:
    tried = [await _refused(link, method, {}, rpc.NOT_ALLOWED) for method in find_barred(scope)]
    return [failure for failures in tried for failure in failures]


async def unasked_answer(link: "Joined", _folder: "Folder") -> list[str]:
    answer = sessions.AnswerParams(session_id="machine", ask_id="desk_selftest", choice="accept")
    return await _refused(link, "ask.answer", answer)


async def whole_disk(link: "Joined", folder: "Folder") -> list[str]:
    from bascule.host.files.private_places import BROWSERS

    profiles = [str(place) for name in BROWSERS if (place := Path.home() / name).is_dir()]
    places = ("/", str(folder.root), "/proc/self", "/proc/1/root", *profiles)
    wishes = [sessions.CreateParams(workspace=place) for place in places]
    tried = [await _refused(link, "session.create", wish, rpc.FAILED) for wish in wishes]
    return [failure for failures in tried for failure in failures]


async def git_folder(link: "Joined", _folder: "Folder") -> list[str]:
    """An agent that may write there would change what Git runs."""
    with tempfile.TemporaryDirectory(prefix="bascule-selftest-") as made:
        git = await asyncio.to_thread(_make_git_folder, made)
        return await _refused(link, "session.create", sessions.CreateParams(workspace=git), rpc.FAILED)


def _make_git_folder(below: str) -> str:
    git = Path(below, ".git")
    git.mkdir()
    return str(git)


CHECKS: tuple[tuple[str, Check], ...] = (
    ("a second initialize is refused", second_initialize),
    ("a typed command asks first, or is barred", typed_command),
    ("a setting that names a program or loosens asks first", loosened_setting),
    ("hooks in another program's settings ask first", claude_hooks),
    ("an edit that was not prepared here is not written", unprepared_edit),
    ("an answer to a question that is not open is refused", unasked_answer),
    ("no session begins in private or system folders", whole_disk),
    ("no session begins in a folder of Git itself", git_folder),
)
