"""Sessions of a real Codex: named, hidden, forked, compacted, cleared, and which model they use."""

from pathlib import Path

import pytest
from tests.e2e.live_app import LiveApp, Setup, kinds, last_run, of_kind, replies, said, without_notes
from tests.e2e.test_edits_over_protocol import open_peer

from bascule.core.faults import UserError
from bascule.daemon.prompts.prompt_outcomes import PromptOutcome
from bascule.daemon.sessions.sessions import MAX_UNUSED
from bascule.demo.home import CONTEXT_WINDOW
from bascule.model.asks import Refuse
from bascule.model.blocks import DividerBlock, ErrorBlock, InfoBlock
from bascule.model.ids import RunId
from bascule.model.said import Said

pytestmark = pytest.mark.real
module_loop = pytest.mark.asyncio(loop_scope="module")


async def test_a_session_begins_with_its_first_prompt(setup: Setup) -> None:
    async with setup.run() as live:
        session = await live.app.sessions.create(str(live.project))
        await live.app.sessions.open(session)
        assert (live.app.pool.states(), live.see(session).thread) == ([], None)
    async with setup.run() as live:
        assert live.app.hub.heads() == []  # nothing was said in it, so nothing is kept
        session = await live.app.sessions.create(str(live.project), model="", effort="high")
        await live.app.sessions.rename(session, "Mine")
        seen = await live.play(session, "demo:search")
        assert (last_run(seen).outcome, seen.title, seen.effort) == ("completed", "Mine", "high")
        assert seen.thread is not None
    async with setup.run() as live:
        assert [head.id for head in live.app.hub.heads()] == [session]


async def test_a_session_that_was_never_used_opens_after_a_restart(setup: Setup) -> None:
    async with setup.run() as live:
        session = await live.begin()  # as an older version stored it: with a thread that Codex does not keep
    async with setup.run() as live:
        await live.app.sessions.open(session)
        assert of_kind(live.see(session), ErrorBlock) == []
        seen = await live.play(session, "demo:search")
        assert (last_run(seen).outcome, of_kind(seen, ErrorBlock)) == ("completed", [])


async def test_unused_sessions_do_not_pile_up(setup: Setup) -> None:
    async with setup.run() as live:
        made = [await live.app.sessions.create(str(live.project)) for _ in range(MAX_UNUSED + 3)]
        left = {head.id for head in live.app.hub.heads()}
        assert (len(left), made[-1] in left) == (MAX_UNUSED, True)  # those of one millisecond are equally old


async def test_a_session_needs_a_folder_that_exists(setup: Setup) -> None:
    async with setup.run() as live:
        with pytest.raises(UserError, match=r"nowhere is not a folder\. Name one that exists\."):
            await live.app.sessions.create(str(live.project / "nowhere"))


@module_loop
async def test_the_first_prompt_names_a_session_and_clearing_gives_the_name_to_the_next(
    shared: LiveApp,
) -> None:
    session = await shared.begin()
    await shared.play(session, "demo:search What is new? Look it up.")
    await shared.play(session, "demo:plan")
    named = shared.see(session)
    assert (named.title, named.title_by) == ("demo:search What is new?", "prompt")

    fork = await shared.app.sessions.fork(session)
    assert not isinstance(fork, Refuse)
    assert shared.see(fork).title == "demo:search What is new? (fork)"

    assert await shared.app.sessions.clear(session) is None
    assert shared.see(session).title_by == "default"
    await shared.play(session, "demo:plan")
    assert shared.see(session).title == "demo:plan"


@module_loop
async def test_a_title_is_the_folder_and_the_thread_until_a_person_names_it(shared: LiveApp) -> None:
    session = await shared.begin()
    assert shared.see(session).title == f"wordkit ({session[-8:]})"

    assert await shared.app.sessions.rename(session, "  The   north leaf ") is None
    await shared.play(session, "demo:search")
    assert (shared.see(session).title, shared.see(session).title_by) == ("The north leaf", "person")
    for bad in ("", "  ", "x" * 201):
        assert isinstance(await shared.app.sessions.rename(session, bad), Refuse)


async def test_names_and_hidden_tabs_outlive_the_app(setup: Setup) -> None:
    async with setup.run() as live:
        named, plain = await live.begin(), await live.begin()
        await live.app.sessions.rename(named, "Kept")
        live.app.sessions.hide(plain)
        live.app.sessions.set_place(named, "pinned")
    async with setup.run() as live:
        heads = {head.id: (head.title, head.hidden) for head in live.app.hub.heads()}
        assert heads[named] == ("Kept", False)
        assert heads[plain][1]
        assert live.see(named).place == "pinned"
        await live.app.sessions.rename(named, "Anew")  # no Codex runs yet, so it does not learn
        await live.app.sessions.open(named)
        assert live.see(named).title == "Anew"  # whatever Codex calls it
        live.app.sessions.hide(plain, False)
        assert not live.see(plain).hidden


@module_loop
async def test_a_hidden_session_is_still_listed_and_opening_it_brings_it_back_with_its_log(
    shared: LiveApp,
) -> None:
    session = await shared.begin()
    before = await shared.play(session, "demo:search")
    shared.app.sessions.hide(session)
    (head,) = [head for head in shared.app.hub.heads() if head.id == session]
    assert head.hidden
    assert shared.see(session).blocks == before.blocks
    await shared.app.sessions.open(session)
    assert not shared.see(session).hidden
    assert shared.see(session).blocks == before.blocks


@module_loop
async def test_a_fork_has_the_past_up_to_its_run_and_leaves_the_original_alone(shared: LiveApp) -> None:
    session = await shared.begin()
    for text in ("demo:search one", "demo:reasoning two", "demo:plan three"):
        await shared.play(session, text)
    before = shared.see(session)

    at_second = await shared.app.sessions.fork(session, before.runs[1].id)
    whole = await shared.app.sessions.fork(session)
    assert not isinstance(at_second, Refuse)
    assert not isinstance(whole, Refuse)
    assert said(shared.see(at_second)) == ["demo:search one", "demo:reasoning two"]
    assert said(shared.see(whole)) == said(before)
    assert shared.see(at_second).parent == session
    assert len({before.thread, shared.see(at_second).thread, shared.see(whole).thread}) == 3

    seen = await shared.play(at_second, "demo:search four")
    assert said(seen) == ["demo:search one", "demo:reasoning two", "demo:search four"]
    assert shared.see(session).blocks == before.blocks
    missing = await shared.app.sessions.fork(session, RunId("no-such-run"))
    assert missing == Refuse(f"Session {session} has no run no-such-run.")


@module_loop
async def test_a_run_that_is_going_is_not_forked_compacted_or_cleared(shared: LiveApp) -> None:
    session = await shared.begin()
    shared.say(session, "demo:slow")
    await shared.until_streaming(session)
    for refused in (
        await shared.app.sessions.fork(session),
        await shared.app.sessions.compact(session),
        await shared.app.sessions.clear(session),
    ):
        assert isinstance(refused, Refuse)
    shared.app.prompts.interrupt(session)
    await shared.until_idle(session)


@module_loop
async def test_compacting_leaves_a_divider_and_the_session_goes_on(shared: LiveApp) -> None:
    session = await shared.begin()
    await shared.play(session, "demo:search")
    outcome = await shared.app.sessions.compact(session)
    assert isinstance(outcome, PromptOutcome)
    await shared.until(session, lambda seen: of_kind(seen, DividerBlock))
    compacted = await shared.until_idle(session)
    (divider,) = of_kind(compacted, DividerBlock)
    assert divider.text == "Context compacted"
    end = await outcome.ended()
    assert (await outcome.began(), end.how) == (last_run(compacted).id, "completed")
    assert divider.title.startswith("Worked for ")

    seen = await shared.play(session, "demo:reasoning")
    assert kinds(without_notes(seen)) == [
        *["user", "webSearch completed", "assistant completed"],
        *["divider", "user", "reasoning completed", "assistant completed"],
    ]


@module_loop
async def test_compacting_nothing_leaves_the_session_usable(shared: LiveApp) -> None:
    session = await shared.begin()
    await shared.app.sessions.compact(session)
    await shared.until_idle(session)
    assert said(await shared.play(session, "demo:search")) == ["demo:search"]


@module_loop
async def test_a_prompt_right_after_compacting_is_not_lost(shared: LiveApp) -> None:
    session = await shared.begin()
    await shared.play(session, "demo:search")
    await shared.app.sessions.compact(session)
    shared.say(session, "demo:reasoning")
    seen = await shared.until(
        session,
        lambda seen: "reasoning completed" in kinds(seen.blocks) and last_run(seen).outcome != "running",
    )
    assert said(seen) == ["demo:search", "demo:reasoning"]
    assert len(of_kind(seen, DividerBlock)) == 1


@module_loop
async def test_clearing_starts_the_log_anew_in_the_same_session(shared: LiveApp) -> None:
    session = await shared.begin()
    before = await shared.play(session, "demo:edit")
    count = len(shared.app.hub.heads())
    assert await shared.app.sessions.clear(session) is None
    cleared = shared.see(session)

    assert [type(block) for block in cleared.blocks if not isinstance(block, InfoBlock)] == []
    assert (cleared.runs, cleared.usage, cleared.diff) == ((), None, None)
    assert (cleared.id, cleared.title_by) == (before.id, "default")
    assert cleared.thread != before.thread
    seen = await shared.play(session, "demo:search")
    assert said(seen) == ["demo:search"]
    assert len(shared.app.hub.heads()) == count


@module_loop
async def test_the_model_is_one_that_codex_lists(shared: LiveApp) -> None:
    session = await shared.begin()
    models = await shared.app.sessions.models(shared.place)
    assert [model.name for model in models] == ["demo", "demo-small"]
    assert (shared.see(session).model, CONTEXT_WINDOW) == ("demo", 272_000)

    set_model = shared.app.sessions.set_model
    unknown = Refuse(
        "There is no model grand. There are: demo, demo-small.", said=Said("model.none", {"name": "grand"})
    )
    assert await set_model(session, "grand") == unknown
    no_effort = Refuse(
        "demo has no effort extreme. It has: low, medium, high.",
        said=Said("effort.none", {"name": "extreme"}),
    )
    assert await set_model(session, "demo", "extreme") == no_effort
    assert await set_model(session, "demo-small", "high") is None
    seen = await shared.play(session, "demo:text")
    assert (seen.model, seen.effort, len(replies(seen))) == ("demo-small", "high", 1)
    (rollout,) = shared.project.with_name("codex").glob(f"sessions/**/*{seen.thread}.jsonl")
    context = [line for line in rollout.read_text().splitlines() if '"turn_context"' in line][-1]
    assert '"model":"demo-small"' in context
    assert '"effort":"high"' in context


async def test_hiding_archiving_and_deleting_leave_codexs_own_files_where_they_are(setup: Setup) -> None:
    """Codex would move the file of a thread that is archived; see seed 000 §2."""
    home = Path(setup.env["CODEX_HOME"])

    def rollouts() -> set[str]:
        return {str(path.relative_to(home)) for path in home.rglob("rollout-*")}

    async with setup.run() as live, open_peer(live) as peer:
        session = await live.begin()
        await live.play(session, "demo:search")
        thread = live.see(session).thread
        assert thread is not None
        live.app.sessions.hide(session)
        await peer.call("session.place", {"session_id": session, "place": "archived"})
        assert live.see(session).place == "archived"
        await peer.confirmed("session.delete", {"session_id": session})
        (kept,) = rollouts()
        assert (kept.startswith("sessions/"), thread in kept) == (True, True)
        written = setup.folder.settings.read_text()
        setup.folder.settings.write_text(f"{written}[history]\ndeletedDays = 0\n")
    async with setup.run() as live:
        await live.app.deletion.sweep()
        assert live.app.deletion.list() == []
        assert rollouts() == {kept}
        assert not (home / "archived_sessions").exists()


async def test_opening_a_session_after_a_restart_is_nothing_that_happened_in_it(setup: Setup) -> None:
    async with setup.run() as live:
        session = await live.create()
        ended = await live.play(session, "demo:reasoning")
    async with setup.run() as live:
        await live.app.sessions.open(session)
        opened = await live.until(session, lambda seen: bool(seen.blocks) and bool(seen.model))
        assert opened.updated_at_ms == ended.updated_at_ms
