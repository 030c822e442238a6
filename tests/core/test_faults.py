"""Faults say whose they are, and what, where and what next."""

from bascule.core.faults import AgentFault, AgentGone, AgentRefused


def test_a_refusal_names_the_method_the_words_and_the_code() -> None:
    refused = AgentRefused("codex", "turn/steer", -32600, "no active turn")
    assert str(refused) == "codex refused turn/steer: no active turn (code -32600)"
    assert (refused.method, refused.code, refused.message) == ("turn/steer", -32600, "no active turn")


def test_every_fault_of_an_agent_is_caught_as_one() -> None:
    assert issubclass(AgentRefused, AgentFault)
    assert issubclass(AgentGone, AgentFault)
