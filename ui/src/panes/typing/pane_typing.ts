// Who types in a pane, and how keys get there.
import type { Pane } from "../../model.gen";
import type { Room } from "../../state/room";
import { sayFault } from "../../text/visible";
import { t } from "../texts";
import { PaneInput } from "./typing";

const MAX_HELD = 1_000; // keys, while the clipboard is read

export interface PaneTyping {
  mayType: () => boolean;
  isElsewhere: () => boolean;
  /// What a terminal answers by itself, where this page is who types.
  answer: (data: Uint8Array) => void;
  /// Keys of a person: the first to press one where nobody types is who types.
  press: (data: Uint8Array) => void;
  /// Keeps the keys pressed from now on, until the text that belongs before them is there. The function that
  /// this gives ends that: with true they are typed now, otherwise dropped.
  hold: () => (areTyped: boolean) => void;
}

export function makePaneTyping(room: Room, pane: () => Pane): PaneTyping {
  const id = pane().pane_id;
  const typing = new PaneInput(
    (data) => room.call("pane.write", { pane_id: id, data }),
    (reason) => room.toast("warn", sayFault(reason)),
  );
  const isElsewhere = () => Boolean(pane().typing) && pane().typing !== room.surface();
  const mayType = () => pane().state === "running" && !isElsewhere();
  const type = (data: Uint8Array) => {
    if (mayType() && !typing.put(data)) room.toast("warn", t("tooMuch"));
  };
  const press = (data: Uint8Array) => {
    if (mayType() && !pane().typing) room.call("pane.drive", { pane_id: id }).catch(() => undefined);
    type(data);
  };
  let held: Uint8Array[] | undefined;
  return {
    mayType,
    isElsewhere,
    answer: (data) => {
      if (pane().typing && pane().typing === room.surface()) type(data);
    },
    press: (data) => {
      if (!held) press(data);
      else if (held.length < MAX_HELD) held.push(data);
    },
    hold: () => {
      const kept: Uint8Array[] = [];
      held = kept;
      return (areTyped) => {
        if (held === kept) held = undefined;
        if (areTyped) for (const data of kept.splice(0)) press(data);
      };
    },
  };
}
