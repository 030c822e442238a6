"""How Codex is started: which program, what a person is shown, what of it is private, how old it may be."""

import pytest

from bascule.agents.codex.agent import Codex
from bascule.agents.codex.confining import READ_ONLY
from bascule.agents.codex.launch import BUNDLED, HOW_TO_GET, check_version, find_credentials, find_rules_file
from bascule.agents.driver import ModelChoice, Policy
from bascule.core.faults import AgentGone
from bascule.model.settings import CodexSettings, Settings


def test_its_own_name_means_the_bundled_one_too() -> None:
    launch = Codex().launch(Settings())
    assert (launch.program, launch.args, launch.bundled) == ("codex", ("app-server",), BUNDLED)
    assert launch.missing == f"There is no Codex here: `codex` is not on PATH. {HOW_TO_GET}"


def test_a_program_that_was_named_is_that_one_or_none() -> None:
    launch = Codex().launch(Settings(codex=CodexSettings(command="my-codex", args=("x",))))
    assert (launch.program, launch.args, launch.bundled) == ("my-codex", ("x",), "")
    assert "'my-codex', which bascule.codex.command names" in launch.missing


def test_its_settings_are_its_policy_and_its_model() -> None:
    codex = CodexSettings(sandbox="workspace-write", approvals="untrusted", model="m", effort="high")
    settings = Settings(codex=codex)
    assert Codex().policy(settings) == Policy("workspace-write", "untrusted")
    assert Codex().model(settings) == ModelChoice("m", "high")
    assert Policy("read-only", "never") == READ_ONLY


def test_a_home_of_its_own_holds_a_credential() -> None:
    assert find_credentials({"CODEX_HOME": "/home/ann/codex"}) == ("/home/ann/codex/auth.json",)
    assert find_credentials({}) == ()


def test_lasting_rules_are_in_the_home_that_codex_was_given() -> None:
    assert find_rules_file({"CODEX_HOME": "/home/ann/codex"}) == "/home/ann/codex/rules/default.rules"
    assert find_rules_file({}) == "~/.codex/rules/default.rules"


@pytest.mark.parametrize("line", ["2026-11-17T10:00:00Z INFO x", "   at core/src/x.rs:3", "  12: f", ""])
def test_its_log_does_not_say_why_it_died(line: str) -> None:
    assert Codex().is_noise(line)
    assert not Codex().is_noise("error: no such file")


@pytest.mark.parametrize("called", ["codex/0.163.0 (linux)", "codex/1.0.0", "somebody else"])
def test_a_new_one_and_one_that_does_not_say_are_given_a_try(called: str) -> None:
    check_version(called)


def test_one_that_is_too_old_is_refused() -> None:
    with pytest.raises(AgentGone, match=r"Codex 0.9.1 is too old: 0.163 or newer is needed."):
        check_version("codex/0.9.1 (linux)")
