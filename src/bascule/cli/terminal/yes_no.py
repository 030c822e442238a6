"""Yes or no on a terminal: y and n, as in `git add -p`. What is neither is asked again."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bascule.host.terminal import Terminal

YES = ("y", "yes")
NO = ("n", "no", "")  # a closed terminal says nothing
HOW = "[y/n] "
AGAIN = "Please type y or n: "
MAX_TRIES = 5


def parse_yes_no(said: str) -> bool | None:
    """None: neither."""
    word = said.strip().lower()
    return True if word in YES else False if word in NO else None


def ask_yes_no(terminal: "Terminal", question: str) -> bool:
    answer = parse_yes_no(terminal.ask(f"{question} {HOW}"))
    for _ in range(MAX_TRIES):
        if answer is not None:
            return answer
        answer = parse_yes_no(terminal.ask(AGAIN))
    return False
