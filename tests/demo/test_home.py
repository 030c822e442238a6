"""The demo's Codex home: readable by a TOML reader, apart from the person's own, safe to write again."""

import json
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.demo.home import prepare_home, toml_string

URL = "http://127.0.0.1:4321/v1"


def test_the_configuration_points_at_the_model_and_its_catalog(tmp_path: Path) -> None:
    home = tmp_path / "a folder" / 'with "quotes" and ünïcode'
    environment = prepare_home(home, base_url=URL, token="s3cret")

    assert environment == {"CODEX_HOME": str(home.resolve()), "CODEX_DEMO_KEY": "s3cret"}
    config = tomllib.loads((home / "config.toml").read_text(encoding="utf-8"))
    assert config["model_providers"]["demo"]["base_url"] == URL
    assert config["mcp_servers"]["demo"]["command"] == sys.executable
    catalog = json.loads(Path(config["model_catalog_json"]).read_text(encoding="utf-8"))
    assert [model["slug"] for model in catalog["models"]] == ["demo", "demo-small"]


def test_the_token_is_not_written_down(tmp_path: Path) -> None:
    prepare_home(tmp_path, base_url=URL, token="s3cret")
    assert [path.name for path in tmp_path.iterdir() if "s3cret" in path.read_text(encoding="utf-8")] == []


def test_a_second_start_gets_the_new_address_and_keeps_the_rest(tmp_path: Path) -> None:
    prepare_home(tmp_path, base_url=URL, token="one")
    (tmp_path / "sessions").mkdir()
    prepare_home(tmp_path, base_url="http://127.0.0.1:9/v1", token="two")

    config = tomllib.loads((tmp_path / "config.toml").read_text(encoding="utf-8"))
    assert config["model_providers"]["demo"]["base_url"] == "http://127.0.0.1:9/v1"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.toml", "models.json", "sessions"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")
def test_the_home_is_the_owners_alone(tmp_path: Path) -> None:
    prepare_home(tmp_path / "home", base_url=URL, token="t")
    assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_can_stand_in_the_configuration(text: str) -> None:
    assert tomllib.loads(f"key = {toml_string(text)}") == {"key": text}
