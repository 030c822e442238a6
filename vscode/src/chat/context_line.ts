// What the daemon hears of the editor on a page's line: nothing before the page has introduced itself there.
import type { EditorContext } from "../../../ui/src/host/vscode_messages";

export class ContextLine {
  private latest: EditorContext | undefined;
  private isIntroduced = false;

  constructor(private readonly send: (frame: string) => void) {}

  /// Another line has been opened.
  begin(): void {
    this.isIntroduced = false;
  }

  tell(context: EditorContext): void {
    this.latest = context;
    if (this.isIntroduced) this.sendLatest();
  }

  /// The page has sent that.
  sent(method: string | undefined): void {
    if (method !== "initialize") return;
    this.isIntroduced = true;
    this.sendLatest();
  }

  private sendLatest(): void {
    if (!this.latest) return;
    const { open_files: _, ...params } = this.latest; // for the page alone
    this.send(JSON.stringify({ jsonrpc: "2.0", method: "ui.context.update", params }));
  }
}
