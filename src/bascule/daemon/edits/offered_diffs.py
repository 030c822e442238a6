"""Diffs that a log offers, on the answers to which they belong."""

from bascule.model.attachments import DiffAttachment
from bascule.model.session import Session

MAX_SHOWN_DIFF = 1_000_000  # characters in the log; the diff itself is kept whole


def find_offered(session: Session, diff_id: str) -> str:
    """The text of one; empty where the log has only the beginning of it."""
    attached = (one for block in reversed(session.blocks) for one in block.attachments)
    offered = (one for one in attached if isinstance(one, DiffAttachment) and one.diff_id == diff_id)
    found = next(offered, None)
    return found.unified_diff if found and len(found.unified_diff) < MAX_SHOWN_DIFF else ""
