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
    dropped: "{count} older blocks are no longer kept here.",
    empty: "Nothing has been said yet.",
    emptyHint: "Write below what you want done. @ names a file, / shows the commands.",
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
    dropped: "これより古い {count} ブロックはここに保持されていません。",
    empty: "まだ何も話していません。",
    emptyHint: "してほしいことを下に書いてください。@ でファイル、/ でコマンドを選べます。",
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
    empty: "还没有任何对话。",
    emptyHint: "在下方写下你想做的事。@ 指定文件，/ 显示命令。",
    said: "智能体说：{text}",
    erred: "错误：{text}",
  },
});
