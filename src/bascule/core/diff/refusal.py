"""A refusal on its way up: raised deep inside, handed out as a value at the door."""

from bascule.core.text.visible import visible
from bascule.model.edits import EditRefused


class DiffRefused(Exception):
    def __init__(self, answer: EditRefused) -> None:
        super().__init__(answer.why)
        self.answer = answer


def refusal(
    why: str, path: str = "", *, hunk: int | None = None, line: int | None = None, remote: str = ""
) -> DiffRefused:
    """`remote`: the reason without what the file holds, where `why` quotes it."""
    return DiffRefused(
        EditRefused(
            why=f"Edit refused: {why}",
            path=visible(path),
            hunk=hunk,
            line=line,
            remote=f"Edit refused: {remote}" if remote else "",
        )
    )
