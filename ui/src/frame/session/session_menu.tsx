// What can be done with one session: rename, close its tab, copy its id, pin, archive, fork, export, delete.
import { createSignal, type JSX, Show } from "solid-js";
import { mayAct } from "../../state/access";
import { type Draft, type Room, useRoom } from "../../state/room";
import { can } from "../../state/sessions/capabilities";
import { shorten, visible } from "../../text/visible";
import { MENU_LINE, Menu, type MenuItem, type Point } from "../menus/menu";
import { fileName } from "../names";
import { t } from "../session_texts";

const MAX_NAME = 60; // characters, in a message
const NO_DRAFT: Draft = { text: "", files: [], context: {} };

export interface SessionMenu {
  open(session: string, at: Point): void;
  items(session: string): readonly MenuItem[];
  rename(session: string): void;
  /// The menu, to be put somewhere in the page.
  outlet: () => JSX.Element;
}

export function makeSessionMenu(): SessionMenu {
  const room = useRoom();
  const [opened, setOpened] = createSignal<{ session: string; at: Point }>();
  const items = (session: string) => makeItems(room, session);
  return {
    open: (session, at) => setOpened({ session, at }),
    items,
    rename: (session) => rename(room, session),
    outlet: () => (
      <Show when={opened()} keyed>
        {({ session, at }) => (
          <Menu
            label={t("sessionMenu", { title: visible(room.card(session)?.title ?? "") })}
            items={items(session)}
            at={at}
            onClose={() => setOpened(undefined)}
          />
        )}
      </Show>
    ),
  };
}

function rename(room: Room, session: string): void {
  if (mayAct(room.access())) room.show({ kind: "rename", session });
}

export function makeItems(room: Room, session: string): readonly MenuItem[] {
  const hidden = !room.tabs().some((tab) => tab.id === session);
  const isLooking = !mayAct(room.access());
  return [
    { label: t("rename"), icon: "pencil", disabled: isLooking, run: () => rename(room, session) },
    hidden
      ? { label: t("showTab"), icon: "eye", run: () => room.activate(session) }
      : {
          label: t("closeTab"),
          icon: "close",
          hint: "Delete",
          disabled: isLooking,
          run: () => room.hide(session),
        },
    {
      label: t("copyLink"),
      icon: "copy",
      run: () => void copy(room, room.host.linkTo({ session }), "linkCopied"),
    },
    { label: t("copyId"), icon: "copy", run: () => void copy(room, session, "copied") },
    MENU_LINE,
    placeItem(room, session, "pinned", isLooking),
    placeItem(room, session, "archived", isLooking),
    ...(can(room.card(session), "fork")
      ? [
          {
            label: t("fork"),
            icon: "plus" as const,
            disabled: isLooking,
            run: () => void fork(room, session),
          },
        ]
      : []),
    { label: t("exportMarkdown"), icon: "file", run: () => void exportAs(room, session, "markdown") },
    { label: t("exportJson"), icon: "file", run: () => void exportAs(room, session, "json") },
    MENU_LINE,
    {
      label: t("delete"),
      icon: "trash",
      danger: true,
      disabled: isLooking,
      run: () => void remove(room, session),
    },
  ];
}

const PLACES = {
  pinned: { icon: "pin", put: "pin", back: "unpin" },
  archived: { icon: "archive", put: "archive", back: "unarchive" },
} as const;

function placeItem(room: Room, session: string, place: keyof typeof PLACES, isLooking: boolean): MenuItem {
  const { icon, put, back } = PLACES[place];
  const isThere = room.card(session)?.place === place;
  return {
    label: t(isThere ? back : put),
    icon,
    disabled: isLooking,
    run: () => void setPlace(room, session, isThere ? "" : place),
  };
}

/// What is archived leaves the list, so the message offers the way back.
async function setPlace(room: Room, session: string, place: "" | keyof typeof PLACES): Promise<void> {
  const before = room.card(session)?.place ?? "";
  const done = await room.attempt("session.place", { session_id: session, place });
  if (!done || place !== "archived") return;
  const card = room.card(session);
  const name = card ? shorten(visible(room.name(card)), MAX_NAME) : "";
  room.toast("info", t("archivedNow", { name }), {
    label: t("undo"),
    act: () => void room.attempt("session.place", { session_id: session, place: before }),
  });
}

async function copy(room: Room, text: string, done: "copied" | "linkCopied"): Promise<void> {
  try {
    await room.host.copy(text);
    room.toast("info", t(done));
  } catch {
    room.toast("warn", t("notCopied", { text }));
  }
}

/// The question opens in the session, so it is shown there.
async function remove(room: Room, session: string): Promise<void> {
  room.activate(session);
  const card = room.card(session);
  const name = card ? shorten(visible(room.name(card)), MAX_NAME) : "";
  const done = await room.attempt("session.delete", { session_id: session });
  if (!done) return;
  if (card?.draft) room.setDraft(session, NO_DRAFT); // it was deleted with its session
  room.toast("info", t("deleted", { name }), {
    label: t("undo"),
    act: () => void room.attempt("session.restore", { session_id: session }),
  });
  if (room.active() === session) room.activate(room.tabs().find((tab) => tab.id !== session)?.id ?? "");
}

async function fork(room: Room, session: string): Promise<void> {
  const forked = await room.attempt("session.fork", { session_id: session });
  if (forked) room.activate(forked.session_id);
}

const FORMATS = {
  markdown: { extension: "md", mediaType: "text/markdown" },
  json: { extension: "json", mediaType: "application/json" },
} as const;

async function exportAs(room: Room, session: string, format: keyof typeof FORMATS): Promise<void> {
  const exported = await room.attempt("history.export", { session_id: session, format });
  if (!exported) return;
  const { extension, mediaType } = FORMATS[format];
  room.host.saveFile(fileName(room.card(session)?.title ?? "", extension), mediaType, exported.text);
}
