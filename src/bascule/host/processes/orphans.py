"""Orphans of our children come to us and not to init, so that what an agent detached stays known (Linux)."""

import asyncio
import ctypes
import logging
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import psutil

from bascule.host.processes.liveness import is_over, read_children
from bascule.host.processes.process_register import (
    ProcessRecord,
    Register,
    find_processes,
    kill_until_gone_async,
    look,
    with_descendants,
)
from bascule.host.processes.tasks import Tasks, every

PR_SET_CHILD_SUBREAPER = 36
LOOK_S = 1.0

log = logging.getLogger("bascule.processes")


@asynccontextmanager
async def adopting_orphans(register: Register, *, ends_them: bool) -> AsyncIterator[None]:
    """While this lasts, every process below us has us above it.

    `ends_them`: the adopted ones are killed at the end. Only for a process whose children are all registered,
    since any other child counts as an orphan then."""
    if not _set_subreaper(True):
        yield
        return
    orphans = Orphans(register, registers=ends_them)
    async with Tasks() as tasks:
        tasks.start("look for orphans", every(LOOK_S, orphans.look))
        try:
            yield
        finally:
            if ends_them:
                await orphans.end()
            _set_subreaper(False)


def _set_subreaper(on: bool) -> bool:
    if sys.platform != "linux":
        return False
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(PR_SET_CHILD_SUBREAPER, int(on), 0, 0, 0) != 0:
        log.warning("processes that agents detach cannot be followed: %s", os.strerror(ctypes.get_errno()))
        return False
    return True


class Orphans:
    def __init__(self, register: Register, *, registers: bool) -> None:
        self._register = register
        self._registers = registers
        self._seen: set[int] = set()  # children at the last look
        self._adopted: dict[int, ProcessRecord] = {}

    async def look(self) -> None:
        """Registers orphans, so that they are ended after a crash too, and collects those that have ended."""
        children = set(read_children())
        for pid in children & self._seen:  # a child of our own was collected meanwhile
            self._take(pid)
        self._seen = children
        for pid in self._adopted.keys() - children:
            self._register.remove(self._adopted.pop(pid).marker)

    def _take(self, pid: int) -> None:
        try:
            process = psutil.Process(pid)
            if is_over(process):
                self._collect(pid)
            elif (
                self._registers
                and pid not in self._adopted
                and all(pid != one.pid for one in self._register.records)
            ):
                name, started_s = process.name(), process.create_time()
                record = ProcessRecord(pid, started_s, name, self._register.new_marker(), adopted=True)
                self._register.add(record)
                self._adopted[pid] = record
                log.warning("an agent left %s[%d] running; it ends with the daemon", name, pid)
        except psutil.Error:
            return  # it has just gone

    def _collect(self, pid: int) -> None:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)

    async def end(self) -> None:
        """All that is still below us and was not started by us."""
        started = {record.pid for record in self._register.records} - self._adopted.keys()

        async def find() -> list[psutil.Process]:
            seen = await asyncio.to_thread(look)
            return find_processes(seen, with_descendants(seen, set(read_children()) - started))

        await kill_until_gone_async(find)
        for pid in set(read_children()) - started:
            self._collect(pid)
        for record in self._adopted.values():
            self._register.remove(record.marker)
