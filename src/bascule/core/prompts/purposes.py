"""What a prompt is for: a talk, or with /plan and /patch an answer for which nothing may be written."""

from bascule.core.prompts.slash import Slash, parse_slash
from bascule.model.blocks import Purpose

PURPOSES: dict[str, Purpose] = {"/plan": "plan", "/patch": "patch"}
ORDER_PREFIX = "@dev"  # before the words of a remote person

READ_ONLY = (
    "Nothing can be written in this turn: the sandbox is read-only and no approval will be given. "
    "Read what you need, and change no file."
)
INSTRUCTIONS: dict[Purpose, str] = {
    "talk": "",
    "plan": f"{READ_ONLY} Answer with a plan: numbered steps, each naming the files that it touches and how "
    "its result is checked. Write no code beyond what a step needs to be clear.",
    "patch": f"{READ_ONLY} Answer with one unified diff of all that is to be changed, in one fenced block "
    "that begins with ```diff. Paths are relative to the workspace, with --- a/PATH and +++ b/PATH "
    "(/dev/null for a file that is new or goes). Three lines of context around each change, copied exactly "
    "from the files as they are now. Say in one or two sentences before it what it does.",
}


def parse_purpose(text: str) -> Purpose:
    """Of a person's words, when a prompt is made of them."""
    parsed = parse_slash(text)
    return PURPOSES.get(parsed.name, "talk") if isinstance(parsed, Slash) and parsed.argument else "talk"


AGAIN = "Your last answer cannot be used as a diff:"


def ask_again(why: str) -> str:
    """What is said after an answer that was no diff, or one that does not fit."""
    return (
        f"{AGAIN} {why}\n\n"
        "Read the files again and answer with nothing but one ```diff block: a unified diff that applies to "
        "them as they are now, every context line and every removed line copied exactly. "
        f"No prose. {READ_ONLY}"
    )
