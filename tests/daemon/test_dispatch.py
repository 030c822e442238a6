"""The table of the protocol and the handlers behind it: the same methods, and none that archives."""

from pathlib import Path

from bascule import __file__ as package
from bascule.cli import VERBS
from bascule.core.slash import COMMANDS
from bascule.daemon.dispatch import HANDLERS
from bascule.model.protocol.table import METHODS


def test_every_method_of_the_table_has_its_handler() -> None:
    assert set(HANDLERS) == {name for name, method in METHODS.items() if method.way == "surface to daemon"}


def test_every_name_but_the_first_stands_in_a_namespace() -> None:
    """And none of them is for keys or focus: those stay inside a surface."""
    spaces = {name.rpartition(".")[0] for name in METHODS if name != "initialize"}
    assert spaces <= {
        *("run", "session", "agent", "ask", "queue", "model", "mcp", "skills", "context", "shell", "auth"),
        *("ui", "ui.context", "ui.confirm", "ui.prompt", "ui.pick", "edits", "test"),
        *("files", "workspace", "artifact", "history", "todos"),
    }


def test_nothing_is_ever_archived() -> None:
    """Codex would move the thread's file to another folder of the person's; see seed 000 §2."""
    assert [name for name in (*METHODS, *COMMANDS, *VERBS) if "archive" in name] == []
    sources = Path(package).parent.rglob("*.py")
    assert [path.name for path in sources if '"thread/archive"' in path.read_text(encoding="utf-8")] == []
