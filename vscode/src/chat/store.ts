// What pages of this window keep: drafts, wishes, opened details. In the editor's own storage, shared by all of them.
import type * as vscode from "vscode";

const PREFIX = "page:";
const MAX_VALUE = 4_000_000; // characters of one value
const MAX_KEYS = 50;

export class Store {
  constructor(private readonly state: vscode.Memento) {}

  all(): Record<string, string> {
    const keys = this.state.keys().filter((key) => key.startsWith(PREFIX));
    return Object.fromEntries(keys.map((key) => [key.slice(PREFIX.length), this.state.get(key, "")]));
  }

  /// False where it is too much to keep.
  save(key: string, value: string): boolean {
    const isNew = this.state.get(PREFIX + key) === undefined;
    if (value.length > MAX_VALUE || (isNew && Object.keys(this.all()).length >= MAX_KEYS)) return false;
    void this.state.update(PREFIX + key, value);
    return true;
  }
}
