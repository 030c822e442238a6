// Markdown of an agent or a person: hostile, and often still growing.
import { createEffect, createMemo, type JSX, on, Show, untrack } from "solid-js";
import { type Room, useRoom } from "../../state/room";
import { createFramed } from "../frames";
import { parseLink } from "../links";
import { Plain } from "../plain";
import { t } from "../texts";
import { Page } from "./page";
import { CodeSlots } from "./slots";
import "../text.css";

export const MAX_MARKDOWN = 100_000; // characters; what follows them is shown as it is

export function Markdown(props: { text: string; session: string }): JSX.Element {
  const head = createMemo(() => props.text.slice(0, MAX_MARKDOWN));
  return (
    <>
      <Rendered text={head()} session={props.session} />
      <Show when={props.text.length > MAX_MARKDOWN}>
        <div class="text-long">
          <p>{t("tooLong")}</p>
          <Plain text={props.text.slice(MAX_MARKDOWN)} />
        </div>
      </Show>
    </>
  );
}

function Rendered(props: { text: string; session: string }): JSX.Element {
  const room = useRoom();
  const root = document.createElement("div");
  root.className = "text-markdown";
  const page = new Page(root, new CodeSlots());
  const text = createFramed(
    () => props.text,
    () => page.spent,
  );
  page.show(untrack(text));
  createEffect(on(text, (now) => page.show(now), { defer: true }));
  const follow = (event: MouseEvent) => followLink(room, props.session, event);
  root.addEventListener("click", follow);
  root.addEventListener("auxclick", follow);
  return root;
}

/// No link navigates the view: the host opens what is outside, the room what is a file here.
export function followLink(room: Room, session: string, event: MouseEvent): void {
  const anchor = event.target instanceof Element ? event.target.closest("a") : null;
  if (!anchor || event.button === 2) return;
  event.preventDefault();
  const link = parseLink(anchor.getAttribute("href") ?? "", room.card(session)?.workspace);
  if (link?.kind === "external") room.host.openExternal(link.url);
  if (link?.kind === "file") room.openFile(session, link.place);
}
