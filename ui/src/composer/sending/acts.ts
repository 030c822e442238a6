// What is done with the input's text: sent, carried out on the page, or refused with a reason.
import type { Accessor } from "solid-js";
import { never } from "../../never";
import type { Mirror, Room } from "../../state/room";
import { isNothing, type Whereabouts } from "../context/whereabouts";
import { isNew } from "../input/history";
import type { PromptTyping } from "../input/typing";
import { findPageCommand, isPrompt, type PageCommand } from "../suggestions/slash";
import { mentionsSelection } from "../suggestions/token";
import { t } from "../texts";
import type { How } from "./prompt";
import type { Underway } from "./underway";

export interface Acts {
  isNothingToSend: Accessor<boolean>;
  send(how: How): void;
  interrupt(): void;
}

interface ComposerParts {
  mirror: Accessor<Mirror>;
  underway: Underway;
  typing: PromptTyping;
  where: Whereabouts;
  onResume: () => void;
}

export function makeActs(room: Room, { mirror, underway, typing, where, onResume }: ComposerParts): Acts {
  const session = () => mirror().id;
  const draft = () => room.draft(session());
  const isUploading = () => underway.attaching.uploading().some((one) => one.session === session());
  const isNothingToSend = () => draft().text.trim() === "" && draft().files.length === 0;

  function refuse(why: string): void {
    room.toast("error", why);
  }

  function send(how: How): void {
    const text = draft().text.trimEnd();
    if (isNothingToSend()) return;
    if (isUploading()) return refuse(t("waitForFiles"));
    const selection = where.selection();
    if (mentionsSelection(text) && (!selection || isNothing(selection))) return refuse(t("noSelection"));
    if (isNew(room.sent(session()), text)) room.remember(session(), text);
    const command = findPageCommand(text);
    const carries = isPrompt(text);
    const { files, context } = draft();
    typing.put({ text: "", caret: 0 });
    if (command) return act(command);
    const out = { key: crypto.randomUUID(), session: session(), text, how, where: where.context() };
    if (carries) room.setDraft(session(), { files: [], context: {} });
    void underway.sending.send({ ...out, files: carries ? files : [], context: carries ? context : {} });
  }

  function act(command: PageCommand): void {
    switch (command) {
      case "diff":
        return showDiff();
      case "resume":
        return onResume();
      case "rename":
        return room.show({ kind: "rename", session: session() });
      default:
        never(command);
    }
  }

  function showDiff(): void {
    const unified = mirror().head().diff?.unified;
    if (!unified) return refuse(t("noDiff"));
    room.show({ kind: "diff", title: t("latestDiff"), unified, session: session() });
  }

  return {
    isNothingToSend,
    send,
    interrupt: () => void room.attempt("session.interrupt", { session_id: session() }),
  };
}
