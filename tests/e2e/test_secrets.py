"""What may only ask cannot read: our data folder, credentials, our environment, and folders nobody opened."""

import socket
import sys
from pathlib import Path

import pytest
from msgspec import Raw, json
from tests.e2e.live_app import LiveApp, Setup, replies
from tests.e2e.scripted import Scripted, scripted

from bascule.agents.codex.confining import READ_ONLY
from bascule.core.wire.rpc import RpcError
from bascule.daemon.surfaces.surfaces import Surface
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.consent.origin import Origin
from bascule.model.protocol import files
from bascule.model.protocol.setup import LinkParams
from bascule.model.protocol.trust import OpenedFolder

__all__ = ["scripted"]

KEY = "a-secret-of-the-person"
PAGE = Origin(door="page", credential="browser-1")


def secrets_of(setup: Setup, home: Path) -> list[Path]:
    """One file of each kind that nobody is to see."""
    codex = Path(setup.env["CODEX_HOME"])
    (codex / "auth.json").write_text(KEY)
    (setup.folder.root / "daemon.json").write_text(KEY)
    for name in (".ssh/id_ed25519", ".aws/credentials", ".claude/.credentials.json"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(KEY)
    inner = [home / ".ssh/id_ed25519", home / ".aws/credentials", home / ".claude/.credentials.json"]
    ours = [setup.folder.root / "daemon.json", setup.folder.settings, setup.folder.database]
    return [codex / "auth.json", *ours, *inner]


@pytest.mark.real
@pytest.mark.skipif(sys.platform != "linux", reason="only there does Codex get a list of what is readable")
@pytest.mark.parametrize("sandbox", ["read-only", "workspace-write", "order"])
async def test_what_a_sandboxed_command_cannot_reach(
    sandbox: str, setup: Setup, tmp_path: Path, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BASCULE_SECRET_OF_OURS", KEY)
    secrets = secrets_of(setup, tmp_path)
    door = tmp_path / "door.sock"
    if sandbox == "workspace-write":
        text = setup.folder.settings.read_text()
        setup.folder.settings.write_text(
            text.replace("[codex]\n", '[codex]\nsandbox = "workspace-write"\n', 1)
        )
    with socket.socket(socket.AF_UNIX) as unix, socket.create_server(("127.0.0.1", 0)) as tcp:
        unix.bind(str(door))
        unix.listen()
        connect = (
            "import socket\n"
            f"doors = ((socket.AF_UNIX, {str(door)!r}), (socket.AF_INET, {tcp.getsockname()!r}))\n"
            "for kind, where in doors:\n"
            "    try:\n"
            "        socket.socket(kind).connect(where)\n"
            "        print('CONNECTED', where)\n"
            "    except OSError:\n"
            "        print('refused')\n"
        )
        (setup.project / "connect.py").write_text(connect)
        lines = [
            *(f"cat {path} 2>&- || echo hidden" for path in secrets),
            f"ls {setup.folder.root} 2>&- | grep -v attachments | wc -l",
            "env | grep -c -e SECRET -e CODEX_DEMO_KEY -e BASCULE_HOME",
            f"{sys.executable} connect.py",
            "cat README.md | head -1",
        ]
        async with setup.run() as live:
            if sandbox == "order":
                monkeypatch.setattr(live.app.sessions, "policy", lambda _session, _purpose: READ_ONLY)
            session = await live.begin()
            live.say(session, "run: " + "; ".join(lines))
            seen = await live.until_idle(session)
    said = replies(seen)[-1].partition("Output:\n")[2].splitlines()
    readme = (setup.project / "README.md").read_text().splitlines()[0]
    assert said == [*["hidden"] * len(secrets), "0", "0", "refused", "refused", readme]
    assert KEY not in "".join(scripted.prompted)


@pytest.mark.real
async def test_a_command_that_a_person_allows_leaves_the_sandbox_as_before(live: LiveApp) -> None:
    """It reads and connects like any command of theirs: that is what the yes was for."""
    session = await live.begin()
    seen = await live.play(session, "demo:approval")
    assert replies(seen)[-1] == "You allowed it, and the module is compiled."


# -- folders that nobody opened --


def page(live: LiveApp) -> Surface:
    return live.app.surfaces.connect(PAGE, workspace="/etc")


async def refusal(live: LiveApp, surface: Surface, method: str, params: object) -> str:
    surface.initialized = True
    with pytest.raises(RpcError) as refused:
        await live.app.surfaces._dispatch(surface, method, Raw(json.encode(params)))
    return refused.value.message


async def test_a_browser_names_no_folder_that_nobody_opened(live: LiveApp, tmp_path: Path) -> None:
    surface = page(live)
    assert surface.workspace == "", "nor does it bring one"
    replies = [
        await refusal(live, surface, "session.create", {"workspace": folder})
        for folder in ("/etc", str(tmp_path), f"{live.project}/../..", "/")
    ]
    assert [text.partition(".")[0].rpartition(" ")[2] for text in replies[:3]] == ["machine"] * 3
    assert replies[3] == "The whole file system cannot be a workspace. Open the folder of a project."
    read = await refusal(live, surface, "workspace.read", {"path": "shadow"})
    assert read == "Name a session: this surface has no workspace of its own."


async def test_a_person_at_this_machine_opens_a_folder_in_the_page_and_that_is_recorded(
    live: LiveApp, tmp_path: Path
) -> None:
    """From another machine nobody even sees the names."""
    (tmp_path / "chosen").mkdir()
    surface, folder = page(live), str((tmp_path / "chosen").resolve())
    surface.initialized = True
    outside = live.app.surfaces.connect(Origin(door="outside"))
    for method, params in (("folders.list", {}), ("folders.open", {"folder": folder})):
        assert await refusal(live, outside, method, params) == "This can only be done at the machine itself."
    opened = await live.app.surfaces._dispatch(surface, "folders.open", Raw(json.encode({"folder": folder})))
    assert opened == OpenedFolder(workspace=folder)
    assert live.app.openings.find_bar(folder, PAGE) is None
    [line] = [line for line in Audit(audit_in(live.app.folder.root)).last(5) if line.entry.kind == "folder"]
    assert (line.entry.asked, line.entry.workspace) == (f"open {folder}", folder)
    for private in (str(live.app.folder.root), "/"):
        await refusal(live, surface, "folders.open", {"folder": private})


@pytest.mark.real
async def test_a_browser_works_where_somebody_was(live: LiveApp, tmp_path: Path) -> None:
    (tmp_path / "opened").mkdir()
    folder = live.app.surfaces.open_folder(str(tmp_path / "opened"))
    assert live.app.openings.find_bar(folder, PAGE) is None
    await live.begin()
    assert live.app.openings.find_bar(str(live.project), PAGE) is None, "there are sessions in it"


async def test_our_data_folder_and_credentials_are_no_workspace(
    live: LiveApp, setup: Setup, tmp_path: Path
) -> None:
    here = Origin(door="terminal")
    for folder in (setup.folder.root, tmp_path / ".ssh", Path("/")):
        assert live.app.openings.find_bar(str(folder), here) is not None
        live.app.openings.open(str(folder))
        assert not live.app.trust_store.is_open(str(folder))


@pytest.mark.real
async def test_a_workspace_above_our_data_folder_does_not_show_it(
    live: LiveApp, setup: Setup, tmp_path: Path
) -> None:
    secrets = [path.relative_to(tmp_path).as_posix() for path in secrets_of(setup, tmp_path)]
    (tmp_path / "innocent").symlink_to(setup.folder.root)
    names = [*secrets, "innocent/daemon.json", "innocent/settings.toml"]
    session = await live.begin(tmp_path)
    workspaces = live.app.workspaces
    for name in names:
        read = await workspaces.read_file(files.ReadFileParams(session_id=session, path=name), "")
        linked = await live.app.links.link(LinkParams(session_id=session, path=name))
        diff = f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-{KEY}\n+x\n"
        prepared = await live.app.edits.prepare(session, diff)
        for answer in (read, linked, prepared):
            assert hasattr(answer, "why"), (name, answer)
            assert "[codex]" not in getattr(answer, "why", "")
    for folder in ("data", "innocent", ".ssh"):
        listed = await workspaces.list_dir(files.ListDirParams(session_id=session, path=folder), "")
        assert hasattr(listed, "why"), folder
    found = await workspaces.search(files.SearchFilesParams(session_id=session, query=KEY), "")
    assert isinstance(found, files.SearchedFiles)
    assert found.hits == ()
    wanted = files.FindFilesParams(session_id=session, query="daemon.json")
    found_files = await workspaces.find_files(wanted, "")
    assert isinstance(found_files, files.FoundFiles)
    assert [name for name in found_files.files if name.startswith(("data/", ".ssh/"))] == []


@pytest.mark.real
@pytest.mark.skipif(sys.platform != "linux", reason="only there does Codex get a list of what is readable")
@pytest.mark.parametrize("sandbox", ["read-only", "workspace-write"])
async def test_a_workspace_above_secrets_gives_none_of_them_to_a_command(
    sandbox: str, setup: Setup, tmp_path: Path, scripted: Scripted
) -> None:
    """The home folder, for one: it holds our data folder and the keys of the person."""
    secrets = secrets_of(setup, tmp_path)
    text = setup.folder.settings.read_text()
    setup.folder.settings.write_text(text.replace("[codex]\n", f'[codex]\nsandbox = "{sandbox}"\n', 1))
    (tmp_path / "notes.txt").write_text("a note\n")
    reads = [f"cat {path} 2>&- || echo hidden" for path in secrets]
    writes = [f"echo x > {setup.folder.root}/evil", f"echo x > {tmp_path}/evil"]  # perhaps into thin air
    async with setup.run() as live:
        session = await live.begin(tmp_path)
        live.say(session, "run: " + "; ".join([*reads, *writes, f"cat {tmp_path}/notes.txt"]))
        seen = await live.until_idle(session)
    output = replies(seen)[-1].partition("Output:\n")[2].splitlines()
    said = [line for line in output if line in ("hidden", "a note")]
    assert said == [*["hidden"] * len(secrets), "a note"]
    assert KEY not in "".join(scripted.prompted)
    assert not (setup.folder.root / "evil").exists()
    assert not (tmp_path / "evil").exists()


async def test_a_workspace_that_was_swapped_for_a_link_is_used_for_nothing(
    live: LiveApp, tmp_path: Path
) -> None:
    folder, secret = tmp_path / "sub", tmp_path / "secret"
    for place in (folder, secret):
        place.mkdir()
    (secret / "shadow").write_text(KEY)
    session = await live.begin(folder)
    folder.rename(tmp_path / "sub_old")
    folder.symlink_to(secret)
    surface = page(live)
    diff = "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n"
    for method, params in (
        ("workspace.read", {"session_id": session, "path": "shadow"}),
        ("workspace.list", {"session_id": session}),
        ("files.find", {"session_id": session, "query": "s"}),
        ("edits.prepare", {"session_id": session, "diff": diff}),
        ("run.start", {"session_id": session, "input": {"type": "text", "text": "demo:text"}}),
    ):
        assert "leads somewhere else" in await refusal(live, surface, method, params), method
    ran = (await live.app.tests.run(session, "pytest", "tests")).ran
    assert (ran.status, "leads somewhere else" in ran.summary) == ("rejected", True)
    assert list(secret.iterdir()) == [secret / "shadow"]
