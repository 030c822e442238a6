"""What the relay says in the chat: short, in the sender's language, within the platform's limits."""

import re

from msgspec import Struct

from bascule.core.relay.dev_commands import Language
from bascule.core.text.visible import visible
from bascule.model.consent.orders import OrderEnd, OrderOutcome

MAX_BYTES = 2_048  # of one message of WeCom, in UTF-8
MAX_LINES = 20

HELP: dict[Language, str] = {
    "en": "@dev help: this list\n@dev status: what the machine is doing\n@dev plan PROMPT: a plan\n"
    "@dev patch PROMPT: a diff, not written\n@dev apply ID: write that diff, after a yes at the machine\n"
    "@dev test [COMMAND]: run the tests, after a yes at the machine",
    "zh": "@dev help：这份列表\n@dev status：机器在做什么\n@dev plan 需求：一份计划\n"
    "@dev patch 需求：一份差异，不会写入\n@dev apply 编号：在机器上确认后写入该差异\n"
    "@dev test [命令]：在机器上确认后运行测试",
    "ja": "@dev help：この一覧\n@dev status：マシンの状態\n@dev plan 内容：計画\n"
    "@dev patch 内容：差分（書き込みません）\n@dev apply ID：マシンで確認したあとに書き込みます\n"
    "@dev test [コマンド]：マシンで確認したあとにテストを実行します",
}
TEXTS: dict[str, dict[Language, str]] = {
    "taken": {
        "en": "Sent to {machine}. Order {id}.",
        "zh": "已发送到 {machine}，编号 {id}。",
        "ja": "{machine} に送りました。番号は {id} です。",
    },
    "needs_yes": {
        "en": "Sent to {machine}: somebody there has to confirm it. Order {id}.",
        "zh": "已发送到 {machine}，需要有人在那台机器上确认。编号 {id}。",
        "ja": "{machine} に送りました。そのマシンでの確認が必要です。番号は {id} です。",
    },
    "working": {
        "en": "{machine} is working on it.",
        "zh": "{machine} 正在处理。",
        "ja": "{machine} が作業中です。",
    },
    "in_line": {
        "en": "{machine} carries out other orders first.",
        "zh": "{machine} 正在处理其他指令，请等候。",
        "ja": "{machine} は先に別の依頼を処理しています。",
    },
    "asks": {
        "en": "Order {id} is waiting for a yes at {machine}.",
        "zh": "指令 {id} 正在 {machine} 上等待确认。",
        "ja": "依頼 {id} は {machine} での確認を待っています。",
    },
    "asks_again": {
        "en": "Order {id} is waiting for a yes at {machine} (question {number}).",
        "zh": "指令 {id} 正在 {machine} 上等待确认（第 {number} 个问题）。",
        "ja": "依頼 {id} は {machine} での確認を待っています（{number} 件目の質問）。",
    },
    "waiting": {
        "en": "Still waiting after {minutes} minutes.",
        "zh": "已等待 {minutes} 分钟，仍在进行。",
        "ja": "{minutes} 分経過、まだ待っています。",
    },
    "follows": {
        "en": "Order {id} takes longer. Its result follows as a message of its own.",
        "zh": "指令 {id} 需要更长时间，结果会另行发送。",
        "ja": "依頼 {id} は時間がかかっています。結果は別のメッセージで送ります。",
    },
    "elsewhere": {
        "en": "The result of order {id} is in another message here.",
        "zh": "指令 {id} 的结果在这里的另一条消息中。",
        "ja": "依頼 {id} の結果は、ここの別のメッセージにあります。",
    },
    "away": {
        "en": "{machine} is not connected. The order waits for it. Order {id}.",
        "zh": "{machine} 未连接，指令会等它上线。编号 {id}。",
        "ja": "{machine} は接続されていません。接続を待ちます。番号は {id} です。",
    },
    "full": {
        "en": "Too many orders wait for {machine}. Try again later.",
        "zh": "等待 {machine} 的指令太多，请稍后再试。",
        "ja": "{machine} を待つ依頼が多すぎます。あとで試してください。",
    },
    "not_allowed": {
        "en": "You are not on the list of this relay. Ask the person who runs it.",
        "zh": "你不在此中继的名单上，请联系管理员。",
        "ja": "この中継のリストに登録されていません。管理者に連絡してください。",
    },
    "too_many": {
        "en": "Too many messages. Wait a minute.",
        "zh": "消息太多，请等一分钟。",
        "ja": "メッセージが多すぎます。1 分待ってください。",
    },
    "repeated": {
        "en": "This was sent a moment ago, so it is not done twice.",
        "zh": "刚刚已发送过，不会重复执行。",
        "ja": "直前に同じものが送られたので、二度は行いません。",
    },
    "unfit": {
        "en": "This message can't be taken: its id or its sender's is too long, or no single plain line.",
        "zh": "无法接收此消息：消息编号或发送者编号太长，或含有不可见字符。",
        "ja": "このメッセージは受け取れません。"
        "メッセージか送信者の ID が長すぎるか、1 行の文字列ではありません。",
    },
    "not_stored": {
        "en": "The relay can't store anything right now. Send it again in a few minutes.",
        "zh": "中继暂时无法保存消息，请过几分钟再发。",
        "ja": "中継は今、何も保存できません。数分後にもう一度送ってください。",
    },
    "bad": {
        "en": "I don't understand that. Try one of these:",
        "zh": "无法理解，请用以下命令：",
        "ja": "わかりません。次のどれかを使ってください：",
    },
    "bad_long": {
        "en": "This is too long: at most {most} characters.",
        "zh": "内容太长：最多 {most} 个字符。",
        "ja": "長すぎます。最大 {most} 文字です。",
    },
    "bad_plan": {
        "en": "Say what you want: @dev plan PROMPT",
        "zh": "请写明需求：@dev plan 需求",
        "ja": "内容を書いてください：@dev plan 内容",
    },
    "bad_patch": {
        "en": "Say what you want: @dev patch PROMPT",
        "zh": "请写明需求：@dev patch 需求",
        "ja": "内容を書いてください：@dev patch 内容",
    },
    "bad_apply": {
        "en": "Name the patch: @dev apply ID",
        "zh": "请写明补丁编号：@dev apply 编号",
        "ja": "パッチの番号を書いてください：@dev apply ID",
    },
    "text_only": {
        "en": "I read text only. @dev help lists what I can do.",
        "zh": "我只能读文字。发送 @dev help 查看用法。",
        "ja": "文字だけ読めます。@dev help で使い方を見られます。",
    },
    "attached": {
        "en": "All of it is in the attached file.",
        "zh": "全文见附件。",
        "ja": "全文は添付ファイルにあります。",
    },
    "lost": {
        "en": "{machine} did not answer in time. What it did is in its own record.",
        "zh": "{machine} 没有及时答复。它做了什么，请查看那台机器上的记录。",
        "ja": "{machine} から時間内に返事がありませんでした。何をしたかは、そのマシンの記録にあります。",
    },
    "revoked": {
        "en": "{machine} takes no more orders: it was revoked, or left. Ask the person who runs this relay.",
        "zh": "{machine} 不再接收指令：已被撤销或已退出。请联系管理员。",
        "ja": "{machine} は依頼を受け付けません（取り消し済みか離脱済み）。管理者に連絡してください。",
    },
    "ended_by_leaving": {
        "en": "{machine} left this relay, so this order ends here. If {machine} had it already, its own "
        "record says what was done.",
        "zh": "{machine} 已退出此中继，指令到此结束。如果它此前已收到，请查看那台机器上的记录。",
        "ja": "{machine} がこの中継から離れたため、この依頼はここで終わりです。"
        "すでに届いていた場合は、そのマシンの記録を見てください。",
    },
    "ended_by_revoking": {
        "en": "{machine} was revoked, so this order ends here. If {machine} had it already, its own record "
        "says what was done.",
        "zh": "{machine} 已被撤销，指令到此结束。如果它此前已收到，请查看那台机器上的记录。",
        "ja": "{machine} が取り消されたため、この依頼はここで終わりです。"
        "すでに届いていた場合は、そのマシンの記録を見てください。",
    },
    "cancelled_away": {
        "en": "It was cancelled while {machine} was not connected, and is not sent there again. If {machine} "
        "had it already, its own record says what was done.",
        "zh": "已在 {machine} 未连接时取消，不会再发送。如果它此前已收到，请查看那台机器上的记录。",
        "ja": "{machine} が接続されていない間に取り消されたため、もう送りません。"
        "すでに届いていた場合は、そのマシンの記録を見てください。",
    },
}
ENDS: dict[OrderEnd, dict[Language, str]] = {
    "ok": {"en": "Done", "zh": "完成", "ja": "完了"},
    "error": {"en": "Failed", "zh": "失败", "ja": "失敗"},
    "rejected": {"en": "Rejected", "zh": "已拒绝", "ja": "却下"},
    "cancelled": {"en": "Cancelled", "zh": "已取消", "ja": "取り消し"},
}
END_WORDS = "|".join(word for words in ENDS.values() for word in words.values())
DOTS = "·‧・･•∙⋅․᛫⸱"  # those that look like ours
# Behind whatever a chat draws as a heading, a list or emphasis, and without it.
OTHER_HEAD = re.compile(rf"[\W_]*(?:{END_WORDS})[^\w{DOTS}]*[{DOTS}]", re.IGNORECASE)
# What chats draw, each begun by two characters that a blank takes apart: links and their definitions in
# Markdown; tags of HTML, links in angle brackets, mentions of WeCom and Slack; mentions of everybody.
LINK, TAG = re.compile(r"\](?=[(\[:])"), re.compile(r"<(?=[^\s<=\d])")
EVERYBODY = re.compile(r"([@＠])(?=all\b|here\b|channel\b|everyone\b|所有人|全員)", re.IGNORECASE)


def say(name: str, language: Language, **parts: str) -> str:
    return TEXTS[name][language].format(**parts)


def say_ask(command_id: str, machine: str, number: int, language: Language) -> str:
    """Each question in words of its own: WeCom shows the same text once."""
    name = "asks" if number == 1 else "asks_again"
    return say(name, language, id=command_id, machine=machine, number=str(number))


class ReplyFile(Struct, frozen=True):
    """What one message can't hold."""

    name: str
    text: str


class ChatReply(Struct, frozen=True):
    text: str
    file: ReplyFile | None = None


def say_outcome(outcome: OrderOutcome, language: Language, *, with_file: bool = True) -> ChatReply:
    """A summary, never the diff itself: hidden characters made visible, cut to what one message holds.

    Where that leaves something out, a file has all of it."""
    head = f"{ENDS[outcome.status][language]} · {outcome.command_id}"
    whole = "\n".join([head, visible(outcome.summary, keep="\n\t")])
    lines = [head, *map(_say_line, visible(outcome.summary, keep="\n\t").split("\n"))]
    shown = "\n".join(lines)
    if len(lines) <= MAX_LINES + 1 and len(shown.encode("utf-8", "replace")) <= MAX_BYTES:
        return ChatReply(shown)
    short = "\n".join([*lines[: MAX_LINES + 1], *(["…"] if len(lines) > MAX_LINES + 1 else [])])
    if not with_file:
        return ChatReply(cut_message(short))
    note = f"\n{say('attached', language)}"
    text = cut_message(short, MAX_BYTES - len(note.encode())) + note
    return ChatReply(text, ReplyFile(f"{outcome.command_id}.txt", whole))


def _say_line(line: str) -> str:
    """Of an agent's words: a line that looks like the head of an outcome is quoted, and what a chat would
    draw as a link, a picture or a mention is shown as it is written, in every chat."""
    plain = EVERYBODY.sub(r"\1 ", LINK.sub("] ", TAG.sub("< ", line)))
    return f"> {plain}" if OTHER_HEAD.match(plain) else plain


def cut_message(text: str, most: int = MAX_BYTES) -> str:
    data = text.encode("utf-8", "replace")
    if len(data) <= most:
        return data.decode()
    return data[: most - len("…".encode())].decode("utf-8", "ignore") + "…"
