// The entries of the palette: every session, what can be done here, commands, settings, and texts that were found.
import { focusQuestion } from "../asks/focus";
import { INPUT_ID } from "../composer/input/focus";
import { usable } from "../composer/suggestions/suggestions";
import { baseName } from "../frame/names";
import { hasLatestDiff, openLatestDiff } from "../frame/session/latest_diff";
import { makeItems } from "../frame/session/session_menu";
import { t as sessionText } from "../frame/session_texts";
import { type ActionName, isMac, showStroke } from "../frame/shortcuts";
import { commandDoc } from "../i18n/command_docs";
import { settingDoc } from "../i18n/setting_docs";
import { settingTitle } from "../i18n/setting_titles";
import type { IconName } from "../icons/icon";
import type { Card, FoundSession, ListedSetting, SlashCommand } from "../model.gen";
import { HOOKS, t as hooksText } from "../settings/hooks_texts";
import { t as settingText } from "../settings/texts";
import { mayAct, mayManage } from "../state/access";
import type { Room } from "../state/room";
import { ownSession } from "../state/sessions/viewed";
import { shorten } from "../text/visible";
import { LIMITS, makeName, type PaletteEntry } from "./groups";
import { plainText } from "./plain_text";
import type { Name } from "./rank";
import { t } from "./texts";

const MAX_NOTE = 60; // characters of a title beside what was said in it

/// What the layout does for the palette.
export interface PaletteReach {
  onNew: () => void;
  onSidebar: () => void;
  /// A session was opened: the input, or on glass the log, gets the focus.
  onOpened: (session: string) => void;
  /// A block of a session was opened.
  onReading: () => void;
}

/// `names`: made once for each card, of which there may be thousands.
export function listSessions(room: Room, reach: PaletteReach, names: WeakMap<Card, Name>): PaletteEntry[] {
  return room.cards().map((card) => ({
    key: `s ${card.session_id}`,
    kind: "sessions",
    label: room.name(card),
    note: baseName(card.workspace),
    card,
    isHere: card.session_id === room.active(),
    name: nameOf(card, names),
    run: () => {
      room.activate(card.session_id);
      reach.onOpened(card.session_id);
    },
  }));
}

function nameOf(card: Card, names: WeakMap<Card, Name>): Name {
  const known = names.get(card);
  if (known) return known;
  const made = makeName(card.title || card.session_id, `${baseName(card.workspace)} ${card.session_id}`);
  names.set(card, made);
  return made;
}

interface PaletteAct {
  icon: IconName;
  label: string;
  does?: ActionName; // whose key does the same
  of?: Card; // the session that it is done to
  when: boolean;
  run: () => void;
}

/// Only what can be done now.
export function listActions(room: Room, reach: PaletteReach): PaletteEntry[] {
  const card = room.card(room.active());
  const may = mayAct(room.access());
  const session = card?.session_id ?? "";
  const stop = () => void room.attempt("session.interrupt", { session_id: session });
  const acts: PaletteAct[] = [
    { icon: "plus", label: sessionText("newTitle"), does: "newSession", when: may, run: reach.onNew },
    { icon: "home", label: sessionText("firstPage"), when: session !== "", run: () => room.activate("") },
    {
      icon: "bell",
      label: t("question"),
      does: "question",
      when: room.inbox().length > 0,
      run: () => focusQuestion(room),
    },
    { icon: "stop", label: t("stop"), of: card, when: may && card?.status === "working", run: stop },
    {
      icon: "diff",
      label: sessionText("openDiff"),
      does: "diff",
      of: card,
      when: hasLatestDiff(room),
      run: () => openLatestDiff(room),
    },
    {
      icon: "eye",
      label: t("review"),
      of: card,
      when: (card?.files ?? 0) > 0,
      run: () => room.show({ kind: "review", session, run: "" }),
    },
    ...listForSession(room, card),
    {
      icon: "gear",
      label: sessionText("settings"),
      does: "settings",
      when: true,
      run: () => room.show({ kind: "settings" }),
    },
    { icon: "sidebar", label: t("sidebar"), does: "sidebar", when: true, run: reach.onSidebar },
    {
      icon: "help",
      label: sessionText("help"),
      does: "help",
      when: true,
      run: () => room.show({ kind: "help" }),
    },
  ];
  const mac = isMac();
  return acts
    .filter((act) => act.when)
    .map((act) => ({
      key: `a ${act.label}`,
      kind: act.of ? "session" : "actions",
      label: act.label,
      note: "",
      icon: act.icon,
      ...(act.does && { stroke: showStroke(act.does, mac) }),
      name: makeName(act.label),
      run: act.run,
    }));
}

/// As in the session's own menu.
function listForSession(room: Room, card: Card | undefined): PaletteAct[] {
  if (!card) return [];
  return makeItems(room, card.session_id)
    .filter((item) => !item.line)
    .map((item) => ({
      icon: item.icon ?? "right",
      label: item.label,
      of: card,
      when: !item.disabled,
      run: () => item.run?.(),
    }));
}

/// Chosen, a command is put into the input, where its words are added and Enter sends it.
export function listCommands(room: Room, commands: readonly SlashCommand[]): PaletteEntry[] {
  const session = ownSession(room);
  if (!session || !mayAct(room.access())) return [];
  return usable(commands, room.card(session)).map((command) => {
    const doc = commandDoc(command.name, command.doc);
    return {
      key: `c ${command.name}`,
      kind: "commands",
      label: command.name,
      note: doc,
      icon: "terminal",
      name: makeName(command.name, doc),
      run: () => putCommand(room, session, command),
    };
  });
}

/// What was typed before stays, as the command's words; a command without words leaves it alone and says so.
function putCommand(room: Room, session: string, command: SlashCommand): void {
  const before = room.draft(session).text.trim();
  if (before && !command.argument) {
    room.toast("warn", t("inputInUse", { command: command.name }));
    return;
  }
  const text = command.argument ? `${command.name} ${before}` : command.name;
  room.setDraft(session, { text });
  const input = document.getElementById(INPUT_ID) as HTMLTextAreaElement | null;
  input?.focus();
  input?.setSelectionRange(text.length, text.length);
}

const WISHES = ["theme", "language", "layout", "notify"] as const;
const WISH_WORDS = {
  theme: ["theme_light", "theme_dark", "theme_contrast", "theme_system"],
  language: ["languageSystem"],
  layout: ["layout_split", "layout_unified"],
  notify: ["notifyLabel"],
} as const;

export function listSettings(room: Room, settings: readonly ListedSetting[]): PaletteEntry[] {
  const wishes = WISHES.map((wish) => ({
    at: wish as string,
    label: settingText(wish),
    note: WISH_WORDS[wish].map((key) => settingText(key)).join(", "),
    doc: "",
  }));
  // The sentence that explains it is only what else it is found by.
  const keys = settings.map(({ key, doc }) => ({
    at: key,
    label: settingTitle(key),
    note: key,
    doc: settingDoc(key, doc),
  }));
  const hooks = mayManage(room.access())
    ? [{ at: HOOKS, label: hooksText("title"), note: hooksText("switch"), doc: hooksText("note") }]
    : [];
  return [...wishes, ...hooks, ...keys].map(({ at, label, note, doc }) => ({
    key: `o ${at}`,
    kind: "settings",
    label,
    note,
    icon: "gear",
    name: makeName(label, `${note} ${doc}`),
    run: () => room.show({ kind: "settings", at }),
  }));
}

const ICONS = { prompt: "right", answer: "file", file: "pencil" } as const;

/// What was said and which files were changed; names are among the sessions already.
export function listTexts(
  room: Room,
  reach: PaletteReach,
  found: readonly FoundSession[],
  words: readonly string[],
): PaletteEntry[] {
  const texts = found.flatMap((one) =>
    (one.hits ?? []).flatMap((hit) => {
      const { found_in } = hit;
      return found_in === "title" ? [] : [{ one, hit: { ...hit, found_in } }];
    }),
  );
  return texts.slice(0, LIMITS.texts).map(({ one, hit }, at) => ({
    key: `t ${one.session_id} ${hit.block_id} ${at}`,
    kind: "texts",
    label: plainText(hit.text),
    note: `${t(hit.found_in)} · ${shorten(one.title, MAX_NOTE)}`,
    icon: ICONS[hit.found_in],
    name: makeName(hit.text),
    run: () => {
      room.goTo(
        hit.block_id ? { session: one.session_id, block: hit.block_id, words } : { session: one.session_id },
      );
      reach.onReading();
    },
  }));
}
