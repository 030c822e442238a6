// The top of the log: what came before what is shown.
import { createSignal, type JSX, Show } from "solid-js";
import { mayAct } from "../state/access";
import { type Mirror, useRoom } from "../state/room";
import { t } from "./texts";

export function Earlier(props: { mirror: Mirror }): JSX.Element {
  const room = useRoom();
  const [loading, setLoading] = createSignal(false);
  const load = async () => {
    setLoading(true);
    await room.attempt("session.earlier", { session_id: props.mirror.id });
    setLoading(false);
  };
  const dropped = () => props.mirror.head().dropped_blocks ?? 0;
  return (
    <Show
      when={mayAct(room.access()) && props.mirror.head().earlier}
      fallback={
        <Show when={dropped() > 0}>
          <p>{t("dropped", { count: dropped().toLocaleString() })}</p>
        </Show>
      }
    >
      <button type="button" disabled={loading()} onClick={() => void load()}>
        {loading() ? t("loading") : t("earlier")}
      </button>
    </Show>
  );
}
