"""Yes or no on a terminal: y and n, as in `git add -p`. What is neither is asked again."""

from typing import TYPE_CHECKING

from bascule.cli.terminal.keyboard import Closed, read_answer

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


async def ask_yes_no(terminal: "Terminal", question: str) -> bool:
    terminal.screen.write(question)
    terminal.screen.flush()
    prompt = HOW
    for _ in range(MAX_TRIES):
        try:
            answer = parse_yes_no(await read_answer(terminal, prompt))
        except Closed:
            return False
        if answer is not None:
            return answer
        prompt = AGAIN
    return False
