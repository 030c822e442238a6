"""Where each value of a JSON text is, so that a value can be added or removed and every other byte stays."""

import json
from dataclasses import dataclass, field

from bascule.core.settings.jsonc import JSONC_TOKEN

OPENS = {"{": "object", "[": "list"}


@dataclass
class JsonNode:
    """A value in its place. Of an object `keys` name its `items`."""

    kind: str  # object, list, or plain
    start: int
    end: int = 0
    items: list["JsonNode"] = field(default_factory=list)
    keys: list[tuple[str, int]] = field(default_factory=list)  # with the place of each

    def find(self, key: str) -> "JsonNode | None":
        return next(
            (item for (name, _), item in zip(self.keys, self.items, strict=True) if name == key), None
        )


def parse_spans(text: str) -> JsonNode:
    """Of a text that `json.loads` takes."""
    root = JsonNode("list", 0)
    open_nodes, key = [root], None
    for token in JSONC_TOKEN.finditer(text):
        piece, inside = token[0], open_nodes[-1]
        if piece in ("}", "]"):
            open_nodes.pop().end = token.end()
        elif piece in (",", ":"):
            continue
        elif inside.kind == "object" and key is None:
            key = (json.loads(piece), token.start())
        else:
            if key is not None:
                inside.keys.append(key)
                key = None
            node = JsonNode(OPENS.get(piece, "plain"), token.start(), token.end())
            inside.items.append(node)
            if piece in OPENS:
                open_nodes.append(node)
    return root.items[0]


def insert_last(text: str, inside: JsonNode, value: object, key: str | None = None) -> str:
    """A new last member, laid out as its neighbours are."""
    newline = "\r\n" if "\r\n" in text else "\n"
    member_at = _member_start(inside, len(inside.items) - 1) if inside.items else inside.start
    step = _find_step(text)
    if "\n" not in text and (text.strip() not in ("{}", "")):
        said = json.dumps(value, ensure_ascii=False)
        named = f"{json.dumps(key)}: {said}" if key is not None else said
        at = inside.items[-1].end if inside.items else inside.start + 1
        return text[:at] + (", " if inside.items else "") + named + text[at:]
    outer = _indent_at(text, inside.start)
    own = _indent_at(text, member_at) if inside.items and _is_first_on_line(text, member_at) else outer + step
    said = json.dumps(value, ensure_ascii=False, indent=step).replace("\n", newline + own)
    named = f"{json.dumps(key)}: {said}" if key is not None else said
    if inside.items:
        at = inside.items[-1].end
        return f"{text[:at]},{newline}{own}{named}{text[at:]}"
    return f"{text[: inside.start + 1]}{newline}{own}{named}{newline}{outer}{text[inside.end - 1 :]}"


def wrap_in_list(text: str, node: JsonNode) -> str:
    """A value that should be a list becomes its one item; null becomes an empty one."""
    said = text[node.start : node.end]
    return text[: node.start] + ("[]" if said == "null" else f"[{said}]") + text[node.end :]


def remove_item(text: str, inside: JsonNode, index: int) -> str:
    """With its comma, and with its line where it had one of its own."""
    start, end = _member_start(inside, index), inside.items[index].end
    if len(inside.items) == 1:
        return text[: inside.start + 1] + text[inside.end - 1 :]
    if index < len(inside.items) - 1:
        return text[:start] + text[_member_start(inside, index + 1) :]
    return text[: inside.items[index - 1].end] + text[end:]


def _member_start(inside: JsonNode, index: int) -> int:
    return inside.keys[index][1] if inside.kind == "object" else inside.items[index].start


def _find_step(text: str) -> str:
    """What one level is indented by, as the first indented line shows."""
    for line in text.splitlines()[1:]:
        bare = line.lstrip(" \t")
        if bare and bare != line:
            return line[: len(line) - len(bare)]
    return "  "


def _indent_at(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _is_first_on_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()
