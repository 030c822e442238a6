// Markdown to a sanitised fragment: HTML off, few tags, no images, and code kept out of HTML altogether.
import DOMPurify, { type Config } from "dompurify";
import MarkdownIt, { type MarkdownIt as Maker, type Env as MarkdownEnv, type Token } from "markdown-it";
import { parseLink } from "../links";

const MAX_NESTING = 40;
const MAX_LANGUAGE = 40;

export interface FencedCode {
  text: string;
  language: string;
}

/// What one text carries from piece to piece: its link references, and the code of the piece at hand.
export interface Env {
  references?: Record<string, unknown>;
  codes?: FencedCode[];
}

const SANITISED: Config = {
  ALLOWED_TAGS: [
    ...["p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "li"],
    ...["table", "thead", "tbody", "tr", "th", "td", "strong", "em", "s", "code", "pre", "a", "div"],
  ],
  ALLOWED_ATTR: ["href", "target", "rel", "start", "class", "data-code"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|:\d|$))/i,
  ALLOW_UNKNOWN_PROTOCOLS: false,
  RETURN_DOM_FRAGMENT: true,
};

const md = makeMarkdown();

function makeMarkdown(): Maker {
  const made = new MarkdownIt("default", {
    html: false,
    linkify: true,
    breaks: true,
    typographer: false,
    maxNesting: MAX_NESTING,
  });
  // A bare README.md is a file's name and no address in Moldova: only what has a scheme is one.
  made.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  made.linkify.add("//", null).add("ftp:", null);
  made.validateLink = (address) => parseLink(address) !== undefined;
  made.renderer.rules.fence = (tokens, index, _options, env) => {
    const token = tokens[index];
    return placeCode(env, token?.content ?? "", (token?.info ?? "").trim().split(/\s+/)[0] ?? "");
  };
  made.renderer.rules.code_block = (tokens, index, _options, env) =>
    placeCode(env, tokens[index]?.content ?? "", "");
  made.renderer.rules.link_open = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet("target", "_blank");
    tokens[index]?.attrSet("rel", "noreferrer noopener");
    return self.renderToken(tokens, index, options);
  };
  made.renderer.rules.image = (tokens, index) => linkImage(made, tokens[index]);
  made.renderer.rules.table_open = () => '<div class="text-table"><table>';
  made.renderer.rules.table_close = () => "</table></div>";
  made.renderer.rules.th_open = made.renderer.rules.td_open = alignCell;
  return made;
}

/// By a class: the policy knows no style attributes, not even on their way through the sanitiser.
function alignCell(tokens: readonly Token[], index: number): string {
  const token = tokens[index];
  const side = /^text-align:(left|center|right)$/.exec(String(token?.attrGet("style") ?? ""))?.[1];
  return side ? `<${token?.tag} class="text-${side}">` : `<${token?.tag}>`;
}

function placeCode(given: object | undefined, text: string, language: string): string {
  const env = (given ?? {}) as Env;
  env.codes ??= [];
  env.codes.push({ text: text.replace(/\n$/, ""), language: language.slice(0, MAX_LANGUAGE) });
  return `<pre data-code="${env.codes.length - 1}"></pre>`;
}

/// An image is never fetched because a text says so: its name becomes a link.
function linkImage(made: Maker, token: Token | undefined): string {
  const source = String(token?.attrGet("src") ?? "");
  const address = made.utils.escapeHtml(source);
  const name = made.utils.escapeHtml(token?.content || source);
  return `<a class="text-image" href="${address}" target="_blank" rel="noreferrer noopener">${name}</a>`;
}

export interface Rendered {
  fragment: DocumentFragment;
  codes: FencedCode[];
}

export function renderMarkdown(source: string, env: Env = {}): Rendered {
  env.codes = [];
  const html = md.render(source, env as MarkdownEnv);
  return { fragment: DOMPurify.sanitize(html, SANITISED) as unknown as DocumentFragment, codes: env.codes };
}

export const MAX_BLOCK = 8_000; // characters of one paragraph or list that are made at once

/// Where a text may be cut for good: before its last top-level block, which later text could still change, and
/// inside of very long paragraphs and lists. Only whole lines count: half a line may yet turn into something else.
/// The cuts depend on the text alone, so a text that streamed in ends as one that came at once.
export function findCuts(source: string): number[] {
  const whole = source.slice(0, source.lastIndexOf("\n") + 1);
  if (!whole) return [];
  const starts = lineStarts(whole);
  const offset = (line: number) => starts[line] ?? whole.length;
  const blocks = findBlocks(md.parse(whole, {}));
  const inside = blocks.flatMap((block) => cutsInside(offset(block.line), block.seams.map(offset)));
  const last = offset(blocks.at(-1)?.line ?? 0);
  return [...new Set([...inside, last])].filter((cut) => cut > 0).sort((one, other) => one - other);
}

interface TopBlock {
  line: number;
  seams: number[]; // lines at which it may be cut: those of a paragraph, the items of a list
}

function findBlocks(tokens: readonly Token[]): TopBlock[] {
  const blocks: TopBlock[] = [];
  for (const { type, level, map } of tokens) {
    if (!map) continue;
    const [line, end] = map;
    if (level === 0) blocks.push({ line, seams: type === "paragraph_open" ? range(line + 1, end) : [] });
    else if (level === 1 && type === "list_item_open") blocks.at(-1)?.seams.push(line);
  }
  return blocks;
}

function cutsInside(start: number, seams: readonly number[]): number[] {
  const cuts: number[] = [];
  for (const seam of seams) if (seam - (cuts.at(-1) ?? start) >= MAX_BLOCK) cuts.push(seam);
  return cuts;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
