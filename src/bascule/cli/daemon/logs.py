"""`bascule logs`: the last lines of the log."""

import argparse

from bascule.cli import complain, say
from bascule.cli.connect.start_options import add_place, open_data_folder, read_count


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-n", "--lines", metavar="N", type=read_count, default=100, help="how many (default: 100)"
    )
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    from bascule.host.storage.logfile import read_tail

    folder = open_data_folder(demo=args.demo)
    lines = read_tail(folder.log, args.lines)
    for line in lines:
        say(line)
    if not lines:
        complain("Nothing has been logged yet.")
    return 0
