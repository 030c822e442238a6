"""A session as Markdown: every kind of block, and nothing that breaks out of its place."""

from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bascule.core.session import export
from bascule.core.session.export import WRITERS, code, fence, quote, session_json, session_markdown
from bascule.model import blocks as b
from bascule.model.asks import Ask, CommandSubject
from bascule.model.ids import AskId, BlockId, PromptKey, RunId, SessionId
from bascule.model.session import LatestDiff, Prompt, Session, Usage


def when(at_ms: int) -> str:
    return f"t={at_ms}"


def every_block(text: str) -> tuple[b.Block, ...]:
    """One of each kind, the text in all of its places."""
    name = BlockId("b")
    edit = b.FileEdit(path=text, change="update", moved_to=text, diff=text, additions=2, deletions=1)
    return (
        b.UserBlock(id=name, at_ms=5, text=text, images=(text, "data:image/png;base64,AAAA")),
        b.RemoteBlock(id=name, text=text, author=text),
        b.ReasoningBlock(id=name, summary=(text, text), status="completed"),
        b.CommandBlock(
            id=name, command=text, cwd=text, output=text, stdin=text, exit_code=1, duration_ms=1500
        ),
        b.FileChangeBlock(id=name, files=(edit, edit), detail=text, status="failed"),
        b.McpBlock(id=name, server=text, tool=text, arguments=text, progress=text, result=text, error=text),
        b.WebSearchBlock(id=name, query=text, status="completed"),
        b.PlanBlock(id=name, steps=(b.PlanStep(text, "completed"), b.PlanStep(text, "pending")), text=text),
        b.ImageBlock(id=name, path=text, caption=text),
        b.DividerBlock(id=name, title=text, text=text),
        b.InfoBlock(id=name, title=text, text=text, facts=(b.Fact(text, text),)),
        b.SystemBlock(id=name, title=text, text=text, dropped=7),
        b.ErrorBlock(id=name, title=text, text=text),
        b.AssistantBlock(id=name, text=text, final=True, status="completed"),
    )


def session(text: str) -> Session:
    ask = Ask(id=AskId("a"), title=text, subject=CommandSubject(command=text, original=text), choices=())
    return Session(
        id=SessionId("s_1"),
        workspace=text,
        title=text,
        model=text,
        blocks=every_block(text),
        dropped_blocks=3,
        earlier="cursor",
        diff=LatestDiff(unified=text, files=(), run=RunId("r")),
        asks=(ask,),
        queue=(Prompt(key=PromptKey("k"), text=text),),
        usage=Usage(context_used=10, context_window=100),
        created_at_ms=1,
        updated_at_ms=2,
    )


def outline(markdown: str) -> list[tuple[str, str]]:
    """What stands at the top level, without the words."""
    tokens = MarkdownIt("commonmark").parse(markdown)
    return [(token.type, token.tag) for token in tokens if token.level == 0]


def test_every_kind_of_block_has_a_writer() -> None:
    assert set(WRITERS) == set(get_args(b.Block))
    assert {type(block) for block in every_block("x")} == set(WRITERS)


def test_it_reads_well() -> None:
    talk = Session(
        id=SessionId("s_1"),
        workspace="/w",
        title="Fix *it*",
        status="completed",
        blocks=(
            b.UserBlock(id=BlockId("1"), at_ms=5, text="Please\n\nfix it."),
            b.CommandBlock(
                id=BlockId("2"),
                command="make test",
                cwd="/w",
                output="```\nfine\n",
                exit_code=0,
                duration_ms=2_000,
                status="completed",
            ),
            b.PlanBlock(
                id=BlockId("3"), steps=(b.PlanStep("Look", "completed"), b.PlanStep("Do", "inProgress"))
            ),
            b.AssistantBlock(id=BlockId("4"), text="Done: `x`.\n```py\nx", status="completed"),
        ),
    )
    assert session_markdown(talk, when) == (
        "# Fix \\*it\\*\n\n"
        "- session: `s_1`\n- agent: `codex`\n- workspace: `/w`\n- status: `completed`\n\n"
        "## User · t=5\n\n> Please\n>\n> fix it.\n\n"
        "## Command\n\n```sh\nmake test\n```\n\n- folder: `/w`\n- exit code: `0`\n- took: `2s`\n\n"
        "Output:\n\n````text\n```\nfine\n````\n\n"
        "## Plan\n\n- [x] `Look`\n- [~] `Do`\n\n"
        "## Assistant\n\n> Done: `x`.\n> ```py\n> x\n"
    )


HOSTILE = [
    "```",
    "````\n# out",
    "~~~\nx",
    "<!-- open",
    "<script>alert(1)\n",
    "<details>\n\n# out",
    "x\n===",
    "- [ ] x\n\n    code",
    "[a]: http://example.org",
    "\x1b[31mred\r\nx\u202e",
    "a`b``c```",
    "> quoted\nlazy",
    "|a|b|\n|-|-|",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_left_open_ends_in_its_own_place(text: str) -> None:
    assert outline(session_markdown(session(f"a{text}a"), when)) == outline(
        session_markdown(session("x"), when)
    )
    assert outline(session_markdown(session(text), when)) == outline(session_markdown(session("x"), when))


@given(st.text("a `~>#-*_<>!=[]()|&:\\\n\t1.", max_size=40))
def test_no_text_breaks_out(text: str) -> None:
    assert outline(session_markdown(session(f"a{text}a"), when)) == outline(
        session_markdown(session("x"), when)
    )


@given(st.text("`~a \n", min_size=1, max_size=30))
def test_a_fence_holds_its_text_word_for_word(text: str) -> None:
    (token,) = MarkdownIt("commonmark").parse(fence(text, "diff"))
    assert (token.type, token.info, token.content) == ("fence", "diff", text.strip("\n") + "\n")


@given(st.text("`~a <\\", min_size=1, max_size=30).filter(str.strip))
def test_code_in_a_line_is_word_for_word(text: str) -> None:
    inline = MarkdownIt("commonmark").parse(f"- {code(text)}")[3]
    (token,) = inline.children or []
    assert (token.type, token.content) == ("code_inline", " ".join(text.split()))


def test_control_characters_do_not_travel() -> None:
    assert quote("a\x1b]0;title\x07b\u202ec") == "> ab<U+202E>c"


def test_a_long_text_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "MAX_QUOTED", 4)
    assert fence("123456") == "*2 characters before this are left out.*\n\n```\n3456\n```"
    assert quote("123456") == "*2 characters before this are left out.*\n\n> 3456"


def test_json_is_the_session() -> None:
    talk = session("x")
    assert msgspec.json.decode(session_json(talk), type=Session) == talk
    assert session_json(talk).startswith('{\n  "id": "s_1",\n')
