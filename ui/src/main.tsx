// The start: a host, a room, the page.
import { createEffect, createSignal, type JSX, Show } from "solid-js";
import { render } from "solid-js/web";
import { App } from "./app";
import { makeBrowserHost } from "./host/browser";
import type { Theme } from "./host/host";
import { hasEnrolCode, type SignInEnd, signIn, storedKey, storedWorkspace, takeToken } from "./host/signin";
import { isInEditor, makeVscodeHost } from "./host/vscode";
import { loadSentences } from "./i18n/sentence";
import { pickLanguage, setLanguage } from "./i18n/texts";
import { makeRoom } from "./state/make_room";
import { RoomProvider } from "./state/room";
import { setHome } from "./text/paths";
import { loadFont, loadFontNow } from "./theme/font";
import { SignIn } from "./welcome/signin";
import "./theme/base.css";

const host = isInEditor() ? makeVscodeHost() : makeBrowserHost();

function Page() {
  const room = makeRoom(host);
  const [isOut, setOut] = createSignal(false);
  createEffect(() => {
    const now = room.connection();
    if (now.state === "open")
      setOut(false); // another tab has signed in
    else if (now.state === "lost" && now.why) setOut(host.isSignedOut());
  });
  createEffect(() => {
    const chosen = pickLanguage([room.wish("language") ?? "", ...host.languages()]);
    setLanguage(chosen);
    if (chosen !== "en") void loadSentences();
    document.documentElement.lang = chosen;
  });
  createEffect(() => host.setTheme((room.wish("theme") as Theme) || "system"));
  createEffect(() => setHome(room.home()));
  if (host.kind === "browser") loadFont(() => room.listed() || isOut()); // an editor has its own
  createEffect(() => {
    document.body.dataset.connection = room.connection().state;
  });
  return (
    <RoomProvider value={room}>
      <Show when={!isOut()} fallback={<SignIn onIn={reload} />}>
        <App />
      </Show>
    </RoomProvider>
  );
}

function SignedOut(props: { entry?: SignInEnd; onIn: () => void }) {
  const chosen = pickLanguage([...host.languages()]);
  setLanguage(chosen);
  document.documentElement.lang = chosen;
  void loadFontNow(); // there is no list to wait for
  return <SignIn entry={props.entry} onIn={props.onIn} />;
}

const reload = () => location.reload();

/// In the place of what index.html says about a page that did not start.
function show(root: HTMLElement, page: () => JSX.Element) {
  root.replaceChildren();
  render(page, root);
}

async function start(root: HTMLElement) {
  if (host.kind === "vscode") return show(root, () => <Page />); // the extension has a way in
  const token = takeToken();
  const entry = token ? await signIn(token) : undefined;
  // A link that is opened where the page is already shown only changes the address behind the #.
  addEventListener("hashchange", async () => {
    const another = takeToken();
    const before = storedKey() + storedWorkspace();
    const isOther = () => hasEnrolCode() || before !== storedKey() + storedWorkspace();
    if (another && (await signIn(another)) === "in" && isOther()) reload();
  });
  const [isIn, setIn] = createSignal(storedKey() !== "");
  show(root, () => (
    <Show when={isIn()} fallback={<SignedOut entry={entry} onIn={() => setIn(true)} />}>
      <Page />
    </Show>
  ));
}

const root = document.getElementById("app");
if (root) void start(root);
