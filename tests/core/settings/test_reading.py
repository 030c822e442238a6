"""Settings: each problem with its file, line, key and cure; a workspace that can only tighten."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.settings.reading import (
    MAX_FILE,
    MAX_PROBLEMS,
    SettingsRefused,
    Source,
    merge_settings,
    needs_yes,
)
from bascule.model.settings import TABLE, CodexSettings, HistorySettings, LogSettings, Settings

ROOT = Path(__file__).parents[3]


def user(text: str | bytes) -> Source:
    return Source("settings.toml", "/data/settings.toml", text if isinstance(text, bytes) else text.encode())


def workspace(text: str | bytes) -> Source:
    data = text if isinstance(text, bytes) else text.encode()
    return Source(".vscode/settings.json", "/repo/.vscode/settings.json", data)


def problems(toml: str | bytes | None = None, jsonc: str | bytes | None = None) -> list[str]:
    with pytest.raises(SettingsRefused) as refused:
        merge_settings(
            None if toml is None else user(toml),
            None if jsonc is None else workspace(jsonc),
        )
    return [str(problem) for problem in refused.value.problems]


def test_no_files_give_the_defaults() -> None:
    assert merge_settings(None, None) == Settings(
        codex=CodexSettings(
            command="codex",
            args=("app-server",),
            sandbox="read-only",
            approvals="on-request",
            model="",
            effort="",
        ),
        log=LogSettings(max_bytes=5_000_000),
        history=HistorySettings(page_runs=20),
    )


def test_the_workspace_lies_over_the_user_and_the_user_over_the_defaults() -> None:
    toml = """
        history = { pageRuns = 50 }
        [codex]
        command = '/opt/codex'
        args = ["app-server", "--verbose"]
        sandbox = "workspace-write"
        model = "from-user"
        effort = "low"
        [log]
        maxBytes = 200_000
    """
    jsonc = """{
        // the editor's own
        "editor.tabSize": 4, /* "bascule.codex.model": "in a comment" */
        "[python]": {"bascule.codex.command": "evil"},
        "bascule.codex.model": "from//workspace",
        "bascule.codex.sandbox": "read-only",
        "bascule.codex.approvals": "untrusted",
    }"""
    assert merge_settings(user(toml), workspace(jsonc)) == Settings(
        codex=CodexSettings(
            command="/opt/codex",
            args=("app-server", "--verbose"),
            sandbox="read-only",
            approvals="untrusted",
            model="from//workspace",
            effort="low",
        ),
        log=LogSettings(max_bytes=200_000),
        history=HistorySettings(page_runs=50),
    )


def test_all_problems_of_both_files_come_together_and_say_where_to_go() -> None:
    toml = '[codex]\n# a comment\ncomand = "x"\nmodel = 7\n[history]\n\npageRuns = 900\n'
    jsonc = '{\n  "bascule.codex.command": "evil",\n\n  "bascule.codex.sandbox": "workspace-write"\n}'
    with pytest.raises(SettingsRefused) as refused:
        merge_settings(user(toml), workspace(jsonc))
    assert str(refused.value).splitlines() == [
        "The settings were refused and nothing was started.",
        "  settings.toml line 3: unknown key bascule.codex.comand (did you mean bascule.codex.command?)",
        "  settings.toml line 4: bascule.codex.model is 7; it must be text in quotes",
        "  settings.toml line 7: bascule.history.pageRuns is 900; it must be 1 to 200",
        (
            "  .vscode/settings.json line 2: bascule.codex.command cannot be set by a workspace. "
            "Put it in settings.toml."
        ),
        (
            '  .vscode/settings.json line 4: bascule.codex.sandbox would loosen "read-only" to '
            '"workspace-write", and a workspace may only tighten. Put it in settings.toml.'
        ),
        "Fix it in /data/settings.toml",
        "Fix it in /repo/.vscode/settings.json",
    ]


KINDS = 'a list of "command", "files", "permissions", "questions"'


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ("[log]\nmaxBytes = 5", "line 2: bascule.log.maxBytes is 5; it must be 100000 or more"),
        ("[log]\nmaxBytes = true", "line 2: bascule.log.maxBytes is true; it must be 100000 or more"),
        ("log.maxBytes = 1e6", "line 1: bascule.log.maxBytes is 1000000.0; it must be 100000 or more"),
        (
            'codex.sandbox = "none"',
            'line 1: bascule.codex.sandbox is "none"; it must be "read-only" or "workspace-write"',
        ),
        (
            'codex.command = ""',
            'line 1: bascule.codex.command is ""; it must be text in quotes, not empty',
        ),
        (
            'codex.model = "\\u001b[2J"',
            'line 1: bascule.codex.model is "\\u001b[2J"; it must be text in quotes',
        ),
        ("codex.model = ['a']", "line 1: bascule.codex.model is a list; it must be text in quotes"),
        (
            "codex.args = ['a', 1]",
            "line 1: bascule.codex.args holds 1; it must be a list of texts, 64 at most",
        ),
        (
            "devices.answers = ['files', 'all']",
            f'line 1: bascule.devices.answers holds "all"; it must be {KINDS}, or an empty one',
        ),
        (
            "codex.args = 'app-server'",
            'line 1: bascule.codex.args is "app-server"; it must be a list of texts, 64 at most',
        ),
        ("log = 3", "line 1: bascule.log is a group, not a value. It holds bascule.log.maxBytes."),
        ("[codex.model]\nname = 'x'", "line 1: bascule.codex.model is a table; it must be text in quotes"),
        (
            "# one\ncodex.model.name = 'x'",
            "line 2: bascule.codex.model is a table; it must be text in quotes",
        ),
        ("[zebra]\nstripes = 1", "line 2: unknown key bascule.zebra.stripes"),
        (
            "history.pageRuns = 0x" + "f" * 9000,
            "line 1: bascule.history.pageRuns is a very large number; it must be 1 to 200",
        ),
    ],
)
def test_a_bad_value_is_named_with_what_would_be_right(toml: str, said: str) -> None:
    assert problems(toml) == [f"settings.toml {said}"]


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ("a = 1\nb =\n", " line 2: not valid TOML: Invalid value (column 4)"),
        (
            '[codex]\nmodel = """x\n\n',
            " line 2: not valid TOML: Unterminated string, from here to the end of the file",
        ),
        (
            "[codex]\nmodel = 'a'\nmodel = 'b'\n",
            " line 3: bascule.codex.model is already set on line 2. Keep one of them.",
        ),
        (
            '[codex]\nargs = [\n"a",\n]\nargs = [\n"b",\n]\n',
            " line 5: bascule.codex.args is already set on line 2. Keep one of them.",
        ),
        (
            "[codex]\n[log]\n[codex]\n",
            " line 3: bascule.codex is already set on line 1. Keep one of them.",
        ),
        (
            "codex = {model = 'a', model = 'b'}",
            " line 1: bascule.codex.model is already set on line 1. Keep one of them.",
        ),
        ("a = " + "9" * 5000, ": the file holds a number with too many digits"),
        ("a = " + "[" * 5000, ": the file is nested too deeply"),
        (b"\n[codex]\nmodel = '\xff'\n", " line 3: the file is not UTF-8 here. Save it as UTF-8."),
        (
            b"#" * (MAX_FILE + 1),
            f": the file is over {MAX_FILE} bytes; that cannot be a settings file",
        ),
    ],
)
def test_a_file_that_is_not_toml_is_one_problem_with_its_line(toml: str | bytes, said: str) -> None:
    assert problems(toml) == [f"settings.toml{said}"]


def test_a_byte_order_mark_and_crlf_are_read_and_counted() -> None:
    toml = b"\xef\xbb\xbf[codex]\r\nmodel = 'm'\r\n"
    jsonc = b'\xef\xbb\xbf{\r\n"bascule.codex.effort": "high"\r\n}\r\n'
    settings = merge_settings(user(toml), workspace(jsonc))
    assert (settings.codex.model, settings.codex.effort) == ("m", "high")
    assert problems(toml + b"nope = 1\r\n") == [
        "settings.toml line 3: unknown key bascule.codex.nope (did you mean bascule.codex.model?)"
    ]


@pytest.mark.parametrize(
    ("jsonc", "said"),
    [
        (
            '{\n"bascule.codex.modle": "x"}',
            " line 2: unknown key bascule.codex.modle (did you mean bascule.codex.model?)",
        ),
        (
            '{"bascule.codex.model": "a",\n"bascule.codex.model": "b"}',
            " line 2: bascule.codex.model is already set on line 1. Keep one of them.",
        ),
        (
            '{\n\n"bascule.history.pageRuns": 0}',
            " line 3: bascule.history.pageRuns is 0; it must be 1 to 200",
        ),
        (
            '{"bascule.codex.sandbox": null}',
            ' line 1: bascule.codex.sandbox is null; it must be "read-only" or "workspace-write"',
        ),
        (
            '{"bascule.codex": {"command": "evil"}}',
            (
                " line 1: bascule.codex is a group, not a value. It holds bascule.codex.command, "
                "bascule.codex.args, bascule.codex.sandbox, bascule.codex.approvals, bascule.codex.model, "
                "bascule.codex.effort."
            ),
        ),
        ("// mine\n[1]", ' line 1: the file must hold one object: { "bascule.…": … }'),
        ('{\n"a": 1\n"b": 2}', " line 3: not valid JSON: Expecting ',' delimiter (column 1)"),
        ('{"a": 1} /* open', " line 1: not valid JSON: Extra data (column 10)"),
        ("/*/", " line 1: not valid JSON: Expecting value (column 1)"),
        ("[" * 200_000, ": the file is nested too deeply"),
        (
            '{"a": ' + "9" * 5000 + "}",
            ": the file holds a number with too many digits",
        ),
        (b'{\n"a": "\xff"}', " line 2: the file is not UTF-8 here. Save it as UTF-8."),
    ],
)
def test_a_bad_workspace_file_is_named_the_same_way(jsonc: str | bytes, said: str) -> None:
    assert problems(jsonc=jsonc) == [f".vscode/settings.json{said}"]


@pytest.mark.parametrize("text", ["", " \n", "// nothing\n", "{}", '{"a": {"b": [1, 2,],},}'])
def test_a_workspace_that_says_nothing_of_us_changes_nothing(text: str) -> None:
    assert merge_settings(None, workspace(text)) == Settings()


@pytest.mark.parametrize("row", TABLE.values(), ids=lambda row: row.key)
def test_no_workspace_value_is_ever_looser_than_the_users(row: Any) -> None:
    """Every choice against every choice: what comes out is never further down the list."""
    for mine in row.choices if row.kind == "choice" else ():
        for theirs in row.choices:
            toml = user(f'{row.key} = "{mine}"')
            jsonc = workspace(f'{{"{row.shown}": "{theirs}"}}')
            if row.choices.index(theirs) > row.choices.index(mine):
                with pytest.raises(SettingsRefused, match="would loosen"):
                    merge_settings(toml, jsonc)
            else:
                group, name = row.key.split(".")
                assert getattr(getattr(merge_settings(toml, jsonc), group), name) == theirs
    if row.workspace == "never":
        with pytest.raises(SettingsRefused, match="cannot be set by a workspace"):
            merge_settings(None, workspace(f'{{"{row.shown}": 1}}'))


# Without a question over the protocol, in either direction: why that opens nothing.
HARMLESS = {
    "codex.model": "which model answers; what it may do stays as it is",
    "codex.effort": "how long it thinks",
    "log.maxBytes": "the log is for finding faults; the record is another file",
    "history.pageRuns": "how much is loaded at a time",
    "agents.idleMinutes": "an idle agent may do nothing that another may not",
    "ui.enableChatView": "where VS Code shows the chat",
    "contextMaxFiles": "the agent reads those files in its sandbox anyhow",
    "contextMaxFileBytes": "the same",
    "reconnectMs": "how soon the bridge calls again",
    "heartbeatMs": "how often it says that it is there",
}


def test_every_setting_is_asked_about_where_it_loosens_or_is_named_as_harmless() -> None:
    asked = {row.key for row in TABLE.values() if row.guarded or row.is_limit or row.workspace == "tighten"}
    assert asked | set(HARMLESS) == set(TABLE)
    assert not asked & set(HARMLESS)


@pytest.mark.parametrize(
    ("key", "old", "new", "asks"),
    [
        ("panes.keepText", False, True, True),
        ("panes.keepText", True, False, False),
        ("orders.maxAgeMinutes", 60, 61, True),
        ("orders.maxAgeMinutes", 60, 59, False),
        ("orders.answerSeconds", 900, 86_400, True),
        ("testTimeoutSeconds", 300, 301, True),
        ("machineId", "", "other", True),
        ("contextMaxFiles", 1, 100, False),
        ("allowRunTerminal", False, True, True),
    ],
)
def test_a_limit_is_raised_after_a_yes_and_lowered_at_once(
    key: str, old: object, new: object, asks: bool
) -> None:
    assert needs_yes(TABLE[key], new, old) is asks


def test_what_names_a_program_or_costs_disk_is_never_the_workspaces() -> None:
    assert {key for key, row in TABLE.items() if row.workspace == "never"} == {
        "codex.command",
        "agents.idleMinutes",
        "history.deletedDays",
        "history.keepDays",
        "ui.maxMessages",
        "codex.args",
        "devices.answers",
        "log.maxBytes",
        "machineId",
        "orders.answerSeconds",
        "orders.atOnce",
        "panes.shell",
        "panes.fromOutside",
        "panes.keepText",
        "orders.generateSeconds",
        "orders.maxAgeMinutes",
        "orders.workspaces",
        "defaultTestCommand",
        "testCommands",
        "testTimeoutSeconds",
        "relayUrl",
        "reconnectMs",
        "heartbeatMs",
    }
    assert {key for key, row in TABLE.items() if row.workspace == "tighten"} == {
        "orders.commands",
        "codex.sandbox",
        "codex.approvals",
        "allowApplyPatch",
        "allowRunTerminal",
    }


def test_a_workspace_may_forbid_edits_and_never_allow_them() -> None:
    forbidden = merge_settings(None, workspace('{"bascule.allowApplyPatch": false}'))
    assert forbidden.allow_apply_patch is False
    (loosened,) = problems("allowApplyPatch = false", '{"bascule.allowApplyPatch": true}')
    assert "line 1: bascule.allowApplyPatch would loosen false to true" in loosened
    assert problems('allowApplyPatch = "no"') == [
        'settings.toml line 1: bascule.allowApplyPatch is "no"; it must be true or false'
    ]


def test_a_hostile_file_ends_soon_and_its_text_cannot_drive_the_terminal() -> None:
    assert len(problems("".join(f"key{n} = 1\n" for n in range(20_000)))) == MAX_PROBLEMS
    deep = "a." * 1000 + "a = 1"
    assert problems(deep) == ["settings.toml line 1: unknown key bascule.a.a.a.a"]
    assert problems(jsonc="/*" * 300_000)[0].startswith(".vscode/settings.json line 1: not valid JSON")
    [escaped] = problems(jsonc='{"bascule.\\u001b[31m\\ud800": 1}')
    assert escaped == r".vscode/settings.json line 1: unknown key bascule.\x1b[31m\ud800"


def outcome(toml: str, jsonc: str) -> object:
    try:
        return merge_settings(user(toml.encode()), workspace(jsonc.encode()))
    except SettingsRefused as refused:
        return refused.problems


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_read_or_refused_and_never_crashes(text: str) -> None:
    for toml, jsonc in ((text, ""), ("", text), ("", f'{{"bascule.codex.model": {text}}}')):
        assert outcome(toml, jsonc)
