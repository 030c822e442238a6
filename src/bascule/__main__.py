"""`bascule`, and `python -m bascule`."""

import sys


def main() -> int:
    try:
        from bascule.cli import main as run
    except KeyboardInterrupt:
        return 130
    return run()


if __name__ == "__main__":
    sys.exit(main())
