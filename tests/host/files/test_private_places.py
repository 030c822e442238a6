"""Our data folder and credentials: shown to nobody, wherever a workspace lies."""

import errno
import sys
import tempfile
from pathlib import Path

import pytest

from bascule.host.files.private_places import PrivatePaths, find_private
from bascule.host.files.workspace_files import Listing
from bascule.model.asks import Refuse


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in ("data/attachments", "data/project", ".ssh", "repo/src"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


@pytest.fixture
def private(home: Path) -> PrivatePaths:
    return find_private((home / "data",), home=str(home), named_files=(home / "codex" / "auth.json",))


def is_barred(private: PrivatePaths, workspace: Path, real: Path) -> bool:
    return isinstance(private.find_bar(workspace, real), Refuse)


def test_what_is_private(private: PrivatePaths, home: Path) -> None:
    names = ("data", "data/x", ".ssh/id", ".netrc", "codex/auth.json", ".codex/auth.json", ".ssh")
    assert [name for name in names if not is_barred(private, home, home / name)] == []
    open_ = ("repo/src", "datax", ".sshx", "codex/config.toml", ".codex/config.toml")
    assert [name for name in open_ if is_barred(private, home, home / name)] == []


def test_of_many_names_those_are_found_that_lie_in_private_places(private: PrivatePaths, home: Path) -> None:
    repo = home / "repo"
    (repo / "keys").symlink_to(home / ".ssh")
    (repo / "one").symlink_to(home / ".netrc")
    (home / ".ssh" / "id").write_text("secret")
    (repo / "hard").hardlink_to(home / ".ssh" / "id")
    harmless = ["a.py", "src/b.py", "new/deep/c.py", "src/../d.py", "nul\0", ""]
    assert private.find_bar_to_any(repo, harmless) is None
    for name in ("keys/id", "keys/new", "one", "hard", "../.ssh/id", "../data/x", "src/../../.netrc", "keys"):
        assert private.find_bar_to_any(repo, [*harmless, name]) is not None, name


def test_the_demos_project_lies_in_our_folder_and_is_shown(private: PrivatePaths, home: Path) -> None:
    project = home / "data" / "project"
    assert not is_barred(private, project, project / "a.py")
    assert is_barred(private, project, home / "data" / "settings.toml")
    assert is_barred(private, home / "data", home / "data" / "settings.toml")


def test_what_cannot_be_opened(private: PrivatePaths, home: Path) -> None:
    opened = {str(folder): private.find_bar_to_open(folder) is None for folder in (Path("/"), home)}
    assert opened == {"/": False, str(home): True}
    assert private.find_bar_to_open(home / "data") is not None
    assert private.find_bar_to_open(home / ".ssh") is not None
    for git in ("project/.git", "project/.git/modules/a", "project/.GIT"):
        refused = private.find_bar_to_open(home / git)
        assert refused is not None, "an agent that may write there would change what Git runs"
        assert "belongs to Git itself" in refused.why
    for name in ("objects", "refs", "hooks", "tree"):
        (home / "bare" / name).mkdir(parents=True)
    for mark in ("HEAD", "tree/.git"):
        (home / "bare" / mark).touch()
    opened = {name: private.find_bar_to_open(home / "bare" / name) is None for name in ("", "hooks", "tree")}
    assert opened == {"": False, "hooks": False, "tree": True}, "a work tree is no file of Git's own"
    assert private.find_bar_to_open(home / "data" / "project") is None
    for ours in ("audit", "logs", "agents", "git", "project-2"):
        assert private.find_bar_to_open(home / "data" / ours) is not None


def test_a_listing_leaves_it_out(private: PrivatePaths, home: Path) -> None:
    listing = Listing((".netrc", ".ssh/id", "data/x", "datax", "repo/a"), truncated=True)
    assert private.without(home, listing) == Listing(("datax", "repo/a"), truncated=True)
    assert private.without(home / "repo", listing) == listing


@pytest.mark.skipif(sys.platform != "linux", reason="no list is kept elsewhere")
def test_what_a_command_may_read(private: PrivatePaths, home: Path) -> None:
    (home / "link").symlink_to(home)
    (home / "loop").symlink_to(home / "data")
    readable = private.readable_in(home / "repo")
    inside = [Path(name) for name in readable if Path(name).is_relative_to(home)]
    below = sorted(path.relative_to(home).as_posix() for path in inside)
    assert below == ["data/attachments", "repo"], "nor a link to what holds it"
    assert "/usr" in readable
    assert not {"/", "/proc", "/dev", str(home), str(home / "data")} & set(readable)
    project = home / "data" / "project"
    assert str(project) in private.readable_in(project)
    assert PrivatePaths((), ()).readable_in(project) == ()


@pytest.mark.skipif(sys.platform != "linux", reason="no list is kept elsewhere")
def test_installed_in_the_temp_folder_codex_still_finds_itself(
    private: PrivatePaths, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(home))
    monkeypatch.setattr(sys, "prefix", str(home / "clone" / ".venv"))
    assert str(home / "clone" / ".venv") in private.readable_in(home / "repo")
    # below the workspace it is writable as the rest of it
    assert str(home / "clone" / ".venv") not in private.readable_in(home / "clone")
    monkeypatch.setattr(sys, "prefix", str(home / "data"))
    assert str(home / "data") not in private.readable_in(home / "repo")


@pytest.mark.skipif(sys.platform != "linux", reason="no list is kept elsewhere")
def test_a_workspace_above_private_places_does_not_open_them(private: PrivatePaths, home: Path) -> None:
    readable = private.readable_in(home)
    assert str(home) not in readable
    assert str(home / "repo") in readable
    assert [place for place in readable if Path(place) in (home / "data", home / ".ssh")] == []
    assert str(home / "repo") in private.readable_in(home / "repo")


def test_another_name_of_a_file_of_ours_is_not_shown(private: PrivatePaths, home: Path) -> None:
    (home / "data" / "bascule.db").write_text("x")
    (home / "repo" / "innocent").hardlink_to(home / "data" / "bascule.db")
    (home / "repo" / "plain").write_text("x")
    assert is_barred(private, home / "repo", home / "repo" / "innocent")
    assert not is_barred(private, home / "repo", home / "repo" / "plain")
    listed = private.without(home / "repo", Listing(("innocent", "plain"), truncated=False))
    assert listed.files == ("plain",), "a search does not look into it either"


def test_a_hard_link_to_a_credential_is_not_shown(private: PrivatePaths, home: Path) -> None:
    (home / ".netrc").write_text("secret")
    (home / "repo" / "notes").hardlink_to(home / ".netrc")
    assert is_barred(private, home / "repo", home / "repo" / "notes")
    (home / ".ssh").mkdir(exist_ok=True)
    (home / ".ssh" / "id_rsa").write_text("secret")
    (home / "repo" / "key").hardlink_to(home / ".ssh" / "id_rsa")
    assert is_barred(private, home / "repo", home / "repo" / "key")


def test_folders_of_the_system_are_no_workspaces(private: PrivatePaths) -> None:
    assert all(private.find_bar_to_open(Path(name)) is not None for name in ("/proc", "/sys/kernel", "/dev"))


def test_the_files_that_open_the_outer_door_are_private(home: Path) -> None:
    named = find_private((home / "data",), home=str(home), named_files=(home / "repo" / "cred",))
    assert is_barred(named, home / "repo", home / "repo" / "cred")


@pytest.mark.parametrize("profile", [".mozilla", ".config/chromium", "snap/firefox", ".local/share/keyrings"])
def test_what_a_browser_keeps_is_private(private: PrivatePaths, home: Path, profile: str) -> None:
    """Our page's key is there, and its cookie goes to every server of this machine: also to an agent's."""
    (home / profile / "Default").mkdir(parents=True)
    assert is_barred(private, home / "repo", home / profile / "Default")
    readable = private.readable_in(home / "repo")
    inside = [
        one for one in readable if (home / profile).is_relative_to(one) or one.startswith(str(home / profile))
    ]
    assert not inside


def test_a_folder_that_changes_while_it_is_looked_at_is_no_fault(
    private: PrivatePaths, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def realpath(_path: Path) -> str:
        raise OSError(errno.EINVAL, "Invalid argument")  # it was a link a moment ago

    monkeypatch.setattr("os.path.realpath", realpath)
    barred = private.find_bar_to_any(home / "repo", ["src/a.py"])
    assert barred is not None
    assert "changed" in barred.why
