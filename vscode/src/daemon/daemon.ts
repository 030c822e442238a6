// The daemon as the extension knows it: its sessions, what they ask, and the lines that pages are given.
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { fold, type KnownLines } from "../../../ui/src/home/board/board_lines";
import type { BoardNotify, Card, WaitingAsk } from "../../../ui/src/model.gen";
import { folders, ownFolders } from "../folders";
import { realOf } from "../real_path";
import { Bridge, type BridgeListener, type Place } from "./bridge";
import { Connection, type Requests, type State, type Trouble } from "./connection";
import { findProgram, type Program } from "./program";
import { makeLossWords, sayTrouble } from "./troubles";

export class Daemon implements vscode.Disposable {
  readonly cards = new Map<string, Card>();
  asks: readonly WaitingAsk[] = [];
  board: KnownLines = new Map(); // every agent's sessions, once they are watched
  private readonly stateChanged = new vscode.EventEmitter<State>();
  private readonly cardsChanged = new vscode.EventEmitter<readonly Card[]>();
  private readonly asksChanged = new vscode.EventEmitter<void>();
  private readonly boardChanged = new vscode.EventEmitter<void>();
  readonly onState = this.stateChanged.event;
  readonly onCards = this.cardsChanged.event; // with those that changed
  readonly onAsks = this.asksChanged.event;
  readonly onBoard = this.boardChanged.event;
  private readonly connection: Connection;
  private asked: string | undefined; // which Asks were listed last by this connection
  isListed = false; // by this connection
  private isBoardWanted = false;

  constructor(
    private readonly log: vscode.LogOutputChannel,
    version: string,
  ) {
    this.connection = new Connection(
      () => this.findPlace(),
      {
        onState: (state) => this.tell(state),
        onReady: () => void this.begin(),
        onNotified: (method, params) => {
          if (method === "session.cards") this.takeCards(params as { cards: Card[]; whole?: boolean });
          if (method === "board.changed") this.takeBoard(params as BoardNotify);
          if (method === "agent.state" || method === "daemon.state")
            this.log.debug(method, JSON.stringify(params));
        },
        onSaid: (line) => this.log.info(line),
      },
      version,
      makeLossWords(),
    );
  }

  get state(): State {
    return this.connection.state;
  }

  start(): void {
    if (this.state.is === "off" || this.state.is === "down") this.connection.start();
  }

  /// With other settings.
  restart(): void {
    this.connection.start();
  }

  /// A daemon that is being started is waited for.
  async call<M extends keyof Requests>(
    method: M,
    params: Requests[M]["params"],
  ): Promise<Requests[M]["result"]> {
    if (this.state.is === "connecting") await this.settled();
    return this.connection.call(method, params);
  }

  /// Once the sessions are known; fails where there is no daemon.
  async listed(): Promise<void> {
    this.start();
    await this.call("daemon.ping", {});
    if (this.isListed) return;
    await new Promise<void>((resolve) => {
      const heard = vscode.Disposable.from(this.onCards(done), this.onState(done));
      function done(): void {
        heard.dispose();
        resolve();
      }
    });
  }

  private settled(): Promise<void> {
    return new Promise((resolve) => {
      const heard = this.onState((state) => {
        if (state.is === "connecting") return;
        heard.dispose();
        resolve();
      });
    });
  }

  /// A line of its own for a page, or why there is none.
  openBridge(listener: BridgeListener): Bridge | Trouble {
    const place = this.findPlace();
    return "what" in place ? place : new Bridge(place, listener);
  }

  /// Why there is no daemon, as far as a person can do something about it.
  trouble(): Trouble | undefined {
    const place = this.findPlace();
    if ("what" in place) return place;
    const { state } = this;
    return state.is === "down" && state.trouble.what !== "lost" ? state.trouble : undefined;
  }

  /// `bascule`, and the words for where it works; for commands that print something.
  findCommand(): Place | Trouble {
    return this.findPlace();
  }

  /// From now on, also after a reconnect: the daemon looks for sessions only while somebody wants to see them.
  watchBoard(): void {
    if (this.isBoardWanted) return;
    this.isBoardWanted = true;
    if (this.state.is === "open") void this.beginBoard();
  }

  card(session: string): Card | undefined {
    return this.cards.get(session);
  }

  /// Also one that this connection has not listed yet: a page hears of it on a line of its own, maybe earlier.
  async findAsk(id: string): Promise<WaitingAsk | undefined> {
    const find = (asks: readonly WaitingAsk[]) => asks.find((one) => one.ask.id === id);
    return find(this.asks) ?? find((await this.call("ask.list", {})).asks);
  }

  workspaceOf({ session_id, ask }: WaitingAsk): string {
    return ask.workspace || this.card(session_id)?.workspace || "";
  }

  /// Whether a session works in that folder, or this window has it open: a page may name no other.
  knows(folder: string): boolean {
    if (!folder) return false;
    return folders().includes(folder) || [...this.cards.values()].some((card) => card.workspace === folder);
  }

  dispose(): void {
    this.connection.stop();
  }

  private findPlace(): Place | Trouble {
    if (!vscode.workspace.isTrusted) return { what: "untrusted" };
    const settings = vscode.workspace.getConfiguration("bascule");
    const setting = settings.get("command", "").trim();
    const program = lookAround(setting);
    if (program === undefined) return { what: "missing", command: setting };
    if (program.isInWorkspace) return { what: "inWorkspace", command: program.command };
    return { command: program.command, workspace: folders()[0] ?? "", demo: settings.get("demo", false) };
  }

  private tell(state: State): void {
    if (state.is !== "off") this.log.info(state.is === "down" ? sayTrouble(state.trouble) : state.is);
    const trouble = state.is === "down" ? state.trouble.what : "";
    setContext("bascule.connected", state.is === "open");
    setContext("bascule.trouble", trouble);
    this.stateChanged.fire(state);
  }

  private async begin(): Promise<void> {
    this.cards.clear();
    this.isListed = false;
    setContext("bascule.listed", false);
    this.asked = undefined; // also where none is left, they are listed once
    if (this.isBoardWanted) void this.beginBoard();
    await this.call("session.watch", {}).catch(() => undefined);
  }

  private async beginBoard(): Promise<void> {
    await this.call("board.watch", {}).catch((fault: Error) => this.log.warn(`board: ${fault.message}`));
  }

  private takeBoard(sent: BoardNotify): void {
    this.board = fold(this.board, sent);
    this.boardChanged.fire();
  }

  private takeCards({ cards, whole }: { cards: Card[]; whole?: boolean }): void {
    if (whole) this.cards.clear();
    for (const card of cards) {
      if (card.deleted) this.cards.delete(card.session_id);
      else this.cards.set(card.session_id, card);
    }
    this.isListed = true;
    setContext("bascule.listed", true); // from now on an empty list is one
    this.cardsChanged.fire(cards);
    void this.listAsks();
  }

  /// Asked for whenever another Ask may be waiting, also when one came as another went.
  private async listAsks(): Promise<void> {
    const asking = [...this.cards.values()].filter((card) => card.asks);
    const asked = asking.map((card) => `${card.session_id} ${card.asks} ${card.updated_at_ms}`).join();
    if (asked === this.asked) return;
    this.asked = asked;
    const listed = await this.call("ask.list", {}).catch(() => undefined);
    if (!listed) return;
    this.asks = listed.asks;
    this.asksChanged.fire();
  }
}

function setContext(name: string, value: unknown): void {
  void vscode.commands.executeCommand("setContext", name, value);
}

function lookAround(setting: string): Program | undefined {
  return findProgram({
    setting,
    path: process.env.PATH ?? "",
    home: homedir(),
    folders: [...ownFolders(), ...folders()],
    platform: process.platform,
    isFile,
    realOf,
  });
}

function isFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
