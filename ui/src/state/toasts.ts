// Short notices: the same one again is counted, the oldest make room, and none goes before it could be seen.
import { createSignal } from "solid-js";
import type { Toast, ToastAction } from "./room";

const MAX_TOASTS = 3;
const SHOWN_MS: Record<Toast["level"], number> = { info: 5_000, warn: 9_000, error: 20_000 };
const ACTED_MS = 12_000; // at least, where something can be done about it

export class Toasts {
  private nextId = 1;
  private cell = createSignal<readonly Toast[]>([]);
  readonly list = this.cell[0];

  constructor(private readonly isLookedAt: () => boolean) {}

  add(level: Toast["level"], message: string, action?: ToastAction): void {
    const same = this.list().find((toast) => toast.level === level && toast.message === message);
    const toast = { id: this.nextId++, level, message, count: (same?.count ?? 0) + 1, action };
    this.cell[1]([...this.list().filter((one) => one !== same), toast].slice(-MAX_TOASTS));
    this.dismissLater(toast);
  }

  private dismissLater(toast: Toast): void {
    setTimeout(
      () => {
        if (this.isLookedAt()) this.dismiss(toast.id);
        else if (this.list().includes(toast)) this.dismissLater(toast);
      },
      Math.max(SHOWN_MS[toast.level], toast.action ? ACTED_MS : 0),
    );
  }

  dismiss(id: number): void {
    this.cell[1](this.list().filter((toast) => toast.id !== id));
  }
}
