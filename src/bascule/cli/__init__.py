"""The command line: one module per verb, found here by name and imported when it runs."""

import argparse
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from bascule import __version__
from bascule.cli.wording import fit, written
from bascule.core.faults import UserError

# Each verb in its room: cli/<room>/<verb>.py.
ROOMS: dict[str, dict[str, str]] = {
    "sessions": {
        "ask": "prompt an agent in this folder and watch it work",
        "demo": "watch a real Codex work offline in a sample project",
        "watch": "show all agent sessions on this machine, live",
        "sessions": "list sessions",
        "session": "print, rename, fork, pin, delete … a session",
        "hooks": "install, check or remove the hooks for older versions of Claude",
        "replay": "replay recorded agent messages and print the session",
    },
    "edits": {
        "diff": "show what a diff would change here, or apply it after you approve",
        "review": "show what a run changed here, or revert parts after you approve",
        "undo": "list edits made here, or undo one",
    },
    "consent": {
        "trust": "list trusted folders, add one or revoke one",
        "devices": "enrol a device that may answer remotely; list or revoke devices",
        "orders": "take remote orders on stdin; they request work, never approve it",
        "audit": "show or verify the record of what was asked, answered and done",
    },
    "remote": {
        "relay": "run the server between a team's chat and its machines",
        "bridge": "join a relay, so that its orders reach this machine, or leave it",
    },
    "daemon": {
        "up": "start the daemon, or open the page of the running one",
        "down": "stop the daemon",
        "status": "show whether the daemon is running and what it is doing",
        "doctor": "check the setup: what was found, what is missing and how to get it",
        "settings": "show the settings in effect in this folder, or change one",
        "logs": "show the log: start-up messages and what agents wrote to stderr",
        "runtime": "speak the protocol on stdin and stdout, for clients that start it",
        "selftest": "test the running daemon's security by attacking it",
    },
}
VERBS = {verb: does for verbs in ROOMS.values() for verb, does in verbs.items()}

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
AFTERWARDS = (
    "To begin: `bascule doctor` checks the setup; `bascule demo` needs no account.",
    "Exit codes: 0 done; 1 failed, refused or declined; 2 used wrongly, or no",
    "terminal to ask on; 130 interrupted.",
)
GARBAGE_EVERY = 50_000  # objects: a quarter of a start was spent looking for garbage among classes


class WrongUse(UserError):
    """The words of the command are wrong, or there is nobody to ask: it was not tried."""


def main(argv: Sequence[str] | None = None) -> int:
    try:
        return _main(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _main(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        say(_help())
        return 0
    if words[0] in ("-V", "--version"):
        say(f"bascule {__version__}")
        return 0
    verb = words[0]
    if verb not in VERBS:
        complain(f"bascule has no verb {verb!r}. `bascule --help` lists them.")
        return EXIT_USAGE
    return _run(verb, words[1:])


def import_verb(verb: str) -> ModuleType:
    room = next(room for room, verbs in ROOMS.items() if verb in verbs)
    return importlib.import_module(f"bascule.cli.{room}.{verb}")


def _run(verb: str, words: list[str]) -> int:
    gc.set_threshold(GARBAGE_EVERY)
    module = import_verb(verb)
    parser = argparse.ArgumentParser(
        prog=f"bascule {verb}",
        description=f"{VERBS[verb][0].upper()}{VERBS[verb][1:]}.",
        epilog=getattr(module, "EXAMPLES", None),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(parser)
    _name_choices(parser)
    args = _parse(parser, words)
    try:
        return int(module.run(args))
    except UserError as fault:
        complain(str(fault))
        return EXIT_USAGE if isinstance(fault, WrongUse) else EXIT_FAILED
    except BrokenPipeError:
        _write_to_nobody()  # who reads us has seen enough
        return 0
    except OSError as fault:
        from bascule.host.files.data_folder import describe_disk_fault

        said = describe_disk_fault(fault)
        if said is None:
            raise
        complain(said)
        return EXIT_FAILED


def _write_to_nobody() -> None:
    """What is still buffered goes nowhere, instead of failing when the process ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _name_choices(parser: argparse.ArgumentParser) -> None:
    """Where a word is missing, the error names the words to choose from instead of our name for them."""
    for action in parser._actions:
        if action.choices and not action.option_strings and action.metavar is None:
            action.metavar = f"{{{','.join(action.choices)}}}"


def _parse(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    """An option may also come between two arguments; a verb with verbs of its own cannot be read so."""
    has_verbs = any(isinstance(action, argparse._SubParsersAction) for action in parser._actions)
    return parser.parse_args(words) if has_verbs else parser.parse_intermixed_args(words)


def say(text: str) -> None:
    sys.stdout.write(written(text, tuple(VERBS), sys.stdout) + "\n")


def say_for_elsewhere(text: str) -> None:
    """Its commands are typed at another machine."""
    sys.stdout.write(fit(text, sys.stdout) + "\n")


def complain(text: str) -> None:
    sys.stderr.write(written(f"bascule: {text}", tuple(VERBS), sys.stderr) + "\n")


def _help() -> str:
    lines = [
        line
        for room, verbs in ROOMS.items()
        for line in ("", f"{room.capitalize()}:", *(f"  {verb:<10} {does}" for verb, does in verbs.items()))
    ]
    return "\n".join(
        [
            "bascule: the local-first control room for coding agents",
            "",
            "usage: bascule VERB [...]    (`bascule VERB --help` shows options and examples)",
            *lines,
            "",
            *AFTERWARDS,
        ]
    )
