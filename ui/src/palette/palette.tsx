// The palette: one field that finds sessions, what was said in them, actions, commands and settings.
import { type Accessor, createMemo, createSignal, createUniqueId, onMount } from "solid-js";
import { Dialog } from "../frame/dialogs/dialog";
import { findAction, isMac } from "../frame/shortcuts";
import { t as common } from "../frame/texts";
import { Icon } from "../icons/icon";
import type { Card, ListedSetting, SlashCommand } from "../model.gen";
import { type Room, useRoom } from "../state/room";
import { visible } from "../text/visible";
import {
  listActions,
  listCommands,
  listSessions,
  listSettings,
  listTexts,
  type PaletteReach,
} from "./entries";
import { type EntryGroup, groupFitting, type PaletteEntry } from "./groups";
import "./palette.css";
import { makeSearching, type Searched } from "../frame/sidebar/searching";
import { ownSession } from "../state/sessions/viewed";
import { PaletteList } from "./palette_list";
import { type Name, parseSought } from "./rank";
import { t } from "./texts";

const WALK: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 };

/// `ahead` gives what was typed before its field was there.
export function Palette(props: { reach: PaletteReach; ahead: () => string }) {
  const room = useRoom();
  const id = createUniqueId();
  const [typed, setTyped] = createSignal("");
  const [pointed, setPointed] = createSignal<string>(); // the key of an entry
  const searched = makeSearching(room, typed);
  const groups = createGroups(room, props.reach, typed, searched);
  const entries = createMemo(() => groups().flatMap((group) => group.entries));
  const words = createMemo(() => parseSought(typed()).words);
  /// What arrives later does not move it.
  const chosen = createMemo(() => entries().find((entry) => entry.key === pointed()) ?? entries()[0]);
  const optionId = (key: string) => `${id}-${key.replace(/\s/g, "_")}`;
  const chosenId = () => {
    const entry = chosen();
    return entry && optionId(entry.key);
  };

  const choose = (entry: PaletteEntry) => {
    room.close();
    queueMicrotask(entry.run); // after the dialog has returned the focus
  };
  const point = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    setPointed(entry.key);
    document.getElementById(optionId(entry.key))?.scrollIntoView({ block: "nearest" });
  };
  const step = (by: number) => {
    const all = entries();
    const now = all.findIndex((entry) => entry.key === chosen()?.key);
    const next = now + by;
    if (Math.abs(by) === 1) return point(all.at(next % all.length));
    point(all[Math.max(0, Math.min(all.length - 1, next))]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const by = WALK[event.key];
    const entry = chosen();
    if (by !== undefined) step(by);
    else if (event.key === "Enter" && entry) choose(entry);
    else if (findAction(event, true, isMac())?.name === "search") room.close();
    else return;
    event.preventDefault();
  };
  const isFailed = () => searched().state === "failed";
  const status = () => {
    const n = entries().length;
    if (isFailed()) return t("searchFailed");
    if (n > 0) return n === 1 ? t("count_one") : t("count", { n });
    return searched().state === "busy" ? t("searching") : t("none", { query: visible(typed().trim()) });
  };
  return (
    <Dialog title={t("title")} bare onClose={room.close}>
      <Field
        id={id}
        hasEntries={entries().length > 0}
        pointsAt={chosenId()}
        onTyped={(text) => {
          setPointed(undefined);
          setTyped(text);
          document.getElementById(`${id}-list`)?.scrollTo({ top: 0 });
        }}
        onKeyDown={onKeyDown}
        ahead={props.ahead}
        onClose={room.close}
      />
      <PaletteList
        id={id}
        groups={groups()}
        words={words()}
        chosen={chosen()?.key}
        optionId={optionId}
        onPoint={setPointed}
        onChoose={choose}
      />
      {/* A count is only read aloud: who sees the list needs none. */}
      <p class="palette-status" classList={{ unseen: entries().length > 0 && !isFailed() }} role="status">
        {status()}
      </p>
    </Dialog>
  );
}

/// Everything that fits, in its groups.
function createGroups(
  room: Room,
  reach: PaletteReach,
  typed: Accessor<string>,
  searched: Accessor<Searched>,
): Accessor<readonly EntryGroup[]> {
  const [commands, setCommands] = createSignal<readonly SlashCommand[]>([]);
  const [settings, setSettings] = createSignal<readonly ListedSetting[]>([]);
  onMount(() => {
    const session_id = ownSession(room);
    // Without them, the rest is still found.
    room.call("commands.list", { session_id }).then(
      (listed) => setCommands(listed.commands),
      () => undefined,
    );
    room.call("settings.list", { session_id }).then(
      (listed) => setSettings(listed.settings),
      () => undefined,
    );
  });

  const names = new WeakMap<Card, Name>();
  const sessions = createMemo(() => listSessions(room, reach, names));
  const others = createMemo(() => [...listActions(room, reach), ...listCommands(room, commands())]);
  const texts = createMemo(() => listTexts(room, reach, searched().sessions, parseSought(typed()).words));
  /// Below what was said, and with it: what Enter opens must not change while a person reaches for the key.
  const later = () => (searched().state === "busy" ? [] : listSettings(room, settings()));
  return createMemo(() => groupFitting([...sessions(), ...others(), ...later()], typed(), texts()));
}

interface PaletteFieldProps {
  id: string;
  hasEntries: boolean;
  pointsAt: string | undefined; // the id of the chosen entry
  onTyped: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  ahead: () => string;
  onClose: () => void;
}

function Field(props: PaletteFieldProps) {
  return (
    <div class="palette-field">
      <Icon name="search" />
      <input
        type="text"
        role="combobox"
        autofocus
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        aria-label={t("title")}
        aria-expanded={props.hasEntries}
        aria-controls={`${props.id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={props.pointsAt}
        placeholder={t("placeholder")}
        onInput={(event) => props.onTyped(event.currentTarget.value)}
        onKeyDown={props.onKeyDown}
        onFocus={(event) => {
          const typed = props.ahead();
          if (!typed) return;
          event.currentTarget.value += typed;
          props.onTyped(event.currentTarget.value);
        }}
      />
      <button
        type="button"
        class="plain icon"
        aria-label={common("close")}
        title={common("close")}
        onClick={props.onClose}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
