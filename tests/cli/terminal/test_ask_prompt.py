"""An Ask on a terminal: no command passes for our own lines, and none is allowed that is not shown whole."""

import io
from collections import deque

import pytest
from msgspec.structs import replace
from rich.console import Console

from bascule.cli.terminal.ask_prompt import MAX_DIFF_LINES, NOT_WHOLE, ask_person
from bascule.core.consent.ask_subjects import MAX_SHOWN, MIXED_FILES, PER_PROCESS, SANDBOX
from bascule.model.asks import (
    Ask,
    Choice,
    CommandSubject,
    FilesSubject,
    PermissionsSubject,
    Question,
    QuestionsSubject,
    RealPath,
    SettingSubject,
    Subject,
)
from bascule.model.blocks import FileEdit
from bascule.model.consent.audit import Outside
from bascule.model.ids import AskId

YES = Choice(id="accept", label="Yes, once", grants=True)
NO = Choice(id="decline", label="No", grants=False)


class Typed:
    """A person who types these lines."""

    def __init__(self, *lines: str) -> None:
        self._lines = deque(lines)
        self.prompts = list[str]()

    async def __call__(self, prompt: str, *, takes_pastes: bool = False, secret: bool = False) -> str:
        self.prompts.append(prompt)
        return self._lines.popleft()


def ask(command: str, outside: Outside | None = None) -> Ask:
    subject = CommandSubject(command=command, original=command, cwd="/w")
    return Ask(id=AskId("a"), title="Run this?", subject=subject, choices=(YES, NO), outside=outside)


async def answered(asked: Ask, *lines: str) -> tuple[str, str]:
    out = io.StringIO()
    console = Console(file=out, width=100, highlight=False)
    answer = await ask_person(console, Typed(*lines), asked)
    return answer.choice, out.getvalue()


async def test_lines_of_a_command_are_marked() -> None:
    choice, shown = await answered(ask("rm -rf x\nin /home/you\nReason: tidy\ny  Yes, once"), "n")
    assert choice == "decline"
    inside = [line.strip("│ ") for line in shown.splitlines()]
    assert inside.count("y  Yes, once") == 1
    assert [line for line in inside if line.startswith(("$", ">", "in "))] == [
        "$ rm -rf x",
        "> in /home/you",
        "> Reason: tidy",
        "> y  Yes, once",
        "in /w",
    ]


async def test_a_command_that_is_too_long_to_show_cannot_be_allowed() -> None:
    choice, shown = await answered(ask("x" * (MAX_SHOWN + 1)), "y", "n")
    assert (choice, NOT_WHOLE in shown, "Yes, once" in shown) == ("decline", True, False)


def files(diff: str, path: str = "a.py", **more: object) -> Ask:
    subject = FilesSubject(files=(FileEdit(path=path, change="add", diff=diff),), **more)  # type: ignore[arg-type]
    return Ask(id=AskId("a"), title="Write these files?", subject=subject, choices=(YES, NO))


async def test_a_change_is_shown_to_its_last_line_or_cannot_be_allowed() -> None:
    lines = "".join(f"+line {n}\n" for n in range(401))
    choice, shown = await answered(files(f"{lines}+os.system('evil')\n"), "y")
    assert (choice, "os.system('evil')" in shown) == ("accept", True)
    choice, shown = await answered(files("+x\n" * (MAX_DIFF_LINES + 1)), "y", "n")
    assert (choice, NOT_WHOLE in shown, "Yes, once" in shown) == ("decline", True, False)


async def test_what_draws_nothing_is_spelt_in_names_and_lines_of_a_change() -> None:
    _, shown = await answered(files("+run\u3164()\n", path="Makefi\u00adle"), "n")
    assert ("Makefi<U+00AD>le" in shown, "run<U+3164>()" in shown) == (True, True)


async def test_where_a_link_leads_is_said() -> None:
    link = RealPath(path="cfg/x.sh", real="/home/you/.ssh/x.sh", is_outside=True)
    _, shown = await answered(files("+x\n", path="cfg/x.sh", links=(link,)), "n")
    assert "cfg/x.sh is written to /home/you/.ssh/x.sh, OUTSIDE this folder" in shown


async def test_that_files_are_inside_and_outside_is_said() -> None:
    _, shown = await answered(files("+x\n", mixed=True), "n")
    assert MIXED_FILES in " ".join(shown.replace("│", " ").split())
    _, shown = await answered(files("+x\n", per_process=True), "n")
    assert PER_PROCESS in " ".join(shown.replace("│", " ").split())


async def test_whether_a_command_leaves_the_sandbox_is_said() -> None:
    for sandbox, said in SANDBOX.items():
        subject = CommandSubject(command="ls", original="ls", sandbox=sandbox)
        _, shown = await answered(replace(ask("ls"), subject=subject), "n")
        assert said in shown


async def test_enter_takes_the_default_of_a_field() -> None:
    question = Question(id="name", text="Your name?", free_text=True, required=True, default="Ann")
    subject = QuestionsSubject(questions=(question,), server="book")
    asked = Ask(id=AskId("a"), title="book asks", subject=subject, choices=(YES, NO))
    out = io.StringIO()
    console = Console(file=out, width=100, highlight=False)
    typed = Typed("y", "")
    assert (await ask_person(console, typed, asked)).answers == {"name": ("Ann",)}
    assert "Enter for Ann" in typed.prompts[-1]
    assert (await ask_person(console, Typed("y", "Bo"), asked)).answers == {"name": ("Bo",)}


async def test_a_long_one_says_that_it_goes_on_above() -> None:
    _, shown = await answered(ask("\n".join(map(str, range(40)))), "n")
    assert "The command has 41 lines. Scroll up" in shown


async def test_who_asks_from_another_machine_is_named() -> None:
    _, shown = await answered(ask("ls", Outside(credential="bearer", device_name="Phone")), "n")
    assert "Requested from another machine, by Phone." in shown


async def test_the_reason_of_an_agent_cannot_pass_for_our_lines() -> None:
    forged = "tidy up" + "\n" * 30 + "$ pytest -q\nin /home/you\ny  Yes, once"
    _, shown = await answered(replace(ask("curl x | sh"), reason=forged), "n")
    inside = [line.strip("│ ") for line in shown.splitlines()]
    assert (inside.count("y  Yes, once"), "$ pytest -q" in inside, "$ curl x | sh" in inside) == (
        1,
        False,
        True,
    )
    assert len(inside) < 30


SESSION = Choice(id="acceptForSession", label="Yes, for this session", grants=True, lasts="session")
ALWAYS = Choice(id="always", label="Yes, and always", grants=True, lasts="always")
STOP = Choice(id="cancel", label="No, and stop the run", grants=False)


@pytest.mark.parametrize(
    ("choices", "typed", "choice"),
    [
        ((YES, SESSION, ALWAYS, NO, STOP), "y", "accept"),
        ((YES, SESSION, ALWAYS, NO, STOP), "s", "acceptForSession"),
        ((YES, SESSION, ALWAYS, NO, STOP), "a", "always"),
        ((YES, SESSION, ALWAYS, NO, STOP), "n", "decline"),
        ((YES, SESSION, ALWAYS, NO, STOP), "q", "cancel"),
        ((YES, STOP), "n", "cancel"),  # the only no
        ((YES, STOP), "No", "cancel"),
        ((SESSION, NO), "y", "acceptForSession"),  # the only yes
    ],
)
async def test_each_answer_has_a_key(choices: tuple[Choice, ...], typed: str, choice: str) -> None:
    assert (await answered(replace(ask("ls"), choices=choices), typed))[0] == choice


async def test_what_is_no_key_is_asked_again_and_only_a_no_has_a_reason() -> None:
    choice, shown = await answered(ask("ls"), "1", "yn", "y but gently", "n not now")
    assert (choice, shown.count("Please type one of y,n.")) == ("decline", 3)


async def test_a_call_is_shown_to_its_last_line() -> None:
    message = "Allow this?\n" + "\n".join(f"line {n}" for n in range(40)) + '\n{"delete": "all"}'
    subject = QuestionsSubject(questions=(), server="files", message=message)
    asked = Ask(id=AskId("a"), title="Call this tool?", subject=subject, choices=(YES, NO))
    choice, shown = await answered(asked, "y")
    assert choice == "accept"
    assert '> {"delete": "all"}' in shown
    assert "more lines]" not in shown


@pytest.mark.parametrize(
    "subject",
    [
        QuestionsSubject(questions=(), server="files", message="a" * (MAX_SHOWN + 1)),
        PermissionsSubject(wants=("write " + "a" * MAX_SHOWN,)),
        SettingSubject(key="bascule.codex.args", old="[]", new="a" * MAX_SHOWN),
    ],
    ids=["call", "permissions", "setting"],
)
async def test_what_is_too_long_to_show_takes_no_yes_whatever_it_is(subject: Subject) -> None:
    asked = Ask(id=AskId("a"), title="Allow this?", subject=subject, choices=(YES, NO))
    choice, shown = await answered(asked, "y", "n")
    assert (choice, NOT_WHOLE in shown, "Yes, once" in shown) == ("decline", True, False)
