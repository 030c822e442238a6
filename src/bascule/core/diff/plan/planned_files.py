"""Drafts as the files of a plan, so that everything that goes is shown."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from bascule.core.diff.content import Content
from bascule.core.diff.make.compare import count_changes, find_groups, whole_lines
from bascule.core.diff.plan.draft import MODES, Draft
from bascule.model.edits import PlannedFile


def planned_files(listed: Sequence[Draft], drafts: Mapping[str, Draft]) -> Iterator[PlannedFile]:
    """`drafts`: of every path, also those that are only renamed away or stay as they are."""
    moved = {draft.source for draft in listed if draft.after is not None}
    gone: dict[str, Draft] = {}
    for draft in listed:
        is_replaced = draft.source is not None and draft.original is not None and draft.after is not None
        if not is_replaced or draft.path in moved:
            yield _planned(draft, drafts)
            continue
        yield _replaced(draft)
        source = drafts[draft.source or ""]
        if draft.kind == "rename" and source.is_away:
            gone[source.path] = source
    yield from map(_gone, gone.values())


def _planned(draft: Draft, drafts: Mapping[str, Draft]) -> PlannedFile:
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
    )


def _replaced(draft: Draft) -> PlannedFile:
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
    )


def _gone(draft: Draft) -> PlannedFile:
    """What was renamed onto such a file."""
    original = draft.original or b""
    deletions = len(Content(original))
    return PlannedFile(
        path=draft.path, kind="delete", before_hash=_hash(original), after=None, deletions=deletions
    )


def _count(before: bytes | None, after: bytes | None) -> tuple[int, int]:
    old, new = (whole_lines(Content(data or b"")) for data in (before, after))
    return count_changes(find_groups(old, new))


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
