// The start: a host, a room, the page.
import { createEffect } from "solid-js";
import { render } from "solid-js/web";
import { App } from "./app";
import { makeBrowserHost } from "./host/browser";
import type { Theme } from "./host/host";
import { pickLanguage, setLanguage } from "./i18n/texts";
import { makeRoom } from "./state/make_room";
import { RoomProvider } from "./state/room";
import { setHome } from "./text/paths";
import "./theme/base.css";

function Page() {
  const host = makeBrowserHost();
  const room = makeRoom(host);
  createEffect(() => {
    const chosen = pickLanguage([room.wish("language") ?? "", ...host.languages()]);
    setLanguage(chosen);
    document.documentElement.lang = chosen;
  });
  createEffect(() => host.setTheme((room.wish("theme") as Theme) || "system"));
  createEffect(() => setHome(room.home()));
  createEffect(() => {
    document.body.dataset.connection = room.connection().state;
  });
  return (
    <RoomProvider value={room}>
      <App />
    </RoomProvider>
  );
}

const root = document.getElementById("app");
if (root) render(() => <Page />, root);
