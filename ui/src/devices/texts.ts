// The texts of enrolling this device.
import { makeTexts } from "../i18n/texts";

export const t = makeTexts({
  en: {
    title: "Enrol this device",
    how: "At the machine, run `bascule devices add NAME`. It prints a link for this device and a code.",
    code: "Code",
    offer: "Enrol",
    compare: "The machine now shows a key. Say yes there only if it is this one:",
    waiting: "Waiting for the answer at the machine…",
    enrolled: "This device is enrolled as {name}.",
    counts: "Its yes counts for: {kinds}.",
    countsNot:
      "Its no counts. For which questions its yes counts is set at the machine: bascule.devices.answers.",
    refused: "Not enrolled: {why}",
    cannot: "This browser cannot keep a key here. Open the page over https, and not in a private window.",
    close: "Close",
    kind_command: "commands",
    kind_files: "changes to files",
    kind_permissions: "permissions",
    kind_questions: "questions of the agent",
  },
  ja: {
    title: "このデバイスを登録",
    how: "本体のマシンで `bascule devices add NAME` を実行すると、このデバイス用のリンクとコードが表示されます。",
    code: "コード",
    offer: "登録",
    compare: "本体のマシンに鍵が表示されます。次と同じ場合だけ「はい」と答えてください:",
    waiting: "本体のマシンでの回答を待っています…",
    enrolled: "このデバイスは {name} として登録されました。",
    counts: "「はい」が有効な種類: {kinds}。",
    countsNot:
      "「いいえ」は有効です。どの質問への「はい」が有効かは本体のマシンで設定します: bascule.devices.answers",
    refused: "登録されませんでした: {why}",
    cannot:
      "このブラウザーでは鍵を保存できません。https で、プライベートウィンドウ以外でページを開いてください。",
    close: "閉じる",
    kind_command: "コマンド",
    kind_files: "ファイルの変更",
    kind_permissions: "権限",
    kind_questions: "エージェントの質問",
  },
  zh: {
    title: "登记此设备",
    how: "在本机上运行 `bascule devices add NAME`，它会显示供此设备使用的链接和代码。",
    code: "代码",
    offer: "登记",
    compare: "本机现在会显示一个密钥。仅当与下面相同时才在那里同意：",
    waiting: "正在等待本机上的答复…",
    enrolled: "此设备已登记为 {name}。",
    counts: "其同意对以下内容有效：{kinds}。",
    countsNot: "其拒绝有效。对哪些询问的同意有效在本机上设置：bascule.devices.answers",
    refused: "未登记：{why}",
    cannot: "此浏览器无法在这里保存密钥。请通过 https 打开页面，且不要使用隐私窗口。",
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
