// One page in a webview: its HTML, its own line to the daemon, and what only an editor can do for it.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import type { EditorContext, Start, ToEditor, ToPage } from "../../../ui/src/host/vscode_messages";
import type { Bridge } from "../daemon/bridge";
import type { Daemon } from "../daemon/daemon";
import { type Step, sayEnd, sayTrouble } from "../daemon/troubles";
import { folders } from "../folders";
import { ContextLine } from "./context_line";
import { makeHtml } from "./html";
import { parseFrame, parseWish, type Wish } from "./outgoing";
import { parseMessage } from "./page_messages";
import type { Store } from "./store";

const OPENABLE = new Set(["http", "https", "mailto"]);
const MAX_INSERTS = 20; // that wait for a page to be there
const MAX_LINES = 4; // at once: a page has one, and those that are about to end
const REFUSED = -32000;

/// What pages share: made once, handed to each.
export interface Shared {
  extensionUri: vscode.Uri;
  daemon: Daemon;
  store: Store;
  context(): EditorContext | undefined;
  /// Why the daemon is not asked for that; "" where nothing speaks against it.
  findBar(wish: Wish): Promise<string>;
  wished(wish: Wish): void;
  /// What a person can do where there is no daemon.
  nextStep(): Step | undefined;
  openFile(workspace: string, place: Extract<ToEditor, { type: "openFile" }>["place"]): Promise<void>;
  openDiff(diff: Extract<ToEditor, { type: "openDiff" }>["diff"]): Promise<void>;
  /// Somebody works in it.
  used(page: PageHost): void;
  /// Told to every other page.
  stored(from: PageHost, key: string, value: string): void;
}

export class PageHost implements vscode.Disposable {
  shown = ""; // the session
  private bridge: Bridge | undefined;
  private readonly contextLine = new ContextLine((frame) => this.bridge?.send(frame));
  private wire = 0;
  private lines = 0; // processes that have not ended
  private isThere = false;
  private waiting: ToPage[] = [];
  private readonly heard: vscode.Disposable;

  constructor(
    private readonly webview: vscode.Webview,
    private readonly shared: Shared,
    private readonly tab: { session?: string; onTitle?(title: string): void } = {},
  ) {
    const page = vscode.Uri.joinPath(shared.extensionUri, "page");
    const roots = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri);
    webview.options = { enableScripts: true, localResourceRoots: [page, ...roots] };
    this.heard = webview.onDidReceiveMessage((said: unknown) => {
      const message = parseMessage(said);
      if (message) void this.hear(message);
    });
    webview.html = makeHtml(
      {
        index: readFileSync(vscode.Uri.joinPath(page, "index.html").fsPath, "utf8"),
        assetUri: (path) => webview.asWebviewUri(vscode.Uri.joinPath(page, path)).toString(),
        cspSource: webview.cspSource,
        pagePath: encodeURI(webview.asWebviewUri(page).path),
        nonce: randomBytes(16).toString("base64url"),
      },
      this.start(),
    );
  }

  dispose(): void {
    this.heard.dispose();
    this.bridge?.close();
    this.bridge = undefined;
  }

  /// Said now, or as soon as the page is there.
  say(message: ToPage): void {
    if (this.isThere) void this.webview.postMessage(message);
    else if (this.waiting.length < MAX_INSERTS) this.waiting.push(message);
  }

  /// What the person looks at, for the page and for the daemon.
  tellContext(context: EditorContext): void {
    if (!this.isThere) return;
    this.say({ type: "context", context });
    this.contextLine.tell(context);
  }

  private start(): Start {
    const context = this.shared.context();
    return {
      workspace: folders()[0] ?? "",
      languages: [vscode.env.language],
      stored: this.shared.store.all(),
      fileBase: this.webview.asWebviewUri(vscode.Uri.file("/")).toString().replace(/\/$/, ""),
      ...(this.tab.session === undefined ? {} : { session: this.tab.session }),
      ...(context ? { context } : {}),
    };
  }

  private async hear(message: ToEditor): Promise<void> {
    switch (message.type) {
      case "connect":
        return this.connect(message.wire);
      case "send":
        return this.carry(message.wire, message.frame);
      case "disconnect":
        if (message.wire === this.wire) this.bridge?.close();
        return;
      case "save":
        if (this.shared.store.save(message.key, message.value))
          this.shared.stored(this, message.key, message.value);
        return;
      case "shown":
        this.shown = message.session;
        return;
      case "used":
        return this.shared.used(this);
      case "step":
        return void this.shared.nextStep()?.act();
      case "title":
        return this.tab.onTitle?.(message.title);
      case "openFile":
        return this.shared.openFile(message.workspace, message.place);
      case "openDiff":
        return this.shared.openDiff(message.diff);
      case "openExternal":
        return openExternal(message.url);
      case "saveFile":
        return saveFile(message.name, message.text);
    }
  }

  private connect(wire: number): void {
    this.bridge?.close();
    this.wire = wire;
    this.isThere = true;
    const say = (message: ToPage) => wire === this.wire && this.say(message);
    if (this.lines >= MAX_LINES) return void say({ type: "closed", wire, why: "" }); // it asks again, later
    const line = this.shared.daemon.openBridge({
      onFrame: (frame) => say({ type: "frame", wire, frame }),
      onSaid: () => undefined, // the extension's own line says the same
      onEnd: (end) => say({ type: "closed", wire, why: sayEnd(end), ...this.offer() }),
    });
    if ("what" in line) return void say({ type: "closed", wire, why: sayTrouble(line), ...this.offer() });
    this.bridge = line;
    this.contextLine.begin();
    this.lines++;
    void line.exited.then(() => this.lines--);
    say({ type: "opened", wire });
    const context = this.shared.context();
    if (context) this.tellContext(context);
    const left = this.waiting;
    this.waiting = [];
    for (const message of left) this.say(message);
  }

  private offer(): { step?: string } {
    const step = this.shared.nextStep();
    return step ? { step: step.label } : {};
  }

  private async carry(wire: number, frame: string): Promise<void> {
    const said = parseFrame(frame);
    if (wire !== this.wire || !said) return;
    const wish = parseWish(said);
    const bar = wish ? await this.shared.findBar(wish) : "";
    if (wire !== this.wire) return; // meanwhile the page has another line, and takes this one for lost
    if (!wish || !bar) {
      this.bridge?.send(JSON.stringify(said)); // what was looked at, and in one line
      this.contextLine.sent(said.method);
      if (wish) this.shared.wished(wish);
      return;
    }
    if (wish.id === undefined) return;
    const error = { code: REFUSED, message: bar };
    this.say({ type: "frame", wire, frame: JSON.stringify({ jsonrpc: "2.0", id: wish.id, error }) });
  }
}

async function openExternal(url: string): Promise<void> {
  const uri = vscode.Uri.parse(url);
  if (OPENABLE.has(uri.scheme)) await vscode.env.openExternal(uri);
}

async function saveFile(name: string, text: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const safe = name.replace(/[\\/]/g, "-");
  const uri = await vscode.window.showSaveDialog(
    folder ? { defaultUri: vscode.Uri.joinPath(folder, safe) } : {},
  );
  if (uri) await vscode.workspace.fs.writeFile(uri, Buffer.from(text, "utf8"));
}
