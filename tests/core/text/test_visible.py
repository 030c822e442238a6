"""Characters that draw nothing are spelt out, each of them; letters and marks that are seen stay."""

import pytest

from bascule.core.text.visible import is_hidden, visible

# Default_Ignorable_Code_Point in Unicode's DerivedCoreProperties.txt.
IGNORABLE = (
    *(range(0xAD, 0xAE), range(0x34F, 0x350), range(0x61C, 0x61D), range(0x115F, 0x1161)),
    *(range(0x17B4, 0x17B6), range(0x180B, 0x1810), range(0x200B, 0x2010), range(0x202A, 0x202F)),
    *(range(0x2060, 0x2070), range(0x3164, 0x3165), range(0xFE00, 0xFE10), range(0xFEFF, 0xFF00)),
    *(range(0xFFA0, 0xFFA1), range(0xFFF0, 0xFFF9), range(0x1BCA0, 0x1BCA4), range(0x1D173, 0x1D17B)),
    range(0xE0000, 0xE1000),
)


def test_all_that_unicode_calls_ignorable_is_hidden() -> None:
    assert [hex(code) for codes in IGNORABLE for code in codes if not is_hidden(chr(code))] == []


@pytest.mark.parametrize(
    "code", [0x2800, 0x2D7F, 0x1107F, 0x11A47, 0x11A99, 0x16FE4, 0x1D159, 0x1DA7F, 0x1DA80], ids=hex
)
def test_so_are_blanks_fillers_and_joiners_that_it_leaves_out(code: int) -> None:
    assert is_hidden(chr(code))


def test_what_is_seen_stays_as_it_is() -> None:
    assert visible("rm \U00016fe4x") == "rm \\U00016fe4x"
    seen = "schön e\u0301 日本\u3000語 မန္တလေး ខ្មែរ 👍🏽"
    assert visible(seen) == seen
