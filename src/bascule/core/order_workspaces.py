"""Which folder an Order works in: the one that its first word names, or the default."""

import re

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.prompts.purposes import ORDER_PREFIX
from bascule.model.asks import Refuse
from bascule.model.consent.orders import Order, OrderKind

NAMED = re.compile(r"([A-Za-z0-9_-]{1,64})=(.+)")
FIRST_WORD = re.compile(r"@([A-Za-z0-9_-]{1,64})(?:\s+|$)")
WITH_WORDS: frozenset[OrderKind] = frozenset({"plan", "patch", "test"})

NONE_SET = (
    "This machine takes no orders yet: nobody named a folder for them. At the machine, set "
    '`bascule.orders.workspaces`, such as ["site=/home/ann/site"].'
)


class OrderPlace(Struct, frozen=True):
    folder: str
    order: Order  # without the word that names the folder


def parse_workspaces(entries: tuple[str, ...]) -> dict[str, str] | Refuse:
    """By name, the default first."""
    found: dict[str, str] = {}
    for entry in entries:
        match = NAMED.fullmatch(entry.strip())
        if match is None:
            wrong = f"bascule.orders.workspaces holds {entry!r}; it must be NAME=FOLDER."
            return Refuse(wrong, remote=wrong.replace(repr(entry), "something else"))
        found[match[1]] = match[2]
    return found


def find_place(order: Order, named: dict[str, str], default: str = "") -> OrderPlace | Refuse:
    """`default`: of a connection that was made for one folder."""
    first = next(iter(named.values()), "")
    folder = default or first
    word = FIRST_WORD.match(order.prompt.lstrip()) if order.kind in WITH_WORDS else None
    if word is not None and word[1] in named:
        rest = order.prompt.lstrip()[word.end() :]
        return OrderPlace(named[word[1]], replace(order, prompt=rest))
    if not folder:
        return Refuse(NONE_SET)
    if word is not None and named:
        names = ", ".join(f"@{name}" for name in named)
        return Refuse(f"There is no workspace @{word[1]} here: {ORDER_PREFIX} {order.kind} takes {names}.")
    return OrderPlace(folder, order)
