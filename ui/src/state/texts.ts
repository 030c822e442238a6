// What the room says by itself.
import { makeTexts } from "../i18n/texts";

export const t = makeTexts({
  en: {
    notConnected: "Not connected: nothing was sent. The page connects again by itself.",
    cutOff: "The connection broke before the answer came: look whether it was done.",
    otherVersion: "This page and the daemon speak different versions. Reload the page.",
  },
  ja: {
    notConnected: "接続されていないため、何も送信されませんでした。自動的に再接続します。",
    cutOff: "返事が届く前に接続が切れました。実行されたかどうか確かめてください。",
    otherVersion: "このページとデーモンのバージョンが異なります。再読み込みしてください。",
  },
  zh: {
    notConnected: "未连接：没有发送任何内容。将自动重新连接。",
    cutOff: "连接在收到答复之前断开了，请查看是否已执行。",
    otherVersion: "此页面与守护进程的版本不同。请重新加载页面。",
  },
});
