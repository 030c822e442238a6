// The texts about Claude's hooks.
import { makeTexts } from "../i18n/texts";

export const HOOKS = "hooks"; // the name of their place in the settings

export const t = makeTexts({
  en: {
    title: "Claude's hooks",
    note: "Recent versions of Claude report their status without hooks. Codex is always watched by its files.",
    switch: "Report Claude's status with hooks",
    adds: "Adds the command {command} for each event to {settings}. Everything else in the file stays.",
    removes: "Removes the command {command} from {settings}. Everything else in the file stays.",
    apply: "Apply now",
    asked: "Answer the question about Claude's settings to continue.",
    installed: "Hooks installed. Claude applies them in new sessions, or after a review with /hooks.",
    removed: "Hooks removed. Claude applies this in new sessions, or after a review with /hooks.",
  },
  ja: {
    title: "Claude のフック",
    note: "最近の Claude はフックなしで状態を知らせます。Codex は常にファイルで監視されます。",
    switch: "フックで Claude の状態を知らせる",
    adds: "{settings} の各イベントにコマンド {command} を追加します。ほかの内容はそのままです。",
    removes: "{settings} からコマンド {command} を削除します。ほかの内容はそのままです。",
    apply: "今すぐ適用",
    asked: "続けるには、Claude の設定についての質問に回答してください。",
    installed: "フックを追加しました。新しいセッション、または /hooks での確認後に有効になります。",
    removed: "フックを削除しました。新しいセッション、または /hooks での確認後に有効になります。",
  },
  zh: {
    title: "Claude 的钩子",
    note: "较新版本的 Claude 无需钩子即可报告状态。Codex 始终通过其文件监视。",
    switch: "用钩子报告 Claude 的状态",
    adds: "为 {settings} 中的每个事件添加命令 {command}。文件的其余内容保持不变。",
    removes: "从 {settings} 中移除命令 {command}。文件的其余内容保持不变。",
    apply: "立即应用",
    asked: "请回答有关 Claude 设置的问题以继续。",
    installed: "已安装钩子。Claude 会在新会话中或用 /hooks 检查后应用。",
    removed: "已移除钩子。Claude 会在新会话中或用 /hooks 检查后应用。",
  },
});
