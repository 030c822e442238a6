"""What cannot be sent at all, and what an agent cannot take: refused before anything happens."""

import pytest

from bascule.daemon.sessions.prompts import (
    MAX_IMAGES,
    MAX_PROMPT,
    NO_IMAGES,
    NO_READ_ONLY,
    NO_STEER,
    find_incapable,
    find_unfit,
)
from bascule.model.agents import AgentCapabilities
from bascule.model.asks import Refuse
from bascule.model.consent.audit import Remote
from bascule.model.ids import PromptKey
from bascule.model.session import Prompt, Purpose

KEY = PromptKey("k")
ANN = Remote(user="ann", command_id="c1")


@pytest.mark.parametrize("purpose", ["plan", "patch"])
def test_a_remote_sender_never_begins_a_run_that_may_write(purpose: Purpose) -> None:
    assert find_unfit(Prompt(key=KEY, text="do it", purpose=purpose, sender=ANN)) is None
    assert isinstance(find_unfit(Prompt(key=KEY, text="do it", sender=ANN)), Refuse)


@pytest.mark.parametrize(
    "prompt",
    [
        Prompt(key=KEY, text=" \n"),
        Prompt(key=KEY, text="x" * (MAX_PROMPT + 1)),
        Prompt(key=KEY, text="look", images=("/x.png",) * (MAX_IMAGES + 1)),
        Prompt(key=KEY, text="\udcff"),
    ],
)
def test_what_no_agent_is_sent(prompt: Prompt) -> None:
    assert isinstance(find_unfit(prompt), Refuse)


def test_what_an_agent_can_do_is_not_refused_and_the_rest_is_named() -> None:
    everything, nothing = AgentCapabilities(), AgentCapabilities(steer=False, images=False, read_only=False)
    cases = [
        (Prompt(key=KEY, text="more"), True, NO_STEER),
        (Prompt(key=KEY, text="look", images=("/x.png",)), False, NO_IMAGES),
        (Prompt(key=KEY, text="it", purpose="patch"), False, NO_READ_ONLY),
    ]
    for prompt, steers, why in cases:
        assert find_incapable(prompt, everything, steers=steers) is None
        refused = find_incapable(prompt, nothing, steers=steers)
        assert refused is not None
        assert refused.why == why
    assert find_incapable(Prompt(key=KEY, text="hi"), nothing, steers=False) is None
