// The texts of folders that were decided about.
import { makeTexts } from "../i18n/texts";

export const t = makeTexts({
  en: {
    title: "Trusted folders",
    note: "Agents run or follow a folder's own files (MCP servers, instructions, skills, settings) only if you trust it.",
    trusted: "trusted",
    refused: "not trusted",
    changed: "changed since you decided: asks again at its next use",
    gone: "nothing left there to decide about",
    askTrusted: "Check again…",
    askRefused: "Trust…",
    forget: "Forget",
  },
  ja: {
    title: "信頼するフォルダー",
    note: "エージェントがフォルダー自身のファイル (MCP サーバー、指示、スキル、設定) を実行したり従ったりするのは、あなたが信頼した場合だけです。",
    trusted: "信頼済み",
    refused: "信頼していません",
    changed: "決定後に変更されました。次に使うときにもう一度確認します",
    gone: "確認が必要なファイルはもうありません",
    askTrusted: "もう一度確認…",
    askRefused: "信頼する…",
    forget: "決定を削除",
  },
  zh: {
    title: "受信任的文件夹",
    note: "只有你信任某个文件夹，智能体才会运行或遵循其自身的文件（MCP 服务器、指令、技能、设置）。",
    trusted: "受信任",
    refused: "不受信任",
    changed: "决定之后有改动：下次使用时会再次询问",
    gone: "已没有需要决定的内容",
    askTrusted: "重新检查…",
    askRefused: "信任…",
    forget: "忘记",
  },
});
