"""The branch of a folder, from Git's own files."""

from pathlib import Path

import msgspec

from bascule.host.git.repository import find_branch


def test_the_branch_is_that_of_the_repository_or_of_one_work_tree(tmp_path: Path) -> None:
    git = tmp_path / "repo" / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/feature/x\n")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {git}\n")
    assert find_branch(str(tmp_path / "repo")) == "feature/x"
    assert find_branch(str(tree)) == "feature/x"
    (git / "HEAD").write_text("0123456789abcdef\n")
    assert find_branch(str(tmp_path / "repo")) == ""
    (tree / ".git").write_text("something else\n")
    assert find_branch(str(tree)) == ""
    assert find_branch("\0") == find_branch("/\0") == find_branch("repo") == ""


def test_a_folder_inside_a_repository_is_on_its_branch(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    inside = tmp_path / "packages" / "web"
    inside.mkdir(parents=True)
    assert find_branch(str(inside)) == "main"


def test_a_name_that_is_no_text_can_be_sent(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_bytes(b"ref: refs/heads/caf\xe9\x1b[31m\n")
    assert msgspec.json.encode(find_branch(str(tmp_path))) == '"caf\ufffd"'.encode()
