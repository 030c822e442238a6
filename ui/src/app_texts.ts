// The texts of the layout.
import { makeTexts } from "./i18n/texts";

export const t = makeTexts({
  en: {
    skip: "Skip to input",
    skipLog: "Skip to session",
    session: "Session {title}",
    loading: "Opening…",
    closeSidebar: "Close session list",
    missing: "This session doesn't exist here.",
    missingWhy: "It was deleted, or the link is from another machine.",
    toHome: "Go to Home",
    toSearch: "Search sessions",
    overlayFailed: "Couldn't load this part of the page: {why}. Reload the page.",
  },
  ja: {
    skip: "入力欄へ移動",
    skipLog: "セッションへ移動",
    session: "セッション {title}",
    loading: "セッションを開いています…",
    closeSidebar: "セッション一覧を閉じる",
    missing: "このセッションはここにありません。",
    missingWhy: "削除されたか、リンクが別のマシンのものです。",
    toHome: "ホームへ",
    toSearch: "セッションを検索",
    overlayFailed: "ページの一部を読み込めませんでした: {why}。ページを再読み込みしてください。",
  },
  zh: {
    skip: "跳到输入框",
    skipLog: "跳到会话",
    session: "会话 {title}",
    loading: "正在打开会话…",
    closeSidebar: "关闭会话列表",
    missing: "此处没有这个会话。",
    missingWhy: "它可能已被删除，或者链接来自另一台机器。",
    toHome: "前往首页",
    toSearch: "搜索会话",
    overlayFailed: "无法加载页面的这一部分：{why}。请重新加载页面。",
  },
});
