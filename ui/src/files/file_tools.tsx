// Above a file's text: how much of it there is, and what can be done with its lines.
import { createSignal, Show } from "solid-js";
import { useRoom } from "../state/room";
import { sayFault } from "../text/visible";
import type { FileLine } from "./lines";
import { mentionOf, type Picked, pickedText, placeOf, withMention } from "./picked";
import type { FoundFile } from "./reading";
import { t } from "./texts";

interface FileToolsProps {
  session: string;
  path: string;
  found: Extract<FoundFile, { kind: "text" }>;
  lines: readonly FileLine[];
  picked: Picked | undefined;
  onGo: (line: number) => void;
  onFind: () => void;
  onMentioned: () => void;
}

export function FileTools(props: FileToolsProps) {
  const room = useRoom();
  const mention = () => {
    const chosen = props.picked;
    const what = chosen ? "@selection" : mentionOf(props.path);
    room.setDraft(props.session, { text: withMention(room.draft(props.session).text, what) });
    room.toast("info", t("mentioned", { what: chosen ? placeOf(props.path, chosen) : what }));
    props.onMentioned();
  };
  const copy = async () => {
    const chosen = props.picked ?? { anchor: 0, head: props.lines.length - 1 };
    try {
      await room.host.copy(pickedText(props.lines, chosen));
      room.toast("info", t("copied"));
    } catch (fault) {
      room.toast("error", t("notCopied", { why: sayFault(fault) }));
    }
  };
  return (
    <div class="files-tools">
      <span class="files-dim" aria-live="polite">
        {describe(props)}
      </span>
      <span class="files-space" />
      <GoTo onGo={props.onGo} />
      <button type="button" onClick={props.onFind}>
        {t("find")}
      </button>
      <button type="button" onClick={() => void copy()}>
        {t("copy")}
      </button>
      <Show when={props.picked || !/\s/.test(props.path)}>
        <button type="button" class="primary" onClick={mention}>
          {t(props.picked ? "mentionPicked" : "mentionFile")}
        </button>
      </Show>
    </div>
  );
}

function GoTo(props: { onGo: (line: number) => void }) {
  const [line, setLine] = createSignal("");
  return (
    <form
      class="files-goto"
      onSubmit={(event) => {
        event.preventDefault();
        if (Number(line()) > 0) props.onGo(Number(line()));
      }}
    >
      <input
        type="number"
        min="1"
        aria-label={t("goTo")}
        placeholder={t("goTo")}
        value={line()}
        onInput={(event) => setLine(event.currentTarget.value)}
      />
    </form>
  );
}

function describe({ found, lines, picked, path }: FileToolsProps): string {
  if (picked) return t("picked", { place: placeOf(path, picked) });
  const isOne = found.isWhole && lines.length === 1;
  const count = isOne
    ? t("oneLine")
    : t(found.isWhole ? "lines" : "more", { n: lines.length.toLocaleString() });
  return found.crlf ? `${count} · CRLF` : count;
}
