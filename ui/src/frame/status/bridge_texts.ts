// The texts of the connection to a relay.
import { makeTexts } from "../../i18n/texts";

export const t = makeTexts({
  en: {
    connected: "Relay connected",
    connecting: "Connecting to the relay",
    waiting: "Relay not connected",
    to: "{relay}, as {machine}",
    since: "Since {when}",
    lastError: "Last problem: {why} ({when})",
    retry: "Trying again at {when}",
  },
  ja: {
    connected: "リレーに接続済み",
    connecting: "リレーに接続中",
    waiting: "リレー未接続",
    to: "{relay}（このマシンの名前: {machine}）",
    since: "{when} から",
    lastError: "直近の問題: {why}（{when}）",
    retry: "次の接続: {when}",
  },
  zh: {
    connected: "中继已连接",
    connecting: "正在连接中继",
    waiting: "中继未连接",
    to: "{relay}，本机名称 {machine}",
    since: "自 {when}",
    lastError: "最近的问题：{why}（{when}）",
    retry: "下次重试：{when}",
  },
});
