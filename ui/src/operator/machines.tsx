// The relay's machines: which are connected, one to enrol, one to end.
import { createSignal, For, type JSX, Show } from "solid-js";
import { speltLine } from "../text/spelt";
import { Confirmed } from "./confirmed";
import type { Code, Machine, RelayApi } from "./relay_api";
import { t } from "./texts";
import { shortTime } from "./times";

type MachineAct = (work: () => Promise<unknown>) => Promise<boolean>;

export function Machines(props: {
  machines: readonly Machine[];
  api: RelayApi;
  act: MachineAct;
}): JSX.Element {
  return (
    <section aria-labelledby="machines">
      <h2 id="machines">{t("machines")}</h2>
      <Show when={props.machines.length > 0} fallback={<p class="operator-none">{t("noMachines")}</p>}>
        <ul class="operator-rows">
          <For each={props.machines}>
            {(one) => (
              <li>
                <span class="operator-dot" data-state={stateOf(one)} aria-hidden="true" />
                <span class="operator-what">
                  <b>{speltLine(one.machineId)}</b>
                  <span class="operator-note">{describe(one)}</span>
                </span>
                <Show when={!one.revoked}>
                  <Confirmed
                    label={t("revoke")}
                    question={t("revokeSure", { machine: speltLine(one.machineId) })}
                    onYes={() => void props.act(() => props.api.revoke(one.machineId))}
                  />
                </Show>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Enrol api={props.api} act={props.act} />
    </section>
  );
}

const stateOf = (one: Machine) => (one.revoked ? "revoked" : one.connected ? "connected" : "away");

function describe(one: Machine): string {
  if (one.revoked) return t("revoked");
  const parts = [
    one.connected && one.connectedAt
      ? t("connected", { time: shortTime(one.connectedAt) })
      : t("notConnected"),
    t("enrolled", { time: shortTime(one.enrolledAt) }),
    one.connected && one.node ? t("node", { node: speltLine(one.node) }) : "",
  ];
  return parts.filter(Boolean).join(" · ");
}

function Enrol(props: { api: RelayApi; act: MachineAct }): JSX.Element {
  const [name, setName] = createSignal("");
  const [made, setMade] = createSignal<Code>();
  const [isCopied, setCopied] = createSignal(false);
  async function make() {
    setMade(undefined);
    setCopied(false);
    await props.act(async () => setMade(await props.api.makeCode(name().trim())));
  }
  return (
    <form
      class="operator-enrol"
      aria-label={t("enrol")}
      onSubmit={(event) => {
        event.preventDefault();
        if (name().trim()) void make();
      }}
    >
      <label>
        <span>{t("enrol")}</span>
        <input
          type="text"
          placeholder={t("name")}
          maxLength={64}
          spellcheck={false}
          autocomplete="off"
          value={name()}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={!name().trim()}>
        {t("makeCode")}
      </button>
      <Show when={made()}>
        {(code) => (
          <div class="operator-code" role="status">
            <p>{t("codeHow", { machine: speltLine(code().machineId), time: shortTime(code().expiresAt) })}</p>
            <code>{code().code}</code>
            <button
              type="button"
              class="small"
              onClick={() => void navigator.clipboard?.writeText(code().code).then(() => setCopied(true))}
            >
              {isCopied() ? t("copied") : t("copy")}
            </button>
          </div>
        )}
      </Show>
    </form>
  );
}
