"""Reviews with a real Codex: what a run changed, parts taken back, parts of a diff written, comments."""

from collections.abc import AsyncIterator

import pytest
from tests.e2e.live_app import LiveApp, Setup, accept, replies, said
from tests.e2e.peer import Message, Peer, Refusal
from tests.e2e.test_edits_over_protocol import answer, open_peer, record

from bascule.core.session.run_edits import TOOLS
from bascule.demo.project import FILES
from bascule.model.blocks import ErrorBlock, SystemBlock
from bascule.model.ids import SessionId
from bascule.model.said import Said

pytestmark = pytest.mark.real

Scene = tuple[LiveApp, Peer, SessionId]

LINES = "".join(f"{number}\n" for number in range(1, 61))
CHANGED = LINES.replace("\n5\n", "\nfive\n").replace("\n30\n", "\nthirty\n").replace("\n55\n", "\n")
THREE_HUNKS = """\
--- a/list.txt
+++ b/list.txt
@@ -4,3 +4,3 @@
 4
-5
+five
 6
@@ -29,3 +29,3 @@
 29
-30
+thirty
 31
@@ -54,3 +54,2 @@
 54
-55
 56
--- /dev/null
+++ b/fresh.txt
@@ -0,0 +1 @@
+new
"""


@pytest.fixture
async def scene(live: LiveApp) -> AsyncIterator[Scene]:
    (live.project / "list.txt").write_text(LINES)
    session = await live.begin()
    async with open_peer(live) as peer:
        yield live, peer, session


async def apply(live: LiveApp, peer: Peer, session: SessionId, plan: Message) -> Message:
    call = await peer.begin("edits.apply", {"diff_id": plan["diff_id"]})
    ask = await live.until_ask(session)
    assert ask.plan == plan["hash"]
    await answer(live, session, ask, f"apply:{plan['hash']}")
    written: Message = await peer.result(call)
    assert written["status"] == "ok", written
    return written


async def review(peer: Peer, session: SessionId, run: str = "") -> Message:
    found: Message = await peer.call("edits.review", {"session_id": session, "run_id": run})
    return found


def files(review: Message) -> dict[str, Message]:
    return {file["path"]: file for file in review["files"]}


def there(file: Message) -> list[bool]:
    return [hunk.get("there", True) for hunk in file["hunks"]]


# -- a part of a diff --


async def test_two_hunks_of_three_are_written_and_undone(scene: Scene) -> None:
    live, peer, session = scene
    whole = await peer.call("edits.prepare", {"session_id": session, "diff": THREE_HUNKS})
    choice = [{"path": "list.txt", "hunks": [1, 3]}]
    part = await peer.call("edits.select", {"diff_id": whole["diff_id"], "files": choice})
    assert (part["diff_id"] != whole["diff_id"], part["hash"] != whole["hash"]) == (True, True)
    assert [(file["path"], file["additions"], file["deletions"]) for file in part["files"]] == [
        ("list.txt", 1, 2)
    ]
    assert ("+five" in part["preview"], "+thirty" in part["preview"]) == (True, False)
    written = await apply(live, peer, session, part)
    expected = LINES.replace("\n5\n", "\nfive\n").replace("\n55\n", "\n")
    assert (live.project / "list.txt").read_text() == expected
    assert not (live.project / "fresh.txt").exists()

    with pytest.raises(Refusal, match=r"list\.txt changed since the preview"):
        await peer.call(
            "edits.select", {"diff_id": whole["diff_id"], "files": [{"path": "list.txt", "hunks": [2]}]}
        )
    call = await peer.begin("edits.undo", {"session_id": session, "undo_id": written["undo_id"]})
    ask = await live.until_ask(session)
    await answer(live, session, ask, ask.choices[0].id)
    assert (await peer.result(call))["status"] == "ok"
    assert (live.project / "list.txt").read_text() == LINES


async def test_all_of_a_diff_is_the_same_plan_and_nonsense_is_refused(scene: Scene) -> None:
    _, peer, session = scene
    whole = await peer.call("edits.prepare", {"session_id": session, "diff": THREE_HUNKS})
    every = [{"path": "fresh.txt"}, {"path": "list.txt", "hunks": [1, 2, 3]}]
    same = await peer.call("edits.select", {"diff_id": whole["diff_id"], "files": every})
    assert (same["hash"], same["preview"]) == (whole["hash"], whole["preview"])
    for choice, why in (
        ([], "nothing is chosen"),
        ([{"path": "no"}], "no is not in this diff"),
        ([{"path": "list.txt", "hunks": [4]}], "has 3 hunks"),
    ):
        with pytest.raises(Refusal, match=why):
            await peer.call("edits.select", {"diff_id": whole["diff_id"], "files": choice})
    with pytest.raises(Refusal, match="no longer kept"):
        await peer.call("edits.select", {"diff_id": "diff_of_nobody", "files": every})


# -- a run --


async def test_a_run_is_reviewed_apart_from_the_persons_edits_and_taken_back(scene: Scene) -> None:
    live, peer, session = scene
    (live.project / "README.md").write_text("mine, before the run\n")
    await live.play(session, "demo:edit")
    source = live.project / "wordkit.py"
    run_wrote = source.read_text()
    source.write_text("# mine, after it\n" + run_wrote)
    (live.project / "notes.txt").write_text("mine\n")

    seen = await review(peer, session)
    assert (seen["run_id"], seen.get("note", "")) == (live.see(session).runs[-1].id, "")
    found = files(seen)
    assert {path: (file["kind"], there(file)) for path, file in found.items()} == {
        "test_initials.py": ("add", [True]),
        "wordkit.py": ("update", [True, True]),
    }
    assert '+__all__ = ["count", "initials", "longest", "slug", "words"]' in seen["unified"]
    assert "mine" not in seen["unified"]

    ref = {"session_id": session, "run_id": seen["run_id"]}
    back = await peer.call(
        "edits.revert", {**ref, "files": [{"path": "wordkit.py", "hunks": [2]}, {"path": "test_initials.py"}]}
    )
    await apply(live, peer, session, back)
    assert not (live.project / "test_initials.py").exists()
    assert source.read_text() == "# mine, after it\n" + FILES["wordkit.py"].replace(
        '"count", "longest"', '"count", "initials", "longest"'
    )
    left = files(await review(peer, session))
    assert there(left["wordkit.py"]) == [True, False]
    assert there(left["test_initials.py"]) == [False]
    assert "why" in left["wordkit.py"]["hunks"][1]

    rest = await peer.call("edits.revert", {**ref, "files": [{"path": "wordkit.py", "hunks": [1]}]})
    call = await peer.begin("edits.apply", {"diff_id": rest["diff_id"]})
    ask = await live.until_ask(session)
    assert ask.said == Said("edit.revert", {"run": seen["run_id"]})
    before = source.read_text()
    source.write_text(before + "# while it waited\n")
    await answer(live, session, ask, f"apply:{rest['hash']}")
    refused = await peer.result(call)
    why = "Edit refused: wordkit.py changed since the preview. Review the run again."
    assert (refused["status"], refused["summary"]) == ("error", why)
    source.write_text(before)
    await apply(live, peer, session, rest)
    assert source.read_text() == "# mine, after it\n" + FILES["wordkit.py"]
    assert (live.project / "notes.txt").read_text() == "mine\n"
    titles = [
        block.title for block in live.see(session).blocks if isinstance(block, SystemBlock | ErrorBlock)
    ]
    assert [title.split(",")[0] for title in titles] == [
        "Reverted: 2 files",
        "The changes were not reverted",
        "Reverted: 1 file",
    ]
    yes = [("ask", "yes", "done"), ("apply", "yes", "done")]
    changed = [("ask", "yes", "done"), ("apply", "yes", "refused")]
    assert record(live)[1:] == [*yes, *changed, *yes]  # the agent asked first


async def test_all_hunks_of_two_edits_of_one_file_give_back_the_bytes(scene: Scene) -> None:
    live, peer, session = scene
    await live.play(session, "demo:edit demo:edit")
    seen = await review(peer, session)
    assert {path: file["kind"] for path, file in files(seen).items()} == {
        "wordkit.py": "update",
        "test_initials.py": "add",
        "test_backwards.py": "add",
    }
    every = [{"path": path} for path in files(seen)]
    back = await peer.call("edits.revert", {"session_id": session, "run_id": seen["run_id"], "files": every})
    await apply(live, peer, session, back)
    assert (live.project / "wordkit.py").read_text() == FILES["wordkit.py"]
    assert not list(live.project.glob("test_[bi]*.py"))


async def test_what_a_command_changed_is_reported_with_who_did_it(scene: Scene) -> None:
    live, peer, session = scene
    live.say(session, "demo:rewrite")
    ask = await live.until_ask(session)
    assert (await review(peer, session))["files"] == []  # the files have been looked at: no person is faster
    await answer(live, session, ask, "accept")
    await live.finish(session, accept)
    seen = await review(peer, session)
    (file,) = seen["files"]
    assert (file["path"], file["kind"], file["by"]) == ("README.md", "update", "command")
    assert "your changes are included" in file["note"]
    assert file["hunks"][0]["lines"][-1] == "+A command wrote this line."

    (live.project / "README.md").write_text("mine\n" + (live.project / "README.md").read_text())
    back = await peer.call(
        "edits.revert", {"session_id": session, "run_id": seen["run_id"], "files": [{"path": "README.md"}]}
    )
    await apply(live, peer, session, back)
    assert (live.project / "README.md").read_text() == "mine\n" + FILES["README.md"]


async def test_a_persons_edits_while_a_run_goes_on_are_not_the_runs(scene: Scene) -> None:
    """Between two commands, and while the agent waits for an answer."""
    live, peer, session = scene
    live.say(session, "demo:rewrite demo:approval")
    await answer(live, session, await live.until_ask(session), "accept")
    await live.until_head(session, lambda seen: not seen.asks)
    ask = await live.until_ask(session)
    (live.project / "notes.txt").write_text("mine\n")
    readme = live.project / "README.md"
    readme.write_text(readme.read_text() + "Mine too.\n")
    during = await review(peer, session)
    assert ("still going" in during["note"], list(files(during))) == (True, ["README.md"])
    await answer(live, session, ask, "accept")
    await live.until_idle(session)
    seen = await review(peer, session)
    assert ("Mine" in seen["unified"], list(files(seen))) == (False, ["README.md"])
    assert there(files(seen)["README.md"]) == [True]


async def test_a_place_that_is_not_certain_is_refused_by_name(scene: Scene) -> None:
    live, peer, session = scene
    await live.play(session, "demo:rewrite")
    readme = live.project / "README.md"
    readme.write_text("A command wrote this line.\nand\nA command wrote this line.\n")
    seen = await review(peer, session)
    assert there(files(seen)["README.md"]) == [False]
    with pytest.raises(Refusal, match=r"README\.md, hunk 1"):
        await peer.call(
            "edits.revert",
            {"session_id": session, "run_id": seen["run_id"], "files": [{"path": "README.md"}]},
        )


async def test_a_run_that_changed_nothing_and_one_that_is_not_there(scene: Scene) -> None:
    live, peer, session = scene
    with pytest.raises(Refusal, match="Nothing was run yet"):
        await review(peer, session)
    await live.play(session, "demo:text demo:mcp")
    seen = await review(peer, session)
    assert (seen["files"], seen["unified"], seen["note"]) == ([], "", TOOLS)
    with pytest.raises(Refusal, match="There is no run run_of_nobody"):
        await review(peer, session, "run_of_nobody")
    with pytest.raises(Refusal, match="nothing is chosen"):
        await peer.call("edits.revert", {"session_id": session, "run_id": seen["run_id"], "files": []})


async def test_a_review_outlives_the_daemon_and_the_agents_own_telling(setup: Setup) -> None:
    async with setup.run() as live:
        session = await live.begin()
        await live.play(session, "demo:edit demo:rewrite")
        async with open_peer(live) as peer:
            before = await review(peer, session)
    async with setup.run() as live, open_peer(live) as peer:
        assert await review(peer, session) == before
        await live.app.sessions.open(session)  # Codex tells the past anew
        assert await review(peer, session) == before
    assert set(files(before)) == {"README.md", "test_initials.py", "wordkit.py"}


# -- comments --


async def test_comments_on_lines_are_the_next_prompt_word_for_word(scene: Scene) -> None:
    live, peer, session = scene
    comment = {"path": "wordkit.py", "line": 5, "text": "demo:text, not @nobody.", "quote": "__all__ = []"}
    started = await peer.call(
        "edits.comment", {"session_id": session, "comments": [comment], "text": "Nearly there, but @nobody"}
    )
    assert started["run_id"]
    seen = await live.until_idle(session)
    (prompt,) = said(seen)
    assert prompt == (
        "Nearly there, but @nobody\n\n"
        "These comments are about lines of your changes. Answer each of them, and change what they ask for."
        "\n\n`wordkit.py`, line 5:\n> __all__ = []\n\ndemo:text, not @nobody."
    )
    assert replies(seen)[-1].startswith("## A raised bridge")
    with pytest.raises(Refusal, match="There is no comment"):
        await peer.call("edits.comment", {"session_id": session, "comments": []})


async def test_comments_wait_while_the_agent_is_at_work(scene: Scene) -> None:
    live, peer, session = scene
    live.say(session, "demo:approval")
    ask = await live.until_ask(session)
    comment = {"path": "a", "line": 1, "text": "demo:text"}
    params = {"session_id": session, "comments": [comment], "key": "comments-1"}
    started = await peer.call("edits.comment", params)
    assert (started["run_id"], started["queued"]) == ("", True)
    assert [prompt.key for prompt in live.see(session).queue] == ["comments-1"]
    await answer(live, session, ask, "accept")
    assert len((await live.until_idle(session)).runs) == 2
