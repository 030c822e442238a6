"""`@dev` commands out of a chat message, in English, Chinese and Japanese words."""

import re
from typing import Literal

from msgspec import Struct

from bascule.core.text.plain import plain_line
from bascule.model.consent.orders import OrderKind

Language = Literal["en", "zh", "ja"]

MAX_TEXT = 20_000  # characters of a message

PREFIX = re.compile(r"@dev\b[\s:：]*", re.IGNORECASE)
MENTION = re.compile(r"@\S+\s+(?=@dev\b)", re.IGNORECASE)  # a group's mention of the bot comes before it
EDGES = "：:，,。.！!？?、"
WORDS: dict[OrderKind, frozenset[str]] = {
    "help": frozenset(["help", "帮助", "帮忙", "说明", "用法", "命令列表", "指令列表", "ヘルプ", "使い方"]),
    "status": frozenset(
        ["status", "health", "状态", "运行状态", "在线状态", "健康检查", "状態", "ステータス"]
    ),
    "test": frozenset(["test", "测试", "跑测", "跑测试", "运行测试", "执行测试", "テスト"]),
    "plan": frozenset(["plan", "计划", "规划", "方案", "計画", "プラン"]),
    "patch": frozenset(["patch", "补丁", "パッチ"]),
    "apply": frozenset(["apply", "应用", "应用补丁", "执行补丁", "合并补丁", "打补丁", "適用"]),
}
# Words that say what is wanted: they belong to the prompt.
PATCH_VERBS = frozenset(["修改", "修复", "优化", "调整", "新增", "追加", "修正", "追加して", "直して"])
POLITE = re.compile(r"^(?:请帮我|请|麻烦|帮我)?(?:运行|执行|跑一下|跑下|跑)?(?:测试)(?:一下|下)?$")
REF = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{2,199}")
KANA = re.compile(r"[\u3040-\u30ff]")
HAN = re.compile(r"[\u4e00-\u9fff]")


class DevCommand(Struct, frozen=True):
    kind: OrderKind
    prompt: str = ""
    ref_id: str = ""


class BadCommand(Struct, frozen=True):
    """It is for us, and cannot be carried out; `kind` where that much is clear."""

    kind: OrderKind | None = None


def find_language(text: str) -> Language:
    if KANA.search(text):
        return "ja"
    return "zh" if HAN.search(text) else "en"


def parse_message(text: str, *, needs_prefix: bool = True) -> DevCommand | BadCommand | None:
    """None: it is not for us. In a direct message to the bot the prefix may be left out."""
    text = MENTION.sub("", text.strip(), count=1)
    prefix = PREFIX.match(text)
    if prefix is None and needs_prefix:
        return None
    body = (text[prefix.end() :] if prefix is not None else text).strip()
    if not body or len(body) > MAX_TEXT:
        return BadCommand()
    return _parse_body(body)


def _parse_body(body: str) -> DevCommand | BadCommand:
    first, _, rest = body.partition(" ") if " " in body else _split(body)
    word, payload = first.strip(EDGES).lower(), rest.strip()
    if POLITE.fullmatch(body):
        return DevCommand("test")
    if word in PATCH_VERBS:
        return DevCommand("patch", prompt=body) if payload else BadCommand("patch")
    kind = next((kind for kind, words in WORDS.items() if word in words), None)
    match kind:
        case None:
            return BadCommand()
        case "help" | "status":
            return DevCommand(kind)
        case "test":
            return DevCommand(kind, prompt=plain_line(payload))
        case "plan" | "patch":
            return DevCommand(kind, prompt=payload) if payload else BadCommand(kind)
        case "apply":
            ref = REF.fullmatch(payload.split()[0].strip(EDGES)) if payload else None
            return DevCommand(kind, ref_id=ref[0]) if ref is not None else BadCommand(kind)


def _split(body: str) -> tuple[str, str, str]:
    """The first word ends at any white space, or at a colon as people type it."""
    found = re.match(r"([^\s:：]+)[\s:：]*(.*)", body, re.DOTALL)
    return (found[1], " ", found[2]) if found is not None else (body, "", "")
