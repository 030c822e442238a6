// The texts of what a page from outside may answer.
import { makeTexts } from "../../i18n/texts";

export const t = makeTexts({
  en: {
    lookingOnly: "View only. Answer on the machine running Bascule or from an enrolled device.",
    lookNote: "From here you can view, but not change anything.",
    enrol: "Enrol this device…",
    yesThere: "This can only be approved on the machine running Bascule. From here you can decline it.",
  },
  ja: {
    lookingOnly: "閲覧のみ。回答は Bascule を実行しているマシンか、登録済みのデバイスから行ってください。",
    lookNote: "ここでは閲覧のみ可能で、変更はできません。",
    enrol: "このデバイスを登録…",
    yesThere: "これを承認できるのは Bascule を実行しているマシンだけです。ここでは断ることができます。",
  },
  zh: {
    lookingOnly: "仅可查看。请在运行 Bascule 的机器上或用已登记的设备答复。",
    lookNote: "在这里只能查看，不能更改任何内容。",
    enrol: "登记此设备…",
    yesThere: "只能在运行 Bascule 的机器上批准。在这里可以拒绝。",
  },
});
