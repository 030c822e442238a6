"""What an agent asks for is shown with all that the yes would give, or takes no yes."""

import pytest
from tests.agents.codex.events.asking import COMMAND, ELICITATION, FILES, PERMISSIONS, RUN_LS, asking, reply

from bascule.agents.codex.events.asks import MAX_PATHS
from bascule.model.asks import PermissionsSubject


def test_permissions_that_come_with_a_command_are_shown_with_it() -> None:
    more = {"fileSystem": {"read": None, "write": ["/etc"]}, "network": {"enabled": True}}
    listener = asking(COMMAND, **RUN_LS, additionalPermissions=more)
    asked = listener.open_ask()
    wants = ("run /bin/bash -lc ls", "write /etc", "use the network")
    assert (asked.title, asked.subject) == (
        "Give these permissions?",
        PermissionsSubject(wants=wants, cwd="/w", command="/bin/bash -lc ls", paths=("/etc",)),
    )
    assert reply(listener, "accept") == {"decision": "accept"}


def test_permissions_for_more_paths_than_are_looked_at_take_no_yes() -> None:
    wanted = {"fileSystem": {"write": [f"/x/{number}" for number in range(MAX_PATHS + 1)]}}
    alone = asking(PERMISSIONS, turnId="r", itemId="i", permissions=wanted).open_ask()
    with_command = asking(COMMAND, **RUN_LS, additionalPermissions=wanted).open_ask()
    assert [choice for ask in (alone, with_command) for choice in ask.choices if choice.grants] == []


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
