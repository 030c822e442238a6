"""A refusal on its way up: raised deep inside, handed out as a value at the door."""

from bascule.core.diff.visible import visible
from bascule.model.edits import EditRefused


class Refused(Exception):
    def __init__(self, why: str, path: str = "", *, hunk: int | None = None, line: int | None = None) -> None:
        super().__init__(why)
        self.answer = EditRefused(why=why, path=visible(path), hunk=hunk, line=line)
