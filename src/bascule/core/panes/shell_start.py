"""How each shell starts so that it marks prompts and commands, and still reads the person's own files."""

from collections.abc import Mapping
from typing import NamedTuple

NONCE = "BASCULE_SHELL_NONCE"  # the integration takes it out of the environment at once


class ShellStart(NamedTuple):
    argv: tuple[str, ...]
    env: dict[str, str]  # added to the person's own


def plan_start(program: str, files: str, nonce: str, env: Mapping[str, str]) -> ShellStart:
    """`files` is the folder of the integration. A shell that has none starts as it always does."""
    name = program.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")
    match name:
        case "bash":
            return ShellStart((program, "--rcfile", f"{files}/bascule.bash", "-i"), {NONCE: nonce})
        case "zsh":
            return ShellStart((program, "-i"), {NONCE: nonce, **_zsh_folders(files, env)})
        case "fish":
            quoted = f"{files}/bascule.fish".replace("\\", "\\\\").replace("'", "\\'")
            return ShellStart((program, "-i", "--init-command", f"source '{quoted}'"), {NONCE: nonce})
        case "pwsh" | "powershell":
            quoted = f"{files}/bascule.ps1".replace("'", "''")
            return ShellStart((program, "-NoLogo", "-NoExit", "-Command", f". '{quoted}'"), {NONCE: nonce})
        case _:
            return ShellStart((program,), {})


def _zsh_folders(files: str, env: Mapping[str, str]) -> dict[str, str]:
    """zsh reads all of its files from one folder: ours, which read the person's own from theirs."""
    theirs = env.get("ZDOTDIR", "")
    return {"ZDOTDIR": f"{files}/zsh", **({"BASCULE_ZDOTDIR": theirs} if theirs else {})}
