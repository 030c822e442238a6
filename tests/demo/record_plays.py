"""Record the scenes as plays: `python -m tests.demo.record_plays CODEX [SCENE...]` writes tests/plays/."""

import argparse
import asyncio
import re
import subprocess
import tempfile
from pathlib import Path

from tests.demo.codex_peer import codex_peer
from tests.demo.scenes import SCENES, Scene, resumed

PLAYS = Path(__file__).resolve().parent.parent / "plays"
LEFT_OUT = "(Codex's own instructions for this mode)"
NOBODY = "00000000-0000-4000-8000-000000000000"
WORD_DELAY_S = 0.2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("codex", type=Path)
    parser.add_argument("scenes", nargs="*", choices=[*SCENES, []], default=[])
    args = parser.parse_args()
    asyncio.run(_record(args.codex, args.scenes or list(SCENES)))


async def _record(codex: Path, names: list[str]) -> None:
    version = subprocess.run([codex, "--version"], capture_output=True, text=True, check=True).stdout
    label = "codex-" + re.findall(r"\d+\.\d+", version)[0]
    for name in names:
        with tempfile.TemporaryDirectory(dir=Path.home()) as folder:  # Codex minds a home under /tmp
            root = Path(folder).resolve()
            thread = await _save(codex, root, SCENES[name], f"{label}-{name}")
            if name == "history":
                await _save(codex, root, resumed(thread), f"{label}-resume")


async def _save(codex: Path, root: Path, scene: Scene, name: str) -> str:
    async with codex_peer(codex, root, word_delay_s=WORD_DELAY_S, python="python3") as peer:
        await scene(peer)
    text = neutral("\n".join(peer.lines) + "\n", root)
    (PLAYS / f"{name}.wire").write_text(text, encoding="utf-8", newline="\n")
    return peer.thread_id


def neutral(text: str, root: Path) -> str:
    """The same conversation on a machine of nobody's, without the text that Codex brings for its modes."""
    text = text.replace(str(root), "/home/dev")
    text = re.sub(r'"installationId":"[^"]*"', f'"installationId":"{NOBODY}"', text)
    text = re.sub(
        r'"developer_instructions":"(?:[^"\\]|\\.)*"', f'"developer_instructions":"{LEFT_OUT}"', text
    )
    return re.sub(r'"serverName":"[^"]*","installationId"', '"serverName":"host","installationId"', text)


if __name__ == "__main__":
    main()
