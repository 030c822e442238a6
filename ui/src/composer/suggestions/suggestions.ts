// Suggestions for the word under the caret: commands from the daemon once, files with each letter.
import { type Accessor, createEffect, createMemo, createSignal, onCleanup } from "solid-js";
import { mentionOf } from "../../files/picked";
import { commandDoc } from "../../i18n/command_docs";
import type { Card, SlashCommand } from "../../model.gen";
import type { Room } from "../../state/room";
import { can } from "../../state/sessions/capabilities";
import { t } from "../texts";
import { mentionQuery, type Token } from "./token";

export interface Suggestion {
  text: string; // what is put into the input
  note: string;
}

export const MAX_FILES = 20; // that are offered at once

export interface Suggestions {
  list: Accessor<readonly Suggestion[]>;
  /// The workspace has more files than are looked at.
  truncated: Accessor<boolean>;
}

export function makeSuggestions(
  room: Room,
  session: Accessor<string>,
  token: Accessor<Token | undefined>,
): Suggestions {
  const commands = makeCommands(room, () => token()?.kind === "slash");
  const found = makeFound(room, session, () => {
    const word = token();
    return word?.kind === "mention" ? mentionQuery(word) : undefined;
  });
  const list = createMemo(() => {
    const word = token();
    if (!word) return [];
    return word.kind === "slash"
      ? matchCommands(usable(commands(), room.card(session())), word.text)
      : matchMentions(found().files, mentionQuery(word), openFiles(room, session()));
  });
  return { list, truncated: () => token()?.kind === "mention" && found().truncated };
}

/// Those that an editor has open in the session's folder, the latest first.
function openFiles(room: Pick<Room, "card" | "editor">, session: string): readonly string[] {
  const editor = room.editor();
  return editor && editor.workspace_root === room.card(session)?.workspace ? editor.open_files : [];
}

/// Those that the agent of the session can carry out.
export function usable(
  commands: readonly SlashCommand[],
  card: Pick<Card, "capabilities"> | undefined,
): readonly SlashCommand[] {
  return commands.filter(({ needs }) => !needs || can(card, needs));
}

/// A command that is typed to its end needs no suggestion, so that Enter sends it.
export function matchCommands(commands: readonly SlashCommand[], typed: string): readonly Suggestion[] {
  const fitting = commands.filter((command) => command.name.startsWith(typed));
  if (fitting.length === 1 && fitting[0]?.name === typed) return [];
  return fitting.map((command) => ({
    text: command.name,
    note: [command.argument, commandDoc(command.name, command.doc)].filter(Boolean).join(" · "),
  }));
}

/// As with a command: the only file of that name, typed to its end, needs no suggestion. What was found for the
/// letters before stays only as far as it fits the new ones, so that a quick Enter takes nothing else. What is
/// open in an editor comes first.
export function matchMentions(
  files: readonly string[],
  query: string,
  open: readonly string[] = [],
): readonly Suggestion[] {
  const selection = "selection".startsWith(query) ? [{ text: "@selection", note: t("selectionNote") }] : [];
  const paths = [...new Set([...open, ...files])];
  const named = paths.filter((path) => isSpeakable(path) && hasLetters(path, query)).slice(0, MAX_FILES);
  const note = (path: string) => (open.includes(path) ? t("openNote") : "");
  const all = [...selection, ...named.map((path) => ({ text: mentionOf(path), note: note(path) }))];
  return all.length === 1 && all[0]?.text === `@${query}` ? [] : all;
}

/// A colon is refused in a mention, and what needs quotes cannot hold one.
function isSpeakable(path: string): boolean {
  return !/[:\n]/.test(path) && !(mentionOf(path).startsWith('@"') && path.includes('"'));
}

/// In their order, with others between.
function hasLetters(path: string, query: string): boolean {
  const letters = query.replaceAll("\\", "/").replace(/^\.\//, "").toLowerCase();
  const text = path.toLowerCase();
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/// Asked for when first needed; asked again only if that failed.
function makeCommands(room: Room, wanted: Accessor<boolean>): Accessor<readonly SlashCommand[]> {
  const [commands, setCommands] = createSignal<readonly SlashCommand[]>([]);
  let asked = false;
  createEffect(() => {
    if (!wanted() || asked) return;
    asked = true;
    room.call("commands.list", {}).then(
      (answer) => setCommands(answer.commands),
      () => {
        asked = false;
      },
    );
  });
  return commands;
}

export interface FoundSuggestions {
  files: readonly string[];
  truncated: boolean;
}

const NOTHING: FoundSuggestions = { files: [], truncated: false };

/// At most one question per frame, and only the answer to the latest one counts. Until that comes, what was
/// found before stays.
export function makeFound(
  room: Room,
  session: Accessor<string>,
  query: Accessor<string | undefined>,
): Accessor<FoundSuggestions> {
  const [found, setFound] = createSignal<FoundSuggestions>(NOTHING);
  let latest = 0;
  createEffect(() => {
    const wanted = query();
    const session_id = session();
    latest += 1;
    const mine = latest;
    if (wanted === undefined) {
      setFound(NOTHING);
      return;
    }
    const keep = (answer: FoundSuggestions) => {
      if (mine === latest) setFound(answer);
    };
    const frame = requestAnimationFrame(() => {
      room
        .call("files.find", { query: wanted, session_id, limit: MAX_FILES })
        .then((answer) => keep({ files: answer.files, truncated: answer.truncated ?? false }))
        .catch(() => keep(NOTHING));
    });
    onCleanup(() => cancelAnimationFrame(frame));
  });
  return found;
}
