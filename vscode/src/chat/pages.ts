// Every page of this window: the chat view, and the tabs with a session each.
import * as vscode from "vscode";
import type { EditorContext, ToPage } from "../../../ui/src/host/vscode_messages";
import { plainTitle } from "../words";
import { PageHost, type Shared } from "./page_host";
import { pickPage } from "./pick_page";

export const VIEW = "bascule.chat";
export const TAB = "bascule.session";
const MAX_EARLY = 20;

export class Pages implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer, vscode.Disposable {
  private readonly shared: Shared;
  private chat: PageHost | undefined;
  private view: vscode.WebviewView | undefined; // that shows it
  private readonly tabs = new Map<vscode.WebviewPanel, PageHost>();
  private used: PageHost | undefined; // last
  private early: ToPage[] = []; // for the chat view, which is made when it is first shown

  constructor(shared: Omit<Shared, "stored" | "used">) {
    const stored: Shared["stored"] = (from, key, value) => {
      for (const page of this.all()) if (page !== from) page.say({ type: "stored", key, value });
    };
    this.shared = { ...shared, stored, used: (page) => this.use(page) };
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const page = new PageHost(view.webview, this.shared);
    this.chat = page;
    this.view = view;
    for (const message of this.early) page.say(message);
    this.early = [];
    view.onDidDispose(() => {
      page.dispose();
      if (this.chat !== page) return;
      this.chat = undefined;
      this.view = undefined;
      if (this.used === page) this.use(undefined);
    });
  }

  /// After a reload of the window, each tab as it was.
  async deserializeWebviewPanel(
    panel: vscode.WebviewPanel,
    state: { shown?: string } | undefined,
  ): Promise<void> {
    this.fill(panel, state?.shown ?? "");
  }

  openTab(session: string): void {
    const open = [...this.tabs].find(([, page]) => page.shown === session);
    if (open) {
      this.use(open[1]);
      return open[0].reveal();
    }
    const panel = vscode.window.createWebviewPanel(TAB, this.titleOf(session), vscode.ViewColumn.Active, {
      retainContextWhenHidden: true,
      enableFindWidget: true,
    });
    this.fill(panel, session);
  }

  /// In the chat view where there is one, else in a tab.
  async show(session: string): Promise<void> {
    if (!isChatEnabled()) return this.openTab(session);
    this.tellChat({ type: "show", session });
    if (this.chat) this.chat.shown = session;
    this.use(this.chat);
    await vscode.commands.executeCommand(`${VIEW}.focus`);
  }

  /// Into the prompt of the page that is used.
  async insert(text: string): Promise<void> {
    const tab = this.findTab();
    if (tab) {
      this.use(tab[1]);
      tab[0].reveal();
      return tab[1].say({ type: "insert", text });
    }
    this.tellChat({ type: "insert", text });
    await vscode.commands.executeCommand(`${VIEW}.focus`);
  }

  /// The folder of the session that `insert` would write to; "" where none is shown yet.
  workspace(): string {
    const page = this.pick();
    return this.shared.daemon.card(page?.shown ?? "")?.workspace ?? "";
  }

  /// A new session in that folder, shown.
  async begin(workspace: string): Promise<void> {
    const { session_id } = await this.shared.daemon.call("session.create", { workspace });
    const tab = this.findTab();
    if (tab) return this.openTab(session_id);
    await this.show(session_id);
  }

  hasChat(): boolean {
    return isChatEnabled() || this.findTab() !== undefined;
  }

  titleOf(session: string): string {
    return plainTitle(this.shared.daemon.card(session)?.title ?? "") || vscode.l10n.t("New session");
  }

  /// The session that a command without an argument is about.
  shown(): string {
    return this.pick()?.shown ?? "";
  }

  isLookedAt(session: string): boolean {
    const inView = this.view?.visible && this.chat?.shown === session;
    const isInTab = [...this.tabs].some(([panel, page]) => panel.visible && page.shown === session);
    return vscode.window.state.focused && Boolean(inView || isInTab);
  }

  tellContext(context: EditorContext): void {
    for (const page of this.all()) page.tellContext(context);
  }

  dispose(): void {
    for (const page of this.all()) page.dispose();
  }

  private fill(panel: vscode.WebviewPanel, session: string): void {
    const icon = (name: string) => vscode.Uri.joinPath(this.shared.extensionUri, "media", name);
    panel.iconPath = { light: icon("tab-light.svg"), dark: icon("tab-dark.svg") };
    const page = new PageHost(panel.webview, this.shared, {
      session,
      onTitle: () => {
        panel.title = this.shared.daemon.card(page.shown) ? this.titleOf(page.shown) : panel.title;
      },
    });
    page.shown = session;
    this.tabs.set(panel, page);
    if (panel.active) this.use(page);
    panel.onDidChangeViewState(() => panel.active && this.use(page));
    panel.onDidDispose(() => {
      page.dispose();
      if (this.used === page) this.use(undefined);
      this.tabs.delete(panel);
    });
  }

  /// The tab that `insert` writes to; undefined where that is the chat view.
  private findTab(): [vscode.WebviewPanel, PageHost] | undefined {
    const picked = this.pick();
    return [...this.tabs].find(([, page]) => page === picked);
  }

  private pick(): PageHost | undefined {
    const tabs = [...this.tabs].map(([panel, page]) => ({ page, isVisible: panel.visible }));
    return pickPage({ used: this.used, chat: this.chat, hasChat: isChatEnabled(), tabs });
  }

  private use(page: PageHost | undefined): void {
    this.used = page;
  }

  private tellChat(message: ToPage): void {
    if (this.chat) this.chat.say(message);
    else if (this.early.length < MAX_EARLY) this.early.push(message);
  }

  private *all(): Iterable<PageHost> {
    if (this.chat) yield this.chat;
    yield* this.tabs.values();
  }
}

function isChatEnabled(): boolean {
  return vscode.workspace.getConfiguration("bascule").get("ui.enableChatView", true);
}
