"""`@dev` commands as people write them."""

import pytest

from bascule.core.relay.dev_commands import BadCommand, DevCommand, find_language, parse_message
from bascule.core.relay.replies import HELP, MAX_BYTES, TEXTS, cut_message, say_outcome
from bascule.model.consent.orders import OrderOutcome

UUID = "3f2504e0-4f89-11d3-9a0c-0305e82c3301"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("@dev help", DevCommand("help")),
        ("\ufeff@Builder\u200b @dev\u200b plan it", DevCommand("plan", prompt="it")),
        (f"@dev plan {'x' * 20_000}", BadCommand(is_long=True)),
        ("  @dev   status  ", DevCommand("status")),
        ("@DEV plan split module", DevCommand("plan", prompt="split module")),
        ("@dev patch fix login bug", DevCommand("patch", prompt="fix login bug")),
        ("@dev patch @site fix it", DevCommand("patch", prompt="@site fix it")),
        ("@dev apply cmd-123", DevCommand("apply", ref_id="cmd-123")),
        ("@dev test pnpm -r test", DevCommand("test", prompt="pnpm -r test")),
        ("@dev test", DevCommand("test")),
        ("@小助手 @dev 状态", DevCommand("status")),
        ("@dev：计划 拆分模块", DevCommand("plan", prompt="拆分模块")),
        ("@dev 计划：拆分模块", DevCommand("plan", prompt="拆分模块")),
        ("@dev 修复 登录", DevCommand("patch", prompt="修复 登录")),
        ("@dev 应用补丁 c_123", DevCommand("apply", ref_id="c_123")),
        ("@dev 请帮我跑一下测试", DevCommand("test")),
        ("@dev ヘルプ", DevCommand("help")),
        ("@dev 計画 ログインを直す", DevCommand("plan", prompt="ログインを直す")),
        ("@dev patch\nfix the login\nand more", DevCommand("patch", prompt="fix the login\nand more")),
        ("@dev测试", DevCommand("test")),
        ("@dev补丁：修复 login 页", DevCommand("patch", prompt="修复 login 页")),
        ("@devテスト", DevCommand("test")),
        ("@dev 请运行一下测试", DevCommand("test")),
        ("@dev 跑下测试 npm test", DevCommand("test", prompt="npm test")),
        ("@dev 有哪些命令", DevCommand("help")),
        ("@dev 怎么用？", DevCommand("help")),
        ("@dev 现在状态怎么样", DevCommand("status")),
        ("@dev 修复登录", DevCommand("patch", prompt="修复登录")),
        ("@dev 请帮我修改 README", DevCommand("patch", prompt="请帮我修改 README")),
        ("@dev 在 src/a.py 里加一个函数", DevCommand("patch", prompt="在 src/a.py 里加一个函数")),
        ("@dev 把 c-1a2b 应用一下", DevCommand("apply", ref_id="c-1a2b")),
        ("@dev 应用补丁：cmd-123。", DevCommand("apply", ref_id="cmd-123")),
        ("@dev apply the patch cmd-123, please", DevCommand("apply", ref_id="cmd-123")),
        (f"@dev apply patch {UUID}", DevCommand("apply", ref_id=UUID)),
        ("@dev apply it now", BadCommand("apply")),
        *(
            (f"@dev {said}", BadCommand("apply"))
            for said in (
                "别应用 c-1a2b",
                "不要应用 c-123",
                "先不应用 c-123",
                "不用应用 c-123",
                "请勿应用 c-123",
                "暂时不要把 c-123 应用",
                "c-123 を適用しないでください",
                "c-123は適用しません",
                "apply not c-123",
                "apply don't do c-123",
                "应用 不要 c-123",
                "取消应用 c-123",
            )
        ),
        ("@dev don't apply c-123", BadCommand()),
        ("＠dev status", DevCommand("status")),
        ("@bot ＠dev help", DevCommand("help")),
        ("@dev apply c-not-1", DevCommand("apply", ref_id="c-not-1")),
        ("@dev 今天天气怎么样", BadCommand()),
        ("@dev what does src/a.py do", BadCommand()),
        ("@dev.example.com help", None),
        ("@dev patch", BadCommand("patch")),
        ("@dev 计划", BadCommand("plan")),
        ("@dev apply", BadCommand("apply")),
        ("@dev apply ../../etc", BadCommand("apply")),
        ("@dev apply; rm -rf /", BadCommand()),
        ("@dev ask.answer yes", BadCommand()),
        ("@dev", BadCommand()),
        ("hello", None),
        ("@developer help", None),
    ],
)
def test_what_people_write(text: str, command: DevCommand | BadCommand | None) -> None:
    assert parse_message(text) == command


def test_in_a_direct_message_the_prefix_may_be_left_out() -> None:
    assert parse_message("测试一下", needs_prefix=False) == DevCommand("test")
    assert parse_message("hello", needs_prefix=False) == BadCommand()


def test_a_reply_is_in_the_senders_language_and_fits_one_message() -> None:
    assert [find_language(text) for text in ("fix it", "修复", "直して", "状態")] == [
        "en",
        "zh",
        "ja",
        "ja",
    ]
    assert all(set(texts) == {"en", "zh", "ja"} for texts in [HELP, *TEXTS.values()])
    assert len(cut_message("测" * 2_000).encode()) <= MAX_BYTES
    outcome = OrderOutcome(
        command_id="c-1", machine_id="m", status="ok", summary="a\u202eb\u200b\nsecond", created_at="x"
    )
    assert say_outcome(outcome, "zh").text == "完成 · c-1\na\\u202eb\\u200b\nsecond"
