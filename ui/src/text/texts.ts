// The texts of this folder.
import { makeTexts } from "../i18n/texts";

export const t = makeTexts({
  en: {
    copy: "Copy",
    copied: "Copied",
    copyFailed: "Couldn't copy: {why}",
    code: "Code",
    codeOf: "Code, {language}",
    more: "Show {count} more characters",
    tooLong: "Too long to format. The rest is shown as plain text.",
    image: "Image: {name}",
  },
  ja: {
    copy: "コピー",
    copied: "コピーしました",
    copyFailed: "コピーできませんでした: {why}",
    code: "コード",
    codeOf: "コード、{language}",
    more: "残り {count} 文字を表示",
    tooLong: "長すぎるため、残りはプレーンテキストで表示しています。",
    image: "画像: {name}",
  },
  zh: {
    copy: "复制",
    copied: "已复制",
    copyFailed: "无法复制：{why}",
    code: "代码",
    codeOf: "代码，{language}",
    more: "再显示 {count} 个字符",
    tooLong: "内容过长，其余部分以纯文本显示。",
    image: "图片：{name}",
  },
});
