"""What a session is made with: a model that the agent has, and a folder by its real name."""

from pathlib import Path

import pytest

from bascule.agents.driver import AgentModel
from bascule.core.faults import UserError
from bascule.daemon.sessions.session_choices import choose_model, real_folder
from bascule.model.asks import Refuse
from bascule.model.said import Said

MODELS = [
    AgentModel(name="small", efforts=("low",)),
    AgentModel(name="large", other_name="gpt-large", efforts=("low", "high")),
]


@pytest.mark.parametrize(
    ("name", "effort", "chosen"),
    [
        ("small", "", MODELS[0]),
        ("gpt-large", "high", MODELS[1]),
        (
            "huge",
            "",
            Refuse(
                "There is no model huge. There are: small, large.", said=Said("model.none", {"name": "huge"})
            ),
        ),
        (
            "small",
            "high",
            Refuse("small has no effort high. It has: low.", said=Said("effort.none", {"name": "high"})),
        ),
    ],
)
def test_a_model_by_either_name_with_an_effort_that_it_has(
    name: str, effort: str, chosen: AgentModel | Refuse
) -> None:
    assert choose_model(MODELS, name, effort) == chosen


def test_a_folder_has_one_name_however_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "bridge").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "bridge")
    real = str((tmp_path / "bridge").resolve())
    assert [real_folder(str(tmp_path / "link")), real_folder(f"{tmp_path}/bridge/../bridge")] == [real, real]


def test_what_is_no_path_is_refused() -> None:
    with pytest.raises(UserError, match="it contains a NUL"):
        real_folder("a\0b")


def test_a_workspace_that_cannot_be_looked_at_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """As /proc/1/root is."""

    def resolve(_path: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "resolve", resolve)
    with pytest.raises(UserError, match="cannot be opened: Permission denied"):
        real_folder("/proc/1/root")
