"""A workspace to write plans into, with what lies outside it and the journals."""

import stat
from pathlib import Path

from tests.host.plans import Seen, look, planned

from bascule.host.edits.apply import apply_plan, undo
from bascule.model.edits import Applied, EditPlan, EditRefused, PlannedFile


class EditFolder:
    def __init__(self, root: Path) -> None:
        self.workspace = root / "ws"
        self.outside = root / "outside"
        self.journals = root / "journals"
        for folder in (self.workspace / "src", self.outside):
            folder.mkdir(parents=True)
        for path, data in {"a.txt": b"a\n", "src/b.py": b"b\r\n", "src/c.sh": b"c"}.items():
            (self.workspace / path).write_bytes(data)
        (self.outside / "secret.txt").write_bytes(b"secret")

    def apply(self, plan: EditPlan) -> Applied | EditRefused:
        return apply_plan(self.workspace, plan, confirmed=plan.hash, journal_folder=self.journals)

    def plan(self, path: str, after: bytes | None, *, source: str | None = None) -> PlannedFile:
        return planned(self.workspace, path, after, source=source)

    def undo(self, applied: Applied | EditRefused) -> Applied | EditRefused:
        assert isinstance(applied, Applied), applied
        return undo(applied.journal, journal_folder=self.journals)

    def look(self) -> Seen:
        return look(self.workspace)


def why(answer: Applied | EditRefused) -> str:
    assert isinstance(answer, EditRefused), answer
    return answer.why


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)
