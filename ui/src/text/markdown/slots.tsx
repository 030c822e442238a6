// Living code inside of rendered Markdown: each fence is a component in the place that the fragment keeps for it.
import { createRoot, createSignal, getOwner, onCleanup, runWithOwner } from "solid-js";
import { insert } from "solid-js/web";
import { Code } from "../code/code";
import type { Slots } from "./morph";
import type { FencedCode } from "./render";

const NONE: FencedCode = { text: "", language: "" };

export class CodeSlots implements Slots {
  /// Of the piece that is being rendered; a place names its own by number.
  codes: readonly FencedCode[] = [];
  private readonly owner = getOwner();
  private readonly living = new Map<Node, { set: (code: FencedCode) => void; dispose: () => void }>();

  constructor() {
    onCleanup(() => {
      for (const { dispose } of this.living.values()) dispose();
    });
  }

  make(place: HTMLElement): HTMLElement {
    const host = document.createElement("div");
    const first = this.codeOf(place);
    runWithOwner(this.owner, () => createRoot((dispose) => this.start(host, first, dispose)));
    return host;
  }

  update(host: HTMLElement, place: HTMLElement): void {
    this.living.get(host)?.set(this.codeOf(place));
  }

  isSlot(node: Node): boolean {
    return this.living.has(node);
  }

  drop(host: HTMLElement): void {
    this.living.get(host)?.dispose();
    this.living.delete(host);
  }

  private start(host: HTMLElement, first: FencedCode, dispose: () => void): void {
    const [code, set] = createSignal(first);
    this.living.set(host, { set, dispose });
    insert(host, () => <Code text={code().text} language={code().language} />);
  }

  private codeOf(place: HTMLElement): FencedCode {
    return this.codes[Number(place.getAttribute("data-code"))] ?? NONE;
  }
}
