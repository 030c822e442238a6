"""Headers of one file in a diff that contradict each other."""

from bascule.core.diff.read.names import NOWHERE, HeaderName
from bascule.core.diff.refusal import AGAIN, refusal
from bascule.core.text.visible import quoted

KINDS = (
    ("new", "added_mode"),
    ("deleted", "deleted_mode"),
    ("renamed", "rename_from"),
    ("copied", "copy_from"),
)
# What is there on both sides, or on all but one.
PRESENT = (
    ("added_mode", "new", "---"),
    ("deleted_mode", "deleted", "+++"),
    ("rename_from", "renamed", ""),
    ("copy_from", "copied", ""),
    ("old_mode", "changed in its mode", ""),
)
PAIRED = (("rename_from", "rename_to"), ("copy_from", "copy_to"), ("old_mode", "new_mode"))


def check_consistent(
    said: dict[str, str], old: HeaderName | None, new: HeaderName | None, number: int
) -> None:
    """A file is new, deleted, renamed or copied: one of them."""
    kinds = [kind for kind, header in KINDS if header in said]
    if len(kinds) > 1:
        raise refusal(
            f"the headers at line {number} of the diff say that a file is {kinds[0]} and "
            f"that it is {kinds[1]}. {AGAIN}"
        )
    for header, kind, name, side in (
        ("added_mode", "new", old, "---"),
        ("deleted_mode", "deleted", new, "+++"),
    ):
        if header in said and name is not None and not name.is_nowhere:
            raise refusal(
                f"the headers at line {number} of the diff say that a file is {kind}, and "
                f"`{side}` names {quoted(name.name)} instead of {NOWHERE}. {AGAIN}"
            )
    for side, name in (("---", old), ("+++", new)):
        found = [word for header, word, absent in PRESENT if header in said and side != absent]
        if found and name is not None and name.is_nowhere:
            raise refusal(
                f"the headers at line {number} of the diff say that a file is {found[0]}, and "
                f"`{side}` names {NOWHERE}. {AGAIN}"
            )
    for one, other in PAIRED:
        if (one in said) != (other in said):
            there, missing = (one, other) if one in said else (other, one)
            raise refusal(
                f"the headers at line {number} of the diff have `{there.replace('_', ' ')}` "
                f"and no `{missing.replace('_', ' ')}`. {AGAIN}"
            )

    if "old_mode" in said and said["old_mode"] == said["new_mode"]:
        raise refusal(
            f"the headers at line {number} of the diff change the mode from {said['old_mode']} to "
            f"the same. {AGAIN}"
        )
