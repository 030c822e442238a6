// The texts of the layout.
import { makeTexts } from "./i18n/texts";

export const t = makeTexts({
  en: {
    skip: "Skip to input",
    skipLog: "Skip to session",
    session: "Session {title}",
    loading: "Opening…",
    closeSidebar: "Close session list",
    overlayFailed: "Couldn't load this part of the page: {why}. Reload the page.",
  },
  ja: {
    skip: "入力欄へ移動",
    skipLog: "セッションへ移動",
    session: "セッション {title}",
    loading: "セッションを開いています…",
    closeSidebar: "セッション一覧を閉じる",
    overlayFailed: "ページの一部を読み込めませんでした: {why}。ページを再読み込みしてください。",
  },
  zh: {
    skip: "跳到输入框",
    skipLog: "跳到会话",
    session: "会话 {title}",
    loading: "正在打开会话…",
    closeSidebar: "关闭会话列表",
    overlayFailed: "无法加载页面的这一部分：{why}。请重新加载页面。",
  },
});
