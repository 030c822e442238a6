// The edge between the log and the pane: dragged, or moved with the arrow keys; how wide it is, is remembered.
import { createEffect, type JSX } from "solid-js";
import { useRoom } from "../../state/room";
import { t } from "../texts";

const WISH = "pane.width"; // percent of the window
const [LEAST, MOST, USUAL, STEP] = [25, 70, 44, 2];

export function PaneEdge(props: { pane: () => HTMLElement }): JSX.Element {
  const room = useRoom();
  const percent = () => within(Number(room.wish(WISH) ?? USUAL));
  const put = (next: number) => room.setWish(WISH, String(within(next)));
  const drag = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { right } = props.pane().getBoundingClientRect();
    put(((right - event.clientX) / window.innerWidth) * 100);
  };
  createEffect(() => props.pane().style.setProperty("--pane-width", `${percent()}vw`));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that is moved has a value, which hr has not
    <div
      class="review-edge"
      role="separator"
      tabindex="0"
      aria-orientation="vertical"
      aria-label={t("edge")}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={percent()}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={(event) => {
        const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        put(percent() + by);
      }}
    />
  );
}

function within(percent: number): number {
  if (!Number.isFinite(percent)) return USUAL;
  return Math.round(Math.min(MOST, Math.max(LEAST, percent)));
}
