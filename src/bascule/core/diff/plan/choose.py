"""A part of a plan: the files and hunks that a person accepted, and nothing else.

Hunks are numbered from 1 as the file's preview has them. What a part means:

- A file that is not named is left out. One that is named without numbers is taken whole.
- Of a change to a file, only the named hunks are made. Its new mode, its new name (a rename) or its new
  place (a copy) goes with the file: to get the name without the hunks, name the file with none.
- A new file and a deleted one are all or nothing: their preview has one hunk at most.
- A file that is renamed onto another comes only with what goes by that: both are one change.
- What would change nothing, numbers that the preview does not have, and a file named twice are refused.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from bascule.core.diff.content import Content
from bascule.core.diff.make.compare import Group, count_changes, find_groups, whole_lines
from bascule.core.diff.plan.edit_plan import hash_plan
from bascule.core.diff.refusal import DiffRefused, refusal
from bascule.core.text.visible import visible
from bascule.model.edits import EditPlan, EditRefused, PlannedFile
from bascule.model.protocol.edits import ChosenFile

MAX_NAMED = 5  # files that one sentence names
NEXT = "Look at the preview and choose again."


def choose(
    plan: EditPlan, before: Mapping[str, bytes], chosen: Sequence[ChosenFile]
) -> EditPlan | EditRefused:
    """`before` holds the bytes that the plan is bound to; the part is bound to the same."""
    try:
        wanted = by_path(chosen, tuple(file.path for file in plan.files))
        files = tuple(
            _part(file, before.get(file.source or file.path, b""), wanted[file.path])
            for file in plan.files
            if file.path in wanted
        )
        _check_kept(plan, files)
    except DiffRefused as refused:
        return refused.answer
    return EditPlan(files=files, hash=hash_plan(files))


def by_path(chosen: Sequence[ChosenFile], known: Sequence[str]) -> dict[str, ChosenFile]:
    """Each named once, and each one of those that are known; at least one."""
    if not chosen:
        raise refusal(f"nothing is chosen. {NEXT}")
    wanted: dict[str, ChosenFile] = {}
    for one in chosen:
        if one.path not in known:
            more = ", …" if len(known) > MAX_NAMED else ""
            names = ", ".join(map(visible, known[:MAX_NAMED])) + more
            raise refusal(f"{visible(one.path)} is not in this diff, which has {names}. {NEXT}", one.path)
        if one.path in wanted:
            raise refusal(f"{visible(one.path)} is chosen twice. {NEXT}", one.path)
        wanted[one.path] = one
    return wanted


def pick_numbers(chosen: ChosenFile, count: int) -> set[int]:
    """The hunks that it names, of so many; all where it names none."""
    if chosen.hunks is None:
        return set(range(1, count + 1))
    for number in chosen.hunks:
        if not 1 <= number <= count:
            has = f"{count} hunk{'' if count == 1 else 's'}"
            raise refusal(
                f"{visible(chosen.path)} has {has}, and hunk {number} is chosen. {NEXT}",
                chosen.path,
                hunk=number,
            )
    return set(chosen.hunks)


def _check_kept(plan: EditPlan, files: Sequence[PlannedFile]) -> None:
    """Of what one file holds and another gets, no half: it would be lost, or be there twice."""
    whole = {file.path: file for file in plan.files}
    taken = {file.path: file for file in files}
    for file in files:
        if file.beside is None:
            continue
        other = taken.get(file.beside)
        if other is not None and (other.source is not None or other == whole[other.path]):
            continue
        path, name = map(visible, (file.path, file.beside))
        how = "together, with all of their hunks," if other else "together,"
        raise refusal(
            f"{path} and {name} belong together: one gets what the other holds. "
            f"Choose {path} and {name} {how} or neither.",
            file.path,
        )


def _part(file: PlannedFile, before: bytes, chosen: ChosenFile) -> PlannedFile:
    if chosen.hunks is None:
        return file
    old, new = Content(before if file.kind != "add" else b""), Content(file.after or b"")
    groups = find_groups(whole_lines(old), whole_lines(new))
    numbers = pick_numbers(chosen, len(groups))
    if len(numbers) == len(groups):
        return file
    if not numbers and (file.kind in ("add", "delete", "update") and file.mode_after is None):
        raise refusal(f"nothing of {visible(file.path)} is chosen. Leave the file out instead.", file.path)
    picked = [group for number, group in enumerate(groups, 1) if number in numbers]
    additions, deletions = count_changes(picked)
    after = _splice(whole_lines(old), whole_lines(new), picked)
    return replace(file, after=after, additions=additions, deletions=deletions, moved=())


def _splice(old: list[bytes], new: list[bytes], groups: list[Group]) -> bytes:
    lines: list[bytes] = []
    at = 0
    for tag, old_from, old_to, new_from, new_to in (code for group in groups for code in group):
        lines += old[at:old_from]
        lines += old[old_from:old_to] if tag == "equal" else new[new_from:new_to]
        at = old_to
    return b"".join([*lines, *old[at:]])
