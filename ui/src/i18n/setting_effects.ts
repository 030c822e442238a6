// What a change of a setting means, by its key and new value. English is as the daemon says it.
import { makeDocs } from "./docs";

export const settingEffect = makeDocs({
  ja: {
    "bascule.codex.sandbox.workspace-write":
      "Codex は確認なしで、自分のフォルダー、一時フォルダー、あなたの Codex 設定の writable_roots にあるファイルを変更できるようになります。",
    "bascule.codex.sandbox.read-only": "Codex はファイルを変更する前に必ず確認します。",
    "bascule.codex.approvals.on-request":
      "Codex は確認なしでサンドボックス内のコマンドを実行できるようになります。",
    "bascule.codex.approvals.untrusted": "Codex はごく無害なものを除き、コマンドごとに確認します。",
    "bascule.orders.commands.read-only":
      "リモートの依頼は、確認なしでサンドボックス内のコマンドを実行できるようになります。",
    "bascule.orders.commands.ask": "リモートの依頼のコマンドごとに、あなたに確認します。",
    "bascule.allowApplyPatch.true": "差分を、あなたの承認のたびに書き込めるようになります。",
    "bascule.allowRunTerminal.true":
      "テストと入力したコマンドを、あなたの承認のたびに実行できるようになります。",
    "bascule.panes.fromOutside.true":
      "登録済みのデバイスが、このマシンのターミナルに入力できるようになります。",
  },
  zh: {
    "bascule.codex.sandbox.workspace-write":
      "Codex 将可以不经询问更改其文件夹、临时文件夹以及你的 Codex 配置中 writable_roots 所列文件夹中的文件。",
    "bascule.codex.sandbox.read-only": "Codex 更改任何文件之前都会询问。",
    "bascule.codex.approvals.on-request": "Codex 将可以不经询问在沙盒中运行命令。",
    "bascule.codex.approvals.untrusted": "除最无害的命令外，Codex 运行每个命令之前都会询问。",
    "bascule.orders.commands.read-only": "远程指令将可以不经询问在沙盒中运行命令。",
    "bascule.orders.commands.ask": "远程指令的每个命令都会询问你。",
    "bascule.allowApplyPatch.true": "允许写入差异，每次都需要你同意。",
    "bascule.allowRunTerminal.true": "允许运行测试和输入的命令，每次都需要你同意。",
    "bascule.panes.fromOutside.true": "允许已登记的设备在本机的终端中输入。",
  },
});
