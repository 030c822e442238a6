// The audit trail, the newest line first, with filters; a command that has failed can be sent again.
import { For, type JSX, onCleanup, Show } from "solid-js";
import { speltLine } from "../text/spelt";
import type { AuditLine, CommandFilter } from "./relay_api";
import { t } from "./texts";
import { shortMoment } from "./times";

const TYPING_MS = 300; // after the last key
const FAILED = new Set(["error", "rejected", "cancelled"]);

export function Audit(props: {
  lines: readonly AuditLine[];
  filter: CommandFilter;
  onFilter: (filter: CommandFilter) => void;
  onRetry: (command: string) => void;
}): JSX.Element {
  let typed: Partial<CommandFilter> = {};
  let timer: number | undefined;
  const type = (key: keyof CommandFilter, value: string) => {
    window.clearTimeout(timer);
    typed = { ...typed, [key]: value };
    timer = window.setTimeout(() => {
      props.onFilter({ ...props.filter, ...typed });
      typed = {};
    }, TYPING_MS);
  };
  onCleanup(() => window.clearTimeout(timer));
  return (
    <section aria-labelledby="audit">
      <h2 id="audit">{t("audit")}</h2>
      <div class="operator-filters">
        <For each={["userId", "machineId", "status"] as const}>
          {(key) => (
            <label>
              <span>{labelOf(key)}</span>
              <input
                type="search"
                value={props.filter[key]}
                onInput={(event) => type(key, event.currentTarget.value.trim())}
              />
            </label>
          )}
        </For>
      </div>
      <Show when={props.lines.length > 0} fallback={<p class="operator-none">{t("noAudit")}</p>}>
        <div class="operator-table">
          <table>
            <thead>
              <tr>
                <For each={["time", "step", "user", "machine", "command", "status", "detail"] as const}>
                  {(name) => <th scope="col">{t(name)}</th>}
                </For>
              </tr>
            </thead>
            <tbody>
              <For each={props.lines}>{(line) => <Line line={line} onRetry={props.onRetry} />}</For>
            </tbody>
          </table>
        </div>
      </Show>
    </section>
  );
}

const labelOf = (key: keyof CommandFilter) =>
  t(key === "userId" ? "user" : key === "machineId" ? "machine" : "status");

function Line(props: { line: AuditLine; onRetry: (command: string) => void }): JSX.Element {
  const canRetry = () => props.line.step === "outcome" && FAILED.has(props.line.status);
  return (
    <tr>
      <td class="operator-time">{shortMoment(props.line.at)}</td>
      <td class="operator-step">{speltLine(props.line.step)}</td>
      <td class="operator-name">{speltLine(props.line.userId)}</td>
      <td class="operator-name">{speltLine(props.line.machineId)}</td>
      <td>
        <code>{speltLine(props.line.commandId)}</code>
      </td>
      <td>
        {speltLine(props.line.status)}{" "}
        <Show when={canRetry()}>
          <button type="button" class="small" onClick={() => props.onRetry(props.line.commandId)}>
            {t("retry")}
          </button>
        </Show>
      </td>
      <td class="operator-detail">{speltLine(props.line.detail)}</td>
    </tr>
  );
}
