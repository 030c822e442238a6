"""Drafts as the files of a plan, so that everything that goes is shown."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from bascule.core.diff.content import Content
from bascule.core.diff.make.compare import count_changes, find_groups, whole_lines
from bascule.core.diff.plan.draft import MODES, Draft
from bascule.model.edits import PlannedFile


def planned_files(listed: Sequence[Draft], drafts: Mapping[str, Draft]) -> Iterator[PlannedFile]:
    """`drafts`: of every path, also those that are only renamed away or stay as they are."""
    new_names = _new_names(listed)
    gone: list[PlannedFile] = []
    for draft in listed:
        is_onto = draft.source is not None and draft.original is not None and draft.after is not None
        last = _last_name(draft.path, new_names, drafts)
        if not is_onto or last is None:
            yield _planned(draft, drafts, new_names.get(draft.path) if is_onto else None)
            continue
        source = drafts[draft.source or ""]
        is_moved = draft.kind == "rename" and not source.stays
        yield _replaced(draft, source.path if is_moved else last if last != draft.path else None)
        if is_moved and source.is_away:
            gone.append(_gone(source, last))
    yield from gone


def _last_name(path: str, new_names: Mapping[str, str], drafts: Mapping[str, Draft]) -> str | None:
    """Of files that are each renamed onto the next, the one whose content goes. None where none does: the
    last has a free name, or that of the first."""
    seen: set[str] = set()
    while path in new_names and path not in seen:
        seen.add(path)
        path = new_names[path]
    return None if path in seen or drafts[path].original is None else path


def _new_names(listed: Sequence[Draft]) -> dict[str, str]:
    """Where what was at a path is after the diff; if it is renamed and copied, the name it is renamed to."""
    names: dict[str, str] = {}
    for draft in listed:
        if draft.after is None or draft.source is None:
            continue
        if draft.kind == "rename" or draft.source not in names:
            names[draft.source] = draft.path
    return names


def _planned(draft: Draft, drafts: Mapping[str, Draft], beside: str | None) -> PlannedFile:
    source = draft.source if draft.after is not None else None
    origin = None if source is None else drafts[source].original
    additions, deletions = draft.additions, draft.deletions
    if draft.is_series or draft.is_replaced or len(draft.sections) > 1:
        # what one part adds, another may have removed; and none may have removed what is replaced
        additions, deletions = _count(draft.original if source is None else origin, draft.after)
    is_copy = source is not None and drafts[source].stays
    return PlannedFile(
        path=draft.path,
        kind="copy" if is_copy else draft.final_kind,
        before_hash=None if draft.original is None else _hash(draft.original),
        after=draft.after,
        source=source,
        source_hash=None if origin is None else _hash(origin),
        mode_before=draft.mode_before,
        mode_after=draft.mode_after,
        additions=additions,
        deletions=deletions,
        moved=tuple(draft.moved),
        beside=beside,
    )


def _replaced(draft: Draft, beside: str | None) -> PlannedFile:
    """A rename or a copy onto a file that goes would show only what it is made from, and not what goes."""
    additions, deletions = _count(draft.original, draft.after)
    is_new = draft.is_mode_new and draft.runs is not None
    return PlannedFile(
        path=draft.path,
        kind="update",
        before_hash=_hash(draft.original or b""),
        after=draft.after,
        mode_before=MODES[draft.ran] if is_new and draft.ran is not None else None,
        mode_after=MODES[draft.runs] if is_new and draft.runs is not None else None,
        additions=additions,
        deletions=deletions,
        beside=beside,
    )


def _gone(draft: Draft, beside: str) -> PlannedFile:
    """What was renamed onto such a file."""
    original = draft.original or b""
    deletions = len(Content(original))
    return PlannedFile(
        path=draft.path,
        kind="delete",
        before_hash=_hash(original),
        after=None,
        mode_before=draft.mode_before,
        deletions=deletions,
        beside=beside,
    )


def _count(before: bytes | None, after: bytes | None) -> tuple[int, int]:
    old, new = (whole_lines(Content(data or b"")) for data in (before, after))
    return count_changes(find_groups(old, new))


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
