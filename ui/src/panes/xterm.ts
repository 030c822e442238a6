// xterm.js with the parts we use: one place that makes a terminal in the page's own colours.
import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { WebglAddon } from "@xterm/addon-webgl";
import { type ITheme, Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";

const SCROLLBACK = 10_000; // lines
const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

export interface Term {
  xterm: Terminal;
  fit: FitAddon;
  search: SearchAddon;
}

export function makeTerm(at: HTMLElement, onLink: (url: string) => void): Term {
  const style = getComputedStyle(at);
  const xterm = new Terminal({
    allowProposedApi: true, // the widths of characters
    cursorBlink: false, // no timer runs at rest
    fontFamily: style.getPropertyValue("--mono").trim() || "monospace",
    fontSize: Number.parseFloat(style.getPropertyValue("--mono-size")) || 12.5,
    minimumContrastRatio: 4.5,
    scrollback: SCROLLBACK,
    theme: readTheme(at),
  });
  const term: Term = { xterm, fit: new FitAddon(), search: new SearchAddon() };
  xterm.loadAddon(term.fit);
  xterm.loadAddon(term.search);
  xterm.loadAddon(new UnicodeGraphemesAddon());
  xterm.loadAddon(new WebLinksAddon((event, url) => (event.ctrlKey || event.metaKey) && onLink(url)));
  xterm.open(at);
  drawFast(xterm);
  return term;
}

/// With the graphics card where there is one; else the elements of the page do.
function drawFast(xterm: Terminal): void {
  try {
    const webgl = new WebglAddon();
    webgl.onContextLoss(() => webgl.dispose());
    xterm.loadAddon(webgl);
  } catch {
    // no WebGL2 here
  }
}

/// The page's colours, as they are now.
export function readTheme(at: HTMLElement): ITheme {
  const theme: Record<string, string> = {
    background: readColour(at, "--bg"),
    foreground: readColour(at, "--fg"),
    cursor: readColour(at, "--fg"),
    cursorAccent: readColour(at, "--bg"),
    selectionBackground: readColour(at, "--bg-chosen"),
  };
  for (const name of COLOURS) {
    theme[name] = readColour(at, `--ansi-${name}`);
    theme[`bright${name[0]?.toUpperCase()}${name.slice(1)}`] = readColour(at, `--ansi-bright-${name}`);
  }
  return theme;
}

/// A token may be `light-dark(…)`: what it is now, a browser says only of an element that uses it.
function readColour(at: HTMLElement, token: string): string {
  const probe = document.createElement("span");
  probe.hidden = true;
  probe.style.color = `var(${token})`;
  at.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

interface CoreService {
  onUserInput?: (heard: () => void) => { dispose(): void };
}

/// All that a terminal sends, and whether a person typed it or it answers a program. The public event has both alike;
/// just before what was typed another one comes.
export function tellTyped(xterm: Terminal, heard: (text: string, isTyped: boolean) => void): void {
  const core = (xterm as unknown as { _core?: { coreService?: CoreService } })._core?.coreService;
  if (!core?.onUserInput) throw new Error("xterm says in another way now what was typed");
  let isTyped = false;
  core.onUserInput(() => {
    isTyped = true;
  });
  xterm.onData((text) => {
    const was = isTyped;
    isTyped = false;
    heard(text, was);
  });
}
