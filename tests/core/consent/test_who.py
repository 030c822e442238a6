"""Who is in the record: door, pass and device as we know them; a client's own name only quoted."""

from bascule.core.consent.who import describe_who, who_answered
from bascule.model.asks import Answer
from bascule.model.consent.audit import Local, Outside
from bascule.model.consent.origin import Origin
from bascule.model.ids import AskId

LIES = "terminal (0000)"  # what a client may call itself


def test_somebody_here_is_local_by_the_door() -> None:
    origin = Origin(door="page", credential="browser-1")
    assert describe_who(origin, LIES) == Local(surface="page", client=LIES, credential="browser-1")


def test_somebody_outside_is_never_local() -> None:
    origin = Origin(door="outside", credential="bearer")
    assert describe_who(origin, LIES) == Outside(credential="bearer", client=LIES)
    enrolled = Origin(door="outside", credential="bearer", device="d1", device_name="Phone")
    answer = Answer(ask=AskId("a"), choice="c", by="device Phone", origin=enrolled, client=LIES)
    assert who_answered(answer) == Outside(credential="bearer", device="d1", device_name="Phone", client=LIES)
    assert who_answered(Answer(ask=AskId("a"), choice="c", by="terminal")) == "terminal"
