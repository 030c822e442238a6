"""One key of a TOML settings file set or removed; comments, order and every other line stay as they are."""

import tomllib
from collections.abc import MutableMapping
from typing import TYPE_CHECKING

from bascule.model.asks import Refuse

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

BY_HAND = "It is written in a way that cannot be changed safely from here. Change it by hand."


def set_toml(text: str, key: str, value: object | None) -> str | Refuse:
    """None removes the key."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        _set(document, key.split("."), value)
        edited = _same_newlines(text, tomlkit.dumps(document))
        return edited if tomllib.loads(edited) == _expected(text, key, value) else Refuse(BY_HAND)
    except (TOMLKitError, tomllib.TOMLDecodeError, TypeError):
        return Refuse(BY_HAND)


def _set(document: "TOMLDocument", path: list[str], value: object | None) -> None:
    import tomlkit

    *groups, name = path
    table: MutableMapping[str, object] = document
    for group in groups:
        if group not in table:
            if value is None:
                return
            table[group] = tomlkit.table()
        inner = table[group]
        if not isinstance(inner, MutableMapping):
            raise TypeError(f"{group} is not a table")
        table = inner
    if value is not None:
        table[name] = value
    elif name in table:
        del table[name]


def _same_newlines(text: str, edited: str) -> str:
    """tomlkit ends the lines that it adds with a line feed."""
    if "\n" not in text or "\n" in text.replace("\r\n", ""):
        return edited
    return edited.replace("\r\n", "\n").replace("\n", "\r\n")


def _expected(text: str, key: str, value: object | None) -> dict[str, object]:
    """What the file must say afterwards: this key changed, and nothing else."""
    whole = tomllib.loads(text)
    *groups, name = key.split(".")
    table = whole
    for group in groups:
        table = table.setdefault(group, {}) if value is not None else table.get(group, {})
    if value is None:
        table.pop(name, None)
    else:
        table[name] = list(value) if isinstance(value, tuple) else value
    return whole
