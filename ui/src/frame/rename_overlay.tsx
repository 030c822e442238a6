// The dialog that renames a session, from wherever it is asked for.
import { useRoom } from "../state/room";
import { PromptDialog } from "./dialog";
import { t } from "./session_texts";

const MAX_TITLE = 200; // characters

export function RenameOverlay(props: { session: string }) {
  const room = useRoom();
  const session = props.session;
  return (
    <PromptDialog
      title={t("renameTitle")}
      label={t("renameLabel")}
      value={room.card(session)?.title ?? ""}
      maxLength={MAX_TITLE}
      onDone={(title) => {
        room.close();
        if (title?.trim()) void room.attempt("session.rename", { session_id: session, title: title.trim() });
      }}
    />
  );
}
