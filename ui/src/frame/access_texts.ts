// The texts of what a page from outside may answer.
import { makeTexts } from "../i18n/texts";

export const t = makeTexts({
  en: {
    lookingOnly: "Looking only: answers are given at the machine, or from an enrolled device.",
    lookNote: "You can look, but not change anything, from here.",
    enrol: "Enrol this device…",
    yesThere: "A yes to this is given at the machine. From here you can say no.",
  },
  ja: {
    lookingOnly: "閲覧のみ: 回答は本体のマシン、または登録済みのデバイスから行います。",
    lookNote: "ここからは見ることだけができます。変更はできません。",
    enrol: "このデバイスを登録…",
    yesThere: "これへの「はい」は本体のマシンで答えます。ここからは「いいえ」と答えられます。",
  },
  zh: {
    lookingOnly: "仅可查看：请在本机上答复，或使用已登记的设备答复。",
    lookNote: "在这里只能查看，不能更改任何内容。",
    enrol: "登记此设备…",
    yesThere: "对此的同意须在本机上给出。在这里可以拒绝。",
  },
});
