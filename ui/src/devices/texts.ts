// The texts of enrolling this device.
import { makeTexts } from "../i18n/texts";

export const t = makeTexts({
  en: {
    title: "Enrol this device",
    how: "On the machine running Bascule, run `bascule devices add NAME`. It prints a link and a code for this device.",
    code: "Code",
    offer: "Enrol",
    compare: "That machine now shows a key. Answer yes there only if it matches this one:",
    waiting: "Waiting for an answer on that machine…",
    enrolled: "This device is enrolled as {name}.",
    counts: "It can approve: {kinds}.",
    countsNot:
      "It can decline questions. To let it approve some, set bascule.devices.answers on the machine running Bascule.",
    refused: "Not enrolled: {why}",
    cannot: "This browser can't store a key here. Open the page over HTTPS, and not in a private window.",
    close: "Close",
    kind_command: "commands",
    kind_files: "file changes",
    kind_permissions: "permissions",
    kind_questions: "the agent's questions",
  },
  ja: {
    title: "このデバイスを登録",
    how: "Bascule を実行しているマシンで `bascule devices add NAME` を実行すると、このデバイス用のリンクとコードが表示されます。",
    code: "コード",
    offer: "登録",
    compare: "そのマシンに鍵が表示されます。次と一致する場合だけ、そこで「はい」と答えてください:",
    waiting: "そのマシンでの回答を待っています…",
    enrolled: "このデバイスは {name} として登録されました。",
    counts: "承認できるもの: {kinds}。",
    countsNot:
      "質問を断ることができます。承認も許可するには、Bascule を実行しているマシンで bascule.devices.answers を設定してください。",
    refused: "登録されませんでした: {why}",
    cannot:
      "このブラウザーでは鍵を保存できません。HTTPS で、プライベートウィンドウ以外でページを開いてください。",
    close: "閉じる",
    kind_command: "コマンド",
    kind_files: "ファイルの変更",
    kind_permissions: "権限",
    kind_questions: "エージェントの質問",
  },
  zh: {
    title: "登记此设备",
    how: "在运行 Bascule 的机器上运行 `bascule devices add NAME`，它会显示供此设备使用的链接和代码。",
    code: "代码",
    offer: "登记",
    compare: "那台机器现在会显示一个密钥。仅当与下面一致时才在那里选择“是”：",
    waiting: "正在等待那台机器上的答复…",
    enrolled: "此设备已登记为 {name}。",
    counts: "可以批准：{kinds}。",
    countsNot: "它可以拒绝询问。要允许它批准，请在运行 Bascule 的机器上设置 bascule.devices.answers。",
    refused: "未登记：{why}",
    cannot: "此浏览器无法在这里保存密钥。请通过 HTTPS 打开页面，且不要使用隐私窗口。",
    close: "关闭",
    kind_command: "命令",
    kind_files: "文件更改",
    kind_permissions: "权限",
    kind_questions: "智能体的提问",
  },
});

const KINDS = ["command", "files", "permissions", "questions"] as const;

/// "commands, questions of the agent"
export function sayKinds(kinds: readonly string[]): string {
  return KINDS.filter((kind) => kinds.includes(kind))
    .map((kind) => t(`kind_${kind}`))
    .join(", ");
}
