"""A diff checked against the files: for each path what must be there and the bytes that will be."""

import hashlib
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from bascule.core.diff.content import CRLF, LF, Content
from bascule.core.diff.place.budget import Exhausted
from bascule.core.diff.place.hunk_places import ALREADY
from bascule.core.diff.place.splice import Spliced, make_new, splice, with_endings
from bascule.core.diff.plan import readings
from bascule.core.diff.plan.draft import (
    Draft,
    added_as_executable,
    check_file,
    check_nesting,
    check_together,
    going,
    means_new,
)
from bascule.core.diff.plan.planned_files import planned_files
from bascule.core.diff.read.names import PREFIXES
from bascule.core.diff.refusal import AGAIN, DiffRefused, refusal
from bascule.core.paths import check_path
from bascule.core.text.counts import counted
from bascule.core.text.visible import visible
from bascule.model.edits import MAX_STRIP, Diff, EditPlan, EditRefused, FileDiff, PlannedFile

MAX_FILES = 5_000
MAX_BYTES = 256 * 1024 * 1024  # of all files together, before and after
MAX_GONE = 4 * 1024 * 1024  # of a file that is deleted by its name

Read = Callable[[str], bytes | EditRefused | None]
Runs = Callable[[str], bool | None]


def plan_edits(diff: Diff, read: Read, runs: Runs | None = None) -> EditPlan | EditRefused:
    """`read` gives a file's bytes, None where there is none, or why it cannot be read; `runs` tells of a file
    that was read whether it may be run, where that is known."""
    try:
        return _Planner(read, runs or _unknown).plan(diff)
    except DiffRefused as refused:
        return refused.answer
    except Exhausted as spent:
        why = "its hunks fit so many places that nothing tells them apart."
        path = spent.path
        return refusal(f"{visible(path)}: {why} Ask for the diff again, with more context.", path).answer


def _unknown(_path: str) -> None:
    return None


def hash_plan(files: tuple[PlannedFile, ...]) -> str:
    """Over every field of every file, each with its kind and length before it; the files by path."""
    digest = hashlib.sha256(b"bascule edit plan 2\n")
    for file in sorted(files, key=lambda file: file.path):
        try:
            digest.update(ENCODER.encode(file))
        except UnicodeEncodeError:  # a path that no plan may have, and that is refused later
            digest.update(repr(file).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


ENCODER = msgspec.msgpack.Encoder()


class _Planner:
    """Section after section, each on top of what the earlier ones leave; nothing is written."""

    def __init__(self, read: Read, runs: Runs) -> None:
        self._read_file = read
        self._runs = runs
        self._known: dict[str, bytes | None] = {}
        self._total = 0
        self._drafts: dict[str, Draft] = {}
        self._going: set[str] = set()  # paths that some section deletes or renames away
        self._drops_cr = False  # the diff has CRLF where the files have none
        self._has_swaps = False  # a rename or a copy comes from a file as it is before the diff
        self._is_series = False  # one comes from what an earlier part leaves
        self._repeats_files = False  # a file is changed by several parts, as in no diff of one commit
        self._is_unprefixed = False  # a file was found under a name that Git would shorten

    def plan(self, diff: Diff) -> EditPlan:
        if not diff.files:
            raise refusal(f"the diff holds no file. {AGAIN}")
        if len(diff.files) > MAX_FILES:
            raise refusal(f"the diff has more than {MAX_FILES} files. Ask for it in parts.")
        for file in diff.files:
            self._check_absolute(file)
            check_file(file)
        check_nesting(diff.files)
        updated = [file.path for file in diff.files if file.kind == "update"]
        self._repeats_files = len(set(updated)) < len(updated)
        self._going = set(going(diff.files))
        self._drops_cr = any(self._came_with_other_endings(file) for file in diff.files)
        taken = [self._take(file) for file in diff.files]
        paths = dict.fromkeys(file.path for file in taken)
        drafts = [draft for path in paths if (draft := self._drafts[path]).is_listed]
        if not self._is_unprefixed:
            readings.check_added_names(taken, self._drafts)
        for draft in drafts:
            if len(draft.sections) > 1:
                readings.check_other_reading(draft)
                readings.check_once(draft)
        if not drafts:
            raise refusal(f"the parts of the diff cancel each other out, so nothing would change. {AGAIN}")
        check_together(drafts)
        files = tuple(planned_files(drafts, self._drafts))
        return EditPlan(files=files, hash=hash_plan(files))

    def _came_with_other_endings(self, file: FileDiff) -> bool:
        if file.kind != "update" or not any(hunk.is_crlf for hunk in file.hunks):
            return False
        data = self._read(file.path)
        return data is not None and LF in data and CRLF not in data

    def _take(self, file: FileDiff) -> FileDiff:
        """As it is understood beside the files that are there."""
        if file.kind == "update" and self._now(file.path) is None:
            if means_new(file):
                file = FileDiff(kind="add", path=file.path, hunks=file.hunks, also=file.also)
            elif file.also and file.path.startswith(PREFIXES) and self._now(file.also) is not None:
                file = replace(file, path=file.also, also=None)  # a/ before both names
        try:
            TAKES[file.kind](self, file)
        except UnicodeEncodeError:
            raise refusal(
                f"{visible(file.path)}: the diff holds half of a character, which no file can. {AGAIN}",
                file.path,
            ) from None
        self._count(len(self._drafts[file.path].after or b""))
        return file

    def _count(self, size: int) -> None:
        self._total += size
        if self._total > MAX_BYTES:
            raise refusal(f"the files hold more than {MAX_BYTES} bytes. Ask for the diff in parts.")

    # -- one section --

    def add(self, file: FileDiff) -> None:
        after = make_new(file, drops_cr=self._drops_cr)
        self._check_free(file, after)
        draft = self._draft(file.path)
        draft.put(file, after)
        draft.source = None
        draft.make(runs=added_as_executable(file))

    def update(self, file: FileDiff) -> None:
        draft = self._draft(file.path)
        before = self._get(file)
        spliced = readings.splice_part(draft, file.hunks, before)
        readings.check_end_left(draft, file, before)
        self._check_one_name(file)
        draft.set_mode(file)
        after = spliced.after if before else with_endings(file, spliced.after, drops_cr=self._drops_cr)
        draft.put(file, after, spliced.moved)

    def delete(self, file: FileDiff) -> None:
        draft = self._draft(file.path)
        before = self._get(file)
        if draft.sections:
            self._note_series(file)
            if draft.source is not None or draft.is_replaced:
                raise refusal(
                    f"{visible(file.path)} is made by an earlier part of the diff, and this part deletes it. "
                    f"{readings.IN_TURN}",
                    file.path,
                )
        if file.by_name:
            _check_shown(file, before)
            draft.put(file, None)
            draft.deletions += len(Content(before))
            return
        rest, moved = readings.splice_part(draft, file.hunks, before)
        if rest:
            count = len(Content(rest))
            lines = counted(count, "line")
            raise refusal(
                f"{visible(file.path)} is to be deleted, and holds more than the diff shows "
                f"({lines}). Ask for the diff again, made from the file as it is.",
                file.path,
            )
        self._check_one_name(file)
        draft.put(file, None, moved)

    def move(self, file: FileDiff) -> None:
        """A rename or a copy; its hunks speak of the source as it is before the diff, as Git has it."""
        assert file.source is not None
        spliced = self._splice_source(file)
        self._check_free(file, spliced.after)
        source, draft = self._draft(file.source), self._draft(file.path)
        draft.put(file, spliced.after, spliced.moved)
        draft.runs_before, draft.runs = source.runs_before, source.runs
        if self._is_from_original(file):
            draft.runs_before = draft.runs = source.ran
        else:
            draft.is_series = bool(source.sections)
        draft.source = file.source
        if source.is_made:
            draft.source, draft.kind = source.source, source.kind
        if draft.source is None:  # made by the diff, so that nothing else tells whether it may be run
            draft.make(runs=bool(source.runs))
        draft.set_mode(file)
        if draft.source == draft.path:  # away and back again
            draft.source, draft.kind = None, "update"
        if file.kind == "rename":
            source.leave()

    def _splice_source(self, file: FileDiff) -> Spliced:
        """Parts speak of the files before the diff, so that two can swap; or each of what is left by then."""
        assert file.source is not None
        draft, original = self._drafts.get(file.source), self._read(file.source)
        now = original if draft is None else draft.after
        if self._is_from_original(file):
            if original is None:
                raise self._missing(file, file.source)
            spliced = splice(file.hunks, file.source, original)
            is_changed = now != original or (draft is not None and (draft.is_replaced or draft.is_mode_new))
            self._has_swaps = self._has_swaps or is_changed
            self._check_not_both(file)
            if draft is not None and draft.is_taken and now not in (None, original):
                raise readings.two_readings(file.source)
            if self._repeats_files and file.kind == "copy" and now is not None:
                readings.check_copy(file, now, spliced.after)
            return spliced
        if now is None:
            raise _gone_before(file.source)
        if draft is None or not draft.sections:
            return splice(file.hunks, file.source, now)
        self._note_series(file)
        return readings.splice_part(draft, file.hunks, now)

    def _is_from_original(self, file: FileDiff) -> bool:
        """Git takes every rename and copy from the file before the diff. A rename of what was changed before
        it can only be the next of a series."""
        assert file.source is not None
        draft = self._drafts.get(file.source)
        if draft is None or draft.is_replaced:
            return True
        return file.kind == "copy" and draft.original is not None

    def _note_series(self, file: FileDiff) -> None:
        self._is_series = True
        self._check_not_both(file)

    def _check_not_both(self, file: FileDiff) -> None:
        if self._has_swaps and self._is_series:
            raise readings.two_readings(file.path)

    # -- two readings --

    def _check_one_name(self, file: FileDiff) -> None:
        """Without a prefix a path may be another one with a prefix: of two that exist only one fits."""
        if file.also is None or check_path(file.also) is not None:
            return
        other = self._read_file(file.also)
        if not isinstance(other, bytes) or not readings.may_fit(file, other):
            self._is_unprefixed = True
            return
        one, two = visible(file.path), visible(file.also)
        raise refusal(
            f"the diff fits {one} and {two}, and its names do not say which one. "
            f"Apply it with -p0 for {one}, or with -p1 for {two}.",
            file.path,
        )

    # -- the files as they are, and as they will be --

    def _draft(self, path: str) -> "Draft":
        if path not in self._drafts:
            original = self._read(path)
            self._drafts[path] = Draft(path, original, None if original is None else self._runs(path))
        return self._drafts[path]

    def _now(self, path: str) -> bytes | None:
        draft = self._drafts.get(path)
        return draft.after if draft is not None else self._read(path)

    def _read(self, path: str) -> bytes | None:
        if path not in self._known:
            data = self._read_file(path)
            if isinstance(data, EditRefused):
                raise DiffRefused(data)
            self._known[path] = data
            self._count(len(data or b""))
        return self._known[path]

    def _get(self, file: FileDiff) -> bytes:
        draft = self._drafts.get(file.path)
        if draft is not None and (draft.is_gone or draft.is_closed):
            raise _gone_before(file.path)
        data = self._now(file.path)
        if data is None:
            raise self._missing(file, file.path)
        return data

    def _missing(self, file: FileDiff, path: str) -> DiffRefused:
        if unprefixed := self._find_unprefixed(file):
            next_step = unprefixed
        elif file.kind == "delete":
            next_step = "If it was deleted before, this change is already applied."
        elif file.kind == "rename" and self._read(file.path) is not None:
            next_step = f"{visible(file.path)} does: this change may already be applied."
        else:
            next_step = self._find_deeper(file, path) or "Check its name, or add it as a new file."
        return refusal(f"{visible(path)} does not exist. {next_step}", path)

    def _find_unprefixed(self, file: FileDiff) -> str:
        """Without a prefix Git drops the first folder; a deletion or a new mode fits there as well."""
        if file.also is None or check_path(file.also) is not None or not self._fits(file, file.also):
            return ""
        return (
            f"The diff fits {visible(file.also)}: apply the diff with -p1, or name files relative to the "
            "workspace."
        )

    def _find_deeper(self, file: FileDiff, path: str) -> str:
        """Names may begin with folders above the workspace: then the hunks fit what is there without them."""
        if not any(line.sign != "+" for hunk in file.hunks for line in hunk.lines):
            return ""
        parts = path.split("/")
        for count in range(1, min(len(parts), MAX_STRIP)):
            inner = "/".join(parts[count:])
            if check_path(inner) is None and self._fits(file, inner):
                strip = MAX_STRIP + 1 if file.stripped is None else count + file.stripped
                way = f"apply the diff with -p{strip}, or " if strip <= MAX_STRIP else ""
                return f"The diff fits {visible(inner)}: {way}name files relative to the workspace."
        return ""

    def _check_absolute(self, file: FileDiff) -> None:
        if file.path.startswith("/") and (next_step := self._find_deeper(file, file.path)):
            raise refusal(f"{visible(file.path)} is an absolute path. {next_step}", file.path)

    def _fits(self, file: FileDiff, path: str) -> bool:
        data = self._read_file(path)
        if not isinstance(data, bytes):
            return False
        try:
            after = splice(file.hunks, path, data).after
        except DiffRefused:
            return False
        return file.kind != "delete" or not after

    def _check_free(self, file: FileDiff, after: bytes) -> None:
        there, draft = self._now(file.path), self._drafts.get(file.path)
        if draft is not None and draft.is_touched:
            if there is None:
                return
            raise refusal(
                f"{visible(file.path)} is made or changed by an earlier part of the diff, and this part adds "
                f"it as a new file. {readings.IN_TURN}",
                file.path,
            )
        if there is None or file.path in self._going:
            return
        if there == after and file.kind == "add":
            raise refusal(
                f"{visible(file.path)}: {ALREADY}. The file is there as the diff has it.", file.path
            )
        what = "adds it as a new file. Ask for a diff that edits it"
        if file.source is not None:
            how = "renames" if file.kind == "rename" else "copies"
            what = f"{how} {visible(file.source)} to it. Move it away first, or ask for another name"
        raise refusal(f"{visible(file.path)} is already there, and the diff {what}.", file.path)


TAKES: dict[str, Callable[[_Planner, FileDiff], None]] = {
    "add": _Planner.add,
    "update": _Planner.update,
    "delete": _Planner.delete,
    "rename": _Planner.move,
    "copy": _Planner.move,
}


def _gone_before(path: str) -> DiffRefused:
    return refusal(
        f"{visible(path)} was renamed or deleted by an earlier part of the diff. {readings.IN_TURN}", path
    )


def _check_shown(file: FileDiff, before: bytes) -> None:
    """A file that goes by its name alone is shown whole, so that it can be."""
    if b"\0" in before or len(before) > MAX_GONE:
        what = "a binary file" if b"\0" in before else f"larger than {MAX_GONE} bytes"
        raise refusal(
            f"{visible(file.path)} is {what}, so what would go cannot be shown. Delete it by hand.",
            file.path,
        )
