// What each setting does.
import { makeDocs } from "./docs";

export const settingDoc = makeDocs({
  ja: {
    "bascule.codex.command": "Codex エージェントとして実行するプログラム。",
    "bascule.codex.args": "そのプログラムに渡す引数。",
    "bascule.codex.sandbox": "コマンドが承認なしに書き込める範囲。",
    "bascule.codex.approvals":
      "Codex が承認を求めるタイミング: 信頼していない操作の前（untrusted）、またはサンドボックスの許可を超えるとき（on-request）。",
    "bascule.codex.model": "使用するモデル。空ならエージェントの既定値。",
    "bascule.codex.effort": "推論の深さ。空ならモデルの既定値。",
    "bascule.devices.answers": "登録済みのデバイスがリモートで承認できる質問の種類。拒否は常に可能です。",
    "bascule.log.maxBytes": "ログが使うディスク容量の上限（バイト）。",
    "bascule.history.pageRuns": "セッションを開き直すときに一度に読み込む実行の数。",
    "bascule.history.deletedDays": "削除したセッションを復元できる日数。",
    "bascule.ui.enableChatView": "VS Code にチャットビューを表示します。拡張機能が読み取ります。",
    "bascule.ui.maxMessages":
      "セッションごとに保持するブロック数。古いものから外れます。エージェント自身の記録は残ります。",
    "bascule.history.keepDays":
      "この日数使われなかったセッションを削除します。ピン留めしたものは残ります。0: 削除しない。",
    "bascule.agents.idleMinutes":
      "使われていないエージェントを停止するまでの分数。次のプロンプトで再び起動します。0 なら停止しません。",
    "bascule.panes.shell": "ターミナルペインで起動するシェル。空ならログインシェル。",
    "bascule.panes.keepText": "再起動後のために、ターミナルペインの表示をテキストとして残します。",
    "bascule.panes.fromOutside": "登録済みのデバイスが他のマシンからターミナルペインを使うことを許可します。",
    "bascule.allowApplyPatch": "承認後の差分の適用を許可します。",
    "bascule.allowRunTerminal": "承認後のテストと入力したコマンドの実行を許可します。",
    "bascule.contextMaxFiles": "プロンプトと一緒に送るファイル数の上限。",
    "bascule.contextMaxFileBytes": "一緒に送るファイル 1 つあたりの上限（バイト）。",
    "bascule.orders.commands":
      "リモートからの依頼でエージェントが実行しようとするコマンド。すべて拒否（deny）、1 つずつこのマシンで確認（ask）、書き込みもネットワークもないサンドボックスで確認なしに実行（read-only）。",
    "bascule.orders.workspaces":
      "リモートからの依頼が作業できるフォルダー。NAME=FOLDER の形で書きます。最初のものが既定で、`@dev patch @NAME …` で別のものを選べます。",
    "bascule.orders.answerSeconds":
      "リモートからの依頼がこのマシンでの回答を待つ秒数。過ぎると「いいえ」になります。",
    "bascule.orders.generateSeconds":
      "リモートからの依頼の計画や差分の制限時間（秒）。回答や順番を待つ時間は含みません。",
    "bascule.orders.maxAgeMinutes": "この分数より古いリモートからの依頼は拒否します。",
    "bascule.orders.atOnce":
      "1 つのワークスペースで同時に実行するリモートからの依頼の数。残りは順番を待ちます。",
    "bascule.machineId": "リモートからの依頼で使うこのマシンの名前。空ならホスト名。",
    "bascule.relayUrl": "中継のアドレス。空ならこのマシンが参加した中継。",
    "bascule.reconnectMs": "中継に再接続するまでのミリ秒。回を重ねるごとに長くなります。",
    "bascule.heartbeatMs": "中継に生存を知らせる間隔（ミリ秒）。",
    "bascule.testTimeoutSeconds": "テストの制限時間（秒）。",
    "bascule.defaultTestCommand":
      "プロジェクトのテストを実行するコマンド。空なら各プロジェクトのファイルから判断します。",
    "bascule.testCommands": "テストとして実行できるコマンド。これらの語で始まるものに限ります。",
  },
  zh: {
    "bascule.codex.command": "作为 Codex 智能体运行的程序。",
    "bascule.codex.args": "传给该程序的参数。",
    "bascule.codex.sandbox": "命令无需批准即可写入的范围。",
    "bascule.codex.approvals":
      "Codex 何时请求批准：在执行任何不受信任的操作之前（untrusted），或需要超出沙盒允许的范围时（on-request）。",
    "bascule.codex.model": "要使用的模型；留空则用智能体的默认值。",
    "bascule.codex.effort": "推理强度；留空则用模型的默认值。",
    "bascule.devices.answers": "已登记的设备可以远程批准的询问种类。始终可以拒绝。",
    "bascule.log.maxBytes": "日志文件最多占用的磁盘空间（字节）。",
    "bascule.history.pageRuns": "重新打开会话时每次读取的运行数。",
    "bascule.history.deletedDays": "已删除的会话可以恢复的天数。",
    "bascule.ui.enableChatView": "在 VS Code 中显示聊天视图。由扩展读取。",
    "bascule.ui.maxMessages": "每个会话保留的块数。最旧的先移除；代理保留自己的副本。",
    "bascule.history.keepDays": "这么多天未使用的会话会被删除，已置顶的除外。0：永久保留。",
    "bascule.agents.idleMinutes": "停止空闲智能体之前等待的分钟数；下一个提示会重新启动它。0：从不停止。",
    "bascule.panes.shell": "终端窗格启动的 shell；留空则用登录 shell。",
    "bascule.panes.keepText": "把终端窗格显示的内容保存为文本，供重启后查看。",
    "bascule.panes.fromOutside": "允许已登记的设备从其他机器使用终端窗格。",
    "bascule.allowApplyPatch": "允许在批准后应用差异。",
    "bascule.allowRunTerminal": "允许在批准后运行测试和手动输入的命令。",
    "bascule.contextMaxFiles": "随提示一起发送的文件数上限。",
    "bascule.contextMaxFileBytes": "每个随提示发送的文件的字节数上限。",
    "bascule.orders.commands":
      "代理为远程指令运行的命令：全部拒绝（deny）、逐条在本机询问（ask），或在不能写入且没有网络的沙箱中直接运行（read-only）。",
    "bascule.orders.workspaces":
      "远程指令可以使用的文件夹，写作 NAME=FOLDER。第一个为默认；`@dev patch @NAME …` 选择其他的。",
    "bascule.orders.answerSeconds": "远程指令等待本机答复的秒数；超时即视为拒绝。",
    "bascule.orders.generateSeconds": "远程指令生成计划或差异的时间限制（秒）；等待答复或排队的时间不计。",
    "bascule.orders.maxAgeMinutes": "早于这么多分钟的远程指令会被拒绝。",
    "bascule.orders.atOnce": "每个工作区同时执行的远程指令数；其余的排队等待。",
    "bascule.machineId": "远程指令使用的本机名称；留空则用主机名。",
    "bascule.relayUrl": "中继的地址；留空则用本机加入的中继。",
    "bascule.reconnectMs": "重新连接中继前等待的毫秒数；每次失败后会延长。",
    "bascule.heartbeatMs": "向中继发送心跳的间隔（毫秒）。",
    "bascule.testTimeoutSeconds": "测试的时间限制（秒）。",
    "bascule.defaultTestCommand": "运行项目测试的命令；留空则根据各项目的文件判断。",
    "bascule.testCommands": "可以作为测试运行的命令：必须以这些词开头。",
  },
});
