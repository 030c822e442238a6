"""Asks of a real Codex: answered once, by the first, and never yes by itself."""

import asyncio
from pathlib import Path

import pytest
from tests.e2e.live_app import LiveApp, accept, choose, kinds, last_run, of_kind, of_run, replies, said

from bascule.core.consent.answer_check import TOO_LATE
from bascule.core.diff.show.unified import split_files
from bascule.daemon.surfaces.views import make_card
from bascule.demo.project import FILES
from bascule.model.asks import Answer, Ask, CommandSubject, FilesSubject, QuestionsSubject, Refuse
from bascule.model.blocks import CommandBlock, FileChangeBlock, InfoBlock, McpBlock, UserBlock
from bascule.model.changes import AskClosed

pytestmark = pytest.mark.real
Given = dict[str, tuple[str, ...]]
module_loop = pytest.mark.asyncio(loop_scope="module")


def read_files(project: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in sorted(project.glob("*.*")) if file.is_file()}


# Commands


@module_loop
async def test_an_approval_shows_what_would_run_and_what_may_be_answered(shared: LiveApp) -> None:
    session = await shared.begin()
    shared.say(session, "demo:approval")
    ask = await shared.until_ask(session)

    assert isinstance(ask.subject, CommandSubject)
    assert ask.subject.command.endswith("-m compileall -q wordkit.py")
    assert (ask.subject.cwd, ask.run) == (str(shared.project), last_run(shared.see(session)).id)
    assert ask.reason.startswith("May I compile the module?")
    assert [choice.id for choice in ask.choices] == ["accept", "acceptWithExecpolicyAmendment", "cancel"]
    assert ask.choices[1].rule.endswith("-m compileall -q wordkit.py")
    assert shared.see(session).status == "waiting_user"
    seen = await shared.finish(session, accept)
    assert of_kind(seen, CommandBlock)[0].exit_code == 0
    assert replies(seen)[-1] == "You allowed it, and the module is compiled."


@module_loop
async def test_a_cancelled_command_stops_the_run(shared: LiveApp) -> None:
    session = await shared.begin()
    seen = await shared.play(session, "demo:approval", choose("cancel"))

    assert (last_run(seen).outcome, seen.status, seen.asks) == ("interrupted", "completed", ())
    assert kinds(of_run(seen)) == ["user", "assistant completed", "command declined"]


@module_loop
async def test_a_no_that_stops_the_run_begins_no_other_and_its_reason_is_in_the_log(shared: LiveApp) -> None:
    session = await shared.begin()
    shared.say(session, "demo:approval")
    ask = await shared.until_ask(session)
    shared.say(session, "demo:search")  # waits, and is held
    await shared.answer(session, Answer(ask=ask.id, choice="cancel", reason="Not on a Sunday."))
    seen = await shared.until_idle(session)

    assert said(seen) == ["demo:approval"]
    assert [(run.outcome, run.declined) for run in seen.runs] == [("interrupted", True)]
    assert (len(seen.queue), seen.queue_held) == (1, True)
    (noted,) = [block for block in of_kind(seen, InfoBlock) if block.status == "declined"]
    assert (noted.text, noted.run) == ("Your reason: Not on a Sunday.", seen.runs[-1].id)
    assert make_card(seen).outcome == "declined"


@module_loop
async def test_a_surface_that_can_only_deny_gives_its_reason_to_the_agent(shared: LiveApp) -> None:
    session = await shared.begin()
    shared.say(session, "demo:approval")
    ask = await shared.until_ask(session)
    shared.say(session, "demo:search")  # waits, and lets the reason go first
    no = Answer(ask=ask.id, choice="cancel", reason="Not on a Sunday.", follow_up=True)
    await shared.answer(session, no)
    seen = await shared.until_idle(session)

    assert said(seen) == ["demo:approval", "Not on a Sunday.", "demo:search"]
    assert [run.outcome for run in seen.runs] == ["interrupted", "completed", "completed"]
    assert not any(block.steered for block in of_kind(seen, UserBlock))


@module_loop
async def test_an_answer_that_is_not_offered_is_refused_and_the_ask_stays(shared: LiveApp) -> None:
    session = await shared.begin()
    shared.say(session, "demo:approval")
    ask = await shared.until_ask(session)

    refused = await shared.answer(session, Answer(ask=ask.id, choice="acceptForSession"))
    assert isinstance(refused, Refuse)
    assert "accept, acceptWithExecpolicyAmendment, cancel" in refused.why
    assert shared.see(session).asks == (ask,)
    assert (await shared.finish(session, accept)).runs[-1].outcome == "completed"


@module_loop
async def test_of_two_surfaces_the_first_wins(shared: LiveApp) -> None:
    session = await shared.begin()
    shared.say(session, "demo:approval")
    ask = await shared.until_ask(session)
    watcher = shared.watch(session)
    await watcher.next()

    first, second = await asyncio.gather(
        shared.answer(session, Answer(ask=ask.id, choice="cancel", by="browser")),
        shared.answer(session, Answer(ask=ask.id, choice="accept", by="terminal")),
    )
    assert (first, second) == (None, TOO_LATE)
    news = await watcher.next()
    watcher.close()
    assert isinstance(news, list)
    closed = [each.change for each in news if isinstance(each.change, AskClosed)]
    assert closed == [AskClosed(ask.id, "answered", choice="cancel", by="browser")]
    assert (await shared.until_idle(session)).runs[-1].outcome == "interrupted"


@module_loop
async def test_an_interrupt_withdraws_the_ask(shared: LiveApp) -> None:
    session = await shared.begin()
    shared.say(session, "demo:approval")
    ask = await shared.until_ask(session)
    watcher = shared.watch(session)
    await watcher.next()

    shared.app.prompts.interrupt(session)
    seen = await shared.until_idle(session)
    news = await watcher.next()
    watcher.close()
    assert isinstance(news, list)
    (closed,) = [each.change for each in news if isinstance(each.change, AskClosed)]
    assert (closed.ask, closed.end, closed.choice) == (ask.id, "withdrawn", "")
    assert (seen.asks, last_run(seen).outcome) == ((), "interrupted")
    assert kinds(of_run(seen))[-1] == "command cancelled"
    late = await shared.answer(session, Answer(ask=ask.id, choice="accept"))
    assert late == TOO_LATE


async def test_always_is_not_asked_again(live: LiveApp) -> None:
    """The rule lands in this Codex home, so this test has one of its own."""
    session = await live.begin()
    first = await live.play(session, "demo:approval", choose("acceptWithExecpolicyAmendment"))
    again = await live.play(session, "demo:approval", choose("nobody is asked"))
    other = await live.begin()
    elsewhere = await live.play(other, "demo:approval", choose("nobody is asked"))

    assert [of_kind(seen, CommandBlock)[-1].exit_code for seen in (first, again, elsewhere)] == [0, 0, 0]


# Files


async def test_an_accepted_edit_writes_exactly_what_was_shown(live: LiveApp) -> None:
    session = await live.begin()
    live.say(session, "demo:edit")
    ask = await live.until_ask(session)

    assert isinstance(ask.subject, FilesSubject)
    shown = {edit.path: edit for edit in ask.subject.files}
    assert sorted(shown) == ["test_initials.py", "wordkit.py"]
    assert read_files(live.project) == dict(FILES)
    seen = await live.finish(session, accept)
    (block,) = of_kind(seen, FileChangeBlock)
    assert (block.files, block.status, block.has_diff) == (ask.subject.files, "completed", True)
    after = read_files(live.project)
    added = [line[1:] for line in shown["test_initials.py"].diff.splitlines() if line.startswith("+")]
    assert after["test_initials.py"].splitlines() == added
    assert after["wordkit.py"] == apply_hunks(FILES["wordkit.py"], shown["wordkit.py"].diff)
    assert seen.diff is not None
    assert split_files(seen.diff.unified) == seen.diff.files


def apply_hunks(text: str, diff: str) -> str:
    """By the line numbers of the hunks alone, so that a wrong one shows."""
    lines, out, at = text.splitlines(), list[str](), 0
    for line in diff.splitlines():
        match line[:1]:
            case "@":
                start = int(line.split()[1].split(",")[0][1:])
                empty = line.split()[1].endswith(",0")
                out += lines[at : start if empty else start - 1]
                at = start if empty else start - 1
            case "+":
                out.append(line[1:])
            case "-":
                assert lines[at] == line[1:]
                at += 1
            case _:
                assert lines[at] == line[1:]
                out.append(lines[at])
                at += 1
    return "\n".join([*out, *lines[at:]]) + "\n"


@module_loop
async def test_a_declined_edit_leaves_the_files_alone_and_its_reason_is_steered(shared: LiveApp) -> None:
    session = await shared.begin()
    before = read_files(shared.project)
    seen = await shared.play(session, "demo:edit", choose("decline", "Keep the module small."))

    assert read_files(shared.project) == before
    (block,) = of_kind(seen, FileChangeBlock)
    assert block.status == "declined"
    assert [(user.text, user.steered) for user in of_kind(seen, UserBlock)] == [
        ("demo:edit", False),
        ("Keep the module small.", True),
    ]
    assert [run.outcome for run in seen.runs] == ["completed"]
    assert "You added: “Keep the module small.”" in "\n".join(replies(seen))  # it reached the model


@module_loop
async def test_a_cancelled_edit_leaves_nothing_in_progress(shared: LiveApp) -> None:
    session = await shared.begin()
    before = read_files(shared.project)
    seen = await shared.play(session, "demo:edit", choose("cancel"))

    assert read_files(shared.project) == before
    assert kinds(of_run(seen))[-1] == "fileChange declined"  # Codex itself leaves the item open
    assert make_card(seen).outcome == "declined"


@module_loop
async def test_an_edit_for_the_session_is_not_asked_again(shared: LiveApp) -> None:
    session = await shared.begin()
    await shared.play(session, "demo:edit", choose("acceptForSession"))
    seen = await shared.play(session, "demo:edit", choose("acceptForSession"))
    assert {block.status for block in of_kind(seen, FileChangeBlock)} == {"completed"}


# Questions and forms


@module_loop
async def test_a_question_is_answered(shared: LiveApp) -> None:
    session = await shared.begin()
    shared.say(session, "demo:question")
    ask = await shared.until_ask(session)

    assert isinstance(ask.subject, QuestionsSubject)
    assert [(q.id, [option.label for option in q.options]) for q in ask.subject.questions] == [
        ("leaf", ["North (Recommended)", "South"]),
        ("pace", ["Slowly", "Quickly"]),
    ]
    given: Given = {"leaf": ("South",), "pace": ("As the wind allows",)}
    assert await shared.answer(session, Answer(ask=ask.id, choice="answer", answers=given)) is None
    seen = await shared.until_idle(session)
    assert replies(seen) == ["You answered:\n\n- leaf: South\n- pace: As the wind allows"]


@module_loop
async def test_a_declined_question_stays_open_and_the_run_goes_on(shared: LiveApp) -> None:
    session = await shared.begin()
    seen = await shared.play(session, "demo:question", choose("decline"))
    assert replies(seen) == ["You left both questions open."]
    assert last_run(seen).outcome == "completed"


@module_loop
async def test_an_mcp_form_is_filled_in_and_its_tool_kept_for_the_session(shared: LiveApp) -> None:
    asked: list[str] = []

    def answers(ask: Ask) -> Answer:
        asked.append(ask.title)
        if ask.title == "Call this tool?":
            return Answer(ask=ask.id, choice="session")
        form: Given = {"name": ("Bo",), "leaf": ("south",), "public": ("true",)}
        return Answer(ask=ask.id, choice="accept", answers=form)

    session = await shared.begin()
    await shared.play(session, "demo:mcp", answers)
    seen = await shared.play(session, "demo:mcp", answers)

    assert asked == ["Call this tool?", "demo asks", "demo asks"]
    assert [block.result for block in of_kind(seen, McpBlock) if block.tool == "sign_guest_book"] == [
        "Signed by Bo.",
        "Signed by Bo.",
    ]


@module_loop
async def test_a_declined_tool_is_not_called(shared: LiveApp) -> None:
    session = await shared.begin()
    seen = await shared.play(session, "demo:mcp", choose("decline"))
    assert [(block.tool, block.status) for block in of_kind(seen, McpBlock)] == [
        ("define", "completed"),
        ("sign_guest_book", "declined"),
    ]
    assert last_run(seen).outcome == "completed"
