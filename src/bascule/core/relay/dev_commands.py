"""`@dev` commands out of a chat message, in English, Chinese and Japanese words."""

import re
from typing import Literal

from msgspec import Struct

from bascule.core.text.plain import plain_line
from bascule.model.consent.orders import OrderKind

Language = Literal["en", "zh", "ja"]

MAX_TEXT = 20_000  # characters of a message

NAME = r"[@＠]dev(?![A-Za-z0-9_.@-])"  # Chinese and Japanese words may follow at once
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff"  # joiners that chats put beside a mention, and that nobody sees
PREFIX = re.compile(rf"{NAME}[\s:：,，{UNSEEN}]*", re.IGNORECASE)
MENTION = re.compile(
    rf"[@＠]\S+[\s{UNSEEN}]+(?={NAME})", re.IGNORECASE
)  # a group's mention of the bot comes before it
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
POLITE = r"(?:请帮我|麻烦帮我|请|麻烦|帮我)"
CHANGE, COMMAND = f"(?:{'|'.join(sorted(PATCH_VERBS))})", "(?:命令|指令)"
# What people write instead of a command, in Chinese.
TESTING = re.compile(
    rf"{POLITE}?(?:(?:运行|执行|跑)(?:一下|下)?)?(?:跑测|测试)(?:一下|下)?[。！!]?(?:\s+(?P<command>.*))?",
    re.DOTALL,
)
HELPING = re.compile(
    rf"怎么用|使用说明|{COMMAND}.*(?:支持|可用|哪些|什么|列表)|(?:支持|可用|哪些|什么).*{COMMAND}"
)
CHANGING = re.compile(rf"{POLITE}?{CHANGE}\S")
TARGET = re.compile(rf"{CHANGE}.*(?:文件|代码|README|文档|配置|脚本)", re.IGNORECASE)
FILE = re.compile(r"(?<![\w/.-])[\w-][\w./-]*\.[A-Za-z]\w{0,7}(?![\w/.-])", re.ASCII)
APPLYING = re.compile(r"应用|执行补丁|合并补丁|打补丁|打上补丁|適用")
# One of these beside `apply` may mean the opposite.
NEGATED = re.compile(
    r"[不别勿未没无甭莫]|取消|撤|停止|しない|せず|ないで|ません|やめ|中止|キャンセル"
    r"|\b(?:do\s?n[o'’]?t|not|never|no|cancel|stop|without|undo)\b",
    re.IGNORECASE,
)
UUID = re.compile(r"(?<![\w.:-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w.:-])", re.IGNORECASE)
REF = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{2,199}")
REF_INSIDE = re.compile(r"(?<![\w.:/-])(?=[\w.]*[-_:])[A-Za-z0-9][A-Za-z0-9._:-]{2,199}(?![\w/])", re.ASCII)
KANA = re.compile(r"[\u3040-\u30ff]|状態|計画|適用")  # these are not written so in Chinese
HAN = re.compile(r"[\u4e00-\u9fff]")


class DevCommand(Struct, frozen=True):
    kind: OrderKind
    prompt: str = ""
    ref_id: str = ""


class BadCommand(Struct, frozen=True):
    """It is for us, and cannot be carried out; `kind` where that much is clear."""

    kind: OrderKind | None = None
    is_long: bool = False


def find_language(text: str) -> Language:
    if KANA.search(text):
        return "ja"
    return "zh" if HAN.search(text) else "en"


def parse_message(text: str, *, needs_prefix: bool = True) -> DevCommand | BadCommand | None:
    """None: it is not for us. In a direct message to the bot the prefix may be left out."""
    text = MENTION.sub("", text.strip().lstrip(UNSEEN), count=1)
    prefix = PREFIX.match(text)
    if prefix is None and needs_prefix:
        return None
    body = (text[prefix.end() :] if prefix is not None else text).strip()
    if not body or len(body) > MAX_TEXT:
        return BadCommand(is_long=bool(body))
    return _parse_body(body)


def _parse_body(body: str) -> DevCommand | BadCommand:
    first, rest = _split(body)
    word = first.strip(EDGES).lower()
    if word in PATCH_VERBS:
        return DevCommand("patch", prompt=body) if rest else BadCommand("patch")
    kind = next((kind for kind, words in WORDS.items() if word in words), None)
    match kind:
        case None:
            return _parse_chinese(body) if HAN.search(body) else BadCommand()
        case "help" | "status":
            return DevCommand(kind)
        case "test":
            return DevCommand(kind, prompt=plain_line(rest))
        case "plan" | "patch":
            return DevCommand(kind, prompt=rest) if rest else BadCommand(kind)
        case "apply":
            ref = "" if NEGATED.search(_without_ids(rest)) else _find_ref(rest)
            return DevCommand(kind, ref_id=ref) if ref else BadCommand(kind)


def _split(body: str) -> tuple[str, str]:
    """The first word ends at any white space, or at a colon as people type it."""
    found = re.fullmatch(r"([^\s:：]+)[\s:：]*(.*)", body, re.DOTALL)
    return (found[1], found[2].strip()) if found is not None else (body, "")


def _find_ref(text: str) -> str:
    """Of the words after `apply`: an id among them, or the only word."""
    if (known := UUID.search(text) or REF_INSIDE.search(text)) is not None:
        return known[0].rstrip(EDGES)
    words = text.split()
    only = REF.fullmatch(words[0].strip(EDGES)) if len(words) == 1 else None
    return only[0] if only is not None else ""


def _without_ids(text: str) -> str:
    return REF_INSIDE.sub(" ", UUID.sub(" ", text))


def _parse_chinese(body: str) -> DevCommand | BadCommand:
    """A sentence that says what is wanted."""
    if APPLYING.search(body) and (ref := _find_ref(body)):
        return BadCommand("apply") if NEGATED.search(_without_ids(body)) else DevCommand("apply", ref_id=ref)
    if HELPING.search(body):
        return DevCommand("help")
    if (test := TESTING.fullmatch(body)) is not None:
        return DevCommand("test", prompt=plain_line(test["command"] or ""))
    if CHANGING.match(body) or TARGET.search(body) or FILE.search(body):
        return DevCommand("patch", prompt=body)
    return DevCommand("status") if "状态" in body else BadCommand()
