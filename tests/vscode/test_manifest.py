"""The extension's manifest: its own ids alone, texts in three languages, settings as the daemon has them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bascule.model.settings import TABLE

ROOT = Path(__file__).parents[2] / "vscode"
MANIFEST: dict[str, Any] = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
CONTRIBUTED = MANIFEST["contributes"]
SETTINGS: dict[str, dict[str, Any]] = CONTRIBUTED["configuration"]["properties"]
OF_THE_EDITOR = {"bascule.command", "bascule.demo", "bascule.notifications"}
SAID = re.compile(r'l10n\.t\(\s*"((?:[^"\\]|\\.)*)"')


def read(name: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((ROOT / name).read_text(encoding="utf-8"))
    return texts


def test_other_extensions_are_not_touched() -> None:
    """Nor needed: no id, view or command is another's."""
    assert not {"extensionDependencies", "extensionPack", "enabledApiProposals"} & set(MANIFEST)
    commands = [entry["command"] for entry in CONTRIBUTED["commands"]]
    views = [view["id"] for views in CONTRIBUTED["views"].values() for view in views]
    assert all(name.startswith("bascule.") for name in [*commands, *views, *SETTINGS])
    assert set(CONTRIBUTED["viewsContainers"]) == {"activitybar"}  # some editors refuse another place
    source = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("src/**/*.ts"))
    assert "getExtension(" not in source


def test_every_command_of_the_manifest_is_registered() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("src/**/*.ts"))
    for entry in CONTRIBUTED["commands"]:
        name = entry["command"].removeprefix("bascule.")
        assert f'"{name}"' in source or f'"bascule.{name}"' in source, name


@pytest.mark.parametrize("language", ["", ".ja", ".zh-cn"])
def test_the_manifest_is_complete_in_each_language(language: str) -> None:
    wanted = set(re.findall(r"%([\w.]+)%", (ROOT / "package.json").read_text(encoding="utf-8")))
    texts = read(f"package.nls{language}.json")
    assert set(texts) == wanted
    assert all(texts.values())


@pytest.mark.parametrize("language", ["ja", "zh-cn"])
def test_everything_that_is_said_is_translated(language: str) -> None:
    files = ROOT.glob("src/**/*.ts")
    said = {text for path in files for text in SAID.findall(path.read_text(encoding="utf-8"))}
    texts = read(f"l10n/bundle.l10n.{language}.json")
    assert set(texts) == said
    for english, other in texts.items():
        assert set(re.findall(r"\{\d\}", english)) == set(re.findall(r"\{\d\}", other)), english


def test_what_names_a_program_is_the_machines_and_never_the_workspaces() -> None:
    machine = {key for key, setting in SETTINGS.items() if setting["scope"] == "machine"}
    assert machine == OF_THE_EDITOR


@pytest.mark.parametrize("key", sorted(set(SETTINGS) - OF_THE_EDITOR))
def test_a_setting_is_the_daemons_own_with_its_default_and_a_workspace_may_set_it(key: str) -> None:
    row = TABLE[key.removeprefix("bascule.")]
    assert row.workspace in ("free", "tighten")
    assert SETTINGS[key]["default"] == row.default
    if row.choices:
        assert tuple(SETTINGS[key]["enum"]) == row.choices


def test_the_chat_view_is_shown_unless_it_is_switched_off() -> None:
    (view,) = [one for one in CONTRIBUTED["views"]["bascule"] if one["id"] == "bascule.chat"]
    assert view["when"] == "config.bascule.ui.enableChatView"
    assert SETTINGS["bascule.ui.enableChatView"]["default"] is True


def test_an_untrusted_or_virtual_workspace_is_declared() -> None:
    assert MANIFEST["capabilities"]["untrustedWorkspaces"]["supported"] == "limited"
    assert MANIFEST["capabilities"]["virtualWorkspaces"]["supported"] is False
    assert MANIFEST["extensionKind"] == ["workspace"]
