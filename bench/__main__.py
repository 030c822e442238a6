"""`python -m bench [NAME]`: every figure, or those of one bench, as one JSON line each."""

import argparse
import importlib
import sys

import msgspec

from bench.scale import Scale

BENCHES = (
    *("edits", "flood", "fold", "memory", "page", "panes", "relay", "relay_nodes"),
    *("search", "store", "start", "surface", "up", "vscode", "watch"),
)


def main(arguments: list[str]) -> None:
    chosen = parse_arguments(arguments)
    scale = Scale(**{name: getattr(chosen, name) for name in Scale.__struct_fields__})
    for name in [chosen.name] if chosen.name else BENCHES:
        figures = importlib.import_module(f"bench.{name}").measure(scale)
        line = msgspec.json.encode({"bench": name, **figures})
        print(line.decode(), flush=True)


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("name", nargs="?", choices=BENCHES, help="one bench; all when not given")
    usual = Scale()
    parser.add_argument("--deltas", type=at_least_one, default=usual.deltas, help="of the flood")
    parser.add_argument("--blocks", type=at_least_one, default=usual.blocks, help="of the stored session")
    parser.add_argument("--rounds", type=at_least_one, default=usual.rounds, help="the best one counts")
    parser.add_argument("--sessions", type=at_least_one, default=usual.sessions, help="that are stored")
    parser.add_argument("--files", type=at_least_one, default=usual.files, help="of the diff")
    parser.add_argument(
        "--watched", type=at_least_one, default=usual.watched, help="session files on the board"
    )
    parser.add_argument(
        "--seconds", type=at_least_one, default=usual.seconds, help="that records are appended for"
    )
    parser.add_argument(
        "--megabytes", type=at_least_one, default=usual.megabytes, help="that a pane is flooded with"
    )
    return parser.parse_args(arguments)


def at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is too few; it must be 1 or more")
    return number


if __name__ == "__main__":
    main(sys.argv[1:])
