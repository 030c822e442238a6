// What each prompt of the demo shows.
import { makeDocs } from "./docs";

export const demoDoc = makeDocs({
  ja: {
    "Show me how an answer looks": "リスト、表、コードを含む Markdown の回答",
    "Think it through, then answer": "推論の要約、そして回答",
    "Run the tests": "サンドボックスでプロジェクトのテストを実行",
    "Compile the module": "サンドボックスの外で実行するコマンド: 承認を求めます",
    "Add an initials function with a test":
      "ファイルを 1 つ編集し 1 つ追加。サンドボックスが読み取り専用なら承認を求めます",
    "Add a line to the README with a command":
      "ファイルを変更するコマンド（実行のレビュー用）: 承認を求めます",
    "Ask me before you begin": "2 つ質問します",
    "Make a plan and follow it": "手順が順に完了していく計画",
    "Search the web for bascule bridges": "ウェブ検索（何も取得しません）",
    "Look up a word and sign the guest book":
      "本物の MCP サーバーへのツール呼び出し 2 回。2 回目は 2 度確認します",
    "Write 20,000 words": "20,000 語の回答",
    "Write slowly for a minute": "1 分間、200 ms ごとに 1 語: 追加、キュー、停止を試せます",
    "Fail halfway": "モデルが失敗し、実行も失敗します",
  },
  zh: {
    "Show me how an answer looks": "带列表、表格和代码的 Markdown 回答",
    "Think it through, then answer": "推理摘要，然后是回答",
    "Run the tests": "在沙盒中运行项目的测试",
    "Compile the module": "在沙盒外运行的命令：会请求批准",
    "Add an initials function with a test": "编辑一个文件并新增一个：沙盒只读时会请求批准",
    "Add a line to the README with a command": "更改文件的命令，用于审阅这次运行：会请求批准",
    "Ask me before you begin": "问你两个问题",
    "Make a plan and follow it": "步骤逐一完成的计划",
    "Search the web for bascule bridges": "网络搜索（不会获取任何内容）",
    "Look up a word and sign the guest book": "对真实 MCP 服务器的两次工具调用；第二次会询问两遍",
    "Write 20,000 words": "20,000 个单词的回答",
    "Write slowly for a minute": "一分钟内每 200 毫秒一个词：可以追加、排队或停止",
    "Fail halfway": "模型失败，运行随之失败",
  },
});
