"""Our hooks in a zoo of settings files: added once, everything else kept, removed without a trace."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.settings.hook_entries import add_hooks, find_state, is_ours, plan_runner, remove_hooks
from bascule.core.watch.hook_lines import EVENTS
from bascule.model.asks import Refuse

OURS = plan_runner("/h/.claude/settings.json", "/data/notify", windows=False).command
RULE = {"hooks": [{"type": "command", "command": OURS}]}
OTHER = {"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "lint", "timeout": 5}]}


def added(text: str) -> str:
    done = add_hooks(text, OURS)
    assert isinstance(done, str), done
    return done


def test_an_empty_file_gets_the_shape_of_the_specification() -> None:
    assert json.loads(added("")) == {"hooks": {event: [RULE] for event in EVENTS}}
    assert added("") == json.dumps({"hooks": {event: [RULE] for event in EVENTS}}, indent=2) + "\n"
    assert added("{}\n") == added("")


ZOO = {
    "other keys": '{\n  "model": "opus",\n  "env": {"A": "b"}\n}\n',
    "tabs": '{\n\t"model": "opus"\n}\n',
    "four spaces": '{\n    "z": 1,\n    "a": [1, 2, {"b": null}]\n}',
    "one line": '{"model":"opus","n":1.50}',
    "windows": '{\r\n  "model": "opus"\r\n}\r\n',
    "other hooks": json.dumps({"hooks": {"PreToolUse": [OTHER], "Stop": [OTHER]}, "x": 1}, indent=2),
    "hooks in one line": '{\n  "hooks": {"Stop": [{"hooks": []}]},\n  "x": 1\n}',
    "empty hooks": '{\n  "hooks": {},\n  "x": 1\n}',
    "empty lists": '{\n  "hooks": {\n    "Stop": [],\n    "SessionStart": [\n    ]\n  }\n}',
    "a lone rule": json.dumps({"hooks": {"Stop": OTHER}}, indent=2),
    "null": '{"hooks": {"Stop": null}}',
    "a text": '{"hooks": {"Stop": "echo hi"}}',
    "strange rules": '{"hooks": {"Stop": [1, null, {"hooks": 5}, {"hooks": [7, {}]}]}}',
    "japanese": '{\n  "言語": "日本語 😀",\n  "e": "\\u00e9"\n}',
    "escapes": '{"a": "\\"hooks\\": {", "b": "// no comment"}',
    "numbers": '{"big": 12345678901234567890, "small": 1e-7}',
}


@pytest.mark.parametrize("text", ZOO.values(), ids=ZOO)
def test_every_event_gets_ours_and_all_else_stays(text: str) -> None:
    done = added(text)
    before, after = json.loads(text), json.loads(done)
    for event in EVENTS:
        was = before.get("hooks", {}).get(event, [])
        listed = was if isinstance(was, list) else [] if was is None else [was]
        assert after["hooks"][event] == [*listed, RULE]
    for key, value in before.items():
        if key != "hooks":
            assert after[key] == value
    for event, rules in before.get("hooks", {}).items():
        if event not in EVENTS:
            assert after["hooks"][event] == rules
    assert [key for key in after if key in before] == list(before)
    assert find_state(done) == "installed"


@pytest.mark.parametrize("text", ZOO.values(), ids=ZOO)
def test_doing_it_again_gives_the_same_file(text: str) -> None:
    once = added(text)
    assert added(once) == once


@pytest.mark.parametrize("text", ZOO.values(), ids=ZOO)
def test_every_line_of_the_file_is_kept(text: str) -> None:
    """Only commas are added to lines of others, and a lone rule gets its brackets."""
    kept = [line.strip().rstrip(",") for line in text.splitlines()] if "\n" in text else []
    done = added(text)
    if "hooks" not in text:
        assert [line for line in kept if line not in done] == []
    assert ("\r\n" in done) == ("\r\n" in text)
    assert done.endswith("\n") == text.endswith("\n")
    if "\t" in text:
        assert "\n\t\t" in done


@pytest.mark.parametrize(
    "name", ["other keys", "tabs", "four spaces", "one line", "windows", "other hooks", "japanese", "escapes"]
)
def test_removing_gives_back_the_bytes_from_before(name: str) -> None:
    text = ZOO[name]
    assert remove_hooks(added(text)) == text


def test_removing_keeps_the_hooks_of_others_in_the_same_rule() -> None:
    mine = {"type": "command", "command": OURS}
    theirs = {"type": "command", "command": "lint"}
    text = json.dumps({"hooks": {"Stop": [{"matcher": "*", "hooks": [theirs, mine, theirs]}]}})
    done = remove_hooks(text)
    assert isinstance(done, str)
    assert json.loads(done) == {"hooks": {"Stop": [{"matcher": "*", "hooks": [theirs, theirs]}]}}


@pytest.mark.parametrize("text", ["", "\n"])
def test_an_empty_file_has_nothing_to_remove(text: str) -> None:
    assert remove_hooks(text) == text


def test_the_same_script_under_another_path_is_found_and_removed() -> None:
    old = added("{}").replace("/data/", "/old/")
    assert find_state(old) == "installed"
    assert remove_hooks(old) == "{}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not valid JSON"),
        ('{\n  // a comment\n  "a": 1\n}', "not valid JSON"),
        ('{"a": 1,}', "not valid JSON"),
        ("[]", "not an object"),
        ('"text"', "not an object"),
        ('{"hooks": []}', "not an object"),
        ('{"hooks": null}', "not an object"),
        ('{"hooks": {}, "hooks": {}}', "twice"),
        ('{"hooks": {"Stop": [], "Stop": []}}', "twice"),
        ("[" * 100_000, "not valid JSON"),
        (" " * 9_000_000, "more than"),
    ],
)
def test_what_cannot_be_merged_is_refused_with_what_to_do(text: str, why: str) -> None:
    if text.strip():
        for done in (add_hooks(text, OURS), remove_hooks(text), find_state(text)):
            assert isinstance(done, Refuse)
            assert why in done.why
            assert "nothing was changed" in done.why


def test_states_are_with_code() -> None:
    assert find_state("") == "absent"
    assert find_state("{}") == "absent"
    assert find_state(json.dumps({"hooks": {"Stop": [RULE]}})) == "partly"
    assert find_state(json.dumps({"hooks": {"Stop": [OTHER]}})) == "absent"


def test_a_path_with_blanks_is_quoted() -> None:
    linux = plan_runner("/home/me/.claude/settings.json", "/my data", windows=False)
    assert linux == ("bascule-notify.sh", "'/my data/bascule-notify.sh'", False)
    windows = plan_runner(r"C:\Users\me\.claude\settings.json", r"C:\My data", windows=True)
    quoted = r'powershell -NoProfile -ExecutionPolicy Bypass -File "C:\My data\bascule-notify.ps1"'
    assert windows == ("bascule-notify.ps1", quoted, False)
    assert is_ours(windows.command)
    assert not is_ours("notify.sh")
    assert not is_ours(5)


def test_a_claude_inside_wsl_runs_the_shells_script_by_its_path_there() -> None:
    inside = plan_runner(r"\\wsl.localhost\Ubuntu\home\me\.claude\settings.json", r"C:\My data", windows=True)
    assert inside == ("bascule-notify.sh", "'/mnt/c/My data/bascule-notify.sh'", True)
    assert is_ours(inside.command)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
hooks = st.dictionaries(st.sampled_from([*EVENTS, "PreToolUse"]), values, max_size=4)


@given(st.dictionaries(st.text(max_size=6), values, max_size=4), hooks, st.sampled_from([None, 2, 4, "\t"]))
def test_any_file_is_merged_exactly_or_refused(
    whole: dict[str, Any], theirs: dict[str, Any], indent: Any
) -> None:
    whole = {**whole, "hooks": theirs} if theirs else whole
    if not isinstance(whole.get("hooks", {}), dict):
        return
    text = json.dumps(whole, indent=indent)
    done = added(text)
    assert find_state(done) == "installed"
    assert added(done) == done
    removed = remove_hooks(done)
    assert isinstance(removed, str)
    assert find_state(removed) == "absent"
