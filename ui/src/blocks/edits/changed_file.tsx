// One changed file: its name that opens it, how many lines, and its diff.
import { type JSX, lazy, Show, Suspense } from "solid-js";
import { Bars, Counts } from "../../frame/counts";
import { Icon } from "../../icons/icon";
import type { FileEdit } from "../../model.gen";
import { useRoom } from "../../state/room";
import { visible } from "../../text/visible";
import { Details } from "../details";
import { t } from "../texts";

const MAX_NESTED = 40_000; // characters of a diff inside of a block; the diff view has all

const DiffView = lazy(async () => ({ default: (await import("../../diff/diff_view")).DiffView }));

export function ChangedFile(props: { session: string; block: string; file: FileEdit }): JSX.Element {
  const room = useRoom();
  const path = () => props.file.moved_to || props.file.path;
  const open = () => room.openFile(props.session, { path: path() });
  const openByClick = (event: MouseEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault(); // don't open or close the details
    open();
  };
  return (
    <li class="blocks-file">
      <Show
        when={props.file.diff}
        fallback={
          // biome-ignore lint/a11y/useKeyWithClickEvents: the button beside it does the same
          // biome-ignore lint/a11y/noStaticElementInteractions: the button beside it does the same
          <div class="blocks-file-line" title={t("openHint")} onClick={openByClick}>
            <Line file={props.file} />
          </div>
        }
      >
        <Details
          session={props.session}
          key={`${props.block}/file:${props.file.path}`}
          title={t("openHint")}
          onSummaryClick={openByClick}
          summary={<Line file={props.file} />}
        >
          <NestedDiff session={props.session} file={props.file} />
        </Details>
      </Show>
      <Show when={props.file.change !== "delete"}>
        <button
          type="button"
          class="plain icon"
          aria-label={t("open", { path: visible(path()) })}
          onClick={open}
        >
          <Icon name="open" />
        </button>
      </Show>
    </li>
  );
}

function Line(props: { file: FileEdit }): JSX.Element {
  const name = () =>
    props.file.moved_to
      ? t("moved", { path: visible(props.file.path), to: visible(props.file.moved_to) })
      : visible(props.file.path);
  return (
    <>
      <bdi class="blocks-path">{name()}</bdi>{" "}
      <Show when={props.file.change !== "update"}>
        <span class="blocks-tag">{t(props.file.change)}</span>{" "}
      </Show>
      <span class="blocks-right">
        <Bars additions={props.file.additions ?? 0} deletions={props.file.deletions ?? 0} />
        <Counts additions={props.file.additions ?? 0} deletions={props.file.deletions ?? 0} />
      </span>
    </>
  );
}

function NestedDiff(props: { session: string; file: FileEdit }): JSX.Element {
  const room = useRoom();
  const whole = () => props.file.diff ?? "";
  const shown = () => cutAtLine(whole(), MAX_NESTED);
  const isCut = () => shown().length < whole().length;
  const show = () =>
    room.show({
      kind: "diff",
      title: props.file.path,
      unified: "",
      files: [props.file],
      session: props.session,
    });
  return (
    <>
      <Suspense fallback={<pre class="blocks-code">{shown()}</pre>}>
        <DiffView files={[{ ...props.file, diff: shown() }]} compact />
      </Suspense>
      <Show when={isCut()}>
        <p class="blocks-note">
          {t("diffCut")}{" "}
          <button type="button" class="plain" onClick={show}>
            {t("inDiffView")}
          </button>
        </p>
      </Show>
    </>
  );
}

/// At a line where one ends near the limit; a line that is longer is begun.
export function cutAtLine(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = text.lastIndexOf("\n", limit);
  return text.slice(0, end > limit / 2 ? end + 1 : limit);
}
