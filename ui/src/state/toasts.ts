// Short notices: the same one again is counted, the oldest make room, and none goes before it could be seen.
// What went wrong in a session is shown in that session only.
import { type Accessor, createMemo, createSignal } from "solid-js";
import type { Toast, ToastAction } from "./room";

const MAX_TOASTS = 3;
const SHOWN_MS: Record<Toast["level"], number> = { info: 5_000, warn: 9_000, error: 20_000 };
const ACTED_MS = 12_000; // at least, where something can be done about it

export interface ToastDetails {
  action?: ToastAction;
  at?: string; // the session that it is about, or "" for Home; everywhere without it
}

export class Toasts {
  private nextId = 1;
  private cell = createSignal<readonly Toast[]>([]);
  private readonly all = this.cell[0];
  readonly list: Accessor<readonly Toast[]>;

  /// `active`: the session that is shown.
  constructor(
    private readonly isLookedAt: () => boolean,
    private readonly active: () => string,
  ) {
    this.list = createMemo(() => this.all().filter((toast) => this.isHere(toast)));
  }

  add(level: Toast["level"], message: string, { action, at }: ToastDetails = {}): void {
    const isUndo = level === "info" && action !== undefined; // each has something of its own to undo
    const isSame = (one: Toast) => one.level === level && one.message === message && one.at === at;
    const same = isUndo ? undefined : this.all().find(isSame);
    const toast = { id: this.nextId++, level, message, count: (same?.count ?? 0) + 1, action, at };
    this.cell[1]([...this.all().filter((one) => one !== same), toast].slice(-MAX_TOASTS));
    this.dismissLater(toast);
  }

  private isHere(toast: Toast): boolean {
    return toast.at === undefined || toast.at === this.active();
  }

  private dismissLater(toast: Toast): void {
    setTimeout(
      () => {
        if (this.isLookedAt() && this.isHere(toast)) this.dismiss(toast.id);
        else if (this.all().includes(toast)) this.dismissLater(toast);
      },
      Math.max(SHOWN_MS[toast.level], toast.action ? ACTED_MS : 0),
    );
  }

  dismiss(id: number): void {
    this.cell[1](this.all().filter((toast) => toast.id !== id));
  }
}
