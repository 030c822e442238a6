"""A survey of an edit: every path looked at on the real disk before anything is written to any."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.diff.refusal import AGAIN, DiffRefused, refusal
from bascule.core.paths import fold_path
from bascule.host.edits.steps import EXECUTE, MAX_BYTES, EditStep
from bascule.host.files.dir_handle import DirHandle, FileTraits, NotWritable, read_all, read_traits
from bascule.host.files.dir_handles import DirHandles, Parts

ORDINARY = 0o777  # permission bits, without those that lend the owner's rights
UNKNOWN = FileTraits(0)  # of a file that was not read again


class OldContent(Struct, frozen=True, gc=False):
    """Where a journal keeps what was there before."""

    hash: str
    at: int
    size: int
    traits: FileTraits


class SurveyedFile(Struct, frozen=True, gc=False):
    step: EditStep
    before: OldContent | None
    traits: FileTraits | None  # None: as the system makes a new file


class EmptiedFolder(Struct, frozen=True):
    """A folder that goes if the edit takes its last file."""

    path: str
    mode: int
    traits: FileTraits | None = None  # None in the journals of older versions

    @property
    def like(self) -> FileTraits:
        return self.traits or FileTraits(self.mode)

    @property
    def parts(self) -> Parts:
        return tuple(self.path.split("/"))


class Survey(Struct, frozen=True):
    files: tuple[SurveyedFile, ...]
    makes: tuple[Parts, ...]  # folders that are missing, outer ones first
    likes: Mapping[Parts, FileTraits] = {}  # of those that were there before
    empties: tuple[EmptiedFolder, ...] = ()


class Surveyor:
    """What was there is handed to `keep` while it is read, so that one file at a time is in memory."""

    def __init__(
        self,
        ground: DirHandles,
        keep: Callable[[bytes], int],
        known: Mapping[str, bytes] | None = None,
        names: dict[Parts, set[str]] | None = None,
    ) -> None:
        """`known`: files that were read this moment, and are not read again; `names`: folders, likewise."""
        self._ground = ground
        self._keep = keep
        self._known = known or {}
        self._names = names or {}  # in each folder
        self._walked: set[Parts] = {()}  # folders whose names are all spelt as they are there
        self._folded: dict[Parts, dict[str, set[str]]] = {}  # names in a folder by what they fold to
        self._makes: dict[Parts, None] = {}
        self._traits: dict[Parts, FileTraits] = {}
        self._total = 0

    def survey(
        self,
        steps: Iterable[EditStep],
        copied: dict[Parts, str],
        likes: Mapping[Parts, FileTraits] | None = None,
    ) -> Survey:
        """`likes`: of folders that were there once, should they be made again."""
        steps = list(steps)
        self._ground.begin_phase()
        going = {step.parts for step in steps if step.after is None}
        for parts, wanted in copied.items():
            self._read(EditStep(path="/".join(parts), parts=parts, before_hash=wanted, after=None))
        kept = {step.parts: self._check(step, going) for step in sorted(steps, key=lambda step: step.folder)}
        before = [kept[step.parts] for step in steps]
        files = [
            SurveyedFile(step, kept, self._traits_for(step)) for step, kept in zip(steps, before, strict=True)
        ]
        makes = tuple(sorted(self._makes, key=len))
        return Survey(tuple(files), makes, likes or {}, tuple(self._emptied(going)))

    def _emptied(self, going: set[Parts]) -> Iterator[EmptiedFolder]:
        """The folders above what goes, as Git removes them: which of them are empty then is seen then."""
        for parts in sorted({gone[:depth] for gone in going for depth in range(1, len(gone))}):
            with Fitting("/".join(parts)), self._ground.at(parts) as folder:
                traits = folder.traits
                yield EmptiedFolder("/".join(parts), traits.mode, traits)

    def _check(self, step: EditStep, going: set[Parts]) -> OldContent | None:
        if step.before_hash is None:
            self._check_free(step, going)
            return None
        data = self._read(step)
        self._total += len(data)
        if self._total > MAX_BYTES:
            raise refusal(f"the files hold more than {MAX_BYTES} bytes. Ask for a smaller diff.")
        traits = self._traits.get(step.parts, UNKNOWN)
        return OldContent(step.before_hash, self._keep(data), len(data), traits)

    def _traits_for(self, step: EditStep) -> FileTraits | None:
        if step.traits is not None:
            return step.traits
        traits = self._traits.get(step.parts) if step.like is None else self._like(step.like)
        if traits is None or step.executable is None:
            return traits
        if step.was_executable not in (None, is_runnable(traits.mode)):
            raise changed(step.path)
        return FileTraits(set_execute(traits.mode, on=step.executable), traits.uid, traits.gid, traits.labels)

    def _like(self, source: Parts) -> FileTraits | None:
        """Of another file; the right to run as its owner is not handed on."""
        traits = self._traits.get(source)
        return None if traits is None else replace(traits, mode=traits.mode & ORDINARY)

    # -- a file that must be there --

    def _read(self, step: EditStep) -> bytes:
        path, parts = step.path, step.parts
        above = parts[:-1]
        if above not in self._walked:
            for depth, name in enumerate(above):
                self._check_there(name, above[:depth], path)
            self._walked.add(above)
        self._check_there(parts[-1], above, path)
        if path in self._known:
            return self._known[path]
        try:
            with self._ground.at(above) as folder:
                data, self._traits[parts] = read_file(folder, parts[-1])
        except (NotWritable, OSError) as fault:
            raise unfit(path, fault) from None
        if sha256(data) != step.before_hash:
            raise changed(path)
        return data

    def _check_there(self, name: str, above: Parts, path: str) -> None:
        """In exactly this spelling, whatever the system takes for the same."""
        if name not in self._names_in(above, path):
            raise changed(path)

    # -- a file that must not --

    def _check_free(self, step: EditStep, going: set[Parts]) -> None:
        for depth, name in enumerate(step.parts):
            above = step.parts[:depth]
            names = self._folded_in(above, step.path).setdefault(fold_path(name), set())
            if name not in names:
                self._check_twins(step, above, name, names, going)
                names.add(name)
                self._note_new(step, depth)
            elif depth == len(step.parts) - 1:
                self._complain(step)

    def _check_twins(
        self, step: EditStep, above: Parts, name: str, names: set[str], going: set[Parts]
    ) -> None:
        """Two names that differ in case or in how an accent is written are one file on many systems."""
        twins = sorted(twin for twin in names if (*above, twin) not in going)
        if above not in self._makes:
            with Fitting(step.path), self._ground.at(above) as folder:
                twins += sorted(names) if not twins and folder.look(name) is not None else []
        if twins:
            raise refusal(
                f"{step.path} differs from {'/'.join((*above, twins[0]))} only in case or in "
                "how its letters are encoded, and many systems take the two for one. "
                "Use the name that is there.",
                step.path,
            )

    def _note_new(self, step: EditStep, depth: int) -> None:
        if depth < len(step.parts) - 1:
            folder = step.parts[: depth + 1]
            self._makes[folder] = None
            self._folded[folder] = {}

    def _complain(self, step: EditStep) -> None:
        with Fitting(step.path), self._ground.at(step.folder) as folder:
            read_file(folder, step.name)  # a link, a folder or a device is named as such
        why = f"{step.path} is already there, and the preview had it as new."
        raise ChangedSince(refusal(why, step.path, advice=AGAIN).answer)

    def _names_in(self, parts: Parts, path: str) -> set[str]:
        if parts not in self._names:
            with Fitting(path), self._ground.at(parts) as folder:
                self._names[parts] = folder.names()
        return self._names[parts]

    def _folded_in(self, parts: Parts, path: str) -> dict[str, set[str]]:
        if parts not in self._folded:
            found: dict[str, set[str]] = {}
            for name in self._names_in(parts, path):
                found.setdefault(fold_path(name), set()).add(name)
            self._folded[parts] = found
        return self._folded[parts]


class Fitting:
    """What the disk says of a path becomes a refusal that names it."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, fault: BaseException | None, _trace: object) -> None:
        if isinstance(fault, NotWritable | OSError):
            raise unfit(self._path, fault) from None


def unfit(path: str, fault: NotWritable | OSError) -> DiffRefused:
    if isinstance(fault, NotWritable):
        return refusal(f"{path} {fault}.", path)
    if isinstance(fault, FileNotFoundError):
        return changed(path)
    return refusal(f"{path}: {fault.strerror}. Check that it can be written.", path)


class ChangedSince(DiffRefused):
    """A file is not what the steps were made for."""


def changed(path: str) -> ChangedSince:
    return ChangedSince(refusal(f"{path} changed since the preview.", path, advice=AGAIN).answer)


@contextmanager
def undoing() -> Iterator[None]:
    """Nobody was shown a preview of an edit's files as they are now."""
    try:
        yield
    except ChangedSince as fault:
        path = fault.answer.path
        raise refusal(
            f"{path} changed since that edit, and undoing it would lose the later change. Undo the later "
            "change first, or change the file back by hand.",
            path,
        ) from None


def read_bytes(folder: DirHandle, name: str) -> tuple[bytes, int]:
    """With its mode."""
    fd, state = folder.open(name)
    try:
        return read_all(fd, state.st_size), state.st_mode
    finally:
        os.close(fd)


def read_file(folder: DirHandle, name: str) -> tuple[bytes, FileTraits]:
    fd, state = folder.open(name)
    try:
        return read_all(fd, state.st_size), read_traits(fd, state)
    finally:
        os.close(fd)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def is_runnable(mode: int) -> bool:
    """By its owner, which is all that Git asks."""
    return bool(mode & 0o100)


def set_execute(mode: int, *, on: bool) -> int:
    """Who may read may run, as Git has it."""
    return mode | (mode & 0o444) >> 2 if on else mode & ~EXECUTE
