// Undo from a message: the click is the yes to exactly the edit that the message is about.
import { createEffect, createRoot } from "solid-js";
import type { Written } from "../../model.gen";
import { mayChoose } from "../../state/access";
import type { Room } from "../../state/room";

/// Its question is answered as soon as it opens. Where this page may not, it stays open for those who may.
export async function undoNow(room: Room, session: string, undoId: string): Promise<Written> {
  const stop = answerAtOnce(room, session, undoId);
  try {
    return await room.call("edits.undo", { session_id: session, undo_id: undoId });
  } finally {
    stop();
  }
}

function answerAtOnce(room: Room, session: string, edit: string): () => void {
  return createRoot((dispose) => {
    let isAnswered = false;
    const find = () =>
      room
        .mirror(session)
        ?.head()
        .asks?.find((ask) => ask.edit === edit && ask.plan);
    createEffect(() => {
      const ask = find();
      const yes = ask?.choices.find((choice) => choice.grants && mayChoose(room.access(), ask, choice));
      if (!ask || !yes || isAnswered) return;
      isAnswered = true;
      room.claimAsk(ask.id); // nobody has to read it
      void room.attempt("ask.answer", { session_id: session, ask_id: ask.id, choice: yes.id });
    });
    return () => {
      room.claimAsk("");
      dispose();
    };
  });
}
