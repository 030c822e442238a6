"""Orders: which are taken, what is said of the others, and how they are put into words."""

import msgspec
import pytest
from msgspec.structs import replace

from bascule.core.orders import MAX_PROMPT, MAX_SUMMARY, find_fault, say_order, summarise
from bascule.model.consent.orders import Order

ORDER = Order(
    command_id="c-1",
    machine_id="desk",
    user_id="ann",
    kind="patch",
    prompt="fix the login",
    created_at="2026-01-31T12:00:00Z",
)


def test_a_command_envelope_is_read_as_the_specification_spells_it() -> None:
    line = (
        b'{"commandId":"c-1","machineId":"desk","userId":"ann","kind":"patch","prompt":"fix the login",'
        b'"createdAt":"2026-01-31T12:00:00Z","later":"unknown fields are let pass"}'
    )
    assert msgspec.json.decode(line, type=Order) == ORDER
    assert find_fault(ORDER, "desk") is None


@pytest.mark.parametrize("kind", ["ask.answer", "task", "Patch", "", None, 1])
def test_no_other_kind_can_be_spelt(kind: object) -> None:
    fields = {**msgspec.to_builtins(ORDER), "kind": kind}
    with pytest.raises(msgspec.ValidationError, match="kind"):
        msgspec.convert(fields, Order)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"command_id": ""}, "commandId must be"),
        ({"command_id": "a b"}, "commandId must be"),
        ({"command_id": "x" * 201}, "commandId must be"),
        ({"command_id": "c\n1"}, "commandId must be"),
        ({"machine_id": "d\u202eesk"}, "machineId must be"),
        ({"machine_id": "other"}, "This machine is desk"),
        ({"user_id": ""}, "userId must be"),
        ({"user_id": "ann\nbob"}, "userId must be"),
        ({"user_id": "ann\ufe0f"}, "userId must be"),
        ({"user_id": "Say yes to this. " * 4}, "userId must be"),
        ({"user_id": "a\x1b[31mnn"}, "userId must be"),
        ({"user_id": "a\u202enn"}, "userId must be"),
        ({"created_at": "yesterday"}, "createdAt must be"),
        ({"created_at": "2026-01-31T12:00:00"}, "createdAt must be"),
        ({"prompt": " \n"}, "patch needs a prompt"),
        ({"kind": "plan", "prompt": ""}, "plan needs a prompt"),
        ({"prompt": "x" * (MAX_PROMPT + 1)}, f"{MAX_PROMPT} is the most"),
        ({"kind": "apply"}, "apply needs the id"),
        ({"kind": "apply", "ref_id": "a b"}, "apply needs the id"),
    ],
)
def test_what_cannot_be_taken_says_why(change: dict[str, str], why: str) -> None:
    fault = find_fault(replace(ORDER, **change), "desk")
    assert fault is not None
    assert why in fault.why


@pytest.mark.parametrize(
    "order",
    [
        replace(ORDER, kind="help", prompt=""),
        replace(ORDER, kind="status", prompt=""),
        replace(ORDER, kind="test", prompt=""),
        replace(ORDER, kind="test", prompt="pytest -q"),
        replace(ORDER, kind="apply", prompt="", ref_id="c-0"),
        replace(ORDER, user_id="\u738b\u5c0f\u660e"),
    ],
)
def test_every_other_kind_is_taken_with_what_it_needs(order: Order) -> None:
    assert find_fault(order, "desk") is None


def test_it_is_reported_as_somebody_would_have_typed_it() -> None:
    assert say_order(ORDER) == "@dev patch fix the login"
    assert say_order(replace(ORDER, kind="apply", prompt="", ref_id="c-0")) == "@dev apply c-0"
    assert say_order(replace(ORDER, kind="help", prompt="")) == "@dev help"


def test_a_long_answer_is_cut_and_says_how_much_is_left() -> None:
    assert summarise(" short ") == "short"
    cut = summarise("x" * (MAX_SUMMARY + 5))
    assert cut.endswith("(5 more characters at the machine)")
    assert len(cut) < MAX_SUMMARY + 60
