// A diff beside the log: to look at, or, where it has an id, to choose from and apply.
import { type JSX, Show } from "solid-js";
import { DiffView } from "../../diff/diff_view";
import { type Beside, useRoom } from "../../state/room";
import { PreparedView } from "../apply/prepared_view";
import { createAsked, hereOf, whyOf } from "../asked";
import { t } from "../texts";

export function DiffPane(props: { beside: Extract<Beside, { kind: "diff" }> }): JSX.Element {
  return (
    <Show
      when={props.beside.diffId}
      keyed
      fallback={
        <div class="review-body">
          <DiffView
            unified={props.beside.unified}
            files={props.beside.files}
            session={props.beside.session}
          />
        </div>
      }
    >
      {(id) => <KeptDiff session={props.beside.session} id={id} unified={props.beside.unified} />}
    </Show>
  );
}

/// A diff by its id alone: what hangs on a block may be cut, so all of it is asked for before anything of it
/// can be chosen.
function KeptDiff(props: { session: string; id: string; unified: string }): JSX.Element {
  const room = useRoom();
  const found = createAsked(() => room.call("edits.prepared", { diff_id: props.id }));
  return (
    <Show
      when={hereOf(found())}
      keyed
      fallback={
        <>
          <p class="review-told" classList={{ "review-error": whyOf(found()) !== undefined }} role="status">
            {whyOf(found()) ?? t("busy")}
          </p>
          <div class="review-body">
            <DiffView unified={props.unified} />
          </div>
        </>
      }
    >
      {(prepared) => <PreparedView session={props.session} prepared={prepared} />}
    </Show>
  );
}
