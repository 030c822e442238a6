"""What is said to Codex with a turn: a person's words, what goes beside them, and what the turn may do."""

from msgspec import Struct

from bascule.core.prompts.prompt_context import PromptContext, mark
from bascule.model.session import Prompt


class Policy(Struct, frozen=True):
    """What a thread may do by itself; the rest is asked."""

    sandbox: str
    approvals: str


# Codex refuses every write by itself, and every call that would need somebody's yes.
READ_ONLY_POLICY = Policy(sandbox="read-only", approvals="never")


class ContextInput(Struct, frozen=True):
    """What the agent reads beside the prompt, and what is kept of it."""

    text: str = ""
    aside: PromptContext = PromptContext()


NOTHING_BESIDE = ContextInput()


def turn_input(prompt: Prompt, beside: ContextInput) -> list[dict[str, object]]:
    """Codex keeps the marks, and tells them again with the message: so it is known whose words are whose."""
    if prompt.by == "bascule":
        return [_text(prompt.text, PromptContext(again=True))]
    images = [_image(image) for image in prompt.images]
    own = PromptContext(sender=prompt.sender) if prompt.sender else None
    added = [_text(beside.text, beside.aside)] if beside.text else []
    return [_text(prompt.text, own), *added, *images]


def _text(text: str, aside: PromptContext | None = None) -> dict[str, object]:
    size = len(text.encode())
    span = {"byteRange": {"start": 0, "end": size}, "placeholder": mark(aside)} if aside else None
    return {"type": "text", "text": text, "text_elements": [span] if span else []}


def _image(image: str) -> dict[str, object]:
    if image.startswith(("data:", "http://", "https://")):
        return {"type": "image", "url": image}
    return {"type": "localImage", "path": image}
