// The text of the inbox's button, which is there before the rest of it.
import { makeTexts } from "../../i18n/texts";

export const t = makeTexts({
  en: { inbox: "Waiting in other sessions: {n}" },
  ja: { inbox: "ほかのセッションの回答待ち: {n} 件" },
  zh: { inbox: "其他会话等待答复：{n}" },
});
