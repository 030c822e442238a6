// What the room says by itself.
import { makeTexts } from "../i18n/texts";

export const t = makeTexts({
  en: {
    openSetting: "Open the setting",
    notConnected: "Not connected. Nothing was sent. Reconnecting automatically.",
    cutOff: "The connection was lost before the reply arrived. Check whether it was done.",
    otherVersion: "This page and the daemon are different versions. Reload the page.",
  },
  ja: {
    openSetting: "設定を開く",
    notConnected: "接続されていません。何も送信されませんでした。自動的に再接続します。",
    cutOff: "応答が届く前に接続が切れました。実行されたかどうか確認してください。",
    otherVersion: "このページとデーモンのバージョンが異なります。再読み込みしてください。",
  },
  zh: {
    openSetting: "打开设置",
    notConnected: "未连接。没有发送任何内容。正在自动重新连接。",
    cutOff: "收到回复之前连接已断开，请检查是否已执行。",
    otherVersion: "此页面与守护进程的版本不同。请重新加载页面。",
  },
});
