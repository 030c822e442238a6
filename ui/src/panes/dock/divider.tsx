// A line that is dragged, or moved with the arrow keys, to share the room between two parts.
import type { JSX } from "solid-js";

const STEP = 0.05;

export interface DividerProps {
  label: string;
  way: "row" | "column"; // of the parts: side by side, or one below the other
  share: number; // of the first part
  /// The box that both parts fill.
  box: () => Pick<DOMRect, "left" | "top" | "width" | "height">;
  onShare: (share: number) => void;
}

export function Divider(props: DividerProps): JSX.Element {
  const drag = (event: PointerEvent) => {
    const line = event.currentTarget as HTMLElement;
    event.preventDefault();
    line.setPointerCapture(event.pointerId);
    const move = (at: PointerEvent) => {
      const box = props.box();
      const share =
        props.way === "row" ? (at.clientX - box.left) / box.width : (at.clientY - box.top) / box.height;
      props.onShare(share);
    };
    const stop = () => {
      line.removeEventListener("pointermove", move);
      line.removeEventListener("pointerup", stop);
      line.removeEventListener("pointercancel", stop);
    };
    line.addEventListener("pointermove", move);
    line.addEventListener("pointerup", stop);
    line.addEventListener("pointercancel", stop);
  };
  const press = (event: KeyboardEvent) => {
    const [less, more] = props.way === "row" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key === less) props.onShare(props.share - STEP);
    else if (event.key === more) props.onShare(props.share + STEP);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> takes no focus
    <div
      class="panes-divider"
      classList={{ "panes-divider-row": props.way === "row" }}
      role="separator"
      tabindex="0"
      aria-label={props.label}
      aria-orientation={props.way === "row" ? "vertical" : "horizontal"}
      aria-valuenow={Math.round(props.share * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
}
