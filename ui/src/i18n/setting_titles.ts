// What each setting is called.
import { language } from "./texts";

const TITLES: Record<string, { en: string; ja: string; zh: string }> = {
  "bascule.codex.command": { en: "Codex program", ja: "Codex のプログラム", zh: "Codex 程序" },
  "bascule.codex.args": { en: "Codex arguments", ja: "Codex の引数", zh: "Codex 参数" },
  "bascule.codex.sandbox": { en: "Sandbox", ja: "サンドボックス", zh: "沙箱" },
  "bascule.codex.approvals": { en: "When Codex asks", ja: "Codex が確認するとき", zh: "Codex 何时询问" },
  "bascule.codex.model": { en: "Model", ja: "モデル", zh: "模型" },
  "bascule.codex.effort": { en: "Reasoning effort", ja: "推論の深さ", zh: "推理强度" },
  "bascule.devices.answers": { en: "Approvals from devices", ja: "デバイスからの承認", zh: "来自设备的批准" },
  "bascule.log.maxBytes": { en: "Size of the log", ja: "ログのサイズ", zh: "日志大小" },
  "bascule.history.pageRuns": {
    en: "Runs loaded at a time",
    ja: "一度に読み込む実行数",
    zh: "每次加载的运行数",
  },
  "bascule.history.deletedDays": {
    en: "Keep deleted sessions",
    ja: "削除したセッションの保持",
    zh: "保留已删除的会话",
  },
  "bascule.history.keepDays": {
    en: "Delete unused sessions",
    ja: "未使用セッションの削除",
    zh: "删除未使用的会话",
  },
  "bascule.agents.idleMinutes": {
    en: "Stop idle agents",
    ja: "アイドルなエージェントの停止",
    zh: "停止空闲的智能体",
  },
  "bascule.ui.enableChatView": {
    en: "Chat view in VS Code",
    ja: "VS Code のチャットビュー",
    zh: "VS Code 中的聊天视图",
  },
  "bascule.ui.maxMessages": { en: "Length of a log", ja: "ログの長さ", zh: "日志长度" },
  "bascule.allowApplyPatch": { en: "Apply diffs", ja: "差分の適用", zh: "应用差异" },
  "bascule.allowRunTerminal": {
    en: "Run tests and commands",
    ja: "テストとコマンドの実行",
    zh: "运行测试和命令",
  },
  "bascule.contextMaxFiles": {
    en: "Files per prompt",
    ja: "プロンプトごとのファイル数",
    zh: "每个提示的文件数",
  },
  "bascule.contextMaxFileBytes": {
    en: "Size of each file",
    ja: "ファイルごとのサイズ",
    zh: "每个文件的大小",
  },
  "bascule.machineId": { en: "Name of this machine", ja: "このマシンの名前", zh: "本机名称" },
  "bascule.testTimeoutSeconds": { en: "Test time limit", ja: "テストの制限時間", zh: "测试时限" },
  "bascule.defaultTestCommand": { en: "Test command", ja: "テストコマンド", zh: "测试命令" },
  "bascule.testCommands": { en: "Allowed test commands", ja: "許可するテストコマンド", zh: "允许的测试命令" },
  "bascule.orders.commands": {
    en: "Commands of remote orders",
    ja: "リモートの依頼のコマンド",
    zh: "远程指令的命令",
  },
  "bascule.orders.workspaces": {
    en: "Folders for remote orders",
    ja: "リモートの依頼のフォルダー",
    zh: "远程指令的文件夹",
  },
  "bascule.orders.answerSeconds": { en: "Waiting for an answer", ja: "回答を待つ時間", zh: "等待答复的时间" },
  "bascule.orders.generateSeconds": { en: "Time limit of an order", ja: "依頼の制限時間", zh: "指令时限" },
  "bascule.orders.maxAgeMinutes": { en: "Age of an order", ja: "依頼の古さ", zh: "指令的有效期" },
  "bascule.orders.atOnce": { en: "Orders at once", ja: "同時に実行する依頼", zh: "同时执行的指令" },
  "bascule.panes.shell": {
    en: "Shell of terminal panes",
    ja: "ターミナルペインのシェル",
    zh: "终端面板的 Shell",
  },
  "bascule.panes.keepText": {
    en: "Keep terminal text",
    ja: "ターミナルのテキストを保持",
    zh: "保留终端文本",
  },
  "bascule.panes.fromOutside": {
    en: "Terminals from devices",
    ja: "デバイスからのターミナル",
    zh: "来自设备的终端",
  },
  "bascule.relayUrl": { en: "Relay", ja: "リレー", zh: "中继" },
  "bascule.reconnectMs": { en: "Reconnecting to the relay", ja: "リレーへの再接続", zh: "重新连接中继" },
  "bascule.heartbeatMs": { en: "Heartbeat to the relay", ja: "リレーへのハートビート", zh: "中继心跳" },
};

/// A setting that this page has no name for is called by its key's last part.
export function settingTitle(key: string): string {
  const known = Object.hasOwn(TITLES, key) ? TITLES[key] : undefined;
  return known?.[language()] ?? spaced(key);
}

function spaced(key: string): string {
  const last = key.split(".").at(-1) ?? key;
  const words = last.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
