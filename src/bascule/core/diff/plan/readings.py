"""Diffs that can be read in two ways: refused, unless both ways say the same."""

from collections.abc import Sequence

from bascule.core.diff.content import BOM, CRLF, LF, Content, to_bytes
from bascule.core.diff.place.asked import ask
from bascule.core.diff.place.hunk_places import place
from bascule.core.diff.place.splice import Spliced, splice, splice_all
from bascule.core.diff.plan.draft import Draft
from bascule.core.diff.refusal import DiffRefused, refusal, refusal_in
from bascule.core.text.visible import visible
from bascule.model.edits import FileDiff, Hunk

IN_TURN = "Apply the parts one after the other."


def two_readings(path: str) -> DiffRefused:
    return refusal(
        f"{visible(path)} is in the diff several times, and it makes a difference whether the later parts "
        f"speak of the file before or after the earlier ones. {IN_TURN}",
        path,
    )


def splice_part(draft: Draft, hunks: tuple[Hunk, ...], data: bytes) -> Spliced:
    """`data` is the file as the earlier parts of the diff leave it, which a refusal says: as it is now, its
    lines may well be what this part shows."""
    try:
        return splice(hunks, draft.path, data)
    except DiffRefused as refused:
        if not draft.sections:
            raise
        path, number = visible(draft.path), len(draft.sections) + 1
        raise refusal_in(
            refused,
            f"{path} is in the diff several times, and its part {number} does not fit the file as the "
            "earlier parts leave it: ",
            f"Ask for one diff with all changes to {path}, made from the file as it is.",
        ) from None


def check_other_reading(draft: Draft) -> None:
    """Several sections may all speak of the file as it is now; where that fits too, it says the same."""
    sections = draft.sections
    if any(file.kind != "update" for file in sections) or draft.original is None:
        return
    try:
        other = splice_all([file.hunks for file in sections], draft.path, draft.original)
    except DiffRefused:
        return
    if other != draft.after:
        raise two_readings(draft.path)


def check_copy(file: FileDiff, now: bytes, copied: bytes) -> None:
    """In a series, what is copied may be the file as an earlier part leaves it: `now`."""
    try:
        other = splice(file.hunks, file.source or file.path, now).after
    except DiffRefused:
        return
    if other != copied:
        raise two_readings(file.source or file.path)


def check_once(draft: Draft) -> None:
    """Each part alone cannot be applied again; all of them together could be."""
    data = draft.after or b""
    try:
        for file in draft.sections:
            data = splice(file.hunks, draft.path, data).after
    except DiffRefused:
        return
    if data != draft.after:
        raise refusal(
            f"{visible(draft.path)}: the parts of the diff fit their own result again, so nothing tells "
            "whether they are already applied. Ask for the diff again, with more context.",
            draft.path,
        )


def check_end_left(draft: Draft, file: FileDiff, before: bytes) -> None:
    """An earlier section says that it leaves no newline at the end: a later one that reaches the end and
    does not say so speaks of another file, as Git has it."""
    if not before or before.endswith(LF) or not any(map(_leaves_no_newline, draft.sections)):
        return
    content = Content(before.removeprefix(BOM))
    asked = [ask(draft.path, number, hunk) for number, hunk in enumerate(file.hunks, 1)]
    for one in place(content, asked).placed:
        if one.asked.old and one.end == len(content) and not one.asked.speaks_of_end:
            raise one.asked.refuse(
                f"line {len(content)} has no newline at its end after an earlier part of the diff, which "
                "this part does not say. Ask for the diff again.",
                len(content),
            )


def _leaves_no_newline(file: FileDiff) -> bool:
    return any(line.sign != "-" and line.ending == "" for hunk in file.hunks for line in hunk.lines)


def may_fit(file: FileDiff, data: bytes) -> bool:
    """Whether each hunk's lines are somewhere in it. Git takes the nearest place where we ask for one."""
    text = b"\n" + data.replace(CRLF, LF)
    for hunk in file.hunks:
        old = [to_bytes(line.text) for line in hunk.lines if line.sign != "+"]
        if b"\n".join([b"", *old]) not in text:
            return False
    return True


def check_added_names(files: Sequence[FileDiff], drafts: dict[str, Draft]) -> None:
    """A new file without a prefix: Git drops its top folder, and no file tells which one is right."""
    for file in files:
        if file.also is not None and drafts[file.path].original is None:
            one, two = visible(file.path), visible(file.also)
            raise refusal(
                f"{one} is a new file, and its name does not say whether its first folder is a prefix like "
                f"b/. Apply it with -p0 for {one}, or with -p1 for {two}.",
                file.path,
            )
