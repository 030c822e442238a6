"""The input of a turn: a person's words, and the context that is sent with them."""

from bascule.core.prompts.prompt_context import ContextMark, PromptContext, write_mark
from bascule.model.session import Prompt


def turn_input(prompt: Prompt, context: PromptContext, instructions: str = "") -> list[dict[str, object]]:
    """Codex keeps the marks, and tells them again with the message: so it is known whose words are whose.

    `instructions` are those of the folder, where the thread has not heard them yet."""
    if prompt.by == "bascule":
        return [_text(prompt.text, ContextMark(again=True))]
    images = [_image(image) for image in prompt.images]
    own = ContextMark(sender=prompt.sender) if prompt.sender else None
    added = [_text(context.text, context.mark)] if context.text else []
    added += [_text(instructions, ContextMark())] if instructions else []
    return [_text(prompt.text, own), *added, *images]


def _text(text: str, mark: ContextMark | None = None) -> dict[str, object]:
    size = len(text.encode())
    span = {"byteRange": {"start": 0, "end": size}, "placeholder": write_mark(mark)} if mark else None
    return {"type": "text", "text": text, "text_elements": [span] if span else []}


def _image(image: str) -> dict[str, object]:
    if image.startswith(("data:", "http://", "https://")):
        return {"type": "image", "url": image}
    return {"type": "localImage", "path": image}
