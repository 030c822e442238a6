// Commands without an outcome: who asked which machine for what, for how long, and a way to cancel.
import { For, type JSX, Show } from "solid-js";
import { speltLine } from "../text/spelt";
import { Confirmed } from "./confirmed";
import type { RelayApi, RelayCommand } from "./relay_api";
import { t } from "./texts";
import { shortAge } from "./times";

const STATES = { taken: "taken", inLine: "inLine", asking: "asking" } as const;

const sayState = (one: RelayCommand) =>
  t(one.cancelled ? "cancelling" : (STATES[one.state as keyof typeof STATES] ?? "queued"));

export function Commands(props: {
  commands: readonly RelayCommand[];
  api: RelayApi;
  act: (work: () => Promise<unknown>) => Promise<boolean>;
}): JSX.Element {
  return (
    <section aria-labelledby="commands">
      <h2 id="commands">
        {t("commands")} <span class="operator-note">{props.commands.length || ""}</span>
      </h2>
      <Show when={props.commands.length > 0} fallback={<p class="operator-none">{t("noCommands")}</p>}>
        <ul class="operator-rows">
          <For each={props.commands}>
            {(one) => (
              <li>
                <span class="operator-dot" data-state={one.state} aria-hidden="true" />
                <span class="operator-what">
                  <b>
                    {one.kind} <code>{speltLine(one.commandId)}</code>
                  </b>
                  <span class="operator-note">
                    {t("by", { user: speltLine(one.userId), machine: speltLine(one.machineId) })} ·{" "}
                    {sayState(one)} · {shortAge(one.ageMs)}
                  </span>
                </span>
                <Show when={!one.cancelled}>
                  <Confirmed
                    label={t("cancel")}
                    question={t("cancelSure", { command: speltLine(one.commandId) })}
                    onYes={() => void props.act(() => props.api.cancel(one.commandId))}
                  />
                </Show>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </section>
  );
}
