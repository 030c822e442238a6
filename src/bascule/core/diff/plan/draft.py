"""Drafts: what each path will hold once all sections of a diff are taken; and what is checked before."""

import re
from collections.abc import Iterable, Iterator, Sequence

from bascule.core.diff.place.hunk_places import ALREADY
from bascule.core.diff.read.hunks import IN_PARTS, MAX_HUNKS
from bascule.core.diff.refusal import AGAIN, DiffRefused, refusal
from bascule.core.paths import check_path, find_nested, find_twins
from bascule.core.text.visible import visible
from bascule.model.edits import FileDiff, FileKind, Moved

REGULAR = re.compile(r"0?100[0-7]{3}")
MODES = {False: 0o644, True: 0o755}
OTHER_MODES = {"120000": "a symbolic link", "160000": "a submodule", "040000": "a folder"}


class Draft:
    """One path, from what is there to what will be."""

    __slots__ = (
        *("path", "original", "after", "kind", "source", "ran", "runs_before", "runs", "sections"),
        *("additions", "deletions", "moved"),
        *("is_gone", "is_replaced", "is_away", "is_closed", "is_taken", "is_series"),
    )

    def __init__(self, path: str, original: bytes | None, runs: bool | None = None) -> None:
        self.path = path
        self.original = original
        self.after = original
        self.kind: FileKind = "update"
        self.source: str | None = None
        self.ran = runs  # whether what is at this path before the diff may be run; None where not known
        self.runs_before = self.runs = runs  # the same of what it is made from, and of what it will be
        self.sections: list[FileDiff] = []
        self.additions = self.deletions = 0
        self.moved: list[Moved] = []
        self.is_gone = False  # deleted, or renamed away
        self.is_replaced = False  # something else is put in its place
        self.is_away = False  # renamed, so that its new name tells of it
        self.is_closed = False  # renamed: later parts cannot mean it, even if something is in its place
        self.is_taken = False  # what was here before the diff is deleted or renamed, whatever is here since
        self.is_series = False  # what it is made from was itself made or changed by an earlier part

    def put(self, file: FileDiff, after: bytes | None, moved: Sequence[Moved] = ()) -> None:
        signs = [line.sign for hunk in file.hunks for line in hunk.lines]
        self.additions += signs.count("+")
        self.deletions += signs.count("-")
        self.moved += moved
        self.sections.append(file)
        if file.kind in ("add", "rename", "copy"):
            self.is_replaced = self.original is not None
        if file.kind != "update":
            self.kind = file.kind  # what is made or moved and then changed is made or moved
        self.after, self.is_gone = after, after is None
        self.is_taken = self.is_taken or self.is_gone
        self.is_away = self.is_closed = False

    def leave(self) -> None:
        """To another name. Later parts cannot mean it any more, as Git has it; also if it is replaced."""
        self.is_closed = self.is_taken = True
        if not self.is_replaced:
            self.after, self.is_gone, self.is_away = None, True, True

    def make(self, *, runs: bool) -> None:
        """From nothing: then what was at this path is what its mode is compared with."""
        self.runs_before = self.ran
        self.runs = runs or (None if self.original is None else False)

    def set_mode(self, file: FileDiff) -> None:
        """What a part says of its mode, which must be true."""
        before, after = _executable(file.mode_before), _executable(file.mode_after)
        if file.mode_after is None or file.mode_after == file.mode_before:
            return
        if before == after:
            raise refusal(
                f"{visible(self.path)}: the diff changes its mode from {file.mode_before} to "
                f"{file.mode_after}, and whether it may be run stays the same. {AGAIN}",
                self.path,
            )
        if self.runs is not None and self.runs == after:
            if not file.hunks:
                raise refusal(
                    f"{visible(self.path)}: {ALREADY}. Its mode is {file.mode_after[-3:]}.", self.path
                )
            raise refusal(
                f"{visible(self.path)}: the diff changes its mode to {file.mode_after[-3:]}, which it "
                "already is. Ask for the diff again, made from the file as it is.",
                self.path,
            )
        if self.runs_before is None and (self.original is not None or self.source is not None):
            self.runs_before = before  # what is made from nothing has no mode to compare with
        self.runs = after

    @property
    def is_touched(self) -> bool:
        """Not only a copy's source."""
        return bool(self.sections) or self.is_gone

    @property
    def is_mode_new(self) -> bool:
        return self.runs != self.ran

    @property
    def stays(self) -> bool:
        """As it was or with new content, but not with another file in its place: then a rename of it is a
        copy."""
        return self.after is not None and self.source is None

    @property
    def is_made(self) -> bool:
        """The diff itself made it, so that it cannot be copied from."""
        return self.original is None

    @property
    def is_listed(self) -> bool:
        """Not a source that is only renamed away, nor what came and went or is as it was."""
        is_changed = self.after != self.original or self.source is not None or self.mode_after is not None
        return bool(self.sections) and is_changed and not self.is_away

    @property
    def mode_before(self) -> int | None:
        if self.after is None:
            return None if self.ran is None else MODES[self.ran]
        return None if self.mode_after is None or self.runs_before is None else MODES[self.runs_before]

    @property
    def mode_after(self) -> int | None:
        """None where it stays as it is, or as the system makes a new file."""
        if self.after is None or self.runs is None or self.runs == bool(self.runs_before):
            return None
        return MODES[self.runs]

    @property
    def final_kind(self) -> FileKind:
        if self.after is None:
            return "delete"
        if self.kind in ("rename", "copy"):
            return self.kind
        return "add" if self.original is None else "update"


def going(files: Iterable[FileDiff]) -> Iterator[str]:
    """Paths that the diff deletes or renames away."""
    for file in files:
        if file.kind == "delete":
            yield file.path
        elif file.kind == "rename" and file.source is not None:
            yield file.source


def check_nesting(files: Iterable[FileDiff]) -> None:
    """Before any file is read: what is at such a path is neither of the two."""
    nested = find_nested(path for file in files for path in _paths(file))
    if nested is not None:
        outer, inner = map(visible, nested)
        raise refusal(
            f"{outer} is a file in this diff, and {inner} needs it as a folder. "
            "Apply the part that removes the one first, then the part that adds the other. "
            "A rename takes two steps, over a third name.",
            outer,
        )


# -- one section --


def check_file(file: FileDiff) -> None:
    for path in _paths(file):
        refused = check_path(path)
        if refused is not None:
            raise DiffRefused(refused)
    if len(file.hunks) > MAX_HUNKS:
        raise refusal(f"{visible(file.path)} has more than {MAX_HUNKS} hunks. {IN_PARTS}", file.path)
    if file.binary:
        raise refusal(
            f"{visible(file.path)} is a binary file, and binary patches are not applied. "
            "Put the file there by hand.",
            file.path,
        )
    if (file.kind in ("rename", "copy")) != (file.source is not None):
        raise refusal(f"where {visible(file.path)} comes from is not said. {AGAIN}", file.path)
    if file.source == file.path:
        raise refusal(f"{visible(file.path)} is to become itself. {AGAIN}", file.path)
    for mode in (file.mode_before, file.mode_after):
        _check_mode(file, mode)


def _check_mode(file: FileDiff, mode: str | None) -> None:
    if mode is not None and not REGULAR.fullmatch(mode):
        what = OTHER_MODES.get(mode, f"of the mode {visible(mode[:20])}")
        raise refusal(
            f"{visible(file.path)} is {what}, and only regular files are written. Make it by hand.",
            file.path,
        )


def means_new(file: FileDiff) -> bool:
    """`@@ -0,0 +1,N @@`, whatever the names above it say."""
    if len(file.hunks) != 1 or file.mode_after is not None:
        return False
    (hunk,) = file.hunks
    return (hunk.old_start, hunk.new_start) == (0, 1) and all(line.sign == "+" for line in hunk.lines)


def _executable(mode: str | None) -> bool | None:
    return None if mode is None else bool(int(mode, 8) & 0o100)


def added_as_executable(file: FileDiff) -> bool:
    return bool(_executable(file.mode_after))


def _paths(file: FileDiff) -> tuple[str, ...]:
    return (file.path,) if file.source is None else (file.source, file.path)


# -- all of them --


def check_together(drafts: Sequence[Draft]) -> None:
    touched = list(dict.fromkeys(path for draft in drafts for path in _touched(draft)))
    _check_twins(drafts, touched)


def _touched(draft: Draft) -> tuple[str, ...]:
    is_moved = draft.kind == "rename" and draft.source is not None and draft.after is not None
    return (draft.source, draft.path) if is_moved and draft.source is not None else (draft.path,)


def _check_twins(drafts: Sequence[Draft], touched: Sequence[str]) -> None:
    """A rename may change just the case of a name: then the other spelling goes."""
    renamed = {draft.source for draft in drafts if draft.kind == "rename" and find_twins(_touched(draft))}
    copied = [draft.source for draft in drafts if draft.kind == "copy" and draft.source is not None]
    twins = find_twins(path for path in (*touched, *copied) if path not in renamed)
    if twins is not None:
        one, other = map(visible, twins)
        raise refusal(
            f"{one} and {other} differ only in case or in how their letters are encoded, and "
            "many systems take the two for one. Apply them one after the other.",
            other,
        )
