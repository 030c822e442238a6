"""Files of the workspaces that sessions and surfaces have: found, listed, read, searched, and no others."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.daemon.hubs import make_session

from bascule.daemon.agents.roster import Roster, SessionMissing
from bascule.daemon.files import workspaces
from bascule.daemon.files.workspaces import FRESH_S, Workspaces
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.session_saver import SessionSaver
from bascule.host.files.workspace_files import Listing, scan
from bascule.host.storage.store import Saved, Store
from bascule.model.asks import Refuse
from bascule.model.protocol.files import (
    DirEntry,
    FindFilesParams,
    FoundFiles,
    ListDirParams,
    ListedDir,
    ReadFile,
    ReadFileParams,
    SearchedFiles,
    SearchFilesParams,
    SearchHit,
)


class Clock:
    def __init__(self) -> None:
        self.now_s = 1_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mine.txt").write_text("mine\n")
    return str(tmp_path / "own")


class Looks:
    """Counts the looks at a folder, and takes each at most `most` files far."""

    def __init__(self) -> None:
        self.at: list[Path] = []
        self.most = 1_000

    def __call__(self, workspace: Path) -> Listing:
        self.at.append(workspace)
        return scan(workspace, most=self.most)


@pytest.fixture
def looks() -> Looks:
    return Looks()


@pytest.fixture
def files(tmp_path: Path, clock: Clock, looks: Looks) -> Iterator[Workspaces]:
    """One session, s_one, whose workspace is `theirs`."""
    (tmp_path / "theirs" / "src").mkdir(parents=True)
    (tmp_path / "theirs" / "src" / "main.py").write_text("print('Hello')\n")
    (tmp_path / "theirs" / "README.md").write_text("hello\n")
    store = Store(tmp_path / "db")
    session = make_session("s_one", workspace=str(tmp_path / "theirs"))
    store.save([Saved(head=session, whole=True)])
    saver = SessionSaver(store)
    roster = Roster(Hub(saver, store.read_heads(), lambda: 0))
    yield Workspaces(roster=roster, scan=looks, clock_s=clock)
    saver.close()


async def test_a_sessions_files_or_the_surfaces_own(files: Workspaces, own: str) -> None:
    both = [
        await files.find_files(FindFilesParams(query="m", session_id=session), own)
        for session in ("s_one", "")
    ]
    assert both == [FoundFiles(files=("src/main.py", "README.md")), FoundFiles(files=("mine.txt",))]


async def test_a_folder_a_file_and_a_search(files: Workspaces, own: str) -> None:
    assert await files.list_dir(ListDirParams(path="src", session_id="s_one"), own) == ListedDir(
        path="src", entries=(DirEntry(name="main.py", kind="file", size=15),)
    )
    assert await files.read_file(ReadFileParams(path="mine.txt"), own) == ReadFile(
        path="mine.txt", text="mine\n", size=5
    )
    assert await files.search(SearchFilesParams(query="hello", session_id="s_one"), own) == SearchedFiles(
        hits=(
            SearchHit(path="README.md", line=1, text="hello"),
            SearchHit(path="src/main.py", line=1, text="print('Hello')"),
        )
    )
    folder = await files.find_folder("s_one", own, "src")
    assert isinstance(folder, Path)
    assert folder.name == "src"


async def test_nothing_is_shown_without_a_workspace_or_outside_it(files: Workspaces, own: str) -> None:
    none = Refuse("Name a session: this surface has no workspace of its own.")
    assert await files.find_files(FindFilesParams(query="m"), "") == none
    assert await files.list_dir(ListDirParams(), "") == none
    assert await files.read_file(ReadFileParams(path="a"), "") == none
    assert await files.search(SearchFilesParams(query="a"), "") == none
    assert await files.find_folder("", "", "") == none
    with pytest.raises(SessionMissing):
        await files.find_files(FindFilesParams(query="m", session_id="s_gone"), own)
    outside = Refuse("../theirs/README.md leaves the workspace. Name files inside it.")
    assert await files.read_file(ReadFileParams(path="../theirs/README.md"), own) == outside


async def test_gits_own_files_are_not_shown(files: Workspaces, own: str) -> None:
    """An address in its configuration may hold a token."""
    git = Path(own) / ".git"
    git.mkdir()
    (git / "config").write_text("[remote]\n\turl = https://me:token@example.com/\n")
    (Path(own) / "link").symlink_to(git)
    for path in (".git/config", "link/config", "./.git//config"):
        assert await files.read_file(ReadFileParams(path=path), own) == Refuse(
            ".git/config belongs to Git itself, and is not shown."
        ), path
    assert isinstance(await files.list_dir(ListDirParams(path=".git"), own), Refuse)


async def test_gits_own_files_are_not_shown_where_their_folder_has_another_name(
    files: Workspaces, own: str
) -> None:
    """Of a bare repository, or of one whose `.git` is a file; a work tree that lies in one is shown."""
    git = Path(own) / "store"
    for name in ("objects", "refs", "tree"):
        (git / name).mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text("[remote]\n\turl = https://me:token@example.com/\n")
    (git / "tree" / ".git").write_text("gitdir: ../store\n")
    (git / "tree" / "a.txt").write_text("token ring\n")
    (Path(own) / ".gitignore").write_text("HEAD\n")
    assert await files.read_file(ReadFileParams(path="store/config"), own) == Refuse(
        "store/config belongs to Git itself, and is not shown."
    )
    found = await files.search(SearchFilesParams(query="token"), own)
    assert isinstance(found, SearchedFiles)
    assert [hit.path for hit in found.hits] == ["store/tree/a.txt"]
    assert isinstance(await files.read_file(ReadFileParams(path="store/tree/a.txt"), own), ReadFile)


async def test_a_new_file_is_found_a_little_later(files: Workspaces, own: str, clock: Clock) -> None:
    ask = FindFilesParams(query="new")
    assert await files.find_files(ask, own) == FoundFiles(files=())
    Path(own, "new.txt").touch()
    clock.now_s += FRESH_S
    assert await files.find_files(ask, own) == FoundFiles(files=())
    clock.now_s += 0.1
    assert await files.find_files(ask, own) == FoundFiles(files=("new.txt",))


async def test_many_who_ask_at_once_wait_for_one_look(files: Workspaces, own: str, looks: Looks) -> None:
    found = await asyncio.gather(*(files.find_files(FindFilesParams(query="m"), own) for _ in range(50)))
    assert found == [FoundFiles(files=("mine.txt",))] * 50
    assert looks.at == [Path(own)]


async def test_few_workspaces_are_remembered(
    files: Workspaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspaces, "MAX_LISTED", 2)
    for name in ("a", "b", "a", "c"):
        (tmp_path / name).mkdir(exist_ok=True)
        await files.find_files(FindFilesParams(query=""), str(tmp_path / name))
    assert [Path(kept).name for kept in files._seen] == ["a", "c"]
    assert sorted(Path(kept).name for kept in files._scans) == ["a", "c"]


async def test_the_list_has_its_ceiling_and_says_when_files_were_left_out(
    files: Workspaces, own: str, looks: Looks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspaces, "MAX_FOUND", 2)
    for number in range(5):
        Path(own, f"m{number}").touch()
    looks.most = 4
    found = await files.find_files(FindFilesParams(query="m", limit=1_000), own)
    assert found == FoundFiles(files=("m0", "m1"), truncated=True)
    one = await files.find_files(FindFilesParams(query="m", limit=-5), own)
    assert one == FoundFiles(files=("m0",), truncated=True)
