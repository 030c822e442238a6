// The daemon's panes as this page has them: the list, and for each that is shown its bytes in order.
import { type Accessor, createEffect, createMemo, createSignal, onCleanup } from "solid-js";
import type { OpenPaneParams, Pane, PaneOutputNotify } from "../model.gen";
import type { Room } from "../state/room";
import { fromBase64 } from "./bytes";

const ACK_BYTES = 48 * 1024; // shown and not acknowledged
const ACK_MS = 100;

/// A terminal that shows one pane. `shown` is to be called when the bytes are on the screen.
export interface Screen {
  reset(before: Uint8Array): void;
  /// `isOld`: it was shown before, so the terminal answers no query in it.
  write(data: Uint8Array, isOld: boolean, shown: () => void): void;
}

interface Attached {
  screen: Screen;
  next: number; // the first byte that is not here yet; -1: none is
  shown: number;
  acknowledged: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export interface PaneStore {
  panes: Accessor<readonly Pane[]>;
  find(id: string): Pane | undefined;
  isAvailable: Accessor<boolean>;
  listed: Accessor<boolean>;
  open(params: OpenPaneParams): Promise<Pane | undefined>;
  close(id: string): void;
  /// From now on `screen` gets all that the pane showed and shows; gives the way to stop.
  attach(id: string, screen: Screen): () => void;
}

type PaneRoom = Pick<Room, "call" | "attempt" | "hear" | "connection">;

export function createPaneStore(room: PaneRoom, isVisible: Accessor<boolean>): PaneStore {
  const isConnected = createMemo(() => ["open", "silent"].includes(room.connection().state));
  return { ...createPaneList(room, isConnected), attach: createScreens(room, isConnected, isVisible) };
}

/// The panes that there are, as the daemon reports them.
function createPaneList(room: PaneRoom, isConnected: Accessor<boolean>): Omit<PaneStore, "attach"> {
  const [known, setKnown] = createSignal<ReadonlyMap<string, Pane>>(new Map());
  const [isAvailable, setAvailable] = createSignal(true);
  const [listed, setListed] = createSignal(false);
  onCleanup(
    room.hear("pane.changed", ({ panes, gone }) => {
      setKnown((now) => {
        const next = new Map(now);
        for (const pane of panes) next.set(pane.pane_id, pane);
        for (const id of gone ?? []) next.delete(id);
        return next;
      });
    }),
  );
  createEffect(() => {
    if (!isConnected()) return;
    room.attempt("pane.watch", {}).then((list) => {
      if (!list) return;
      setKnown(new Map(list.panes.map((pane) => [pane.pane_id, pane])));
      setAvailable(list.is_available ?? true);
      setListed(true);
    });
  });
  return {
    panes: createMemo(() => [...known().values()]),
    find: (id) => known().get(id),
    isAvailable,
    listed,
    async open(params) {
      const opened = await room.attempt("pane.open", params);
      if (opened) setKnown((now) => new Map(now).set(opened.pane.pane_id, opened.pane));
      return opened?.pane;
    },
    close(id) {
      void room.attempt("pane.close", { pane_id: id });
      setKnown((now) => new Map([...now].filter(([other]) => other !== id)));
    },
  };
}

/// The bytes of panes on their way to the terminals that show them: `attach` of the store.
function createScreens(room: PaneRoom, isConnected: Accessor<boolean>, isVisible: Accessor<boolean>) {
  const attached = new Map<string, Attached>();
  const detach = (id: string) => room.call("pane.detach", { pane_id: id }).catch(() => undefined);

  function take(piece: PaneOutputNotify): void {
    const one = attached.get(piece.pane_id);
    if (!one) return;
    const data = fromBase64(piece.data);
    if (piece.reset) {
      one.screen.reset(fromBase64(piece.before ?? ""));
      one.shown = one.acknowledged = piece.offset;
    } else if (piece.offset !== one.next) return void begin(piece.pane_id, one); // of an earlier attachment
    one.next = piece.offset + data.length;
    const end = one.next;
    one.screen.write(data, piece.is_old ?? false, () => acknowledge(piece.pane_id, one, end));
  }

  /// In few messages: the daemon waits for them only when much is on its way.
  function acknowledge(id: string, one: Attached, offset: number): void {
    one.shown = Math.max(one.shown, offset);
    const say = () => {
      clearTimeout(one.timer);
      one.timer = undefined;
      if (attached.get(id) !== one || one.shown === one.acknowledged) return;
      one.acknowledged = one.shown;
      room.call("pane.ack", { pane_id: id, offset: one.shown }).catch(() => undefined);
    };
    if (one.shown - one.acknowledged >= ACK_BYTES) say();
    else one.timer ??= setTimeout(say, ACK_MS);
  }

  function begin(id: string, one: Attached): void {
    room.call("pane.attach", { pane_id: id, offset: one.next }).catch(() => undefined); // closed meanwhile
  }

  onCleanup(room.hear("pane.output", take));
  // A page that nobody sees draws slowly: it must not slow down what runs in a pane.
  createEffect(() => {
    if (!isConnected()) return;
    const isSeen = isVisible();
    for (const [id, one] of attached) {
      if (isSeen) begin(id, one);
      else detach(id);
    }
  });
  return (id: string, screen: Screen): (() => void) => {
    const one: Attached = { screen, next: -1, shown: 0, acknowledged: 0, timer: undefined };
    attached.set(id, one);
    if (isConnected()) begin(id, one);
    return () => {
      clearTimeout(one.timer);
      if (attached.get(id) !== one) return;
      attached.delete(id);
      detach(id);
    };
  };
}
