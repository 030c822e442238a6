"""A refusal on its way up: raised deep inside, handed out as a value at the door."""

from msgspec.structs import replace

from bascule.core.text.visible import visible
from bascule.model.edits import EditRefused

AGAIN = "Ask for the diff again."
REFUSED = "Edit refused: "


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
        return f"{REFUSED}{where}{reason}{f' {advice}' if advice else ''}"

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


def refusal_in(refused: DiffRefused, where: str, advice: str) -> DiffRefused:
    """The same of something that is in `where`; with this advice, if its own can be left out."""
    answer = refused.answer

    def say(text: str) -> str:
        inner = text.removeprefix(REFUSED)
        return f"{REFUSED}{where}{inner.removesuffix(answer.advice)}{advice if answer.advice else ''}"

    return DiffRefused(
        replace(
            answer,
            why=say(answer.why),
            reason=f"{where}{answer.reason}",
            advice=advice if answer.advice else "",
            remote=say(answer.remote) if answer.remote else "",
        )
    )
