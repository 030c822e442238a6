// The operator's page of a relay: machines, commands in flight and the audit trail, live.
import { createSignal, type JSX, Match, onCleanup, Show, Switch } from "solid-js";
import { Audit } from "./audit";
import { Commands } from "./commands";
import { Machines } from "./machines";
import "./operator.css";
import {
  type CommandFilter,
  makeRelayApi,
  type RelayApi,
  RelayRefused,
  type ShownCommand,
} from "./relay_api";
import { sayWhy, t } from "./texts";

const TOKEN = "bascule-relay:token"; // of this tab
const LOOK_MS = 2_000;

export function Operator(): JSX.Element {
  const [token, setToken] = createSignal(sessionStorage.getItem(TOKEN) ?? "");
  const [isWrong, setWrong] = createSignal(false);
  function enter(given: string) {
    sessionStorage.setItem(TOKEN, given);
    setWrong(false);
    setToken(given);
  }
  function leave(wrong: boolean) {
    sessionStorage.removeItem(TOKEN);
    setWrong(wrong);
    setToken("");
  }
  return (
    <Show keyed when={token()} fallback={<SignIn isWrong={isWrong()} onToken={enter} />}>
      {(given) => <Board api={makeRelayApi(given)} onLeave={leave} />}
    </Show>
  );
}

function SignIn(props: { isWrong: boolean; onToken: (token: string) => void }): JSX.Element {
  const [given, setGiven] = createSignal("");
  return (
    <main class="operator-signin">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (given().trim()) props.onToken(given().trim());
        }}
      >
        <h1>{t("title")}</h1>
        <label>
          <span>{t("token")}</span>
          <input
            type="password"
            autocomplete="off"
            autofocus
            value={given()}
            onInput={(event) => setGiven(event.currentTarget.value)}
          />
        </label>
        <p class="operator-note">{t("tokenHow")}</p>
        <Show when={props.isWrong}>
          <p role="alert">{t("wrongToken")}</p>
        </Show>
        <button type="submit" class="primary" disabled={!given().trim()}>
          {t("signIn")}
        </button>
      </form>
    </main>
  );
}

function Board(props: { api: RelayApi; onLeave: (wrong: boolean) => void }): JSX.Element {
  const [shown, setShown] = createSignal<ShownCommand>();
  const [isAway, setAway] = createSignal(false);
  const [fault, setFault] = createSignal("");
  const [filter, setFilter] = createSignal<CommandFilter>({ userId: "", machineId: "", status: "" });
  let count = 0;

  async function look() {
    const mine = ++count;
    try {
      const found = await props.api.show(filter());
      if (mine === count) setShown(found); // an older answer that comes late is not shown
      setAway(false);
    } catch (refused) {
      if (refused instanceof RelayRefused && refused.message === "unauthorized") props.onLeave(true);
      else setAway(true);
    }
  }
  async function act(work: () => Promise<unknown>): Promise<boolean> {
    setFault("");
    try {
      await work();
      await look();
      return true;
    } catch (refused) {
      setFault(t("failed", { why: sayWhy(refused instanceof Error ? refused.message : "") }));
      return false;
    }
  }
  const timer = setInterval(() => !document.hidden && void look(), LOOK_MS);
  onCleanup(() => clearInterval(timer));
  void look();

  return (
    <div class="operator">
      <header>
        <h1>{t("title")}</h1>
        <span role="status" classList={{ "operator-live": true, "operator-away": isAway() }}>
          {isAway() ? t("away") : t("live")}
        </span>
        <button type="button" onClick={() => props.onLeave(false)}>
          {t("signOut")}
        </button>
      </header>
      <Show when={fault()}>{(why) => <p role="alert">{why()}</p>}</Show>
      <Switch>
        <Match when={shown()}>
          {(now) => (
            <main>
              <Machines machines={now().machines} api={props.api} act={act} />
              <Commands commands={now().commands} api={props.api} act={act} />
              <Audit
                lines={now().audit}
                filter={filter()}
                onFilter={(wanted) => {
                  setFilter(wanted);
                  void look();
                }}
                onRetry={(command) => void act(() => props.api.retry(command))}
              />
            </main>
          )}
        </Match>
      </Switch>
    </div>
  );
}
