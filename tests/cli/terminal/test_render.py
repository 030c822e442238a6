"""Every kind of block on a terminal, and nothing in it that the terminal would obey."""

import io
from typing import get_args

import pytest
from rich.console import Console

from bascule.cli.terminal.render import RENDERERS, render
from bascule.model import blocks as b
from bascule.model.attachments import DiffAttachment, ErrorAttachment, LogsAttachment, StatusAttachment
from bascule.model.ids import BlockId

HOSTILE = "\x1b]0;owned\x07\x1b[2J[red]evil[/red] \u202egnp.exe"
ID = BlockId("b")


def shown(block: b.Block) -> str:
    out = io.StringIO()
    console = Console(file=out, width=100, highlight=False, markup=False, emoji=False, force_terminal=False)
    console.print(render(block))
    return out.getvalue()


EDIT = b.FileEdit(path=HOSTILE, change="update", diff=f"@@ -1 +1 @@\n-{HOSTILE}\n+{HOSTILE}\n", additions=1)
BLOCKS: list[b.Block] = [
    b.UserBlock(id=ID, text=HOSTILE, images=("x",)),
    b.UserBlock(id=ID, text=HOSTILE, steered=True),
    b.RemoteBlock(id=ID, text=HOSTILE, author=HOSTILE),
    b.AssistantBlock(id=ID, text=HOSTILE),
    b.ReasoningBlock(id=ID, summary=(HOSTILE, HOSTILE)),
    b.CommandBlock(
        id=ID, command=HOSTILE, summary=HOSTILE, output=HOSTILE, stdin=HOSTILE, exit_code=3, duration_ms=2000
    ),
    b.FileChangeBlock(id=ID, files=(EDIT,), detail=HOSTILE),
    b.McpBlock(id=ID, server=HOSTILE, tool=HOSTILE, arguments=HOSTILE, result=HOSTILE),
    b.McpBlock(id=ID, server=HOSTILE, tool=HOSTILE, error=HOSTILE),
    b.WebSearchBlock(id=ID, query=HOSTILE),
    b.PlanBlock(id=ID, steps=(b.PlanStep(HOSTILE, "completed"),), text=HOSTILE),
    b.ImageBlock(id=ID, path=HOSTILE),
    b.DividerBlock(id=ID, title=HOSTILE, text=HOSTILE),
    b.InfoBlock(id=ID, title=HOSTILE, text=HOSTILE, facts=(b.Fact(HOSTILE, HOSTILE),)),
    b.SystemBlock(id=ID, title=HOSTILE, text=HOSTILE),
    b.ErrorBlock(id=ID, title=HOSTILE, text=HOSTILE),
]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: type(block).__name__)
def test_hostile_text_is_shown_and_not_obeyed(block: b.Block) -> None:
    text = shown(block)
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\u202e" not in text
    assert "evil" in text


def test_every_kind_has_a_renderer() -> None:
    assert set(RENDERERS) == set(get_args(b.Block)) == {type(block) for block in BLOCKS}


def test_plan_steps_have_their_icons() -> None:
    steps = (
        b.PlanStep("look", "completed"),
        b.PlanStep("edit", "inProgress"),
        b.PlanStep("test", "pending"),
    )
    assert [line.split()[0] for line in shown(b.PlanBlock(id=ID, steps=steps)).splitlines()[1:]] == [
        "✅",
        "▶️",
        "⏳",
    ]


@pytest.mark.parametrize(
    ("status", "icon"),
    [
        ("inProgress", "…"),
        ("completed", "✓"),
        ("failed", "✗"),
        ("declined", "− declined"),
        ("cancelled", "− stopped"),
    ],
)
def test_status_is_an_icon_in_the_first_line(status: b.Progress, icon: str) -> None:
    assert shown(b.CommandBlock(id=ID, summary="make", status=status)) == f"$ make {icon}\n"


@pytest.mark.parametrize(("status", "icon"), [("inProgress", "…"), ("completed", "✓")])
def test_a_web_search_is_one_line_with_its_query(status: b.Progress, icon: str) -> None:
    assert shown(b.WebSearchBlock(id=ID, query="bridges", status=status)) == f"🔎 bridges {icon}\n"


def test_long_output_shows_its_end() -> None:
    output = "\n".join(f"line {n}" for n in range(100))
    text = shown(b.CommandBlock(id=ID, summary="make", output=output, status="completed"))
    assert "… 88 earlier lines" in text
    assert "line 99" in text
    assert "line 50" not in text


def test_what_hangs_on_a_block_is_shown_once() -> None:
    diff = DiffAttachment(diff_id="d", unified_diff="--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", files=())
    assert "  +b" in shown(b.AssistantBlock(id=ID, text="A diff.", status="completed", attachments=(diff,)))
    logs = LogsAttachment(title="make: exit code 0", text="all is well")
    error = ErrorAttachment(title="Not run", code="rejected", message="it was not confirmed")
    text = shown(b.CommandBlock(id=ID, summary="make", status="failed", attachments=(logs, error)))
    assert ("all is well" in text, "Not run: it was not confirmed" in text) == (True, True)
    text = shown(b.CommandBlock(id=ID, summary="make", output="all is well", attachments=(logs,)))
    assert text.count("all is well") == 1
    text = shown(b.ErrorBlock(id=ID, title="Not run", text="Why: it was not confirmed", attachments=(error,)))
    assert text.count("it was not confirmed") == 1
    assert "secret" not in shown(b.SystemBlock(id=ID, attachments=(StatusAttachment(json="secret"),)))
