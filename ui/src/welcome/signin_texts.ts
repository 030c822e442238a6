// The texts of the page before anybody is signed in.
import { makeTexts } from "../i18n/texts";

export const t = makeTexts({
  en: {
    title: "Sign in to Bascule",
    about: "This browser is not signed in to Bascule. In a terminal on this machine, run:",
    next: "It prints a link that works once, within five minutes. Open the link, or paste it here.",
    link: "Link from {command}",
    open: "Sign in",
    busy: "Signing in…",
    noLink: "This isn't a link from `{command}`. Those end with #token= and a code.",
    used: "This link has been used or has expired. Run `{command}` for a new one.",
    silent: "Bascule isn't responding. Start it with `{command}`.",
  },
  ja: {
    title: "Bascule にサインイン",
    about: "このブラウザーは Bascule にサインインしていません。このマシンの端末で次を実行してください。",
    next: "5 分間、一度だけ使えるリンクが表示されます。そのリンクを開くか、ここに貼り付けてください。",
    link: "{command} が表示したリンク",
    open: "サインイン",
    busy: "サインインしています…",
    noLink: "`{command}` のリンクではありません。末尾が #token= とコードのものを貼り付けてください。",
    used: "このリンクは使用済みか期限切れです。`{command}` を実行して新しいリンクを取得してください。",
    silent: "Bascule が応答しません。`{command}` で起動してください。",
  },
  zh: {
    title: "登录 Bascule",
    about: "此浏览器尚未登录 Bascule。请在这台机器的终端中运行：",
    next: "它会打印一个五分钟内有效、只能使用一次的链接。请打开该链接，或粘贴到这里。",
    link: "{command} 打印的链接",
    open: "登录",
    busy: "正在登录…",
    noLink: "这不是 `{command}` 打印的链接。链接应以 #token= 和一串代码结尾。",
    used: "此链接已被使用或已过期。请运行 `{command}` 获取新链接。",
    silent: "Bascule 没有响应。请用 `{command}` 启动。",
  },
});
