"""A refusal on its way up: raised deep inside, handed out as a value at the door."""

from bascule.core.text.visible import visible
from bascule.model.edits import EditRefused

AGAIN = "Ask for the diff again."


class DiffRefused(Exception):
    def __init__(self, answer: EditRefused) -> None:
        super().__init__(answer.why)
        self.answer = answer


class MayBeApplied(DiffRefused):
    """What the diff would make is in the file already, or seems to be."""


def refusal(
    why: str,
    path: str = "",
    *,
    where: str = "",
    hunk: int | None = None,
    line: int | None = None,
    remote: str = "",
    advice: str = "",
) -> DiffRefused:
    """`remote`: the reason without what the file holds, where `why` quotes it."""

    def say(reason: str) -> str:
        return f"Edit refused: {where}{reason}{f' {advice}' if advice else ''}"

    return DiffRefused(
        EditRefused(
            why=say(why),
            reason=why,
            advice=advice,
            path=visible(path),
            hunk=hunk,
            line=line,
            remote=say(remote) if remote else "",
        )
    )
