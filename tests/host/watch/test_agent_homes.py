"""Homes of agents: the person's own, and from Windows those inside WSL, here behind a folder."""

import os
from pathlib import Path

from bascule.core.watch.registry import ProcessFacts
from bascule.core.watch.wsl import split_unc
from bascule.host.watch.agent_homes import AgentHomes, Home, list_wsl_homes
from bascule.host.watch.process_facts import read_process, read_process_in

RUNNING = "Ubuntu\r\nDebian\r\n".encode("utf-16-le")


class Unc:
    """`\\\\wsl.localhost` as a folder: what is read there, and whether anything else is."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def at(self, path: str) -> str:
        parts = split_unc(path)
        assert parts is not None
        return f"{self._root}/{parts[0]}{parts[1]}"


def test_every_user_of_a_distribution_that_runs_has_a_home(tmp_path: Path) -> None:
    (tmp_path / "Ubuntu/home/me").mkdir(parents=True)
    (tmp_path / "Ubuntu/home/ann").mkdir()
    homes = list_wsl_homes(lambda: RUNNING, Unc(tmp_path).at)
    ubuntu, debian = f"{tmp_path}/Ubuntu", f"{tmp_path}/Debian"
    assert homes == [
        Home(f"{ubuntu}/home/ann", f"{ubuntu}/proc"),
        Home(f"{ubuntu}/home/me", f"{ubuntu}/proc"),
        Home(f"{ubuntu}/root", f"{ubuntu}/proc"),
        Home(f"{debian}/root", f"{debian}/proc"),
    ]


def test_without_a_distribution_that_runs_there_is_none() -> None:
    assert list_wsl_homes(lambda: b"") == []


def test_what_is_inside_wsl_is_added_once_and_its_shared_daemon_is_not_tried() -> None:
    inside = [Home("/u/home/me", "/u/proc")]
    homes = AgentHomes({"CODEX_HOME": "/codex"}, "/h", lambda: inside)
    assert homes.codex == ["/codex", "/h/.codex"]
    homes.look()
    homes.look()
    assert homes.codex == ["/codex", "/h/.codex", "/u/home/me/.codex"]
    assert homes.claude == [Home("/h/.claude"), Home("/u/home/me/.claude", "/u/proc")]
    assert homes.own_codex == ("/codex", "/h/.codex")


def test_here_there_are_only_the_persons_own() -> None:
    homes = AgentHomes({}, "/h")
    homes.look()
    assert (homes.codex, homes.claude) == (["/h/.codex"], [Home("/h/.claude")])
    assert not homes.may_grow


def test_a_process_of_another_system_is_looked_up_in_its_own_table(tmp_path: Path) -> None:
    start = read_process(os.getpid()).proc_start
    assert read_process_in("/proc", os.getpid()) == ProcessFacts(is_there=True, proc_start=start)
    (tmp_path / "1").mkdir()
    assert read_process_in(str(tmp_path), 7) == ProcessFacts(is_there=False)
    (tmp_path / "7").mkdir()
    fields = " ".join(["Z", *map(str, range(4, 30))])
    (tmp_path / "7/stat").write_text(f"7 (claude) {fields}\n")
    assert not read_process_in(str(tmp_path), 7).is_there  # nobody has waited for it


def test_where_the_table_cannot_be_read_nothing_is_known(tmp_path: Path) -> None:
    assert read_process_in(str(tmp_path / "proc"), 7) == ProcessFacts(is_there=True)
