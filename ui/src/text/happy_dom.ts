// For unit tests: the one thing that happy-dom says otherwise than a browser, and that the sanitiser asks.

const NAMES: Record<number, string> = { 3: "#text", 8: "#comment", 9: "#document", 11: "#document-fragment" };

/// `Node.prototype`'s own getter answers "" for every element there; the sanitiser calls just that one.
Object.defineProperty(Node.prototype, "nodeName", {
  configurable: true,
  get(this: Node): string {
    return this instanceof Element ? this.tagName : (NAMES[this.nodeType] ?? "");
  },
});
