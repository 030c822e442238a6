"""Files rewritten as a whole: into temporaries first, then each renamed; and put back from a journal."""

import errno
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial

from msgspec import Struct

from bascule.core.diff.refusal import DiffRefused
from bascule.host.edits.flush import MANY, flush_each, sync_file_system
from bascule.host.edits.journal import Journal, JournalDamaged, JournalRecord, UndoJournals
from bascule.host.edits.steps import parse_path
from bascule.host.edits.survey import (
    ORDINARY,
    Fitting,
    Survey,
    SurveyedFile,
    changed,
    read_bytes,
    read_file,
    sha256,
    unfit,
)
from bascule.host.files.dir_handle import (
    DirHandle,
    FileTraits,
    NotWritable,
    give_mode,
    give_traits,
    write_all,
)
from bascule.host.files.dir_handles import DirHandles, Parts

NOT_OURS = (errno.ENOENT, errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR)  # gone, or with something in it
NEW, NEW_EXECUTABLE = 0o666, 0o777  # less what the person's umask takes away


def temporary(journal_id: str, number: int) -> str:
    """Known from the journal alone, so that what a kill leaves behind can be found."""
    return f".{journal_id}.{number}"


# -- forward --


def rewrite(ground: DirHandles, survey: Survey, journal: Journal, leaves: Iterable[Parts]) -> None:
    """Whatever goes wrong is raised; the caller puts back what was done until then."""
    for parts in survey.makes:
        with Fitting("/".join(parts)), ground.at(parts[:-1]) as folder:
            folder.make_folder(parts[-1], survey.likes.get(parts))
    files = _by_folder(survey, journal.id)
    ground.begin_phase()
    for folder, group in _walk(ground, files):
        _fill(folder, group)
    _flush(ground, files)
    ground.begin_phase()
    for folder, group in _walk(ground, files):
        for name, one in group:
            _swap(folder, one, name)
    remove_empty(ground, (*leaves, *(folder.parts for folder in journal.empties)))
    sync_folders(ground, _touched(survey))


Named = tuple[str, SurveyedFile]  # with the name of its temporary


def _by_folder(survey: Survey, journal_id: str) -> dict[Parts, list[Named]]:
    files: dict[Parts, list[Named]] = {}
    for number, one in enumerate(survey.files):
        files.setdefault(one.step.folder, []).append((temporary(journal_id, number), one))
    return dict(sorted(files.items()))


def _walk(ground: DirHandles, files: Mapping[Parts, list[Named]]) -> Iterator[tuple[DirHandle, list[Named]]]:
    """To each folder once."""
    for parts, group in files.items():
        with Fitting(group[0][1].step.path), ground.at(parts) as folder:
            yield folder, group


def _fill(folder: DirHandle, group: Iterable[Named]) -> None:
    for name, one in group:
        step = one.step
        if step.after is None:
            continue
        try:
            mode = NEW_EXECUTABLE if step.executable else NEW
            write_temporary(folder, name, step.after, one.traits, mode)
        except (NotWritable, OSError) as fault:
            raise unfit(step.path, fault) from None


def _flush(ground: DirHandles, files: Mapping[Parts, list[Named]]) -> None:
    """After all are written: the system then has them on the disk in a few strokes instead of thousands."""
    written = [(name, one) for group in files.values() for name, one in group if one.step.after is not None]
    with Fitting("the disk"):
        if len(written) < MANY or not _sync_at_once(ground, {one.step.folder for _, one in written}):
            flush_each([partial(_flush_one, ground, one, name) for name, one in written])


def _flush_one(ground: DirHandles, one: SurveyedFile, name: str) -> None:
    with Fitting(one.step.path), ground.at(one.step.folder) as folder:
        folder.sync_file(name)


def _sync_at_once(ground: DirHandles, folders: Iterable[Parts]) -> bool:
    """With one call for each file system that these folders are on."""
    devices: set[int] = set()
    for parts in folders:
        with ground.at(parts) as folder:
            if folder.fd is None or (device := folder.identity[0]) in devices:
                continue
            devices.add(device)
            if not sync_file_system(folder.fd):
                return False
    return bool(devices)


def _swap(folder: DirHandle, one: SurveyedFile, name: str) -> None:
    """Looked at once more: what was saved since the survey is not written over."""
    step = one.step
    last = step.name
    try:
        if find_hash(folder, last) != step.before_hash:
            raise changed(step.path)
        if step.after is None:
            folder.remove(last)
        elif step.before_hash is None:
            folder.rename_where_nothing_is(name, last)
        else:
            folder.rename(name, last)
    except (NotWritable, OSError) as fault:
        raise unfit(step.path, fault) from None


def write_temporary(folder: DirHandle, name: str, data: bytes, traits: FileTraits | None, mode: int) -> None:
    owner = None if traits is None or traits.labels else (traits.uid, traits.gid)
    is_ours = owner is not None and owner == folder.new_owner  # then it is born as it is to be
    fd = folder.create(name, mode if traits is None else traits.mode & ORDINARY if is_ours else 0o600)
    try:
        write_all(fd, data)
        if is_ours and traits is not None:
            give_mode(fd, traits.mode)
        elif traits is not None:
            folder.new_owner = give_traits(fd, traits)
    finally:
        os.close(fd)


def find_hash(folder: DirHandle, name: str) -> str | None:
    """Of the file that is there now; None where there is none."""
    try:
        return sha256(read_bytes(folder, name)[0])
    except FileNotFoundError:
        return None


def _touched(survey: Survey) -> set[Parts]:
    folders = {one.step.folder for one in survey.files} | {parts[:-1] for parts in survey.makes}
    gone = {one.step.folder for one in survey.files if one.step.after is None}
    return folders | {parts[:depth] for parts in gone for depth in range(len(parts))}


def sync_folders(ground: DirHandles, folders: Collection[Parts]) -> None:
    with suppress(FileNotFoundError, NotWritable):
        if len(folders) >= MANY and ground.root.fd is not None and _sync_at_once(ground, folders):
            return
    for parts in folders:
        with suppress(FileNotFoundError, NotWritable), ground.at(parts) as folder:  # it was empty, and went
            folder.sync()


def remove_empty(ground: DirHandles, folders: Iterable[Parts]) -> None:
    """Inner ones first; one that holds something stays."""
    for parts in sorted(folders, key=len, reverse=True):
        with suppress(OSError, NotWritable), ground.at(parts[:-1]) as folder:
            folder.remove_folder(parts[-1])


# -- back --


class NotRestored(Struct, frozen=True):
    """What could not be put back."""

    left: tuple[str, ...] = ()  # somebody else has written there since
    failed: tuple[str, ...] = ()  # the disk said no; it may say yes later


def put_back(ground: DirHandles, journals: UndoJournals, journal: Journal) -> NotRestored:
    """Everything as the journal has it, as far as it goes."""
    left: list[str] = []
    failed: list[str] = []
    for number, record in enumerate(journal.records):
        try:
            _put_back_one(ground, journals, journal, record, temporary(journal.id, number))
        except NotWritable:
            left.append(record.path)
        except (OSError, JournalDamaged, DiffRefused):
            failed.append(record.path)
    failed += _remove_made(ground, journal)
    try:
        sync_folders(ground, {tuple(record.path.split("/")[:-1]) for record in journal.records})
    except OSError:
        failed += [record.path for record in journal.records if record.path not in failed]
    return NotRestored(tuple(left), tuple(failed))


def _remove_made(ground: DirHandles, journal: Journal) -> Iterator[str]:
    """Inner ones first; those that the disk keeps are named."""
    for path in sorted(journal.makes, key=lambda path: path.count("/"), reverse=True):
        *above, name = path.split("/")
        try:
            with ground.at(tuple(above)) as folder:
                folder.remove_folder(name)
        except NotWritable:  # moved by somebody since
            continue
        except OSError as fault:
            if fault.errno not in NOT_OURS:
                yield path


def _put_back_one(
    ground: DirHandles, journals: UndoJournals, journal: Journal, record: JournalRecord, name: str
) -> None:
    parts, last = _split(record)
    if record.before is not None and not ground.holds(parts):
        _make_again(ground, parts, {folder.parts: folder.like for folder in journal.empties})
    elif not _is_there(ground, parts):
        return  # its folder was never made
    with ground.back_at(parts) as folder:
        _drop(folder, name)
        if is_as_before(folder, last, record):
            return
        if find_hash(folder, last) != record.after_hash:
            raise NotWritable("was changed by somebody else")
        if record.before is None:
            folder.remove(last)
            return
        write_temporary(
            folder, name, journals.read_before(journal, record.before), record.before.traits, 0o600
        )
        folder.sync_file(name)
        folder.rename(name, last)


def _make_again(ground: DirHandles, parts: Parts, likes: Mapping[Parts, FileTraits]) -> None:
    """A folder that was there before and has gone since."""
    for depth, name in enumerate(parts):
        with ground.back_at(parts[:depth]) as above:
            above.make_folder(name, likes.get(parts[: depth + 1]))


def _is_there(ground: DirHandles, parts: Parts) -> bool:
    try:
        with ground.back_at(parts):
            return True
    except FileNotFoundError:
        return False


def _drop(folder: DirHandle, name: str) -> None:
    with suppress(FileNotFoundError):
        folder.remove(name)


def is_as_before(folder: DirHandle, name: str, record: JournalRecord) -> bool:
    if folder.look(name) is None:
        return record.before is None
    data, traits = read_file(folder, name)
    before = record.before
    return before is not None and (sha256(data), traits.mode) == (before.hash, before.traits.mode)


def _split(record: JournalRecord) -> tuple[Parts, str]:
    *folder, name = parse_path(record.path)
    return tuple(folder), name
