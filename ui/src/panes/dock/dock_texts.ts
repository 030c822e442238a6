// The few texts of the terminals' button and dock that come with the page.
import { makeTexts } from "../../i18n/texts";

export const t = makeTexts({
  en: {
    terminals: "Terminals",
    show: "Show terminals (Ctrl+`)",
    hide: "Hide terminals (Ctrl+`)",
    loading: "Loading…",
    close: "Close",
  },
  ja: {
    terminals: "ターミナル",
    show: "ターミナルを表示 (Ctrl+`)",
    hide: "ターミナルを隠す (Ctrl+`)",
    loading: "読み込み中…",
    close: "閉じる",
  },
  zh: {
    terminals: "终端",
    show: "显示终端 (Ctrl+`)",
    hide: "隐藏终端 (Ctrl+`)",
    loading: "正在加载…",
    close: "关闭",
  },
});
