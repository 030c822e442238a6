// The dialog that renames a session, from wherever it is asked for.
import { useRoom } from "../../state/room";
import { PromptDialog } from "../dialogs/dialog";
import { t } from "../session_texts";

const MAX_TITLE = 200; // characters

export function RenameOverlay(props: { session: string }) {
  const room = useRoom();
  const session = props.session;
  const card = room.card(session);
  const before = card ? room.name(card) : ""; // as it is shown: the first title of a session ends in its id
  return (
    <PromptDialog
      title={t("renameTitle")}
      label={t("renameLabel")}
      value={before}
      maxLength={MAX_TITLE}
      onDone={(title) => {
        room.close();
        const after = title?.trim();
        if (after && after !== before)
          void room.attempt("session.rename", { session_id: session, title: after });
      }}
    />
  );
}
