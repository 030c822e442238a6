// What a host has to say itself.
import { makeTexts } from "../i18n/texts";

export const t = makeTexts({
  en: {
    notRunning: "can't reach Bascule. Start it with `{command}`.",
    noKey: "this page's key is no longer valid. Run `{command}` for a new link.",
    refused: "Bascule returned {status}. Run `bascule status` for details.",
  },
  ja: {
    notRunning: "Bascule に接続できません。`{command}` で起動してください。",
    noKey: "このページの鍵は無効になりました。`{command}` を実行して新しいリンクを開いてください。",
    refused: "Bascule が {status} を返しました。詳しくは `bascule status` を実行してください。",
  },
  zh: {
    notRunning: "无法连接到 Bascule。请用 `{command}` 启动。",
    noKey: "此页面的密钥已失效。请运行 `{command}` 获取新链接。",
    refused: "Bascule 返回了 {status}。详情请运行 `bascule status`。",
  },
});
