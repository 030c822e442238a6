// What each prompt of the demo shows.
import { makeDocs } from "./docs";

export const demoDoc = makeDocs({
  ja: {
    "demo:text": "リスト、表、コードを含む Markdown の回答",
    "demo:reasoning": "推論の要約、そして回答",
    "demo:command": "サンドボックスでプロジェクトのテストを実行",
    "demo:approval": "サンドボックスを出たいコマンド: あなたに尋ねます",
    "demo:edit": "ファイルを一つ編集し一つ追加。サンドボックスが読み取り専用なら尋ねます",
    "demo:rewrite": "ファイルを変えるコマンド（実行のレビュー用）: あなたに尋ねます",
    "demo:question": "二つの質問をします",
    "demo:plan": "手順が順に完了していく計画",
    "demo:search": "ウェブ検索（何も取得しません）",
    "demo:mcp": "本物の MCP サーバーへのツール呼び出し二回。二回目は二度尋ねます",
    "demo:long": "20,000 語の回答",
    "demo:slow": "一分間、200 ms ごとに一語: 割り込み、キュー、中断を試せます",
    "demo:error": "モデルが失敗し、実行も失敗します",
  },
  zh: {
    "demo:text": "带列表、表格和代码的 Markdown 回答",
    "demo:reasoning": "推理摘要，然后是回答",
    "demo:command": "在沙盒中运行项目的测试",
    "demo:approval": "想离开沙盒的命令：会询问你",
    "demo:edit": "编辑一个文件并新增一个：沙盒只读时会询问你",
    "demo:rewrite": "更改文件的命令，用于审阅这次运行：会询问你",
    "demo:question": "问你两个问题",
    "demo:plan": "步骤逐一完成的计划",
    "demo:search": "网络搜索（不会获取任何内容）",
    "demo:mcp": "对真实 MCP 服务器的两次工具调用；第二次会询问两遍",
    "demo:long": "20,000 个单词的回答",
    "demo:slow": "一分钟内每 200 毫秒一个词：可以插话、排队或中断",
    "demo:error": "模型失败，运行随之失败",
  },
});
