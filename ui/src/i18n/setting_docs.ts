// What each setting does.
import { makeDocs } from "./docs";

export const settingDoc = makeDocs({
  ja: {
    "bascule.codex.command": "Codex エージェントとして動かすプログラム。",
    "bascule.codex.args": "そのプログラムに渡す引数。",
    "bascule.codex.sandbox": "コマンドが承認なしに書き込める範囲。",
    "bascule.codex.approvals":
      "Codex がいつ尋ねるか: 信頼していないことをする前か、サンドボックスが許す以上を望むときか。",
    "bascule.codex.model": "モデル。空ならエージェントの既定。",
    "bascule.codex.effort": "推論の深さ。空ならモデルの既定。",
    "bascule.devices.answers":
      "登録済みのデバイスが外部から「はい」と答えられる質問の種類。「いいえ」は常に有効です。",
    "bascule.log.maxBytes": "記録ファイルが使えるディスクの上限（バイト）。",
    "bascule.history.pageRuns": "セッションを開き直すとき、一度に読む実行の数。",
    "bascule.history.deletedDays": "削除したセッションを元に戻せる日数。",
    "bascule.history.keepDays": "この日数使われなかったセッションを削除します。0: 削除しない。",
    "bascule.agents.idleMinutes":
      "この分数だけ誰も使わなかったエージェントは終了し、次の指示で再び起動します。0: 終了しない。",
    "bascule.allowApplyPatch": "承認のあとに差分を適用してよいかどうか。",
    "bascule.allowRunTerminal": "確認のうえで、テストや入力したコマンドの実行をそもそも許すかどうか。",
    "bascule.contextMaxFiles": "指示に添えるファイルの最大数。",
    "bascule.contextMaxFileBytes": "添えるファイル一つの最大バイト数。",
    "bascule.machineId": "遠くからの依頼でのこのマシンの呼び名。空ならホスト名。",
    "bascule.testTimeoutSeconds": "テストを実行できる秒数。",
    "bascule.defaultTestCommand": "プロジェクトのテスト方法。空なら各プロジェクトのファイルから推測します。",
    "bascule.testCommands": "テストとして実行してよいもの: これらの語で始まるコマンド。",
  },
  zh: {
    "bascule.codex.command": "作为 Codex 智能体运行的程序。",
    "bascule.codex.args": "传给该程序的参数。",
    "bascule.codex.sandbox": "命令无需批准即可写入的范围。",
    "bascule.codex.approvals": "Codex 何时询问：在做任何它不信任的事之前，或需要超出沙盒允许的范围时。",
    "bascule.codex.model": "模型；留空则用智能体的默认值。",
    "bascule.codex.effort": "推理强度；留空则用模型的默认值。",
    "bascule.devices.answers": "已登记的设备可以从外部同意的询问种类。拒绝始终有效。",
    "bascule.log.maxBytes": "日志文件最多占用的磁盘空间（字节）。",
    "bascule.history.pageRuns": "重新打开会话时每次读取的运行数。",
    "bascule.history.deletedDays": "已删除的会话可以恢复的天数。",
    "bascule.history.keepDays": "这么多天未使用的会话会被删除。0：永久保留。",
    "bascule.agents.idleMinutes": "智能体在这么多分钟内无人使用就会结束；下一个提示会重新启动它。0：从不。",
    "bascule.allowApplyPatch": "经同意后是否可以应用差异。",
    "bascule.allowRunTerminal": "经确认后，是否允许运行测试和手动输入的命令。",
    "bascule.contextMaxFiles": "随提示一起发送的文件数上限。",
    "bascule.contextMaxFileBytes": "每个随附文件的字节数上限。",
    "bascule.machineId": "远程指令对本机的称呼；留空则用主机名。",
    "bascule.testTimeoutSeconds": "测试最多可运行的秒数。",
    "bascule.defaultTestCommand": "项目的测试方式；留空则根据各项目的文件推测。",
    "bascule.testCommands": "可以作为测试运行的内容：以这些词开头的命令。",
  },
});
