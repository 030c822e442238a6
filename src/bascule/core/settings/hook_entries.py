"""The entries of our hooks in Claude's settings: added beside others, found, removed without a trace."""

import json
import shlex
from typing import Any, Literal, NamedTuple

from bascule.core.settings.json_spans import JsonNode, insert_last, parse_spans, remove_item, wrap_in_list
from bascule.core.watch.hook_lines import EVENTS
from bascule.core.watch.wsl import split_unc, to_inside
from bascule.model.asks import Refuse

MAX_SIZE = 8 * 1024 * 1024  # characters
SCRIPTS = ("bascule-notify.sh", "bascule-notify.ps1")  # the names of our runner, wherever it is

NO_JSON = (
    "It is not valid JSON ({why}), so nothing was changed. Claude reads no comments there either. "
    "Fix the file, then try again."
)
WRONG_SHAPE = "Its {what} is not an object, so nothing was changed. Fix it, then try again."
TWICE = 'It names "{key}" twice, so nothing was changed. Remove one of them, then try again.'
BY_HAND = (
    "It could not be changed without changing something else, so nothing was changed. Add the hooks by hand."
)

HooksState = Literal["installed", "partly", "absent"]


class HookRunner(NamedTuple):
    script: str  # the name of its file
    command: str  # as Claude's shell runs it
    is_inside_wsl: bool = False


def plan_runner(settings: str, folder: str, *, windows: bool) -> HookRunner:
    """For a Claude that reads those settings. One inside WSL runs the shell's script, by its path there."""
    shell, power = SCRIPTS
    if not windows:
        return HookRunner(shell, shlex.quote(f"{folder}/{shell}"))
    if split_unc(settings) is not None:
        return HookRunner(shell, shlex.quote(to_inside(f"{folder}\\{shell}")), is_inside_wsl=True)
    return HookRunner(power, f'powershell -NoProfile -ExecutionPolicy Bypass -File "{folder}\\{power}"')


def add_hooks(text: str, command: str) -> str | Refuse:
    """The same text when all of it is there already."""
    edited = text if text.strip() else "{}\n"
    for event in EVENTS:
        whole = _read(edited)
        if isinstance(whole, Refuse):
            return whole
        if not _has_command(whole.get("hooks", {}).get(event), command):
            edited = _add_one(edited, event, {"hooks": [{"type": "command", "command": command}]})
    return _checked(text, edited, lambda whole: _with_hooks(whole, command))


def remove_hooks(text: str) -> str | Refuse:
    """Ours only, whatever path they were installed under."""
    if not text.strip():
        return text
    whole = _read(text)
    if isinstance(whole, Refuse):
        return whole
    edited, found = text, True
    while found:
        edited, found = _remove_one(edited)
    return _checked(text, edited, _without_hooks)


def find_state(text: str) -> HooksState | Refuse:
    whole = _read(text if text.strip() else "{}")
    if isinstance(whole, Refuse):
        return whole
    found = [event for event in EVENTS if _has_ours(whole.get("hooks", {}).get(event))]
    return "installed" if len(found) == len(EVENTS) else "partly" if found else "absent"


def has_hooks_off(text: str) -> bool:
    """A switch of Claude's own turns off all hooks."""
    whole = _read(text if text.strip() else "{}")
    return isinstance(whole, dict) and whole.get("disableAllHooks") is True


def is_ours(command: object) -> bool:
    return isinstance(command, str) and any(name in command for name in SCRIPTS)


def _read(text: str) -> dict[str, Any] | Refuse:
    if len(text) > MAX_SIZE:
        return Refuse(f"It has more than {MAX_SIZE} characters, so nothing was changed.")
    twice: list[str] = []

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in found]
        twice.extend(key for key in ("hooks", *EVENTS) if keys.count(key) > 1)
        return dict(found)

    try:
        whole = json.loads(text, object_pairs_hook=pairs, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as broken:
        return Refuse(NO_JSON.format(why=str(broken)[:200]))
    if twice:
        return Refuse(TWICE.format(key=twice[0]))
    if not isinstance(whole, dict):
        return Refuse(WRONG_SHAPE.format(what="content"))
    if not isinstance(whole.get("hooks", {}), dict):
        return Refuse(WRONG_SHAPE.format(what='"hooks"'))
    return whole


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not a number in JSON")


def _commands(rules: object) -> list[object]:
    """Of every rule of one event, also where a lone rule is no list."""
    listed = rules if isinstance(rules, list) else [rules]
    hooks = [rule.get("hooks") for rule in listed if isinstance(rule, dict)]
    return [
        hook.get("command")
        for inner in hooks
        for hook in (inner if isinstance(inner, list) else [])
        if isinstance(hook, dict)
    ]


def _has_command(rules: object, command: str) -> bool:
    return command in _commands(rules)


def _has_ours(rules: object) -> bool:
    return any(is_ours(command) for command in _commands(rules))


def _add_one(text: str, event: str, rule: object) -> str:
    root = parse_spans(text)
    hooks = root.find("hooks")
    if hooks is None:
        return insert_last(text, root, {event: [rule]}, "hooks")
    rules = hooks.find(event)
    if rules is None:
        return insert_last(text, hooks, [rule], event)
    if rules.kind != "list":
        return _add_one(wrap_in_list(text, rules), event, rule)
    return insert_last(text, rules, rule)


def _remove_one(text: str) -> tuple[str, bool]:
    """One hook of ours, or what is left empty around it."""
    root = parse_spans(text)
    hooks = root.find("hooks")
    for (event, _), rules in zip(hooks.keys if hooks else [], hooks.items if hooks else [], strict=True):
        assert hooks is not None
        if event not in EVENTS:
            continue
        place = _find_ours(text, rules)
        if place is None:
            continue
        rule, index = place
        inner = rules.items[rule].find("hooks")
        assert inner is not None
        if len(inner.items) > 1:
            return remove_item(text, inner, index), True
        if len(rules.items) > 1:
            return remove_item(text, rules, rule), True
        if len(hooks.items) > 1:
            return remove_item(text, hooks, [key for key, _ in hooks.keys].index(event)), True
        return remove_item(text, root, [key for key, _ in root.keys].index("hooks")), True
    return text, False


def _find_ours(text: str, rules: JsonNode) -> tuple[int, int] | None:
    for rule, one in enumerate(rules.items if rules.kind == "list" else []):
        inner = one.find("hooks") if one.kind == "object" else None
        for index, hook in enumerate(inner.items if inner and inner.kind == "list" else []):
            command = hook.find("command") if hook.kind == "object" else None
            if command is not None and is_ours(json.loads(text[command.start : command.end])):
                return rule, index
    return None


def _with_hooks(whole: dict[str, Any], command: str) -> dict[str, Any]:
    """What the file must say afterwards, reckoned another way."""
    hooks = dict(whole.get("hooks", {}))
    for event in EVENTS:
        rules = hooks.get(event)
        if _has_command(rules, command):
            continue
        listed = rules if isinstance(rules, list) else [] if rules is None else [rules]
        hooks[event] = [*listed, {"hooks": [{"type": "command", "command": command}]}]
    return {**whole, "hooks": hooks}


def _without_hooks(whole: dict[str, Any]) -> dict[str, Any]:
    hooks = {event: _without_ours(event, rules) for event, rules in whole.get("hooks", {}).items()}
    kept = {event: rules for event, rules in hooks.items() if rules or not whole["hooks"][event]}
    rest = {key: value for key, value in whole.items() if key != "hooks"}
    return {**rest, "hooks": kept} if kept or (not whole.get("hooks") and "hooks" in whole) else rest


def _without_ours(event: str, rules: Any) -> Any:
    if event not in EVENTS or not isinstance(rules, list):
        return rules
    kept = []
    for rule in rules:
        inner = rule.get("hooks") if isinstance(rule, dict) else None
        if not isinstance(inner, list):
            kept.append(rule)
            continue
        others = [hook for hook in inner if not (isinstance(hook, dict) and is_ours(hook.get("command")))]
        if others or not inner:
            kept.append({**rule, "hooks": others})
    return kept


def _checked(before: str, after: str, wanted: Any) -> str | Refuse:
    """Read again: ours are as they should be, and everything else is as it was, in its order."""
    was = json.loads(before) if before.strip() else {}
    try:
        now = json.loads(after)
    except ValueError:
        return Refuse(BY_HAND)
    is_right = now == wanted(was) and [key for key in now if key in was] == [key for key in was if key in now]
    return after if is_right else Refuse(BY_HAND)
