"""The checks of consent miss nothing: a daemon that does whatever it is asked to fails every one of them."""

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from bascule.cli.connect.consent_checks import (
    CHECKS,
    NARROW,
    Check,
    find_barred,
    find_looser,
    more_than_its_scope,
)
from bascule.cli.connect.join_daemon import Joined
from bascule.core.settings.reading import find_bad_value, needs_yes
from bascule.host.files.data_folder import Folder
from bascule.host.processes.tasks import Tasks
from bascule.model.consent.origin import Scope
from bascule.model.protocol.edits import Written
from bascule.model.protocol.hooks import HooksStatus
from bascule.model.protocol.setup import AskList, ListedSetting, ListedSettings
from bascule.model.settings import TABLE

LISTED = tuple(
    ListedSetting(
        key=row.shown,
        kind=row.kind,
        value=row.default,
        default=row.default,
        doc=row.doc,
        source="default",
        workspace=row.workspace,
    )
    for row in TABLE.values()
)
SAID: dict[str, object] = {
    "ask.list": AskList(asks=()),
    "hooks.status": HooksStatus(settings="", state="absent", command=""),
    "settings.list": ListedSettings(settings=LISTED, user_file="", workspace_file=""),
    "edits.apply": Written(status="ok", summary=""),
    "edits.undo": Written(status="ok", summary=""),
}


class Yielding:
    """A connection to a daemon that refuses nothing and asks nobody."""

    def __init__(self, tasks: Tasks, folder: Folder) -> None:
        self.tasks = tasks
        self._folder = folder

    async def call(self, method: str, _params: Any) -> object:
        if method == "shell.exec":
            (self._folder.root / "selftest-was-here").touch()
        return SAID.get(method)


async def inspect(check: Check, folder: Folder) -> list[str]:
    async with Tasks() as tasks:
        return await check(cast("Joined", Yielding(tasks, folder)), folder)


@pytest.mark.parametrize(("name", "check"), CHECKS, ids=[name for name, _ in CHECKS])
def test_a_daemon_that_does_whatever_it_is_asked_fails(name: str, check: Check, tmp_path: Path) -> None:
    failures = asyncio.run(inspect(check, Folder(tmp_path)))
    assert failures, f"{name} misses it"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("scope", NARROW)
def test_every_method_beyond_a_scope_is_tried(scope: Scope, tmp_path: Path) -> None:
    async def check(link: Joined, folder: Folder) -> list[str]:
        return await more_than_its_scope(scope, link, folder)

    failures = asyncio.run(inspect(check, Folder(tmp_path)))
    assert failures == [f"{method} was done" for method in find_barred(scope)]
    assert {"run.start", "ask.answer", "settings.set", "pane.open"} <= set(find_barred(scope))


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_what_is_tried_of_a_setting_is_a_value_of_it(row: Any) -> None:
    """Else it would be refused for the wrong reason. What is guarded or can be looser is tried."""
    value = find_looser(row, row.default)
    assert find_bad_value(row, list(value) if isinstance(value, tuple) else value) is None
    is_loosest = value == row.default
    assert needs_yes(row, value, row.default) or is_loosest or not (row.guarded or row.is_limit)
