// What an Ask is about: a command, files with their diff, permissions, a setting.
import { createMemo, For, type JSX, lazy, Show, Suspense } from "solid-js";
import { settingEffect } from "../../i18n/setting_effects";
import { MANY_LINES } from "../../limits.gen";
import type {
  CommandSubject,
  DeviceSubject,
  FileEdit,
  FilesSubject,
  PermissionsSubject,
  SettingSubject,
} from "../../model.gen";
import { fromHome } from "../../text/paths";
import { spelt, speltLine } from "../../text/spelt";
import { foldBlank, splitLines } from "../reading/long_text";
import { useScroller } from "../reading/scroll_body";
import { t } from "../texts";
import { LinkLines, PerProcess } from "./links";

const DiffView = lazy(async () => ({ default: (await import("../../diff/diff_view")).DiffView }));

export function CommandView(props: { subject: CommandSubject; compact?: boolean | undefined }) {
  const original = () => (props.subject.original !== props.subject.command ? props.subject.original : "");
  return (
    <>
      <Show when={props.subject.host}>
        {(host) => (
          <Fact name={t("host")}>
            <code>{speltLine(host())}</code>
          </Fact>
        )}
      </Show>
      <Show when={props.subject.command}>
        <Script text={spelt(props.subject.command)} />
      </Show>
      <Show when={original()}>
        {(text) => (
          <details>
            <summary>{t("original")}</summary>
            <Script text={spelt(text())} />
            <Show when={props.compact}>
              <Folder cwd={props.subject.cwd} />
            </Show>
          </details>
        )}
      </Show>
      <Show when={!props.compact || !original()}>
        <Folder cwd={props.subject.cwd} />
      </Show>
      <Show when={props.subject.real_cwd}>
        {(real) => (
          <p class="asks-warning">
            {t("inFact")} <code>{speltLine(real())}</code>
          </p>
        )}
      </Show>
      <PerProcess subject={props.subject} />
    </>
  );
}

/// A command or script, as it would be run; how long it is, is said before it.
export function Script(props: { text: string }) {
  const lines = () => splitLines(props.text).length;
  return (
    <>
      <Show when={lines() > MANY_LINES}>
        <p class="asks-long">{t("commandLines", { n: lines().toLocaleString() })}</p>
      </Show>
      <pre class="asks-command">
        <For each={foldBlank(props.text)}>
          {(part) =>
            "blank" in part ? (
              <span class="asks-fold">{t("blankLines", { n: part.blank.toLocaleString() })}</span>
            ) : (
              part.text
            )
          }
        </For>
      </pre>
    </>
  );
}

function Folder(props: { cwd: string | undefined }) {
  return (
    <Show when={props.cwd}>
      {(cwd) => (
        <Fact name={t("cwd")}>
          <code title={speltLine(cwd())}>{speltLine(fromHome(cwd()))}</code>
        </Fact>
      )}
    </Show>
  );
}

export function Fact(props: { name: string; children: JSX.Element }) {
  return (
    <p class="asks-fact">
      <span class="asks-dim">{props.name}</span> {props.children}
    </p>
  );
}

const SIGNS = { add: "+", delete: "−", update: "~" } as const;

export function FilesView(props: {
  subject: FilesSubject;
  session: string;
  folded: boolean;
  onUnfold: () => void;
}) {
  const scroller = useScroller();
  const isReplaced = (file: FileEdit) =>
    props.subject.existing?.includes(file.moved_to || file.path) ?? false;
  /// An agent may call a file new that exists.
  const files = createMemo(() =>
    props.subject.files.map((file) =>
      isReplaced(file) && !file.moved_to ? { ...file, change: "update" as const } : file,
    ),
  );
  const hasDiff = () => props.subject.files.some((file) => file.diff);
  /// The open diff of several files names each of them; that of a single one doesn't.
  const isNamedBelow = (file: FileEdit) => !props.folded && files().length > 1 && Boolean(file.diff);
  const named = () => files().filter((file) => !isNamedBelow(file) || isReplaced(file));
  const lines = () => count(props.subject.files, "additions") + count(props.subject.files, "deletions");
  return (
    <>
      <Show when={props.subject.files.length > 1 || lines() > MANY_LINES}>
        <p class="asks-long">
          {sayFiles(props.subject.files.length)}
          <Lines
            additions={count(props.subject.files, "additions")}
            deletions={count(props.subject.files, "deletions")}
          />
        </p>
      </Show>
      <Show when={named().length > 0 || files().length === 0}>
        <ul class="asks-files">
          <For each={named()} fallback={<li>{t("filesUnknown")}</li>}>
            {(file) => <FileLine file={file} isReplaced={isReplaced(file)} />}
          </For>
        </ul>
      </Show>
      <Show when={props.subject.more}>
        {(more) => <p class="asks-warning">{t("moreFiles", { n: more() })}</p>}
      </Show>
      <Show when={props.subject.mixed}>
        <p class="asks-warning">{t("mixedFiles")}</p>
      </Show>
      <LinkLines links={props.subject.links} />
      <PerProcess subject={props.subject} />
      <Show when={props.subject.grant_root}>
        {(root) => (
          <p class="asks-warning">
            {t("grantRoot")} <code>{speltLine(root())}</code>
          </p>
        )}
      </Show>
      <Show when={hasDiff() && props.folded}>
        <button type="button" class="small asks-open" data-unread onClick={() => props.onUnfold()}>
          {t("showChanges")}
        </button>
      </Show>
      <Show when={hasDiff() && !props.folded}>
        <Suspense fallback={<LoadingDiff />}>
          <DiffView files={files()} session={props.session} scroller={scroller} compact whole />
        </Suspense>
      </Show>
    </>
  );
}

/// A yes waits for it.
function LoadingDiff() {
  return (
    <p class="asks-dim" data-loading>
      {t("loading")}
    </p>
  );
}

function count(files: readonly FileEdit[], what: "additions" | "deletions"): number {
  return files.reduce((sum, file) => sum + (file[what] ?? 0), 0);
}

function sayFiles(n: number): string {
  return n === 1 ? t("oneFile") : t("manyFiles", { n: n.toLocaleString() });
}

/// What is zero is left out.
function Lines(props: { additions: number; deletions: number }) {
  return (
    <>
      <Show when={props.additions > 0}>
        {" "}
        <span class="asks-added">+{props.additions.toLocaleString()}</span>
      </Show>
      <Show when={props.deletions > 0}>
        {" "}
        <span class="asks-deleted">−{props.deletions.toLocaleString()}</span>
      </Show>
    </>
  );
}

function FileLine(props: { file: FileEdit; isReplaced: boolean }) {
  return (
    <li>
      <span class="asks-sign" role="img" aria-label={t(`change_${props.file.change}`)}>
        {SIGNS[props.file.change]}
      </span>{" "}
      <code>
        {speltLine(props.file.path)}
        {props.file.moved_to ? ` → ${speltLine(props.file.moved_to)}` : ""}
      </code>
      <Lines additions={props.file.additions ?? 0} deletions={props.file.deletions ?? 0} />
      <Show when={props.isReplaced}>
        {" "}
        <span class="asks-warning">{t("replaced")}</span>
      </Show>
    </li>
  );
}

export function SettingView(props: { subject: SettingSubject }) {
  const effectKey = () => `${props.subject.key}.${props.subject.new.replaceAll('"', "")}`;
  return (
    <>
      <Show when={props.subject.effect}>
        {(effect) => <p>{spelt(settingEffect(effectKey(), effect()))}</p>}
      </Show>
      <p>
        <code>{speltLine(props.subject.key)}</code>
      </p>
      <Fact name={t("settingOld")}>
        <code class="asks-deleted">{speltLine(props.subject.old)}</code>
      </Fact>
      <Fact name={t("settingNew")}>
        <code class="asks-added">{speltLine(props.subject.new)}</code>
      </Fact>
      <Show when={props.subject.doc}>{(doc) => <p class="asks-dim">{spelt(doc())}</p>}</Show>
      <Show when={props.subject.file}>
        {(file) => (
          <Fact name={t("settingFile")}>
            <code title={speltLine(file())}>{speltLine(fromHome(file()))}</code>
          </Fact>
        )}
      </Show>
    </>
  );
}

export function DeviceView(props: { subject: DeviceSubject }) {
  return (
    <>
      <Fact name={t("device")}>{speltLine(props.subject.name)}</Fact>
      <Fact name={t("deviceKey")}>
        <code>{speltLine(props.subject.fingerprint)}</code>
      </Fact>
      <p class="asks-warning">{t("deviceCompare")}</p>
    </>
  );
}

export function PermissionsView(props: { subject: PermissionsSubject }) {
  return (
    <>
      <ul class="asks-files">
        <For each={props.subject.wants} fallback={<li>{t("nothingNamed")}</li>}>
          {(want) => <li>{speltLine(want)}</li>}
        </For>
      </ul>
      <LinkLines links={props.subject.links} />
      <PerProcess subject={props.subject} />
      <Folder cwd={props.subject.cwd} />
    </>
  );
}
