"""The steps of an edit: one a path, each with what must be there and what is to be there."""

import stat
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from bascule.core.diff.refusal import DiffRefused, refusal
from bascule.core.paths import check_path, find_nested
from bascule.host.files.dir_handle import FileTraits
from bascule.host.files.dir_handles import Parts
from bascule.model.edits import EditPlan, PlannedFile

MAX_FILES = 20_000  # of one plan
MAX_BYTES = 256 * 1024 * 1024  # before or after, of one plan
EXECUTE = 0o111


class EditStep(Struct, frozen=True, kw_only=True, gc=False):
    path: str
    parts: Parts
    before_hash: str | None  # None: nothing may be there
    after: bytes | None  # None: the file goes
    like: Parts | None = None  # the file whose mode and owner a new one gets
    was_executable: bool | None = None  # where it changes: what it must be
    executable: bool | None = None  # None: as it was
    traits: FileTraits | None = None  # exactly these, whatever is there

    @property
    def folder(self) -> Parts:
        return self.parts[:-1]

    @property
    def name(self) -> str:
        return self.parts[-1]


def parse_plan(plan: EditPlan) -> tuple[list[EditStep], dict[Parts, str]]:
    """One step a path, and the files that must be as they were though nothing is written to them."""
    _check_size(plan)
    steps: dict[Parts, EditStep] = {}
    for file in plan.files:
        step = _parse_file(file)
        if step.parts in steps:
            raise refusal(f"{file.path} is in the plan twice. Ask for the diff again.", file.path)
        steps[step.parts] = step
    copied = dict(_sources(plan, steps))
    _check_nesting(steps)
    return list(steps.values()), copied


def _check_size(plan: EditPlan) -> None:
    total = sum(len(file.after or b"") for file in plan.files)
    if not plan.files:
        raise refusal("the plan holds no files. Ask for the diff again.")
    if len(plan.files) > MAX_FILES or total > MAX_BYTES:
        raise refusal(
            f"{len(plan.files)} files with {total} bytes are more than is written at once "
            f"({MAX_FILES} files, {MAX_BYTES} bytes). Ask for a smaller diff."
        )


def _parse_file(file: PlannedFile) -> EditStep:
    kind = stat.S_IFMT(file.mode_after or 0)
    if kind not in (0, stat.S_IFREG):
        raise refusal(
            f"{file.path} would become a symbolic link or a submodule, and only regular files "
            "are written. Make it by hand.",
            file.path,
        )
    return EditStep(
        path=file.path,
        parts=parse_path(file.path),
        before_hash=file.before_hash,
        after=file.after,
        like=None if file.source is None else parse_path(file.source),
        was_executable=None if file.mode_before is None else bool(file.mode_before & EXECUTE),
        executable=None if file.mode_after is None else bool(file.mode_after & EXECUTE),
    )


def _sources(plan: EditPlan, steps: dict[Parts, EditStep]) -> Iterable[tuple[Parts, str]]:
    """The source of a rename goes, unless the plan writes something in its place; that of a copy stays."""
    for file in plan.files:
        if file.source is None:
            continue
        source = parse_path(file.source)
        if file.source_hash is None:
            raise refusal(f"the plan does not say what {file.source} holds.", file.source)
        if source in steps:
            if steps[source].before_hash != file.source_hash:
                raise refusal(f"the plan says two things of {file.source}.", file.source)
        elif file.kind == "rename":
            steps[source] = EditStep(path=file.source, parts=source, before_hash=file.source_hash, after=None)
        else:
            yield source, file.source_hash


def _check_nesting(steps: dict[Parts, EditStep]) -> None:
    nested = find_nested(step.path for step in steps.values())
    if nested is not None:
        outer, inner = nested
        raise refusal(
            f"{outer} is a file in this plan, and a folder in {inner}. Apply the two one after the other.",
            outer,
        )


@lru_cache(16_384)
def parse_path(path: str) -> Parts:
    """The same rules as in planning: between the two a plan has been with others."""
    wrong = check_path(path)
    if wrong is not None:
        raise DiffRefused(wrong)
    return tuple(path.split("/"))
