"""What lies in a folder for agents, and what was decided about folders, on the disk."""

import os
import stat
import sys
from pathlib import Path

import pytest

from bascule.core.consent.folder_trust import MAX_FILE, hash_settings
from bascule.core.faults import UserError
from bascule.host.config import trust_store
from bascule.host.config.trust_store import MAX_FILES, TrustStore, find_project, read_inventory
from bascule.model.consent.trust import TrustedFolder


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    files = {".git": "gitdir: elsewhere", "AGENTS.md": "root", "in/ner/AGENTS.md": "inner"}
    write(tmp_path / "repo", **files)
    return tmp_path / "repo"


def test_up_to_the_root_of_the_project(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = repo / "in" / "ner"
    assert find_project(inner) == [inner, repo / "in", repo]
    found = read_inventory(inner)
    assert [finding.path for finding in found.findings] == ["AGENTS.md", "../../AGENTS.md"]
    assert found.folders == (str(inner), str(repo / "in"), str(repo))
    monkeypatch.setattr(trust_store, "ROOT_MARK", ".no-such-mark")
    assert find_project(inner) == [inner], "without a root nothing above counts"


@pytest.mark.parametrize("kind", ["dangling", "loop", "empty"])
def test_a_mark_that_is_no_repository_does_not_hide_what_lies_above(repo: Path, kind: str) -> None:
    inner = repo / "in" / "ner"
    match kind:
        case "dangling":
            (inner / ".git").symlink_to("nowhere")
        case "loop":
            (inner / ".git").symlink_to(".git")
        case _:
            (inner / ".git").mkdir()
    assert find_project(inner) == [inner, repo / "in", repo]
    (repo / ".git").unlink()
    assert find_project(inner) == [inner], "with no repository above, the mark is the root"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_names_that_are_no_text_cannot_be_trusted_and_are_sent_to_nobody(tmp_path: Path) -> None:
    for name in ("?", "\udcff"):  # the latter is the byte 0xff
        write(tmp_path, **{f".agents/skills/{name}/SKILL.md": "---\nname: x\ndescription: y\n---\n"})
    found = read_inventory(tmp_path)
    assert found.truncated
    assert found.skills == (str(tmp_path / ".agents" / "skills" / "?" / "SKILL.md"),)


def test_skills_are_named_with_where_they_really_lie(repo: Path, tmp_path: Path) -> None:
    write(tmp_path / "else", **{"SKILL.md": "name: x"})
    (repo / ".agents" / "skills").mkdir(parents=True)
    (repo / ".agents" / "skills" / "x").symlink_to(tmp_path / "else")
    found = read_inventory(repo)
    assert found.skills == (str(repo / ".agents/skills/x/SKILL.md"), str(tmp_path / "else" / "SKILL.md"))


def test_a_link_that_leads_out_is_reported_without_its_content(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "id_rsa").write_text("PRIVATE")
    (repo / "AGENTS.md").unlink()
    (repo / "AGENTS.md").symlink_to(tmp_path / "id_rsa")
    found = read_inventory(repo)
    where = f"is a link that leads out of the folder, to {tmp_path / 'id_rsa'}"
    assert [(finding.kind, finding.text) for finding in found.findings] == [("broken", where)]
    (tmp_path / "id_rsa").write_text("PUBLIC")
    assert read_inventory(repo).fingerprint != found.fingerprint


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
def test_odd_and_large_files_are_reported(repo: Path) -> None:
    (repo / "AGENTS.md").unlink()
    os.mkfifo(repo / "AGENTS.md")
    write(repo, **{"AGENTS.override.md": "x" * (MAX_FILE + 1)})
    texts = [finding.text for finding in read_inventory(repo).findings]
    assert texts == ["cannot be read: it is not a plain file", f"is larger than {MAX_FILE} bytes"]


def test_more_than_is_looked_at_cannot_be_trusted(repo: Path) -> None:
    write(repo, **{f".codex/rules/{n}.rules": "x" for n in range(MAX_FILES + 1)})
    assert read_inventory(repo).truncated


def test_the_persons_own_home_is_no_project(repo: Path) -> None:
    write(repo, **{".codex/config.toml": 'model = "mine"'})
    assert [finding.path for finding in read_inventory(repo, str(repo)).findings] == ["AGENTS.md"]


# -- what was decided --


def trusted(folder: str, **files: str) -> TrustedFolder:
    return TrustedFolder(folder=folder, decision="trusted", files=files, decided_at_ms=5, by="tests")


def test_decisions_are_kept_for_their_owner(tmp_path: Path) -> None:
    store, path = TrustStore(tmp_path / "trust.json"), tmp_path / "trust.json"
    assert (store.list(), store.find("/a"), store.remove("/a")) == ((), None, False)
    store.put(trusted("/a", x="1"))
    store.put(trusted("/b"))
    store.put(trusted("/a", x="2"))
    store.open("/c")
    again = TrustStore(path)
    assert again.list() == (trusted("/b"), trusted("/a", x="2"))
    assert (again.is_open("/c"), again.is_open("/a")) == (True, False)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert again.remove("/a")
    assert store.list() == (trusted("/b"),), "what another wrote is seen"
    assert store.is_open("/c")


def test_a_file_that_cannot_be_read_trusts_nobody(tmp_path: Path) -> None:
    path = tmp_path / "trust.json"
    path.write_text("{")
    with pytest.raises(UserError, match="Remove it: every folder is then asked about again"):
        TrustStore(path).list()


def test_settings_are_trusted_by_their_very_bytes(tmp_path: Path) -> None:
    store, data = TrustStore(tmp_path / "trust.json"), b'{"bascule.codex.model": "m"}'
    assert not store.trusts_settings("/a", data)
    store.put(trusted("/a", **{".vscode/settings.json": hash_settings(data)}))
    assert store.trusts_settings("/a", data)
    assert not store.trusts_settings("/a", data.replace(b'"m"', b'"n"'))


def test_settings_count_no_more_once_another_file_of_the_folder_has_changed(tmp_path: Path) -> None:
    store, data = TrustStore(tmp_path / "trust.json"), b'{"bascule.codex.model": "m"}'
    then = {".vscode/settings.json": hash_settings(data), "AGENTS.md": "1"}
    store.put(trusted("/a", **then))
    store.note_content("/a", {**then, "AGENTS.md": "2"})
    assert not store.trusts_settings("/a", data)
    store.note_content("/a", then)
    assert store.trusts_settings("/a", data)
