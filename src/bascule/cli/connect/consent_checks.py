"""What must hold of consent: asked of the running daemon as any local program would, and never answered."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bascule.client.link import LinkRefused
from bascule.core.wire import rpc
from bascule.model.asks import CommandSubject, SettingSubject, Subject
from bascule.model.protocol import runs, setup, sync
from bascule.model.settings import PREFIX, TABLE

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined
    from bascule.host.files.data_folder import Folder
    from bascule.host.network.registration import Registration
    from bascule.serve.selftest.attack_runner import Verdict

INCIDENT = "run or write without a yes"
ASKED_WITHIN_S = 5.0
LIMIT = "bascule.orders.maxAgeMinutes"

Check = Callable[["Joined", "Folder"], Awaitable[list[str]]]


async def inspect_consent(daemon: "Registration", folder: "Folder") -> list["Verdict"]:
    from bascule.serve.selftest.attack_runner import Verdict

    return [Verdict(name, INCIDENT, 1, tuple(await _try(daemon, folder, check))) for name, check in CHECKS]


async def _try(daemon: "Registration", folder: "Folder", check: Check) -> list[str]:
    """On a connection of its own: leaving withdraws what it asked."""
    from bascule.cli.connect.join_daemon import Joined
    from bascule.host.network.dial import dial
    from bascule.host.processes.tasks import Tasks

    wire = await dial(daemon)
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


async def _asks_first(link: "Joined", method: str, params: Any, about: type[Subject]) -> list[str]:
    """An Ask about that opens, or a setting bars it; it gets no answer."""
    before = {one.ask.id for one in (await link.call("ask.list", setup.InspectParams())).asks}
    calling = link.tasks.start(method, _call(link, method, params))
    try:
        async with asyncio.timeout(ASKED_WITHIN_S):
            while not calling.done():
                asks = (await link.call("ask.list", setup.InspectParams())).asks
                if any(one.ask.id not in before and isinstance(one.ask.subject, about) for one in asks):
                    return []
                await asyncio.sleep(0.02)
    except TimeoutError:
        return [f"{method} opened no question"]
    return [] if calling.exception() is None else [f"{method}: {calling.exception()}"]


async def _call(link: "Joined", method: str, params: Any) -> None:
    try:
        await link.call(method, params)
    except LinkRefused:
        return  # barred by a setting
    raise AssertionError(f"{method} was done without a question")


async def second_initialize(link: "Joined", _folder: "Folder") -> list[str]:
    hello = runs.InitializeParams(protocol_version="0", client=runs.Client(name="selftest", version="0"))
    return await _refused(link, "initialize", hello, rpc.INVALID_REQUEST)


async def typed_command(link: "Joined", folder: "Folder") -> list[str]:
    made = folder.root / "selftest-was-here"
    params = runs.ShellExecParams(command=f"touch '{made}'")
    failures = await _asks_first(link, "shell.exec", params, CommandSubject)
    if made.exists():
        made.unlink()
        failures.append("the command ran")
    return failures


async def program_setting(link: "Joined", _folder: "Folder") -> list[str]:
    params = setup.SetSettingParams(key="bascule.codex.command", value="/nonexistent/selftest", scope="user")
    return await _asks_first(link, "settings.set", params, SettingSubject)


async def raised_limit(link: "Joined", _folder: "Folder") -> list[str]:
    """By one, unless it is as high as it can be."""
    listed = await link.call("settings.list", setup.SettingsParams())
    now = next(one for one in listed.settings if one.key == LIMIT)
    if now.value == TABLE[LIMIT.removeprefix(PREFIX)].most:
        return []
    params = setup.SetSettingParams(key=LIMIT, value=now.value + 1, scope="user")
    return await _asks_first(link, "settings.set", params, SettingSubject)


async def unasked_answer(link: "Joined", _folder: "Folder") -> list[str]:
    answer = sync.AnswerParams(session_id="machine", ask_id="desk_selftest", choice="accept")
    return await _refused(link, "ask.answer", answer)


async def whole_disk(link: "Joined", folder: "Folder") -> list[str]:
    from bascule.host.files.private_places import BROWSERS

    profiles = [str(place) for name in BROWSERS if (place := Path.home() / name).is_dir()]
    places = ("/", str(folder.root), str(Path("/proc/self")), *profiles)
    tried = [await _refused(link, "session.create", sync.CreateParams(workspace=place)) for place in places]
    return [failure for failures in tried for failure in failures]


CHECKS: tuple[tuple[str, Check], ...] = (
    ("a second initialize is refused", second_initialize),
    ("a typed command asks first, or is barred", typed_command),
    ("a setting that names a program asks first", program_setting),
    ("a limit of remote orders is raised only after a question", raised_limit),
    ("an answer to a question that is not open is refused", unasked_answer),
    ("no session begins in private or system folders", whole_disk),
)
