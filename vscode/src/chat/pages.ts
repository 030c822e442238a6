// Every page of this window: the chat view, and the tabs with a session each.
import * as vscode from "vscode";
import type { EditorContext } from "../../../ui/src/host/vscode_messages";
import { PageHost, type Shared } from "./page_host";

export const VIEW = "bascule.chat";
export const TAB = "bascule.session";

export class Pages implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer, vscode.Disposable {
  private readonly shared: Shared;
  private chat: PageHost | undefined;
  private chatView: vscode.WebviewView | undefined;
  private readonly tabs = new Map<vscode.WebviewPanel, PageHost>();
  private wanted: string | undefined; // a session that the chat view is to begin with

  constructor(shared: Omit<Shared, "stored">) {
    const stored: Shared["stored"] = (from, key, value) => {
      for (const page of this.all()) if (page !== from) page.say({ type: "stored", key, value });
    };
    this.shared = { ...shared, stored };
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.chatView = view;
    const page = new PageHost(view.webview, this.shared);
    this.chat = page;
    if (this.wanted !== undefined) page.say({ type: "show", session: this.wanted });
    this.wanted = undefined;
    view.onDidDispose(() => {
      page.dispose();
      if (this.chat === page) this.chat = this.chatView = undefined;
    });
  }

  /// After a reload of the window, each tab as it was.
  async deserializeWebviewPanel(
    panel: vscode.WebviewPanel,
    state: { shown?: string } | undefined,
  ): Promise<void> {
    this.fill(panel, state?.shown ?? "");
  }

  openTab(session: string, title: string): void {
    const open = [...this.tabs].find(([, page]) => page.shown === session);
    if (open) return open[0].reveal();
    const panel = vscode.window.createWebviewPanel(TAB, title, vscode.ViewColumn.Active, {
      retainContextWhenHidden: true,
      enableFindWidget: true,
    });
    this.fill(panel, session);
  }

  /// In the chat view where there is one, else in a tab.
  async show(session: string, title: string): Promise<void> {
    if (!isChatEnabled()) return this.openTab(session, title);
    if (this.chat) this.chat.say({ type: "show", session });
    else this.wanted = session;
    await vscode.commands.executeCommand(`${VIEW}.focus`);
  }

  /// Into the prompt of the page that is used: a tab in front, else the chat view.
  async insert(text: string): Promise<void> {
    const front = [...this.tabs].find(([panel]) => panel.active || panel.visible);
    if (front) {
      front[0].reveal();
      return front[1].say({ type: "insert", text });
    }
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    this.chat?.say({ type: "insert", text });
  }

  /// The session that a command without an argument is about.
  shown(): string {
    const front = [...this.tabs].find(([panel]) => panel.active);
    return front?.[1].shown ?? this.chat?.shown ?? "";
  }

  tellContext(context: EditorContext): void {
    for (const page of this.all()) page.tellContext(context);
  }

  setTitle(title: string): void {
    if (this.chatView) this.chatView.description = title;
  }

  dispose(): void {
    for (const page of this.all()) page.dispose();
  }

  private fill(panel: vscode.WebviewPanel, session: string): void {
    panel.iconPath = vscode.Uri.joinPath(this.shared.extensionUri, "media", "bascule.svg");
    const page = new PageHost(panel.webview, this.shared, {
      session,
      onTitle: () => {
        panel.title = this.shared.daemon.card(page.shown)?.title || panel.title;
      },
    });
    page.shown = session;
    this.tabs.set(panel, page);
    panel.onDidDispose(() => {
      page.dispose();
      this.tabs.delete(panel);
    });
  }

  private *all(): Iterable<PageHost> {
    if (this.chat) yield this.chat;
    yield* this.tabs.values();
  }
}

function isChatEnabled(): boolean {
  return vscode.workspace.getConfiguration("bascule").get("ui.enableChatView", true);
}
