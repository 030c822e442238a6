// What each prompt of the demo shows.
import { makeDocs } from "./docs";

export const demoDoc = makeDocs({
  ja: {
    "demo:text": "リスト、表、コードを含む Markdown の回答",
    "demo:reasoning": "推論の要約、そして回答",
    "demo:command": "サンドボックスでプロジェクトのテストを実行",
    "demo:approval": "サンドボックスの外で実行するコマンド: 承認を求めます",
    "demo:edit": "ファイルを 1 つ編集し 1 つ追加。サンドボックスが読み取り専用なら承認を求めます",
    "demo:rewrite": "ファイルを変更するコマンド（実行のレビュー用）: 承認を求めます",
    "demo:question": "2 つ質問します",
    "demo:plan": "手順が順に完了していく計画",
    "demo:search": "ウェブ検索（何も取得しません）",
    "demo:mcp": "本物の MCP サーバーへのツール呼び出し 2 回。2 回目は 2 度確認します",
    "demo:long": "20,000 語の回答",
    "demo:slow": "1 分間、200 ms ごとに 1 語: 追加、キュー、停止を試せます",
    "demo:error": "モデルが失敗し、実行も失敗します",
  },
  zh: {
    "demo:text": "带列表、表格和代码的 Markdown 回答",
    "demo:reasoning": "推理摘要，然后是回答",
    "demo:command": "在沙盒中运行项目的测试",
    "demo:approval": "在沙盒外运行的命令：会请求批准",
    "demo:edit": "编辑一个文件并新增一个：沙盒只读时会请求批准",
    "demo:rewrite": "更改文件的命令，用于审阅这次运行：会请求批准",
    "demo:question": "问你两个问题",
    "demo:plan": "步骤逐一完成的计划",
    "demo:search": "网络搜索（不会获取任何内容）",
    "demo:mcp": "对真实 MCP 服务器的两次工具调用；第二次会询问两遍",
    "demo:long": "20,000 个单词的回答",
    "demo:slow": "一分钟内每 200 毫秒一个词：可以追加、排队或停止",
    "demo:error": "模型失败，运行随之失败",
  },
});
