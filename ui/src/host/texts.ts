// What a host has to say itself.
import { makeTexts } from "../i18n/texts";

export const t = makeTexts({
  en: {
    notRunning: "nobody answers. `bascule up` starts it again.",
    noKey: "this page's key is no longer good. `bascule up` prints a link that opens it.",
    refused: "it answered {status}. `bascule status` tells more.",
  },
  ja: {
    notRunning: "応答がありません。`bascule up` で再び起動できます。",
    noKey: "このページの鍵は無効になりました。`bascule up` が表示するリンクから開いてください。",
    refused: "{status} が返されました。`bascule status` で詳しく分かります。",
  },
  zh: {
    notRunning: "没有应答。用 `bascule up` 可以重新启动。",
    noKey: "此页面的密钥已失效。请打开 `bascule up` 打印的链接。",
    refused: "返回了 {status}。`bascule status` 会说明更多。",
  },
});
