"""The settings page: every kind of control, written and in force; a no stands beside its field."""

import json
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.async_api import Error, Locator, expect
from tests.page.viewer import Viewer

from bascule.core.prompts.slash import COMMANDS
from bascule.host.config.settings_files import WORKSPACE_FILE
from bascule.model.settings import TABLE, Settings

pytestmark = pytest.mark.asyncio(loop_scope="session")

COMMENT = "# Ann: keep this, the crane needs it\n"


def dialog(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("dialog", name="Settings")


def field(viewer: Viewer, key: str) -> Locator:
    return dialog(viewer).locator(".settings-field").filter(has=viewer.page.get_by_text(key, exact=True))


async def open_settings(viewer: Viewer) -> None:
    await viewer.create()
    await viewer.page.get_by_role("button", name="Settings", exact=True).click()
    await expect(field(viewer, "bascule.codex.sandbox")).to_be_visible()


async def until_saved(viewer: Viewer, key: str) -> None:
    await expect(dialog(viewer).locator(f'[data-saved="{key}"]')).to_contain_text("saved")


async def said(viewer: Viewer, key: str) -> dict[str, object]:
    """The file as it is once that key was saved, with its comment in place."""
    await until_saved(viewer, key)
    text = viewer.setup.folder.settings.read_text(encoding="utf-8")
    assert text.count(COMMENT) == 1
    return tomllib.loads(text)


async def confirm(viewer: Viewer, key: str, old: str, new: str) -> None:
    """The question about it, beside it, with both values."""
    card = dialog(viewer).get_by_role("article", name="Change this setting?")
    await expect(card).to_contain_text(key)
    await expect(card).to_contain_text(old)
    await expect(card).to_contain_text(new)
    await expect(card).to_have_count(1)
    while await card.count():  # what has just appeared takes no answer for a moment
        with suppress(Error):  # it has just gone
            await card.get_by_role("button", name="Yes, change it").dispatch_event("click", timeout=1_000)


@pytest.fixture(autouse=True)
def commented(viewer: Viewer) -> None:
    viewer.setup.write_settings()
    file = viewer.setup.folder.settings
    file.write_text(COMMENT + file.read_text(encoding="utf-8"), encoding="utf-8")


async def test_every_setting_is_listed_with_what_it_does_its_default_and_who_set_it(viewer: Viewer) -> None:
    await open_settings(viewer)
    keys = dialog(viewer).locator(".settings-field code")
    assert sorted(await keys.all_inner_texts()) == sorted(row.shown for row in TABLE.values())
    for row in TABLE.values():
        await expect(field(viewer, row.shown)).to_contain_text(row.doc)
    await expect(field(viewer, "bascule.contextMaxFiles")).to_contain_text("Default: 10 · 0 to 100")
    await expect(field(viewer, "bascule.codex.args")).to_contain_text("set by you")
    await expect(dialog(viewer)).to_contain_text("~/data/settings.toml")
    search = dialog(viewer).get_by_role("searchbox", name="Search settings")
    await search.fill("sandbox may write without")
    await expect(keys).to_have_text(["bascule.codex.sandbox"])
    await search.fill("when codex asks")  # by its name
    await expect(keys).to_have_text(["bascule.codex.approvals"])
    await search.fill("no such thing")
    await expect(dialog(viewer).get_by_text("No setting matches")).to_be_visible()


async def test_a_switch_a_choice_a_number_a_text_and_a_list_are_written_where_a_person_would(
    viewer: Viewer,
) -> None:
    await open_settings(viewer)
    workspace = str(viewer.setup.project)
    settings = viewer.live.app.settings

    flag = field(viewer, "bascule.allowRunTerminal").get_by_role("checkbox")
    await flag.click()
    await confirm(viewer, "bascule.allowRunTerminal", "false", "true")
    await expect(flag).to_be_checked()
    assert (await said(viewer, "bascule.allowRunTerminal"))["allowRunTerminal"] is True
    assert settings(workspace).allow_run_terminal is True

    choice = field(viewer, "bascule.codex.sandbox").get_by_role("combobox")
    await choice.select_option("workspace-write")
    await confirm(viewer, "bascule.codex.sandbox", '"read-only"', '"workspace-write"')
    await expect(choice).to_have_value("workspace-write")
    codex = (await said(viewer, "bascule.codex.sandbox"))["codex"]
    assert isinstance(codex, dict)
    assert codex["sandbox"] == "workspace-write"
    assert codex["command"]

    number = field(viewer, "bascule.contextMaxFiles").get_by_role("textbox")
    await number.fill("7")
    await number.press("Enter")
    assert (await said(viewer, "bascule.contextMaxFiles"))["contextMaxFiles"] == 7

    text = field(viewer, "bascule.defaultTestCommand").get_by_role("textbox")
    await text.fill('make "test"')
    await text.press("Tab")
    await confirm(viewer, "bascule.defaultTestCommand", '""', '"make \\"test\\""')
    assert (await said(viewer, "bascule.defaultTestCommand"))["defaultTestCommand"] == 'make "test"'

    entries = field(viewer, "bascule.testCommands")
    await entries.get_by_role("textbox").last.fill("bazel test")
    await entries.get_by_role("button", name="Add").click()
    await confirm(viewer, "bascule.testCommands", '"cargo test"', '"bazel test"')
    known = list(Settings().test_commands)
    assert (await said(viewer, "bascule.testCommands"))["testCommands"] == [*known, "bazel test"]
    await entries.get_by_role("button", name="Remove cargo test").click()
    await confirm(viewer, "bascule.testCommands", '"cargo test"', '"bazel test"')
    await expect(entries.get_by_role("button", name="Remove cargo test")).to_have_count(0)
    await expect(entries.get_by_role("textbox")).to_have_count(len(known) + 1)
    assert "cargo test" not in settings(workspace).test_commands


async def test_the_words_that_a_list_may_hold_are_boxes_and_its_question_is_in_view(viewer: Viewer) -> None:
    await viewer.page.set_viewport_size({"width": 900, "height": 520})
    await open_settings(viewer)
    place = field(viewer, "bascule.devices.answers")
    boxes = place.get_by_role("group", name="Approvals from devices").get_by_role("checkbox")
    await expect(boxes).to_have_count(4)
    await expect(place.get_by_role("textbox")).to_have_count(0)
    box = place.get_by_role("checkbox", name="files")
    await box.evaluate("(it) => it.scrollIntoView({ block: 'end' })")  # at the lower edge of the dialog
    await box.click()
    card = dialog(viewer).get_by_role("article", name="Change this setting?")
    await expect(place.get_by_text("Answer the question below to continue.")).to_be_visible()
    await expect(card).to_be_in_viewport(ratio=0.99)
    await expect(card.get_by_role("button", name="Yes, change it")).to_be_in_viewport(ratio=1)
    await confirm(viewer, "bascule.devices.answers", "[]", '["files"]')
    await expect(box).to_be_checked()
    await expect(place.get_by_text("Waiting for your answer")).to_have_count(0)
    written = (await said(viewer, "bascule.devices.answers"))["devices"]
    assert written == {"answers": ["files"]}
    await box.click()
    await confirm(viewer, "bascule.devices.answers", '["files"]', "[]")
    await expect(box).not_to_be_checked()


async def test_a_reset_takes_the_line_out_again(viewer: Viewer) -> None:
    await open_settings(viewer)
    place = field(viewer, "bascule.contextMaxFiles")
    await expect(place.get_by_role("button")).to_have_count(0)  # there is nothing to reset
    await place.get_by_role("textbox").fill("3")
    await place.get_by_role("textbox").press("Enter")
    await expect(place.locator(".settings-source")).to_have_text("set by you")
    await place.get_by_role("button", name="Reset Files per prompt").click()
    await expect(place.get_by_role("textbox")).to_have_value("10")
    await expect(place.locator(".settings-source")).to_have_count(0)
    assert "contextMaxFiles" not in await said(viewer, "bascule.contextMaxFiles")


async def test_what_is_refused_is_said_beside_its_field_and_nothing_is_written(viewer: Viewer) -> None:
    await open_settings(viewer)
    before = viewer.setup.folder.settings.read_bytes()
    place = field(viewer, "bascule.contextMaxFiles")
    alert = place.get_by_role("alert")
    await place.get_by_role("textbox").fill("many")
    await place.get_by_role("textbox").press("Enter")
    await expect(alert).to_have_text("Enter a whole number.")
    await place.get_by_role("textbox").fill("101")
    await place.get_by_role("textbox").press("Enter")
    await expect(alert).to_have_text("bascule.contextMaxFiles is 101; it must be 0 to 100")
    command = field(viewer, "bascule.codex.command")
    await command.get_by_role("textbox").fill("")
    await command.get_by_role("textbox").press("Tab")
    await expect(command.get_by_role("alert")).to_contain_text("it must be text in quotes, not empty")
    assert viewer.setup.folder.settings.read_bytes() == before
    await place.get_by_role("textbox").fill("9")
    await place.get_by_role("textbox").press("Enter")
    await expect(place.locator(".settings-why")).to_have_text("")


async def test_a_workspace_may_only_tighten(viewer: Viewer, tmp_path: Path) -> None:
    folder = tmp_path / "cloned"
    folder.mkdir()
    await viewer.create(folder)
    await viewer.page.get_by_role("button", name="Settings", exact=True).click()
    await expect(field(viewer, "bascule.codex.sandbox")).to_be_visible()
    await dialog(viewer).get_by_role("combobox", name="Save to").select_option("workspace")
    await expect(dialog(viewer)).to_contain_text(str(folder / WORKSPACE_FILE))
    await expect(field(viewer, "bascule.codex.command").get_by_role("textbox")).to_be_disabled()

    sandbox = field(viewer, "bascule.codex.sandbox").get_by_role("combobox")
    await sandbox.select_option("workspace-write")
    why = field(viewer, "bascule.codex.sandbox").get_by_role("alert")
    await expect(why).to_contain_text("a workspace may only tighten")
    await expect(sandbox).to_have_value("read-only")
    assert not (folder / WORKSPACE_FILE).exists()

    patches = field(viewer, "bascule.allowApplyPatch").get_by_role("checkbox")
    await patches.click()
    await expect(patches).not_to_be_checked()
    await expect(field(viewer, "bascule.allowApplyPatch").locator(".settings-source")).to_have_text(
        "set by the workspace"
    )
    written = json.loads((folder / WORKSPACE_FILE).read_text(encoding="utf-8"))
    assert written == {"bascule.allowApplyPatch": False}
    assert viewer.live.app.settings(str(folder)).allow_apply_patch is False
    assert viewer.live.app.settings(str(viewer.setup.project)).allow_apply_patch is True


async def test_a_broken_file_is_shown_with_its_line(viewer: Viewer) -> None:
    session = await viewer.live.create()
    viewer.setup.folder.settings.write_text('[codex]\nsandbox = "none"\n', encoding="utf-8")
    await viewer.enter(session)
    await viewer.page.keyboard.press("Alt+o")
    problem = dialog(viewer).get_by_role("alert").filter(has_text="line 2")
    await expect(problem).to_contain_text("bascule.codex.sandbox")


# -- the page's own wishes --


async def test_theme_and_language_are_kept_over_a_reload(viewer: Viewer) -> None:
    await open_settings(viewer)
    await dialog(viewer).get_by_role("combobox", name="Theme").select_option("Dark")
    root = viewer.page.locator("html")
    await expect(root).to_have_attribute("data-theme", "dark")
    await dialog(viewer).get_by_role("combobox", name="Language").select_option("日本語")
    await expect(viewer.page.get_by_role("dialog", name="設定")).to_be_visible()
    await viewer.page.reload()
    await expect(root).to_have_attribute("data-theme", "dark")
    await expect(root).to_have_attribute("lang", "ja")
    await expect(viewer.page.get_by_role("button", name="新規")).to_be_visible()
    await viewer.page.get_by_role("button", name="設定", exact=True).click()
    shown = viewer.page.get_by_role("dialog", name="設定")
    await expect(shown.get_by_role("combobox", name="言語")).to_have_value("ja")
    await shown.get_by_role("combobox", name="言語").select_option("English")
    await expect(dialog(viewer)).to_be_visible()


async def test_escape_closes_and_the_focus_is_where_it_was(viewer: Viewer) -> None:
    await open_settings(viewer)
    await viewer.page.keyboard.press("Escape")
    await expect(dialog(viewer)).to_have_count(0)
    await expect(viewer.page.get_by_role("button", name="Settings", exact=True)).to_be_focused()


async def test_without_a_session_there_is_no_workspace_to_write_to(viewer: Viewer) -> None:
    await viewer.create()
    await viewer.page.get_by_role("button", name="Home").click()
    await viewer.page.get_by_role("button", name="Settings", exact=True).click()
    option = dialog(viewer).get_by_role("combobox", name="Save to").get_by_role("option")
    await expect(option.filter(has_text="My settings")).to_be_enabled()
    await expect(option.filter(has_text="Workspace settings")).to_be_disabled()


# -- the keyboard help --


async def test_the_help_lists_keys_and_commands_and_the_keys_do_what_it_says(viewer: Viewer) -> None:
    await viewer.create()
    await viewer.log.click()
    await viewer.page.keyboard.press("?")
    help_ = viewer.page.get_by_role("dialog", name="Keyboard and commands")
    everywhere = help_.get_by_role("table", name="Everywhere").get_by_role("row")
    for keys, what in (("Ctrl+K", "Search"), ("Alt+N", "New session"), ("Alt+O", "Settings")):
        await expect(everywhere.filter(has_text=keys)).to_contain_text(what)
    for table, keys, what in (
        ("Input", "Ctrl+Enter", "Add to the current run"),
        ("Input", "Alt+↑", "Move a queued prompt up or down"),
        ("Questions and the log", "y", "Yes (with the question focused)"),
        ("Diffs", "x", "Select or deselect the hunk"),
        ("Diffs", "]", "Next file"),
        ("Files", "Ctrl+F", "Find in file"),
    ):
        rows = help_.get_by_role("table", name=table).get_by_role("row")
        await expect(rows.filter(has=viewer.page.get_by_text(keys, exact=True))).to_contain_text(what)
    commands = help_.get_by_role("table", name="Slash commands").get_by_role("row")
    await expect(commands).to_have_count(len(COMMANDS))
    for name, command in COMMANDS.items():
        await expect(commands.filter(has_text=command.doc)).to_contain_text(name)
    await viewer.page.keyboard.press("Escape")
    await expect(help_).to_have_count(0)

    before = await viewer.shown.get_attribute("data-session") or ""
    await viewer.page.keyboard.press("Alt+n")
    await expect(viewer.shown).not_to_have_attribute("data-session", before)
    await expect(viewer.input).to_be_focused()
    await viewer.page.keyboard.type("what?")  # in the input it is a character
    await expect(viewer.input).to_have_value("what?")
    await viewer.page.keyboard.press("Alt+l")
    await expect(viewer.page.get_by_role("listbox", name="Sessions")).to_have_count(0)
    await viewer.page.keyboard.press("Alt+o")
    await expect(dialog(viewer)).to_be_visible()
    await viewer.page.keyboard.press("Escape")
    await expect(dialog(viewer)).to_have_count(0)  # until then it keeps the keys
    await viewer.page.keyboard.press("Alt+1")
    await expect(viewer.shown).to_have_attribute("data-session", before)
    await expect(viewer.input).to_have_value("")
    await viewer.page.keyboard.press("Alt+i")
    await expect(viewer.input).to_be_focused()


async def test_a_folder_that_was_refused_can_be_trusted_later_and_forgotten(viewer: Viewer) -> None:
    rules = viewer.setup.project / "AGENTS.md"
    rules.write_text("Be kind.\n")
    app, folder = viewer.live.app, str(viewer.setup.project)
    print_ = (await app.trust.look(folder)).inventory.fingerprint
    assert await app.trust.decide(folder, print_, "refused", "tests") is None
    await open_settings(viewer)
    listed = dialog(viewer).locator(".settings-folders li").filter(has_text=viewer.setup.project.name)
    await expect(listed).to_contain_text("not trusted")
    await listed.get_by_role("button", name="Trust…").click()
    card = listed.get_by_role("article", name="Trust this folder?")
    await expect(card).to_contain_text("AGENTS.md")
    while await card.count():  # what has just appeared takes no answer for a moment
        with suppress(Error):  # it has just gone
            await card.get_by_role("button", name="Trust this folder").dispatch_event("click", timeout=1_000)
    await expect(listed.get_by_role("button", name="Check again…")).to_be_visible()
    assert [one.decision for one in app.trust.list()] == ["trusted"]
    rules.write_text("Be very kind.\n")
    await viewer.page.keyboard.press("Escape")
    await open_settings(viewer)
    await expect(listed).to_contain_text("changed since you decided: asks again at its next use")
    await listed.get_by_role("button", name="Forget").click()
    await expect(listed).to_have_count(0)
    assert app.trust.list() == ()
    rules.unlink()
