"""What a device signs, how its key is shown, and which names it may have."""

import pytest

from bascule.core.consent.devices import (
    MAX_DEVICES,
    find_bad_name,
    find_device,
    fingerprint,
    offer_words,
    proof_words,
)
from bascule.model.consent.devices import Device

PHONE = Device(id="device-1", name="Phone", key="k", enrolled_at_ms=1)


def test_what_is_signed_for_one_purpose_place_or_device_is_signed_for_no_other() -> None:
    signed = {
        offer_words("a:1", "b", "c"),
        proof_words("a:1", "b", "c"),
        proof_words("a:2", "b", "c"),
        proof_words("a:1", "d", "c"),
        proof_words("a:1", "b", "e"),
    }
    assert len(signed) == 5
    assert proof_words("a:1", "b", "c") == b"bascule device proof 1\na:1\nb\nc"


def test_a_fingerprint_is_read_in_groups() -> None:
    assert fingerprint(b"key") == "2c70 e12b 7a06 46f9 2279 f427 c7b3 8e73"


@pytest.mark.parametrize("name", ["", " ", " Phone", "x" * 41, "a\nb", "\x1b[31m", "PHONE", "device-1"])
def test_a_name_that_is_none_or_taken_is_refused(name: str) -> None:
    assert find_bad_name(name, (PHONE,)) is not None


def test_a_name_of_its_own_is_taken_until_there_are_too_many() -> None:
    assert find_bad_name("Tablet", (PHONE,)) is None
    assert find_bad_name("電話", (PHONE,)) is None
    assert find_bad_name("Tablet", (PHONE,) * MAX_DEVICES) is not None


def test_a_device_is_found_by_name_or_id() -> None:
    found = [find_device(name, (PHONE,)) for name in ("phone", "device-1", "tablet", "")]
    assert found == [PHONE, PHONE, None, None]
