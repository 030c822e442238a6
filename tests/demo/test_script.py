"""The script: what the model does next follows from the conversation alone."""

import msgspec
import pytest

from bascule.core.prompts.purposes import ask_again
from bascule.demo.outputs import Fail, Output, Patch, Phase, Say, Search, ToolUse
from bascule.demo.plays import KINDS, TEXT, YIELD_MS, DemoMachine, help_text
from bascule.demo.project import MODULE
from bascule.demo.request import Metadata, ModelRequest, RequestItem, RequestPart
from bascule.demo.script import COMPACT_PROMPT, MAX_KINDS, SUMMARY, find_kinds, next_answer

MACHINE = DemoMachine(python="python3")
OLD = "01a1e0e0-0000-7000-8000-000000000000"
NOW = "01a1e0e1-0000-7000-8000-000000000000"
LATER = "01a1e0e1-1111-7000-8000-000000000000"  # what Codex names in this turn sorts after the turn


def user(text: str, *, at: str = LATER) -> RequestItem:
    return RequestItem("message", id=f"msg_{at}", role="user", content=[RequestPart("input_text", text)])


def said(phase: Phase, *, turn: str = NOW) -> RequestItem:
    return RequestItem(
        "message",
        id=f"msg_{turn}_1_0",
        role="assistant",
        phase=phase,
        content=[RequestPart("output_text", "…")],
    )


def called(*, turn: str = NOW) -> RequestItem:
    return RequestItem("function_call", id=f"fc_{turn}_1_1")


def result(text: str, *, at: str = LATER) -> RequestItem:
    return RequestItem("function_call_output", id=f"fco_{at}", output=text)


def outputs_for(*items: RequestItem) -> list[Output]:
    request = ModelRequest(list(items), client_metadata=Metadata(NOW))
    return next_answer(request, MACHINE, number=7).outputs


def final(text: str) -> Say:
    return Say(text, phase=Phase.FINAL)


def test_no_demo_word_gets_the_list() -> None:
    assert outputs_for(user("Hello, why did you do that?")) == [final(help_text())]


def test_the_list_names_every_kind_on_a_line_of_its_own() -> None:
    lines = help_text().splitlines()
    assert [line for line in lines if line.startswith("- ")] == [
        f"- `demo:{name}`: {kind.about}" for name, kind in KINDS.items()
    ]


def test_kinds_are_found_in_the_order_said() -> None:
    assert find_kinds(["demo:plan, then demo:text.", "demo:plan"]) == ["plan", "text", "plan"]


@pytest.mark.parametrize("name", KINDS)
def test_a_prompt_of_the_page_plays_its_kind_only_as_it_is(name: str) -> None:
    assert find_kinds([f"{KINDS[name].says}\n"]) == [name]
    assert find_kinds([f"{KINDS[name].says}, or not?"]) == []
    assert find_kinds([f"{KINDS[name].says}\n{KINDS['plan'].says}\ndemo:text"]) == [name, "plan", "text"]


@pytest.mark.parametrize("text", ["demo:", "demo:texts", "mydemo:text", "demo: text", "Demo"])
def test_what_only_looks_like_a_kind(text: str) -> None:
    assert find_kinds([text]) == []


def test_a_wall_of_kinds_ends() -> None:
    assert len(find_kinds(["demo:text " * 1000])) == MAX_KINDS


def test_an_answer_goes_up_to_the_first_tool_call() -> None:
    first = outputs_for(user("demo:text demo:command demo:search"))
    assert first == [
        Say(TEXT),
        Say("I will run the project's tests."),
        ToolUse("exec_command", {"cmd": "python3 -m unittest -v", "yield_time_ms": YIELD_MS}),
    ]


def test_and_goes_on_from_what_the_tool_gave_back() -> None:
    prompt = user("demo:text demo:command demo:search")
    ran = result("Process exited with code 0\nOutput:\nOK")
    assert outputs_for(prompt, said(Phase.COMMENTARY), called(), ran) == [
        Say("The tests pass."),
        Search("how does a bascule bridge work"),
        final("That is how a web search shows. The demo is offline, so nothing was looked up."),
    ]


def test_a_failed_command_is_reported_with_what_it_printed() -> None:
    ran = result("Chunk ID: 1\nProcess exited with code 1\nOutput:\nFAILED (failures=1)\n")
    (reply,) = outputs_for(user("demo:command"), called(), ran)
    assert reply == final("The tests did not pass. What came back:\n\n```\nFAILED (failures=1)\n```")


def test_an_approval_asks_to_leave_the_sandbox() -> None:
    (_, call) = outputs_for(user("demo:approval"))
    assert isinstance(call, ToolUse)
    assert call.arguments["sandbox_permissions"] == "require_escalated"
    assert call.arguments["justification"]


def test_a_declined_approval_is_taken_as_a_no() -> None:
    (reply,) = outputs_for(user("demo:approval"), called(), result("exec command rejected by user"))
    assert reply == final("It was not run, so nothing was written. That is fine.")


def test_an_edit_reads_first() -> None:
    (_, read) = outputs_for(user("demo:edit"))
    assert read == ToolUse("exec_command", {"cmd": "cat wordkit.py", "yield_time_ms": YIELD_MS})
    (patch,) = outputs_for(user("demo:edit"), called(), result("Output:\ndef initials(text):\n"))
    assert isinstance(patch, Patch)
    assert "def backwards" in patch.text


def test_an_error_breaks_off() -> None:
    (reply, fail) = outputs_for(user("demo:error demo:text"))[:2]
    assert reply == Say("The next thing that the demo model does is fail.")
    assert isinstance(fail, Fail)


def test_a_question_that_stays_open() -> None:
    asked = user("demo:question")
    assert outputs_for(asked, called(), result('{"answers":{}}')) == [final("You left both questions open.")]
    assert outputs_for(asked, called(), result("not now")) == [final("No answer came back: not now")]


def test_older_turns_are_over_even_without_an_end() -> None:
    """After an error or an interrupt the old prompt has no final answer, and yet it is not played again."""
    assert outputs_for(user("demo:error", at=OLD), user("demo:text")) == [final(TEXT)]
    older = [user("demo:command", at=OLD), called(turn=OLD), result("aborted", at=OLD)]
    assert outputs_for(*older, user("demo:text")) == [final(TEXT)]


def test_what_codex_says_in_the_persons_name_is_not_a_prompt() -> None:
    context = user("<environment_context>\n  <cwd>/demo:plan</cwd>\n</environment_context>")
    rules = user("# AGENTS.md instructions for /home\n\ndemo:plan")
    assert outputs_for(context, rules, user("demo:text")) == [final(TEXT)]


ADDED = "You added: “be quick”. I take it into account from here on."


def test_a_steer_between_calls_is_acknowledged_once() -> None:
    ran = [called(), result("Process exited with code 0")]
    before = [user("demo:command demo:plan"), *ran]
    now = outputs_for(*before, user("be quick"))
    assert now[:2] == [Say(ADDED), Say("The tests pass.")]
    after = outputs_for(*before, user("be quick"), called(), result("Plan updated"))
    assert Say(ADDED) not in after


def test_a_steer_can_bring_kinds_of_its_own() -> None:
    ran = [called(), result("Process exited with code 0")]
    reply = outputs_for(user("demo:command"), *ran, user("demo:text"))
    assert reply[1:] == [Say("The tests pass."), final(TEXT)]


def test_a_steer_cuts_the_slow_text_short() -> None:
    assert outputs_for(user("demo:slow"), user("be quick")) == [final(ADDED)]


def test_a_steer_after_the_last_word_gets_an_answer_of_its_own() -> None:
    before = [user("demo:text"), said(Phase.FINAL)]
    assert outputs_for(*before, user("be quick")) == [final(ADDED)]
    assert outputs_for(*before, user("demo:text"))[1:] == [final(TEXT)]


def test_a_long_steer_is_quoted_in_part() -> None:
    (reply,) = outputs_for(user("demo:slow"), user("a\nword " * 1000))
    assert isinstance(reply, Say)
    assert len(reply.text) < 300
    assert "\n" not in reply.text


def test_compaction_gets_a_summary() -> None:
    asked = RequestItem("message", role="user", content=[RequestPart("input_text", COMPACT_PROMPT)])
    assert outputs_for(user("demo:long", at=OLD), said(Phase.FINAL, turn=OLD), asked) == [final(SUMMARY)]


def test_ids_belong_to_the_turn_and_to_the_answer() -> None:
    request = ModelRequest([user("demo:reasoning")], client_metadata=Metadata(NOW))
    assert next_answer(request, MACHINE, number=3).ids == [f"{NOW}_3_0", f"{NOW}_3_1"]


def test_a_conversation_without_ids_is_still_answered() -> None:
    prompt = msgspec.structs.replace(user("demo:text"), id=None)
    request = ModelRequest([prompt])
    assert next_answer(request, MACHINE, number=1).outputs == [final(TEXT)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_comes_to_an_end(kind: str) -> None:
    items = [user(f"demo:{kind}")]
    for _ in range(10):
        outputs = outputs_for(*items)
        if not isinstance(outputs[-1], ToolUse | Patch):
            break
        items += [called(), result("Process exited with code 0\nOutput:\n")]
    last = outputs_for(*items)[-1]
    assert isinstance(last, Fail) or (isinstance(last, Say) and last.phase == Phase.FINAL)


def test_a_patch_is_answered_with_a_diff_and_a_plan_with_steps() -> None:
    (ask_for_source,) = outputs_for(user("/patch more"))
    assert isinstance(ask_for_source, ToolUse)
    (diff,) = outputs_for(user("/patch more"), called(), result(f"Output:\n{MODULE}"))
    assert isinstance(diff, Say)
    assert "```diff\n--- a/wordkit.py" in diff.text
    (plan,) = outputs_for(user("/plan more"))
    assert isinstance(plan, Say)
    assert plan.text.startswith("1. ")


@pytest.mark.parametrize(("word", "first", "second"), [("wrong", True, False), ("useless", True, True)])
def test_a_wrong_diff_is_put_right_when_it_is_asked_for_once_more(
    word: str, first: bool, second: bool
) -> None:
    asked = user(f"/patch demo:{word}")
    source = result(f"Output:\n{MODULE}")
    (one,) = outputs_for(asked, called(), source)
    before = [user(f"/patch demo:{word}", at=OLD), said(Phase.FINAL, turn=OLD)]
    (two,) = outputs_for(*before, user(ask_again("no.")), called(), source)
    assert isinstance(one, Say)
    assert isinstance(two, Say)
    assert ("not there" in one.text, "not there" in two.text) == (first, second)


def test_a_command_that_takes_longer_is_waited_for() -> None:
    begun = [user("demo:approval"), said(Phase.COMMENTARY), called()]
    slow = result("Process running with session ID 41\nOutput:\n")
    (wait,) = outputs_for(*begun, slow)
    assert isinstance(wait, ToolUse)
    assert (wait.tool, wait.arguments["session_id"]) == ("write_stdin", 41)
    done = result("Process exited with code 0\nOutput:\n")
    assert outputs_for(*begun, slow, called(), done) == [final("You allowed it, and the module is compiled.")]
