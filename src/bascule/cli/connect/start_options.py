"""What most verbs begin with: the data folder, the workspace, and with --demo the model beside it."""

import argparse
import asyncio
import os
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bascule.cli import WrongUse, complain
from bascule.core.faults import UserError

if TYPE_CHECKING:
    from bascule.host.files.data_folder import Folder
    from bascule.model.protocol.setup import DemoPrompt


EXIT_INTERRUPTED = 130


def add_place(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--demo", action="store_true", help="the offline demo: its own agent, project and data"
    )


def read_count(text: str) -> int:
    """Of lines, at least one."""
    if not text.isascii() or not text.isdecimal() or int(text[:9]) < 1:
        raise argparse.ArgumentTypeError(f"It takes a number from 1 on, and {text!r} is not that.")
    return int(text[:9])


def add_workspace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--workspace", metavar="DIR", help="the folder that the agent works in (default: here)"
    )


def run_async(work: Coroutine[Any, Any, int]) -> int:
    """To its end, or until Ctrl+C."""
    try:
        return asyncio.run(work)
    except asyncio.CancelledError:
        return EXIT_INTERRUPTED


def open_data_folder(*, demo: bool) -> "Folder":
    """The demo keeps its own: nothing of it is ever mixed with real work."""
    from bascule.host.files.data_folder import find_root, open_folder

    folder = open_folder(find_root(os.environ))
    return open_folder(folder.demo) if demo else folder


def report_recovered(folder: "Folder") -> None:
    """Before anything else is done to files: what a crash left half written is put back."""
    from bascule.host.edits.recovery import recover_edits

    for sentence in recover_edits(folder.root):
        complain(sentence)


def find_place(args: argparse.Namespace, folder: "Folder") -> str:
    """The workspace: the demo's own project, the one named, or this folder."""
    refuse_both(args)
    return str(folder.project) if args.demo else find_workspace(args)


def refuse_both(args: argparse.Namespace) -> None:
    if args.demo and getattr(args, "workspace", None):
        raise WrongUse("--demo works in a project of its own. Leave out --workspace, or --demo.")


@asynccontextmanager
async def agent_env(args: argparse.Namespace, folder: "Folder") -> AsyncIterator[Mapping[str, str]]:
    """What an agent's environment gets; with --demo the offline model runs beside it.

    For the owner of the folder only: it writes into it."""
    if not args.demo:
        yield {}
        return
    from bascule.demo.home import prepare_home, prepare_settings
    from bascule.demo.project import prepare_project
    from bascule.demo.server import DemoModel
    from bascule.host.config.search_path import find_search_path_in

    search_path = find_search_path_in(folder, os.environ, Path.cwd())
    await asyncio.to_thread(prepare_project, folder.project, search_path.environ)
    await asyncio.to_thread(prepare_settings, folder.settings)
    async with DemoModel() as model:
        yield prepare_home(folder.root / "codex", base_url=model.base_url, token=model.token)


def demo_prompts(args: argparse.Namespace) -> "tuple[DemoPrompt, ...]":
    """What to try; nothing outside the demo."""
    if not args.demo:
        return ()
    from bascule.demo.plays import make_prompts

    return make_prompts()


def find_workspace(args: argparse.Namespace) -> str:
    named = getattr(args, "workspace", None)
    workspace = Path(named).expanduser() if named else Path.cwd()
    try:
        is_folder = workspace.is_dir()
        place = str(workspace.resolve())
    except OSError as fault:
        raise UserError(f"{workspace} cannot be opened: {fault.strerror}. Check its permissions.") from None
    if not is_folder:
        raise UserError(f"{workspace} is not a folder. Name one with --workspace.")
    return place
