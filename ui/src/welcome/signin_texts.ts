// The texts of the page before anybody is signed in.
import { makeTexts } from "../i18n/texts";

export const t = makeTexts({
  en: {
    title: "Sign in to Bascule",
    about: "This browser is not signed in to Bascule. In a terminal on this machine, run:",
    next: "It prints a link that works once, for five minutes. Open that link, or paste it here.",
    link: "Link from bascule up",
    open: "Sign in",
    noLink: "This is not a link from `bascule up`. It ends with #token= and some letters.",
    used: "This link was used, or is older than five minutes. `bascule up` prints a new one.",
    silent: "Bascule does not answer. `bascule up` starts it.",
  },
  ja: {
    title: "Bascule にサインイン",
    about: "このブラウザーは Bascule にサインインしていません。このマシンの端末で次を実行してください。",
    next: "五分間、一度だけ使えるリンクが表示されます。そのリンクを開くか、ここに貼り付けてください。",
    link: "bascule up が表示したリンク",
    open: "サインイン",
    noLink: "`bascule up` のリンクではありません。末尾は #token= と文字列です。",
    used: "このリンクは使用済みか、五分を過ぎています。`bascule up` で新しいリンクを表示できます。",
    silent: "Bascule が応答しません。`bascule up` で起動できます。",
  },
  zh: {
    title: "登录 Bascule",
    about: "此浏览器尚未登录 Bascule。请在这台机器的终端中运行：",
    next: "它会打印一个五分钟内有效、只能使用一次的链接。请打开该链接，或粘贴到这里。",
    link: "bascule up 打印的链接",
    open: "登录",
    noLink: "这不是 `bascule up` 打印的链接。它以 #token= 和一串字符结尾。",
    used: "此链接已被使用，或已超过五分钟。用 `bascule up` 可以打印新的链接。",
    silent: "Bascule 没有应答。用 `bascule up` 可以启动。",
  },
});
