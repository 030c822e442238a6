// Texts of what was granted.
import { makeTexts } from "../../i18n/texts";

export const t = makeTexts({
  en: {
    granted: "Allowed without asking: {n}",
    title: "The agent may do this without asking again",
    untilEnd: "Until this session's agent ends.",
    always: "Always, in this folder and others.",
    theirs:
      "Codex keeps this rule in its own files, which Bascule doesn't change. Remove it in {file} or config.toml.",
    revoke: "Revoke",
    revoked:
      "Revoked. The agent was ended and forgets what it was allowed; your next prompt starts it again.",
  },
  ja: {
    granted: "確認なしで許可: {n}",
    title: "エージェントが確認なしで行えること",
    untilEnd: "このセッションのエージェントが終わるまで。",
    always: "常に (このフォルダーと他のフォルダー)。",
    theirs:
      "この規則は Codex 自身のファイルにあり、Bascule は変更しません。{file} か config.toml で削除してください。",
    revoke: "取り消す",
    revoked: "取り消しました。エージェントを終了し、許可は忘れられます。次のプロンプトで再び起動します。",
  },
  zh: {
    granted: "无需询问即允许：{n}",
    title: "智能体无需再次询问即可执行",
    untilEnd: "直到此会话的智能体结束。",
    always: "始终（此文件夹及其他文件夹）。",
    theirs: "此规则保存在 Codex 自己的文件中，Bascule 不会更改。请在 {file} 或 config.toml 中删除。",
    revoke: "撤销",
    revoked: "已撤销。智能体已结束并忘记所获许可；下一个提示会重新启动它。",
  },
});
