"""What may be left out of a message, and what it means then: the defaults of seed 002."""

from typing import Any

import msgspec
import pytest

from bascule.model.protocol import runs, ui
from bascule.model.protocol.runs import UiCapabilities

CONFIRM = {"title": "t", "message": "m"}


@pytest.mark.parametrize(
    ("fields", "kind", "meant"),
    [
        ({}, runs.SessionListParams, {"limit": 50}),
        ({"session_id": "s"}, runs.SessionHistoryParams, {"max_runs": 20, "max_events": 1500}),
        ({}, runs.ModelListParams, {"provider": "openai", "include_details": False}),
        ({"name": "m"}, runs.ModelSetParams, {"provider": "openai"}),
        ({}, runs.McpListParams, {"scope": "loaded"}),
        ({}, runs.SkillsListParams, {"force_reload": False}),
        (CONFIRM, ui.UiConfirmParams, {"confirm_label": "OK", "cancel_label": "Cancel"}),
        (CONFIRM, ui.UiConfirmParams, {"danger_level": "normal"}),
        (CONFIRM, ui.UiConfirmParams, {"allow_remember": False, "allow_reason": False}),
        (CONFIRM, ui.UiPromptParams, {"default_value": "", "multiline": False, "secret": False}),
        ({"title": "t", "items": []}, ui.UiPickParams, {"multi": False}),
    ],
)
def test_what_is_left_out_has_the_default_of_the_specification(
    fields: dict[str, Any], kind: type[Any], meant: dict[str, Any]
) -> None:
    read = msgspec.json.decode(msgspec.json.encode(fields), type=kind)
    assert {name: getattr(read, name) for name in meant} == meant


def test_what_has_its_default_is_left_out_of_what_we_ask() -> None:
    asked = msgspec.to_builtins(ui.UiPromptParams(title="t", message="m", default_value="Ann"))
    assert asked == {"title": "t", "message": "m", "default_value": "Ann"}
    assert msgspec.to_builtins(ui.UiConfirmParams(title="t", message="m")) == CONFIRM


@pytest.mark.parametrize("name", ["confirm", "prompt", "pick", "markdown", "images", "session_sync"])
def test_a_surface_can_only_do_what_it_says(name: str) -> None:
    said = msgspec.convert({f"supports_{name}": True, "supports_telepathy": True}, UiCapabilities)
    assert [field for field in said.__struct_fields__ if getattr(said, field)] == [f"supports_{name}"]
