"""The application: one owner of a data folder, from taking it to giving it back."""

import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Literal

from bascule.core.text.redact import Redactor
from bascule.daemon.agents.available_agents import AvailableAgents
from bascule.daemon.assembly import assemble
from bascule.daemon.lock_watch import LockWatch
from bascule.daemon.parts import App
from bascule.host.config.settings_files import read_settings
from bascule.host.files.data_folder import Folder, naming_disk_faults
from bascule.host.locks import lockfile
from bascule.host.processes.orphans import adopting_orphans
from bascule.host.processes.tasks import Tasks, every
from bascule.host.storage.logfile import LogFile
from bascule.model.protocol.setup import DemoPrompt

LOCK_LOOK_S = 5.0

log = logging.getLogger("bascule")


@asynccontextmanager
async def open_app(
    folder: Folder,
    *,
    command: str,
    env: Mapping[str, str] | None = None,
    beside: Callable[[], AbstractAsyncContextManager[Mapping[str, str]]] | None = None,
    demo_prompts: tuple[DemoPrompt, ...] = (),
    secret_files: tuple[Path, ...] = (),
    orphans: Literal["leave", "follow", "end"] = "leave",
    agents: AvailableAgents | None = None,
) -> AsyncIterator[App]:
    """Take the folder, end what an earlier owner left running, and give it all back at the end.

    `beside` is entered once the folder is ours; what it gives is added to the agents' environment.
    `orphans`: what agents leave running is refused at our doors, and with "end" also ended with us, for
    which this process must start nothing else. `agents`: others than those available to everybody."""
    user_settings = read_settings(folder, None)
    async with AsyncExitStack() as stack:
        with naming_disk_faults(folder.root):
            lock = stack.enter_context(lockfile.acquire(folder.lock, command=command))
            redactor = Redactor()
            log_file = stack.enter_context(_logging(folder, user_settings.log.max_bytes, redactor))
            more = await stack.enter_async_context(beside()) if beside else {}
            whole = {**(env or {}), **more}
            app = await stack.enter_async_context(
                assemble(folder, whole, log_file, redactor, demo_prompts, secret_files, agents)
            )
        if orphans != "leave":
            await stack.enter_async_context(adopting_orphans(app.register, ends_them=orphans == "end"))
        tasks = await stack.enter_async_context(Tasks())
        tasks.start("look after the lock", every(LOCK_LOOK_S, LockWatch(lock, folder, app.notices)))
        yield app


@contextmanager
def _logging(folder: Folder, max_bytes: int, redactor: Redactor) -> Iterator[LogFile]:
    log_file = LogFile(folder.log, max_bytes=max_bytes, redactor=redactor)
    log.setLevel(logging.INFO)
    log.addHandler(log_file.handler)
    try:
        yield log_file
    finally:
        log.removeHandler(log_file.handler)
        log_file.close()
