// Whether the sidebar is there: beside the log where there is room, else a drawer over it.
import { type Accessor, createSignal, onCleanup } from "solid-js";
import type { Room } from "../../state/room";

const NARROW = "(max-width: 760px)";
const WISH = "sidebar";

export interface SidebarState {
  open: Accessor<boolean>;
  isDrawer: Accessor<boolean>;
  toggle(): void;
  show(): void;
  /// A drawer closes after a choice; a sidebar next to the log stays.
  settle(): void;
}

export function makeSidebarState(room: Room): SidebarState {
  const media = window.matchMedia(NARROW);
  const [isDrawer, setIsDrawer] = createSignal(media.matches);
  const [drawn, setDrawn] = createSignal(false);
  const update = () => {
    setIsDrawer(media.matches);
    setDrawn(false);
  };
  media.addEventListener("change", update);
  onCleanup(() => media.removeEventListener("change", update));
  // An editor lists the sessions itself: there the page's own list is shown on request.
  const isWished = () =>
    room.host.kind === "vscode" ? room.wish(WISH) === "open" : room.wish(WISH) !== "closed";
  const open = () => (isDrawer() ? drawn() : isWished());
  const set = (wanted: boolean) =>
    isDrawer() ? setDrawn(wanted) : room.setWish(WISH, wanted ? "open" : "closed");
  return { open, isDrawer, toggle: () => set(!open()), show: () => set(true), settle: () => setDrawn(false) };
}
