"""Claude's settings on the disk: backed up once, replaced whole, never lost; and the runner itself."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.patience import PATIENCE_S

from bascule.core.watch.hook_lines import EVENTS, parse_hook_line
from bascule.host.config import claude_settings
from bascule.host.config.claude_settings import ClaudeSettings, HooksRefused, read_runner
from bascule.host.files.atomic_file import replace_file
from bascule.host.watch.hook_file import CHOSEN

PLAYS = Path(__file__).parents[2] / "plays" / "watch"


@pytest.fixture
def settings(tmp_path: Path) -> ClaudeSettings:
    (tmp_path / "data").mkdir()
    return ClaudeSettings(tmp_path / "claude" / "settings.json", tmp_path / "data")


def write(settings: ClaudeSettings, text: str) -> None:
    settings.path.parent.mkdir(exist_ok=True)
    settings.path.write_text(text)


def everything(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if path.name != "settings.lock"
    }


def test_a_missing_file_is_made(settings: ClaudeSettings) -> None:
    settings.install(outside=True)
    hooks = json.loads(settings.path.read_text())["hooks"]
    assert set(hooks) == set(EVENTS)
    commands = {hook["command"] for rules in hooks.values() for rule in rules for hook in rule["hooks"]}
    assert commands == {settings.command}
    assert settings.script.read_bytes() == read_runner(settings.script.name)  # and not what a person names
    assert settings.path.stat().st_mode & 0o777 == 0o600
    assert not settings.backup.exists()
    assert settings.read_state() == "installed"
    assert settings.watches_outside


def test_the_backup_is_made_once_and_restores_the_settings(settings: ClaudeSettings) -> None:
    write(settings, '{"model": "opus"}')
    settings.install(outside=True)
    settings.uninstall()
    write(settings, '{"model": "other"}')
    settings.install(outside=True)
    assert settings.backup.read_text() == '{"model": "opus"}'
    settings.restore()
    assert settings.path.read_text() == '{"model": "opus"}'
    assert not settings.watches_outside


def test_install_and_uninstall_leave_the_same_bytes(settings: ClaudeSettings) -> None:
    text = '{\n    "model": "opus",\n    "permissions": {"allow": ["Bash(ls:*)"]}\n}\n'
    write(settings, text)
    settings.path.chmod(0o640)
    settings.install(outside=False)
    assert not settings.watches_outside
    settings.uninstall()
    assert settings.path.read_text() == text
    assert settings.path.stat().st_mode & 0o777 == 0o640


def test_installing_again_writes_nothing(settings: ClaudeSettings) -> None:
    settings.install(outside=True)
    before = settings.path.stat()
    settings.install(outside=True)
    assert settings.path.stat().st_ino == before.st_ino


def test_only_settings_json_is_written(settings: ClaudeSettings) -> None:
    write(settings, "{}")
    local = settings.path.with_name("settings.local.json")
    local.write_text("{}")
    settings.install(outside=True)
    assert local.read_text() == "{}"
    with pytest.raises(HooksRefused, match="is not changed"):
        ClaudeSettings(local, settings.folder.parent).install(outside=True)
    assert sorted(path.name for path in settings.path.parent.iterdir()) == [
        "settings.json",
        "settings.json.bak",
        "settings.local.json",
    ]


def test_a_link_stays_a_link_and_what_it_leads_to_is_written(
    settings: ClaudeSettings, tmp_path: Path
) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text('{"model": "opus"}')
    settings.path.parent.mkdir()
    settings.path.symlink_to(real)
    settings.install(outside=True)
    assert settings.path.is_symlink()
    assert "hooks" in json.loads(real.read_text())
    assert settings.backup.read_text() == '{"model": "opus"}'


@pytest.mark.parametrize(
    ("prepare", "why"),
    [
        (lambda path: path.write_text("{ // no"), "not valid JSON"),
        (lambda path: path.write_text('{"hooks": 5}'), "not an object"),
        (lambda path: path.write_bytes(b"\xff\xfe{}"), "not UTF-8"),
        (lambda path: path.mkdir(), "a folder"),
        (os.mkfifo, "not an ordinary file"),
        (lambda path: path.symlink_to(path), "leads nowhere|Too many levels|Symlink loop"),
        (lambda path: path.write_text(" " * 9_000_000), "larger than"),
        (lambda path: (path.write_text("{}"), path.chmod(0o444)), "read-only"),
    ],
    ids=["comment", "wrong type", "utf-16", "folder", "pipe", "loop", "huge", "read-only"],
)
def test_any_failure_changes_nothing_and_says_what_to_do(
    settings: ClaudeSettings, prepare: object, why: str
) -> None:
    settings.path.parent.mkdir()
    prepare(settings.path)  # type: ignore[operator]
    before = everything(settings.path.parent)
    with pytest.raises(HooksRefused, match=why) as refused:
        settings.install(outside=True)
    assert str(settings.path) in str(refused.value)
    assert everything(settings.path.parent) == before
    assert not settings.script.exists()
    assert not settings.watches_outside


def test_without_a_backup_nothing_is_restored(settings: ClaudeSettings) -> None:
    write(settings, "{}")
    with pytest.raises(HooksRefused, match="no backup"):
        settings.restore()
    assert settings.path.read_text() == "{}"


def test_a_change_by_somebody_else_meanwhile_is_not_lost(
    settings: ClaudeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(settings, '{"model": "opus"}')
    real = replace_file
    models: list[str] = ["late"]

    def interfere(path: Path, data: bytes, **more: object) -> None:
        if path == settings.path and models:
            path.write_text(json.dumps({"model": models.pop()}))
        real(path, data, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(claude_settings, "replace_file", interfere)
    settings.install(outside=True)
    whole = json.loads(settings.path.read_text())
    assert whole["model"] == "late"
    assert set(whole["hooks"]) == set(EVENTS)


def test_a_file_that_never_rests_is_left_alone(
    settings: ClaudeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(settings, '{"n": 0}')
    real, count = replace_file, iter(range(1, 100))

    def interfere(path: Path, data: bytes, **more: object) -> None:
        if path == settings.path:
            path.write_text(json.dumps({"n": next(count)}))
        real(path, data, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(claude_settings, "replace_file", interfere)
    with pytest.raises(HooksRefused, match="keeps changing"):
        settings.install(outside=True)
    assert set(json.loads(settings.path.read_text())) == {"n"}


def test_two_writers_at_once_give_one_whole_file(settings: ClaudeSettings) -> None:
    write(settings, '{"model": "opus"}')

    def one(number: int) -> None:
        mine = ClaudeSettings(settings.path, settings.folder.parent)
        mine.uninstall() if number % 2 else mine.install(outside=True)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(24)))
    settings.install(outside=True)
    whole = json.loads(settings.path.read_text())
    assert whole["model"] == "opus"
    assert [len(rules) for rules in whole["hooks"].values()] == [1] * len(EVENTS)
    assert [path.name for path in settings.path.parent.glob(".*")] == []


# -- the runner --


@pytest.fixture
def runner(tmp_path: Path) -> Path:
    path = tmp_path / "bascule-notify.sh"
    path.write_bytes(read_runner("bascule-notify.sh"))
    path.chmod(0o700)
    return path


def run_hook(
    runner: Path, payload: Mapping[str, object] | str, **env: str
) -> subprocess.CompletedProcess[bytes]:
    said = payload if isinstance(payload, str) else json.dumps(payload, separators=(",", ":"))
    return subprocess.run(
        [str(runner)],
        input=said.encode(),
        env={"PATH": os.environ["PATH"], **env},
        capture_output=True,
        timeout=PATIENCE_S,
    )


def read_line(path: Path) -> dict[str, str]:
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"")
    assert len(lines) <= 1
    if not lines:
        return {}
    assert parse_hook_line(lines[0]) is not None
    found: dict[str, str] = json.loads(lines[0])
    return found


@pytest.fixture
def notify(tmp_path: Path) -> Path:
    path = tmp_path / "notify.jsonl"
    path.touch()
    return path


BASE = {"session_id": "fb795da4-e952", "transcript_path": "/t", "cwd": "/home/dev/my demo"}


@pytest.mark.parametrize(
    ("more", "event", "detail"),
    [
        ({"hook_event_name": "SessionStart", "source": "startup"}, "completed", "startup"),
        ({"hook_event_name": "UserPromptSubmit", "prompt": "say hi"}, "working", None),
        ({"hook_event_name": "PermissionRequest", "tool_name": "Bash"}, "waiting_user", None),
        (
            {"hook_event_name": "Notification", "notification_type": "permission_prompt"},
            "waiting_user",
            "permission_prompt",
        ),
        (
            {"hook_event_name": "Notification", "notification_type": "elicitation_dialog"},
            "waiting_user",
            "elicitation_dialog",
        ),
        ({"hook_event_name": "Notification", "notification_type": "idle_prompt"}, None, None),
        ({"hook_event_name": "Notification", "message": "hello"}, None, None),
        ({"hook_event_name": "Stop", "background_tasks": []}, "completed", None),
        ({"hook_event_name": "Stop", "background_tasks": [{"id": "b1"}]}, "working", None),
        ({"hook_event_name": "Stop", "background_tasks": ["b1"]}, "working", None),
        ({"hook_event_name": "StopFailure"}, "completed", None),
        ({"hook_event_name": "SessionEnd", "reason": "other"}, "stopped", None),
        ({"hook_event_name": "PreToolUse", "tool_name": "Bash"}, None, None),
    ],
)
def test_each_event_becomes_one_line(
    runner: Path, notify: Path, more: dict[str, object], event: str | None, detail: str | None
) -> None:
    env = {"BASCULE_NOTIFY_PATH": str(notify), "BASCULE_PANE_ID": "pane-1", "BASCULE_INSTANCE_ID": "i1"}
    done = run_hook(runner, {**BASE, **more}, **env)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    line = read_line(notify)
    assert line.get("event") == event
    if event is not None:
        assert line["hook"] == more["hook_event_name"]
        assert (line["source"], line["session_id"], line["pane_id"]) == ("claude", "fb795da4-e952", "pane-1")
        assert (line["cwd"], line["instance_id"], line.get("detail")) == ("/home/dev/my demo", "i1", detail)
        assert line["timestamp"].endswith("Z")


def test_recorded_payloads_become_the_right_lines(runner: Path, notify: Path) -> None:
    events = []
    for payload in (PLAYS / "claude-2.1-hooks.jsonl").read_text().splitlines():
        run_hook(runner, payload, BASCULE_NOTIFY_PATH=str(notify), BASCULE_PANE_ID="p")
        events.append(read_line(notify).get("event"))
    assert events == ["completed", "working", None, "completed", "stopped"]


def test_words_inside_a_prompt_are_not_taken_for_fields(runner: Path, notify: Path) -> None:
    evil = '","hook_event_name":"SessionEnd","session_id":"other","background_tasks":[{'
    payload = {**BASE, "hook_event_name": "Stop", "last_assistant_message": evil, "background_tasks": []}
    run_hook(runner, payload, BASCULE_NOTIFY_PATH=str(notify), BASCULE_PANE_ID="p")
    line = read_line(notify)
    assert (line["event"], line["session_id"]) == ("completed", "fb795da4-e952")


def test_names_are_cleaned_before_they_are_written(runner: Path, notify: Path) -> None:
    payload = {**BASE, "cwd": 'a"b', "hook_event_name": "Stop", "session_id": "s\\n $(x)"}
    run_hook(runner, payload, BASCULE_NOTIFY_PATH=str(notify), BASCULE_PANE_ID='p","x":"')
    line = read_line(notify)
    assert (line["session_id"], line["pane_id"], "cwd" in line) == ("snx", "px:", False)


@pytest.mark.parametrize("payload", ["", "no JSON", "{", '{"session_id":"x', "[]", "\x00\x01", '{"a":' * 500])
def test_whatever_comes_it_ends_well_and_writes_nothing(runner: Path, notify: Path, payload: str) -> None:
    done = run_hook(runner, payload, BASCULE_NOTIFY_PATH=str(notify), BASCULE_PANE_ID="p")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert notify.read_bytes() == b""


def test_it_does_nothing_without_a_file_or_a_pane(runner: Path, notify: Path, tmp_path: Path) -> None:
    stop = {**BASE, "hook_event_name": "Stop"}
    for env in (
        {},
        {"BASCULE_NOTIFY_PATH": str(notify)},
        {"BASCULE_NOTIFY_PATH": str(tmp_path / "gone"), "BASCULE_PANE_ID": "p"},
        {"BASCULE_NOTIFY_PATH": str(tmp_path), "BASCULE_PANE_ID": "p"},
    ):
        before = everything(tmp_path)
        assert run_hook(runner, stop, **env).returncode == 0
        assert everything(tmp_path) == before


def test_outside_panes_it_writes_only_while_that_bascule_lives(runner: Path) -> None:
    stop = {**BASE, "hook_event_name": "Stop"}
    dead = subprocess.Popen(["true"])
    dead.wait()
    gone = runner.with_name(f"outside-{dead.pid}.jsonl")
    strange = runner.with_name("outside-1;x.jsonl")
    here = runner.with_name(f"outside-{os.getpid()}.jsonl")
    for path in (gone, strange, here):
        path.touch()
    run_hook(runner, stop)
    assert (gone.read_bytes(), strange.read_bytes()) == (b"", b"")
    line = read_line(here)
    assert (line["event"], line["pane_id"]) == ("completed", "")


def test_the_raw_input_is_copied_only_where_that_is_asked_for(
    runner: Path, notify: Path, tmp_path: Path
) -> None:
    debug = tmp_path / "debug.log"
    payload = {**BASE, "hook_event_name": "Stop", "last_assistant_message": "x" * 9_000}
    env = {"BASCULE_NOTIFY_PATH": str(notify), "BASCULE_PANE_ID": "p"}
    run_hook(runner, payload, **env)
    assert not debug.exists()
    run_hook(runner, payload, **env, BASCULE_NOTIFY_DEBUG_PATH=str(debug))
    assert len(debug.read_text()) == 4_001


def test_a_large_payload_is_read_like_a_small_one(runner: Path, notify: Path) -> None:
    payload = {**BASE, "hook_event_name": "UserPromptSubmit", "prompt": 'a "quoted" word ' * 60_000}
    run_hook(runner, payload, BASCULE_NOTIFY_PATH=str(notify), BASCULE_PANE_ID="p")
    assert read_line(notify)["event"] == "working"


def test_many_hooks_at_once_tear_no_line(runner: Path, notify: Path) -> None:
    env = {"BASCULE_NOTIFY_PATH": str(notify), "BASCULE_PANE_ID": "p"}
    payload = {**BASE, "hook_event_name": "Stop"}
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: run_hook(runner, payload, **env), range(40)))
    lines = notify.read_bytes().splitlines()
    assert len(lines) == 40
    assert all(parse_hook_line(line) for line in lines)


def test_it_starts_two_small_programs_and_no_more(runner: Path, notify: Path, tmp_path: Path) -> None:
    """Claude waits for its hooks, and starting programs is what takes time."""
    started, folder = tmp_path / "started", tmp_path / "bin"
    folder.mkdir()
    for name in ("awk", "head"):
        program = folder / name
        program.write_text(f'#!/bin/sh\necho {name} >> {started}\nexec {shutil.which(name)} "$@"\n')
        program.chmod(0o700)
    env = {"BASCULE_NOTIFY_PATH": str(notify), "BASCULE_PANE_ID": "p", "PATH": str(folder)}
    run_hook(runner, {**BASE, "hook_event_name": "Stop"}, **env)
    assert read_line(notify)["event"] == "completed"
    assert sorted(started.read_text().split()) == ["awk", "head"]


def test_on_windows_settings_inside_wsl_name_the_shells_script(tmp_path: Path) -> None:
    for path, script in (
        (r"C:\Users\me\.claude\settings.json", "bascule-notify.ps1"),
        (r"\\wsl.localhost\Ubuntu\home\me\.claude\settings.json", "bascule-notify.sh"),
    ):
        settings = ClaudeSettings(Path(path), tmp_path, windows=True)
        assert settings.script.name == script
        assert script in settings.command


def test_the_powershell_runner_knows_the_same_events() -> None:
    text = read_runner("bascule-notify.ps1").decode()
    assert [event for event in EVENTS if f"'{event}'" not in text] == []
    assert text.rstrip().endswith("exit 0")


@pytest.mark.skipif(shutil.which("pwsh") is None, reason="PowerShell is not installed")
def test_the_powershell_runner_writes_the_same_line(tmp_path: Path, notify: Path) -> None:
    script = tmp_path / "bascule-notify.ps1"
    script.write_bytes(read_runner("bascule-notify.ps1"))
    env = {**os.environ, "BASCULE_NOTIFY_PATH": str(notify), "BASCULE_PANE_ID": "p"}
    said = json.dumps({**BASE, "hook_event_name": "Stop"}).encode()
    subprocess.run(["pwsh", "-NoProfile", "-File", str(script)], input=said, env=env, timeout=60)
    assert read_line(notify)["event"] == "completed"


def test_the_marker_of_the_choice_is_not_a_file_of_lines() -> None:
    assert not CHOSEN.endswith(".jsonl")
