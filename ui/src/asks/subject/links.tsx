// Where the paths of a question lead.
import { For, Show } from "solid-js";
import type { RealPath } from "../../model.gen";
import { speltLine } from "../../text/spelt";
import { t } from "../texts";

/// Where paths lead that go through a link.
export function LinkLines(props: { links: readonly RealPath[] | undefined }) {
  return (
    <For each={props.links ?? []}>
      {(link) => (
        <p class="asks-warning">
          <code>{speltLine(link.path)}</code> {t("inFact")} <code>{speltLine(link.real)}</code>
          {link.is_outside ? ` ${t("outsideFolder")}` : ""}
        </p>
      )}
    </For>
  );
}

/// Why there is no yes where a path leads each process elsewhere.
export function PerProcess(props: { subject: { per_process?: boolean } }) {
  return (
    <Show when={props.subject.per_process}>
      <p class="asks-warning">{t("perProcess")}</p>
    </Show>
  );
}
