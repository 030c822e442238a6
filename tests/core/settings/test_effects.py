"""What a change of a setting means: for settings and values that exist, in every language of the page."""

from pathlib import Path

from bascule.core.settings.effects import EFFECTS, find_effect
from bascule.core.settings.reading import is_right
from bascule.model.settings import TABLE

PAGE = Path(__file__).parents[3] / "ui" / "src" / "i18n" / "setting_effects.ts"


def test_every_effect_is_one_of_a_value_that_can_be_set_and_is_said_in_each_language() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for (key, value), effect in EFFECTS.items():
        assert is_right(TABLE[key], value)
        assert text.count(f'"bascule.{key}.{str(value).lower()}":') == 2
        assert find_effect(key, value) == effect
    assert find_effect("contextMaxFiles", 3) == find_effect("testCommands", ["x"]) == ""
