// A room for the composer's tests: real drafts and history, and a daemon whose answers the test decides.
import { createSignal } from "solid-js";
import type { AgentState, Requests, UiSelection } from "../model.gen";
import { Memory } from "../state/memory";
import { type Connection, Lost, type Mirror, type Overlay, Refused, type Room } from "../state/room";
import { type Asked, makeTestRoom, type TestRoom } from "../text/test_room";

type Method = keyof Requests;
export type Daemon = { [M in Method]?: (params: Requests[M]["params"]) => Requests[M]["result"] | Error };

export interface ComposerRoom extends TestRoom {
  setConnection(connection: Connection): void;
  setMirror(mirror: Mirror): void;
  setOverlay(overlay: Overlay | undefined): void;
  setAgent(agent: AgentState): void;
  /// What was asked by one name, the params of each.
  calls(what: string): unknown[];
  /// What the host keeps.
  kept: Map<string, string>;
}

export const lost = () => new Lost();
export const refused = (why: string) => new Refused(-32602, why);

export function makeComposerRoom(daemon: Daemon = {}, kept = new Map<string, string>()): ComposerRoom {
  const { room: plain, asked } = makeTestRoom();
  const [connection, setConnection] = createSignal<Connection>({ state: "open" });
  const [overlay, setOverlay] = createSignal<Overlay>();
  const [agent, setAgent] = createSignal<AgentState>();
  const [selection, select] = createSignal<UiSelection>();
  let mirror: Mirror | undefined;
  const host = {
    ...plain.host,
    load: (key: string) => kept.get(key) ?? null,
    save: (key: string, value: string) => void kept.set(key, value),
  };
  const memory = new Memory(host);
  const call = async (method: Method, params: never) => {
    asked.push({ what: method, with: [params] });
    const answer = (daemon[method] as ((params: never) => unknown) | undefined)?.(params);
    if (answer instanceof Error) throw answer;
    return answer ?? { ok: true };
  };
  const room = {
    ...plain,
    host,
    call,
    attempt: (method: Method, params: never) => call(method, params).catch(() => undefined),
    connection,
    surface: () => "page (1234)",
    mirror: () => mirror,
    agent,
    overlay,
    selection,
    select,
    draft: (session: string) => memory.draft(session),
    setDraft: (session: string, draft: object) => memory.setDraft(session, draft),
    sent: (session: string) => memory.sent(session),
    remember: (session: string, text: string) => memory.remember(session, text),
    wish: (name: string) => memory.wish(name),
    setWish: (name: string, value: string) => memory.setWish(name, value),
  } as unknown as Room;
  const calls = (what: string) => asked.filter((one: Asked) => one.what === what).map((one) => one.with[0]);
  return {
    room,
    asked,
    kept,
    calls,
    setConnection,
    setOverlay,
    setAgent: (state) => void setAgent(state),
    setMirror: (now) => {
      mirror = now;
    },
  };
}
