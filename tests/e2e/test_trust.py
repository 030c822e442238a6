"""A cloned repository runs nothing of its own before a yes; what was trusted holds for that content only."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.live_app import LiveApp, Setup, replies
from tests.e2e.scripted import Scripted, make_hostile, scripted

from bascule.core.faults import AgentFault, UserError
from bascule.daemon.consent.asks import MACHINE
from bascule.host.config.settings_writer import USER_FILE
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.asks import Answer, Ask, Refuse, TrustSubject
from bascule.model.blocks import ErrorBlock, InfoBlock
from bascule.model.ids import SessionId
from bascule.model.session import Session

pytestmark = pytest.mark.real
__all__ = ["scripted"]

WRITES = '[codex]\nsandbox = "workspace-write"\n'
PROBE = "run: env | grep -c HOSTILE_VARIABLE; touch made.txt && echo it wrote"


@pytest.fixture
def marks(setup: Setup, tmp_path: Path) -> Path:
    make_hostile(setup.project, tmp_path / "marks")
    settings = setup.folder.root / USER_FILE
    settings.write_text(settings.read_text().replace("[codex]\n", WRITES, 1))
    return tmp_path / "marks"


@pytest.fixture
async def live(setup: Setup, marks: Path, scripted: Scripted) -> AsyncIterator[LiveApp]:
    assert marks.is_dir()
    assert scripted.prompted == []
    async with setup.run() as live:
        yield live


def codex_config(setup: Setup) -> str:
    return (Path(setup.env["CODEX_HOME"]) / "config.toml").read_text()


def ran(marks: Path) -> list[str]:
    return sorted(mark.name for mark in marks.iterdir())


async def say(live: LiveApp, session: SessionId, text: str) -> Session:
    live.say(session, text)
    return await live.until_idle(session)


async def ask_of(live: LiveApp, session: SessionId) -> Ask:
    seen = await live.until_head(
        session, lambda seen: [ask for ask in seen.asks if isinstance(ask.subject, TrustSubject)]
    )
    return next(ask for ask in seen.asks if isinstance(ask.subject, TrustSubject))


async def answer(live: LiveApp, session: SessionId, choice: str) -> None:
    ask = await ask_of(live, session)
    assert await live.answer(session, Answer(ask=ask.id, choice=choice, by="tests")) is None
    await live.app.trust.decided(str(live.project))


def told(seen: Session) -> list[str]:
    return [block.title for block in seen.blocks if isinstance(block, InfoBlock)]


async def test_nothing_of_a_hostile_repository_runs(
    live: LiveApp, setup: Setup, marks: Path, scripted: Scripted
) -> None:
    before = codex_config(setup)
    session = await live.begin()
    seen = await say(live, session, PROBE)
    assert replies(seen)[-1].partition("Output:\n")[2] == "0\nit wrote\n", "the sandbox of the settings holds"
    fork = await live.app.sessions.fork(session)
    assert isinstance(fork, str)
    await say(live, SessionId(fork), "run: true")
    await live.app.sessions.clear(session)
    await say(live, session, "run: true")
    await live.app.sessions.compact(session)
    await live.until_idle(session)
    assert ran(marks) == []
    assert [text for text in scripted.prompted if "HOSTILE" in text.replace(PROBE, "")] == []
    assert codex_config(setup) == before, "the person's own configuration is as it was"
    settings = live.app.settings(str(live.project))
    assert (settings.codex.effort, settings.allow_apply_patch) == ("", False), "only what tightens holds"


async def test_nothing_runs_either_when_a_session_is_resumed(
    setup: Setup, marks: Path, scripted: Scripted
) -> None:
    async with setup.run() as live:
        session = await live.begin()
        await say(live, session, "run: true")
    async with setup.run() as live:
        await say(live, session, "run: true")
    assert ran(marks) == []
    assert "HOSTILE" not in "".join(scripted.prompted)


async def test_a_folder_that_codex_itself_trusts_is_still_asked_about(
    setup: Setup, marks: Path, scripted: Scripted
) -> None:
    config = Path(setup.env["CODEX_HOME"]) / "config.toml"
    config.write_text(f'{config.read_text()}\n[projects."{setup.project}"]\ntrust_level = "trusted"\n')
    (setup.project / "inner").mkdir()
    async with setup.run() as live:
        for folder in (setup.project, setup.project / "inner"):
            await say(live, await live.begin(folder), "run: true")
    assert ran(marks) == []
    assert "HOSTILE" not in "".join(scripted.prompted)


async def test_the_question_lists_what_would_be_run_or_obeyed(live: LiveApp) -> None:
    session = await live.begin()
    ask = await ask_of(live, session)
    assert (ask.title, [choice.id for choice in ask.choices]) == ("Trust this folder?", ["trust", "refuse"])
    assert isinstance(ask.subject, TrustSubject)
    listed = {(finding.kind, finding.path) for finding in ask.subject.findings}
    assert listed == {
        ("instructions", "AGENTS.md"),
        ("server", ".codex/config.toml"),
        ("hook", ".codex/config.toml"),
        ("environment", ".codex/config.toml"),
        ("setting", ".codex/config.toml"),
        ("hook", ".codex/hooks.json"),
        ("rule", ".codex/rules/all.rules"),
        ("skill", ".codex/skills/one/SKILL.md"),
        ("skill", ".agents/skills/two/SKILL.md"),
        ("setting", ".vscode/settings.json"),
    }
    other = await live.begin()
    await say(live, other, "run: true")
    assert live.see(other).asks == (), "one question for one folder"


async def test_a_look_from_before_the_answer_asks_nothing_again(live: LiveApp) -> None:
    session = await live.begin()
    before = await live.app.trust.look(str(live.project))
    await answer(live, session, "refuse")
    live.app.trust.consider(session, before)
    await live.app.trust.decided(str(live.project))
    assert live.see(session).asks == ()


async def test_after_a_yes_the_folder_is_obeyed_until_it_changes(
    live: LiveApp, setup: Setup, marks: Path, scripted: Scripted
) -> None:
    before = codex_config(setup)
    session = await live.begin()
    await say(live, session, "run: true")
    await answer(live, session, "trust")
    scripted.prompted.clear()
    seen = await say(live, session, PROBE)
    assert replies(seen)[-1].partition("Output:\n")[2].startswith("1\n")
    assert "server" in ran(marks)
    assert "HOSTILE instructions" in scripted.prompted[-1]
    assert "HOSTILE skill one" in scripted.prompted[-1]
    assert live.app.settings(str(live.project)).codex.effort == "low"
    assert codex_config(setup) == before

    (marks / "server").unlink()
    (setup.project / "AGENTS.md").write_text("HOSTILE and changed.\n")
    scripted.prompted.clear()
    await say(live, session, "run: true")
    ask = await ask_of(live, session)
    assert ask.title == "This folder has changed. Trust it again?"
    assert isinstance(ask.subject, TrustSubject)
    assert [finding.path for finding in ask.subject.findings if finding.changed] == ["AGENTS.md"]
    assert ran(marks) == [mark for mark in ran(marks) if mark != "server"]
    assert "HOSTILE and changed" not in scripted.prompted[-1]

    lines = [line.entry for line in Audit(audit_in(setup.folder.root)).last(10)]
    decided = [(entry.kind, entry.answer, entry.outcome) for entry in lines if entry.kind == "trust"]
    assert decided == [("trust", "yes", "started"), ("trust", "yes", "done")]
    assert {entry.lasts for entry in lines if entry.kind == "trust"} == {"always"}


async def test_a_no_is_remembered_and_a_revoked_yes_is_asked_for_again(live: LiveApp, marks: Path) -> None:
    session = await live.begin()
    await answer(live, session, "refuse")
    await say(live, session, "run: true")
    assert live.see(session).asks == ()
    assert ran(marks) == []
    folder = str(live.project)
    assert await live.app.trust.revoke(folder, "tests") is None
    assert live.app.trust.list() == ()
    await say(live, session, "run: true")
    await answer(live, session, "trust")
    await say(live, session, "run: true")
    assert ran(marks) == ["server"]
    (marks / "server").unlink()
    assert await live.app.trust.revoke(folder, "tests") is None
    await say(live, session, "run: true")
    assert ran(marks) == []
    assert (await ask_of(live, session)).title == "Trust this folder?"


async def test_an_answer_holds_for_the_prompt_that_follows_it_at_once(
    live: LiveApp, marks: Path, scripted: Scripted
) -> None:
    """As in a terminal: it answers, and sends its prompt without a pause."""
    session = await live.app.sessions.create(str(live.project))
    ask = await ask_of(live, session)
    assert await live.answer(session, Answer(ask=ask.id, choice="trust", by="tests")) is None
    await say(live, session, "run: true")
    assert "HOSTILE instructions" in scripted.prompted[-1]
    assert ran(marks) == ["server"]
    assert live.see(session).effort == "low"


async def test_after_a_no_to_what_has_changed_nothing_of_the_earlier_yes_holds(
    live: LiveApp, scripted: Scripted
) -> None:
    first = await live.begin()
    await answer(live, first, "trust")
    (live.project / "AGENTS.md").write_text("HOSTILE and changed.\n")
    session = await live.app.sessions.create(str(live.project))
    assert live.see(session).effort == "", "the settings lie in a folder that was not trusted as it is"
    await answer(live, session, "refuse")
    await say(live, session, "run: true")
    assert "HOSTILE" not in scripted.prompted[-1]
    assert live.see(session).effort != "low"
    assert live.app.settings(str(live.project)).codex.effort == ""


async def test_when_trust_ends_each_session_says_what_stays_and_its_agent_is_told(
    live: LiveApp, scripted: Scripted
) -> None:
    session = await live.app.sessions.create(str(live.project))
    await answer(live, session, "trust")
    await say(live, session, "run: true")
    assert live.see(session).effort == "low"
    assert await live.app.trust.revoke(str(live.project), "tests") is None
    assert told(live.see(session))[-1] == "This folder is no longer trusted"
    await say(live, session, "run: true")
    assert "HOSTILE" in scripted.prompted[-1], "an agent forgets nothing of a conversation"
    assert "no longer trusts the files of this folder" in scripted.prompted[-1]
    assert live.see(session).effort not in ("low", "high")
    count = scripted.prompted[-1].count("no longer trusts the files")
    await say(live, session, "run: true")
    assert scripted.prompted[-1].count("no longer trusts the files") == count, "it is said once"
    other = await live.begin()
    await say(live, other, "run: true")
    assert "HOSTILE" not in scripted.prompted[-1]
    assert "This folder is no longer trusted" not in told(live.see(other))


async def test_no_prompt_goes_on_with_what_was_revoked_while_another_session_works(
    live: LiveApp, scripted: Scripted
) -> None:
    first, second = await live.begin(), await live.begin()
    await answer(live, first, "trust")
    await say(live, second, "run: true")
    live.say(first, "run: touch working; while [ ! -e stop ]; do sleep 0.05; done")
    while not (live.project / "working").exists():
        await asyncio.sleep(0.05)
    assert await live.app.trust.revoke(str(live.project), "tests") is None
    count = len(scripted.prompted)
    seen = await say(live, second, "run: echo not yet")
    (refused,) = [block.text for block in seen.blocks if isinstance(block, ErrorBlock)]
    assert "still works with what was trusted" in refused
    assert len(scripted.prompted) == count
    (live.project / "stop").touch()
    await live.until_idle(first)
    live.app.prompts.release_queue(second)
    await live.until_idle(second)
    assert "no longer trusts the files of this folder" in scripted.prompted[-1]


async def test_a_person_can_change_their_mind_by_the_same_question(live: LiveApp) -> None:
    session, folder = await live.begin(), str(live.project)
    assert isinstance(await live.app.trust.ask_again(folder), Refuse), "nothing was decided yet"
    await answer(live, session, "refuse")
    live.app.asks.open_machine()
    assert await live.app.trust.ask_again(folder) is None
    ask = await ask_of(live, MACHINE)
    assert (ask.title, ask.workspace) == ("Trust this folder?", folder)
    await answer(live, MACHINE, "trust")
    assert [one.decision for one in live.app.trust.list()] == ["trusted"]
    assert await live.app.trust.ask_again(folder) is None
    await answer(live, MACHINE, "refuse")
    assert [one.decision for one in live.app.trust.list()] == ["refused"]


async def test_who_asks_again_hears_that_a_yes_to_changed_files_does_not_count(live: LiveApp) -> None:
    session, folder = await live.begin(), str(live.project)
    await answer(live, session, "refuse")
    live.app.asks.open_machine()
    assert await live.app.trust.ask_again(folder) is None
    await ask_of(live, MACHINE)
    config = live.project / ".codex" / "config.toml"
    config.write_text(config.read_text() + "\n# swapped\n")
    refused, _ = await asyncio.gather(live.app.trust.answered(folder), answer(live, MACHINE, "trust"))
    assert isinstance(refused, Refuse)
    assert [one.decision for one in live.app.trust.list()] == ["refused"]


async def test_what_is_loaded_is_what_was_checked_whatever_the_files_say_by_then(
    live: LiveApp, marks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await live.begin()
    await answer(live, session, "trust")
    config = live.project / ".codex" / "config.toml"
    load = live.app.sessions._load

    async def swap_and_load(*args: Any) -> None:
        config.write_text(config.read_text().replace(f"{marks}/server", f"{marks}/swapped"))
        await load(*args)

    monkeypatch.setattr(live.app.sessions, "_load", swap_and_load)
    await live.app.sessions.ready(session)
    while "server" not in ran(marks):
        await asyncio.sleep(0.05)
    assert ran(marks) == ["server"]


# A folder that names a server takes the place of the trusted one, back and forth.
SWAPS = """
import os, pathlib, time
pathlib.Path("swapping").touch()
while not os.path.exists("stop"):
    time.sleep(0.05), os.rename("inner", "away"), os.rename("evil", "inner")
    time.sleep(0.05), os.rename("inner", "evil"), os.rename("away", "inner")
"""


async def test_another_agent_swaps_nothing_while_a_trusted_folder_is_loaded(
    live: LiveApp, marks: Path, scripted: Scripted
) -> None:
    """The swapping agent was loaded before the folder was trusted, so nothing there is protected from it."""
    assert scripted.prompted == []
    inner, evil = live.project / "inner", live.project / "evil"
    for folder in (inner, evil):
        (folder / ".git").mkdir(parents=True)
        (folder / "AGENTS.md").write_text("Be kind.\n")
    (evil / ".codex").mkdir()
    server = f'[mcp_servers.swapped]\ncommand = "touch"\nargs = ["{marks}/swapped"]\n'
    (evil / ".codex" / "config.toml").write_text(server)
    (live.project / "swaps.py").write_text(SWAPS)
    attacker = await live.begin()
    live.say(attacker, "run: python3 swaps.py")
    while not (live.project / "swapping").exists():
        await asyncio.sleep(0.05)
    loaded = 0
    for _ in range(6):
        try:
            standing = await live.app.trust.look(str(inner))
            if standing.inventory.files.keys() == {"AGENTS.md"}:
                print_ = standing.inventory.fingerprint
                assert await live.app.trust.decide(str(inner), print_, "trusted", "tests") is None
            await live.app.sessions.ready(await live.begin(inner))
            loaded += 1
        except (UserError, AgentFault, AssertionError):
            continue  # it was just away
    (live.project / "stop").touch()
    await live.until_idle(attacker)
    assert ran(marks) == []
    assert loaded


FILTER = """
[filter "x"]
    process = touch {marks}/filter
    clean = touch {marks}/filter
    required = true
"""


async def test_codex_itself_runs_no_program_that_the_repository_names_for_git(
    live: LiveApp, marks: Path, scripted: Scripted
) -> None:
    """Codex looks at the repository during a turn, outside the sandbox. Commands still can, inside it."""
    (live.project / ".gitattributes").write_text("*.txt filter=x\n")
    tracked = live.project / "tracked.txt"
    tracked.write_text("1\n")
    git = ["git", "-c", "user.name=n", "-c", "user.email=e", "-C", str(live.project)]
    for words in (["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], check=True)
    with (live.project / ".git" / "config").open("a") as config:
        config.write(FILTER.format(marks=marks))
    tracked.write_text("2\n")  # of the same size: Git has to look at the content
    session = await live.begin()
    await say(live, session, "run: true")
    seen = await say(live, session, "run: git rev-parse --is-inside-work-tree; echo $GIT_DIR.")
    assert replies(seen)[-1].partition("Output:\n")[2] == "true\n.\n"
    assert ran(marks) == [], scripted.prompted[-1]


async def test_the_persons_own_server_takes_no_program_from_a_workspace(
    live: LiveApp, setup: Setup, marks: Path
) -> None:
    config = Path(setup.env["CODEX_HOME"]) / "config.toml"
    server = f'[mcp_servers.own]\ncommand = "{sys.executable}"\nargs = ["-m", "owned"]\n'
    config.write_text(f"{config.read_text()}\n{server}")
    owned = f"import pathlib; pathlib.Path({str(marks / 'owned')!r}).touch()\n"
    (live.project / "owned.py").write_text(owned)
    session = await live.begin()
    await say(live, session, "run: true")
    assert ran(marks) == []
    await answer(live, session, "trust")
    await say(live, session, "run: true")
    while "server" not in ran(marks):
        await asyncio.sleep(0.05)
    assert "owned" not in ran(marks), "an agent could have written it"


async def test_a_yes_to_what_has_changed_since_is_refused_on_record(live: LiveApp) -> None:
    session = await live.begin()
    ask = await ask_of(live, session)
    (live.project / "AGENTS.md").write_text("other orders\n")
    assert await live.answer(session, Answer(ask=ask.id, choice="trust", by="tests")) is None
    await live.app.trust.decided(str(live.project))
    lines = [line.entry for line in Audit(audit_in(live.project.parent / "data")).last(2)]
    assert [(line.kind, line.outcome) for line in lines] == [("ask", "done"), ("trust", "refused")]
    assert not (await live.app.trust.look(str(live.project))).trusted


async def test_an_agent_cannot_change_the_configuration_of_another_trusted_folder(
    live: LiveApp, scripted: Scripted
) -> None:
    inner, bare = live.project / "inner", live.project / "bare"
    (inner / ".codex").mkdir(parents=True)
    (inner / ".codex" / "config.toml").write_text('model = "trusted"\n')
    bare.mkdir()
    (bare / "AGENTS.md").write_text("Be kind.\n")
    for folder in (inner, bare):
        print_ = (await live.app.trust.look(str(folder))).inventory.fingerprint
        assert await live.app.trust.decide(str(folder), print_, "trusted", "tests") is None
    session = await live.begin()
    tries = "echo evil > inner/.codex/config.toml; mkdir bare/.codex; echo evil > bare/.codex/config.toml"
    await say(live, session, f"run: {tries}; touch inner/made bare/made && echo it wrote")
    assert (inner / ".codex" / "config.toml").read_text() == 'model = "trusted"\n'
    assert not (bare / ".codex").exists()
    assert (inner / "made").exists(), scripted.prompted[-1]
    assert (bare / "made").exists()
