"""A prompt as the log shows it: a person's own words, those of an Order, or what Bascule asks again."""

from bascule.model.blocks import RemoteBlock, SystemBlock, UserBlock
from bascule.model.consent.audit import Remote
from bascule.model.ids import BlockId, RunId
from bascule.model.session import Prompt

ASKED_AGAIN = "Asked again by Bascule"


def unsent_block(
    prompt: Prompt, at_ms: int, *, steered: bool = False
) -> UserBlock | RemoteBlock | SystemBlock:
    """Until the agent says that it has it."""
    name = BlockId(prompt.key)
    if prompt.by == "bascule":
        return asked_again_block(name, prompt.text, None, at_ms)
    if prompt.sender is not None:
        return order_block(name, prompt.text, prompt.sender, None, at_ms)
    return UserBlock(
        id=name,
        text=prompt.text,
        images=prompt.images,
        at_ms=at_ms,
        steered=steered,
        sent=False,
        context=prompt.context,
        purpose=prompt.purpose,
    )


def order_block(
    name: BlockId, text: str, sender: Remote, run: RunId | None, at_ms: int | None
) -> RemoteBlock:
    return RemoteBlock(
        id=name, run=run, at_ms=at_ms, text=text, author=sender.user, command_id=sender.command_id
    )


def asked_again_block(name: BlockId, text: str, run: RunId | None, at_ms: int | None) -> SystemBlock:
    return SystemBlock(id=name, run=run, at_ms=at_ms, title=ASKED_AGAIN, text=text)
