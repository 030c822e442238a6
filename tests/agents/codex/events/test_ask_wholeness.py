"""What an agent asks for is shown with all that the yes would give, or takes no yes."""

import pytest
from tests.agents.codex.events.asking import COMMAND, ELICITATION, FILES, RUN_LS, asking, reply

from bascule.model.asks import PermissionsSubject


def test_permissions_that_come_with_a_command_are_shown_with_it() -> None:
    more = {"fileSystem": {"read": None, "write": ["/etc"]}, "network": {"enabled": True}}
    listener = asking(COMMAND, **RUN_LS, additionalPermissions=more)
    asked = listener.open_ask()
    wants = ("run /bin/bash -lc ls", "write /etc", "use the network")
    assert (asked.title, asked.subject) == (
        "Give these permissions?",
        PermissionsSubject(wants=wants, cwd="/w"),
    )
    assert reply(listener, "accept") == {"decision": "accept"}


def test_a_command_without_more_is_asked_about_as_ever() -> None:
    for nothing in (None, {}, {"fileSystem": None, "network": None}):
        asked = asking(COMMAND, **RUN_LS, additionalPermissions=nothing).open_ask()
        assert asked.title == "Run this command?"


@pytest.mark.parametrize("method", [COMMAND, FILES])
def test_what_is_not_said_at_all_takes_no_yes(method: str) -> None:
    asked = asking(method, itemId="unknown", turnId="r").open_ask()
    assert [choice.id for choice in asked.choices if choice.grants] == []
    assert [choice.id for choice in asked.choices] == ["decline", "cancel"]


def test_nor_does_a_server_that_says_nothing() -> None:
    asked = asking(ELICITATION, serverName="files", mode="form", message=" ", requestedSchema={}).open_ask()
    assert [choice.id for choice in asked.choices] == ["decline", "cancel"]
