// The texts of this folder.
import { makeTexts } from "../i18n/texts";

export const t = makeTexts({
  en: {
    log: "Conversation",
    jump: "Jump to latest",
    fresh_one: "1 new",
    fresh: "{count} new",
    earlier: "Load earlier",
    loading: "Loading…",
    dropped: "{count} older blocks are no longer kept.",
    empty: "Nothing here yet.",
    emptyHint: "Describe what you want done. Type @ to mention a file or / for commands.",
    said: "The agent said: {text}",
    erred: "Error: {text}",
  },
  ja: {
    log: "会話",
    jump: "最新へ移動",
    fresh_one: "新着 1 件",
    fresh: "新着 {count} 件",
    earlier: "以前のものを読み込む",
    loading: "読み込み中…",
    dropped: "これより古い {count} ブロックは保持されていません。",
    empty: "まだ何もありません。",
    emptyHint: "してほしいことを入力してください。@ でファイル、/ でコマンドを選べます。",
    said: "エージェント: {text}",
    erred: "エラー: {text}",
  },
  zh: {
    log: "对话",
    jump: "跳到最新",
    fresh_one: "1 条新内容",
    fresh: "{count} 条新内容",
    earlier: "加载更早的内容",
    loading: "加载中…",
    dropped: "更早的 {count} 个块已不再保留。",
    empty: "这里还没有内容。",
    emptyHint: "描述你想做的事。输入 @ 提及文件，输入 / 选择命令。",
    said: "智能体说：{text}",
    erred: "错误：{text}",
  },
});
