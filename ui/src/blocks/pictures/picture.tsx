// A picture from the workspace or from the session itself; external images are never fetched.
import { createResource, createSignal, type JSX, Match, Show, Switch } from "solid-js";
import { type Room, useRoom } from "../../state/room";
import { parseLink } from "../../text/links";
import { shorten, visible } from "../../text/visible";
import { t } from "../texts";

const MAX_NAME = 80;
const INLINE =
  /^data:image\/(png|jpeg|gif|webp|svg\+xml|bmp|avif)(;charset=[\w-]+)?(,|;base64,[a-z0-9+/]+={0,2}$)/i;

export function Picture(props: { session: string; source: string; caption?: string }): JSX.Element {
  const room = useRoom();
  const name = () => visible(shorten(props.caption || nameOf(props.source), MAX_NAME));
  return (
    <Switch fallback={<Local session={props.session} path={props.source} name={name()} />}>
      <Match when={INLINE.test(props.source)}>
        <Thumb url={props.source} name={name()} />
      </Match>
      <Match when={/^[a-z][a-z0-9+.-]+:/i.test(props.source)}>
        <Elsewhere room={room} url={props.source} />
      </Match>
    </Switch>
  );
}

function Local(props: { session: string; path: string; name: string }): JSX.Element {
  const room = useRoom();
  const [linked] = createResource(
    () => ({ session_id: props.session, path: props.path }),
    (wanted) => room.call("files.link", wanted).catch(() => undefined),
  );
  return (
    <Show when={!linked.loading} fallback={<span class="blocks-thumb" />}>
      <Show when={linked()} fallback={<p class="blocks-note">{t("imageGone", { name: props.name })}</p>}>
        {(file) => <Thumb url={room.host.fileUrl(file())} name={props.name} />}
      </Show>
    </Show>
  );
}

function Thumb(props: { url: string; name: string }): JSX.Element {
  const room = useRoom();
  const [broken, setBroken] = createSignal(false);
  const enlarge = () => room.show({ kind: "image", url: props.url, caption: props.name });
  return (
    <Show when={!broken()} fallback={<p class="blocks-note">{t("imageGone", { name: props.name })}</p>}>
      <button
        type="button"
        class="plain blocks-thumb"
        aria-label={t("enlarge", { name: props.name || t("image") })}
        onClick={enlarge}
      >
        <img src={props.url} alt="" decoding="async" onError={() => setBroken(true)} />
      </button>
    </Show>
  );
}

function Elsewhere(props: { room: Room; url: string }): JSX.Element {
  const link = () => parseLink(props.url);
  const open = () => {
    const found = link();
    if (found?.kind === "external") props.room.host.openExternal(found.url);
  };
  const text = () => t("elsewhere", { url: visible(shorten(props.url, MAX_NAME)) });
  return (
    <Show when={link()?.kind === "external"} fallback={<p class="blocks-note">{text()}</p>}>
      <button type="button" class="plain blocks-note" onClick={open}>
        {text()}
      </button>
    </Show>
  );
}

function nameOf(source: string): string {
  return source.startsWith("data:") ? "" : (source.split(/[\\/]/).pop() ?? "");
}
