"""How Codex is started and what its settings mean: its program, its home, its words for a sandbox."""

import re
from collections.abc import Mapping

from bascule.core.faults import AgentGone
from bascule.model.agents import Launch
from bascule.model.settings import CodexSettings

DEFAULT_COMMAND = "codex"
BUNDLED = "codex_cli_bin:bundled_codex_path"  # what the `codex` extra brings
HOME = "CODEX_HOME"
CREDENTIAL = "auth.json"  # in its home
GET_COMMANDS = ("npm install -g @openai/codex", "pip install 'bascule[codex]'")
SIGN_IN_WORDS = ("login --device-auth", "login")
HOW_TO_GET = "Install one with `npm install -g @openai/codex` or `pip install 'bascule[codex]'`."
HOW_TO_SIGN_IN = "A model provider of your own in Codex's config.toml may need no sign-in."
CHECK = "Check that bascule.codex.command in settings.toml names Codex. `bascule logs` has details."
# Codex runs Git outside the sandbox during a turn, and a repository's configuration names programs for it.
GIT_DIR, NO_REPOSITORY = "GIT_DIR", "/dev/null"

OLDEST = (0, 163)

# Codex's own log and its backtraces: they go on while it lives, and do not say why it died.
NOISE = re.compile(r"\d{4}-\d\d-\d\dT|WARNING: |Stack backtrace:|\s*\d+: |\s+at |\s*$")


def make_launch(settings: CodexSettings) -> Launch:
    """A setting that names another program means that program only."""
    is_default = settings.command == DEFAULT_COMMAND
    return Launch(
        program=settings.command,
        args=settings.args,
        env={GIT_DIR: NO_REPOSITORY},
        bundled=BUNDLED if is_default else "",
        missing=_missing(settings.command, is_default=is_default),
        how_to_get=HOW_TO_GET,
        oldest=OLDEST,
        check=CHECK,
        sign_in_args=("login", "status"),
        how_to_sign_in=HOW_TO_SIGN_IN,
        get_commands=GET_COMMANDS if is_default else (),
        sign_in_words=SIGN_IN_WORDS,
    )


def _missing(command: str, *, is_default: bool) -> str:
    if is_default:
        return f"There is no Codex here: `codex` is not on PATH. {HOW_TO_GET}"
    return f"There is no program {command!r}, which bascule.codex.command names. Correct it in settings.toml."


def find_credentials(environ: Mapping[str, str]) -> tuple[str, ...]:
    """In a home of its own choosing; the usual one is private anyway."""
    home = environ.get(HOME, "")
    return (f"{home}/{CREDENTIAL}",) if home else ()


def find_rules_file(environ: Mapping[str, str]) -> str:
    """Where Codex writes what a person always allows."""
    return f"{environ.get(HOME) or '~/.codex'}/rules/default.rules"


def check_version(user_agent: str) -> None:
    """One that does not say its version is given a try."""
    match = re.search(r"/(\d+)\.(\d+)\.\d+", user_agent)
    if match is not None and (int(match[1]), int(match[2])) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise AgentGone(f"Codex {match[0][1:]} is too old: {oldest} or newer is needed. {HOW_TO_GET}")
