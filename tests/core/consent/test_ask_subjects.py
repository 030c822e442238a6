"""What a yes would be to: shown whole, with nothing hidden, or marked as cut."""

import pytest
from msgspec.structs import replace

from bascule.core.consent.ask_subjects import (
    MAX_DIFF,
    MAX_FILES,
    MAX_SHOWN,
    TRUST_WHAT,
    ShownSubject,
    finding_lines,
    show,
    title_with_plan,
)
from bascule.core.diff.show.unified import added, deleted, updated
from bascule.core.events.surface_text import MAX_LINE
from bascule.model.asks import (
    Ask,
    CommandSubject,
    FilesSubject,
    PermissionsSubject,
    QuestionsSubject,
    Subject,
    TrustSubject,
)
from bascule.model.consent.trust import TrustFinding
from bascule.model.ids import AskId

NOTHING = ShownSubject(("The agent does not say what it is about.",), whole=False)
FILES = (updated("a.py", "@@ -1 +1 @@\n-x\n+y\n", "b.py"), added("c", "1\n"), deleted("d\n", "1\n"))


def command(text: str, cwd: str = "", host: str = "") -> CommandSubject:
    return CommandSubject(command=text, original=text, cwd=cwd, host=host)


@pytest.mark.parametrize(
    ("subject", "lines"),
    [
        (command("ls -la", "/w"), ("$ ls -la", "in /w")),
        (command("cat <<E\nin /safe\nE"), ("$ cat <<E", "> in /safe", "> E")),
        (command("ls" + "\n" * 300 + "x\n\ny"), ("$ ls", "[299 blank lines]", "> x", "> ", "> y")),
        (command("rm -rf ~\recho hi"), ("$ rm -rf ~<U+000D>echo hi",)),
        (command("", host="evil.test"), ("host: evil.test",)),
        (FilesSubject(files=(), grant_root="/w/x"), ("and from now on everything below /w/x",)),
        (
            FilesSubject(files=FILES),
            ("3 files, +2 -2", "M a.py → b.py (+1 -1)", "A c (+1 -0)", "D d<U+000A> (+0 -1)"),
        ),
        (
            FilesSubject(files=FILES[:1], existing=("b.py",)),
            ("1 file, +1 -1", "M a.py → b.py (+1 -1)", "b.py exists and is replaced"),
        ),
        (
            PermissionsSubject(wants=("write x\u202ey", "use the network")),
            ("• write x<U+202E>y", "• use the network"),
        ),
        (
            QuestionsSubject(questions=(), message="Sign in\nopen: good", url="https://x.test/ a"),
            ("> Sign in", "> open: good", "open: https://x.test/ a"),
        ),
    ],
)
def test_what_is_asked_for_in_lines(subject: Subject, lines: tuple[str, ...]) -> None:
    assert show(subject, preview_shown=True) == ShownSubject(lines, whole=True)


def test_the_changes_are_in_the_dialog_where_nothing_else_shows_them() -> None:
    assert show(FilesSubject(files=FILES[:1]), preview_shown=False) == ShownSubject(
        (
            *("1 file, +1 -1", "M a.py → b.py (+1 -1)"),
            *("> diff --git a/a.py b/b.py", "> --- a/a.py", "> +++ b/b.py", "> @@ -1 +1 @@", "> -x", "> +y"),
        ),
        whole=True,
    )


@pytest.mark.parametrize(
    "subject",
    [
        FilesSubject(files=()),
        PermissionsSubject(wants=()),
        QuestionsSubject(questions=()),
        command(""),
    ],
)
def test_what_says_nothing_is_not_whole(subject: Subject) -> None:
    assert show(subject, preview_shown=True) == NOTHING


def test_a_folder_alone_says_nothing_about_a_command() -> None:
    assert show(command("", "/w"), preview_shown=True) == ShownSubject(("in /w",), whole=False)


@pytest.mark.parametrize("preview_shown", [True, False])
@pytest.mark.parametrize(
    "subject",
    [
        command("x" * (MAX_SHOWN + 1)),
        command("\x1b" * (MAX_SHOWN // 4)),
        FilesSubject(files=(added("a", "x\n" * 2 * MAX_DIFF),)),
        FilesSubject(files=(added("f", ""),) * (MAX_FILES + 1)),
        FilesSubject(files=(added("f" * MAX_SHOWN, ""),)),
        PermissionsSubject(wants=("x" * MAX_SHOWN,)),
        QuestionsSubject(questions=(), message="x" * (MAX_SHOWN + 1)),
        QuestionsSubject(questions=(), message="Sign in", url="https://x.test/" + "x" * MAX_SHOWN),
    ],
)
def test_what_is_too_long_says_so_and_is_not_whole(subject: Subject, preview_shown: bool) -> None:
    shown = show(subject, preview_shown=preview_shown)
    assert not shown.whole
    assert any(line.startswith("[truncated: ") for line in shown.lines)
    assert max(len(line) for text in shown.lines for line in text.split("\n")) <= MAX_LINE + 2
    assert len("\n".join(shown.lines)) < 2 * (MAX_SHOWN + MAX_DIFF)


def test_the_longest_that_fits_is_whole() -> None:
    assert show(command("x" * MAX_SHOWN), preview_shown=True).whole


def test_a_file_of_one_line_to_trust_is_shown_once() -> None:
    said = "gives the agent instructions (1 line)"
    found = TrustFinding(
        kind="instructions", path="AGENTS.md", text=f"{said}: Be kind.", content="Be kind.\n"
    )
    assert finding_lines(found) == [f"• AGENTS.md: {said}", "> Be kind.", "> "]


def test_a_folder_to_trust_is_listed_line_by_line() -> None:
    subject = TrustSubject(
        folder="/home/ann/repo",
        findings=(
            TrustFinding(kind="server", path=".mcp.json", text="starts \x1b[31mit"),
            TrustFinding(kind="rule", path="AGENTS.md", text="speaks", changed=True),
        ),
    )
    shown = show(subject, preview_shown=True)
    assert shown.lines[:2] == (TRUST_WHAT, "folder: /home/ann/repo")
    assert "\x1b" not in "".join(shown.lines)
    assert (shown.lines[3], shown.whole) == ("• AGENTS.md (changed): speaks", True)
    assert not show(replace(subject, more=3), preview_shown=True).whole


def test_what_an_agent_would_follow_is_shown_line_by_line_or_where_it_can_be_read() -> None:
    def trust(content: str) -> TrustSubject:
        found = TrustFinding(
            kind="instructions", path="AGENTS.md", text="gives instructions", content=content
        )
        return TrustSubject(folder="/w", findings=(found,))

    shown = show(trust("Be kind.\n• .mcp.json: harmless\n\x1b[2KObey."), preview_shown=True)
    assert shown.lines[2:6] == (
        "• AGENTS.md: gives instructions",
        "> Be kind.",
        "> • .mcp.json: harmless",
        "> <U+001B>[2KObey.",
    )
    assert shown.whole
    long = show(trust("x\n" * MAX_SHOWN), preview_shown=True)
    assert not long.whole
    assert "`bascule trust add /w` in a terminal" in " ".join(long.lines)


def test_a_surface_that_shows_text_names_the_plan_that_a_yes_is_bound_to() -> None:
    ask = Ask(id=AskId("a"), title="Write these files?", subject=FilesSubject(files=FILES), choices=())
    assert title_with_plan(ask) == "Write these files?"
    assert title_with_plan(replace(ask, plan="0123456789abcdef")) == "Write these files? (plan 0123456789ab)"
