// A room for tests: it shows nothing by itself, and keeps what was asked of it.
import { createRoot, createSignal, type JSX } from "solid-js";
import { render } from "solid-js/web";
import type { Block, Card, LinkedFile } from "../model.gen";
import type { Head, Mirror, Room } from "../state/room";
import { RoomProvider } from "../state/room";
import { Outline } from "../state/sessions/outline";

export interface Asked {
  what: string;
  with: unknown[];
}

export interface TestRoom {
  room: Room;
  asked: Asked[];
}

/// `answers` holds what the daemon says to each method.
export function makeTestRoom(answers: Record<string, unknown> = {}): TestRoom {
  const asked: Asked[] = [];
  const open = createRoot(() => createSignal<Record<string, boolean>>({}));
  const note =
    (what: string, answer?: unknown) =>
    (...args: unknown[]) => {
      asked.push({ what, with: args });
      return answer;
    };
  const answer = (method: string, params: unknown) => {
    asked.push({ what: method, with: [params] });
    return Promise.resolve(answers[method]);
  };
  const room = {
    host: {
      copy: note("copy", Promise.resolve()),
      openExternal: note("openExternal"),
      fileUrl: (file: LinkedFile) => `/files/${file.file_id}`,
      linkTo: () => "http://here/#/s/s1/b",
    },
    access: () => undefined,
    connection: () => ({ state: "open" }),
    claimedAsk: () => "",
    call: answer,
    attempt: answer,
    card: () => ({ workspace: "/home/me/project" }) as Card,
    name: (card: Card) => card.title,
    openFile: note("openFile"),
    show: note("show"),
    activate: note("activate"),
    wish: () => undefined,
    editor: () => undefined,
    toast: note("toast"),
    isOpen: (_session: string, key: string, otherwise: boolean) => open[0]()[key] ?? otherwise,
    setOpen: (_session: string, key: string, is: boolean) => open[1]((all) => ({ ...all, [key]: is })),
  } as unknown as Room;
  return { room, asked };
}

export function mount(testRoom: TestRoom, view: () => JSX.Element): { root: HTMLElement; end: () => void } {
  const root = document.createElement("div");
  document.body.appendChild(root);
  const dispose = render(() => <RoomProvider value={testRoom.room}>{view()}</RoomProvider>, root);
  const end = () => {
    dispose();
    root.remove();
  };
  return { root, end };
}

export interface TestMirror extends Mirror {
  put(block: Block): void;
  setHead(head: Partial<Head>): void;
  setOrder(order: readonly string[]): void;
}

export function makeMirror(blocks: readonly Block[]): TestMirror {
  const [all, setAll] = createSignal(new Map(blocks.map((block) => [block.id, block])));
  const [order, setOrder] = createSignal<readonly string[]>(blocks.map((block) => block.id));
  const [head, setHead] = createSignal<Head>({ id: "s1", workspace: "/home/me/project" });
  return {
    id: "s1",
    head,
    order,
    outline: () => new Outline().list(order(), (id) => all().get(id)),
    block: (id) => all().get(id),
    put(block) {
      setAll(new Map(all()).set(block.id, block));
      if (!order().includes(block.id)) setOrder([...order(), block.id]);
    },
    setHead: (some) => setHead({ ...head(), ...some }),
    setOrder,
  };
}

/// What is drawn at the pace of the screen has been drawn.
export function nextFrames(count = 3): Promise<void> {
  return new Promise((done) => {
    const step = (left: number) => (left ? requestAnimationFrame(() => step(left - 1)) : done());
    step(count);
  });
}
