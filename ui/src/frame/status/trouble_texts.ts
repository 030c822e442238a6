// What is wrong with the daemon, by its kind.
import { makeTexts } from "../../i18n/texts";

export const t = makeTexts({
  en: {
    store_full:
      "The disk is full, so sessions can't be saved ({detail}). They are kept in memory and saved as soon as there is room. Free some space.",
    store_failed:
      "Sessions can't be saved right now ({detail}). They are kept in memory, and saving is retried until it works.",
    set_aside:
      "Some sessions can't be read and were set aside: {detail}. Nothing was deleted. Run bascule doctor for details.",
    database_replaced:
      "The database was damaged. The old file is kept as {detail}, and everything readable is in a new one.",
    folder_gone:
      "The data folder {detail} was removed or replaced while Bascule was running. New work may be lost. Run bascule down, then start it again.",
  },
  ja: {
    store_full:
      "ディスクがいっぱいのため、セッションを保存できません（{detail}）。メモリーに保持し、空きができしだい保存します。空き容量を確保してください。",
    store_failed:
      "現在セッションを保存できません（{detail}）。メモリーに保持し、成功するまで保存を再試行します。",
    set_aside:
      "読み取れないセッションを除外しました: {detail}。削除されたものはありません。詳しくは bascule doctor を実行してください。",
    database_replaced:
      "データベースが破損していました。元のファイルは {detail} として残し、読み取れた内容は新しいデータベースに移しました。",
    folder_gone:
      "Bascule の実行中にデータフォルダー {detail} が削除または置き換えられました。これからの作業は失われるおそれがあります。bascule down を実行してから、もう一度起動してください。",
  },
  zh: {
    store_full: "磁盘已满，无法保存会话（{detail}）。内容保留在内存中，一有空间就会保存。请释放一些空间。",
    store_failed: "目前无法保存会话（{detail}）。内容保留在内存中，会一直重试直到成功。",
    set_aside: "有些会话无法读取，已被跳过：{detail}。没有删除任何内容。详情请运行 bascule doctor。",
    database_replaced: "数据库已损坏。原文件保留为 {detail}，可读取的内容已移到新数据库。",
    folder_gone:
      "Bascule 运行期间，数据文件夹 {detail} 被删除或替换。新的工作可能会丢失。请运行 bascule down，然后重新启动。",
  },
});
