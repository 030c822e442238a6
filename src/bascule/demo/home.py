"""A Codex home for the demo: its configuration and its model catalog, apart from the user's own."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from bascule.core.settings.toml_file import set_toml
from bascule.demo import mcp_server
from bascule.demo.script import COMPACT_PROMPT
from bascule.host.files.atomic_file import replace_file

KEY_VARIABLE = "CODEX_DEMO_KEY"  # the token stays in the child's environment, off the disk
CONTEXT_WINDOW = 272_000
USABLE_PERCENT = 95  # Codex keeps the rest back: 258,400 tokens are left to the conversation

SETTINGS = """\
allowRunTerminal = true
defaultTestCommand = "python3 -m unittest -q"
"""
_EFFORTS = {
    "low": "Answers at once",
    "medium": "Thinks a little first",
    "high": "Thinks it through",
}


def prepare_home(folder: Path, *, base_url: str, token: str) -> dict[str, str]:
    """Write the home; the answer is what the Codex child needs in its environment."""
    home = folder.resolve()
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    catalog = home / "models.json"
    _replace(catalog, json.dumps(_catalog(), indent=2))
    _replace(home / "config.toml", _config(catalog, base_url))
    return {"CODEX_HOME": str(home), KEY_VARIABLE: token}


def prepare_settings(path: Path) -> None:
    """So that /test works in the demo, after a yes each time. What a person wrote there stays."""
    if not path.exists():
        _replace(path, SETTINGS)


def name_for_orders(path: Path, project: Path) -> None:
    """So that remote Orders have a folder to work in. What a person wrote there stays."""
    text = path.read_text("utf-8")
    edited = set_toml(text, "orders.workspaces", [f"{project.name}={project}"])
    if isinstance(edited, str) and "workspaces" not in text:
        _replace(path, edited)


def toml_string(text: str) -> str:
    """A TOML basic string: JSON's escapes are TOML's too, but for the one that JSON leaves bare."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _config(catalog: Path, base_url: str) -> str:
    server = Path(mcp_server.__file__).resolve()
    return f"""\
# Rewritten at each start of the Bascule demo.
model = "demo"
model_provider = "demo"
model_catalog_json = {toml_string(str(catalog))}
compact_prompt = {toml_string(COMPACT_PROMPT)}
check_for_update_on_startup = false
suppress_unstable_features_warning = true

[model_providers.demo]
name = "Bascule demo"
base_url = {toml_string(base_url)}
wire_api = "responses"
env_key = "{KEY_VARIABLE}"
request_max_retries = 0
stream_max_retries = 0

[tools.update_plan]
enabled = true

[features]
default_mode_request_user_input = true
unbounded_connection_retries = false
apply_patch_streaming_events = true
apps = false
plugins = false

[analytics]
enabled = false

[mcp_servers.demo]
command = {toml_string(sys.executable)}
args = ["-I", {toml_string(str(server))}]
"""


def _catalog() -> dict[str, object]:
    return {
        "models": [
            _model("demo", "Demo", "Plays what the prompt asks for.", priority=1),
            _model("demo-small", "Demo small", "The same plays under a smaller name.", priority=2),
        ]
    }


def _model(slug: str, name: str, about: str, *, priority: int) -> Mapping[str, object]:
    return {
        "slug": slug,
        "display_name": name,
        "description": about,
        "priority": priority,
        "visibility": "list",
        "supported_in_api": True,
        "base_instructions": "You are the scripted model of the Bascule demo.",
        "default_reasoning_level": "medium",
        "supported_reasoning_levels": [
            {"effort": key, "description": text} for key, text in _EFFORTS.items()
        ],
        "supports_reasoning_summaries": True,
        "default_reasoning_summary": "auto",
        "context_window": CONTEXT_WINDOW,
        "max_context_window": CONTEXT_WINDOW,
        "effective_context_window_percent": USABLE_PERCENT,
        "truncation_policy": {"mode": "tokens", "limit": 10_000},
        "shell_type": "unified_exec",
        "apply_patch_tool_type": "freeform",
        "web_search_tool_type": "text",
        "input_modalities": ["text", "image"],
        "support_verbosity": False,
        "supports_parallel_tool_calls": False,
        "experimental_supported_tools": [],
    }


def _replace(path: Path, text: str) -> None:
    """All or nothing, for a Codex may be reading."""
    replace_file(path, text.encode(), durable=False)
