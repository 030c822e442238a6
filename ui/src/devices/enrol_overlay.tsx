// Enrolling this device: the code, the key to compare with the machine's, and what came of it.
import { createSignal, type JSX, Match, onMount, Show, Switch } from "solid-js";
import { Dialog } from "../frame/dialogs/dialog";
import { type Enrolment, useRoom } from "../state/room";
import { spelt, speltLine } from "../text/spelt";
import "./devices.css";
import { sayKinds, t } from "./texts";

const MAX_CODE = 20; // characters

export function EnrolOverlay(props: { code: string }): JSX.Element {
  const room = useRoom();
  const is = <S extends Enrolment["state"]>(state: S) => {
    const now = room.enrolment();
    return now.state === state ? (now as Extract<Enrolment, { state: S }>) : undefined;
  };
  onMount(() => {
    if (props.code && room.host.device.canKeep()) void room.enrol(props.code);
  });
  return (
    <Dialog title={t("title")} onClose={() => room.close()}>
      <div class="devices">
        <Show when={room.host.device.canKeep()} fallback={<p role="alert">{t("cannot")}</p>}>
          <Switch fallback={<CodeForm />}>
            <Match when={is("waiting")}>
              {(now) => (
                <>
                  <p>{t("compare")}</p>
                  <code class="devices-key">{now().fingerprint}</code>
                  <p role="status">{t("waiting")}</p>
                </>
              )}
            </Match>
            <Match when={is("enrolled")}>
              {(now) => <Enrolled name={now().name} kinds={room.access()?.yes_to ?? []} />}
            </Match>
          </Switch>
        </Show>
      </div>
    </Dialog>
  );
}

function CodeForm(): JSX.Element {
  const room = useRoom();
  const [code, setCode] = createSignal("");
  const refused = () => {
    const now = room.enrolment();
    return now.state === "refused" ? now.why : "";
  };
  return (
    <>
      <p>{t("how")}</p>
      <form
        class="devices-code"
        onSubmit={(event) => {
          event.preventDefault();
          if (code().trim()) void room.enrol(code().trim());
        }}
      >
        <label>
          <span>{t("code")}</span>{" "}
          <input
            type="text"
            autofocus
            autocomplete="off"
            spellcheck={false}
            maxLength={MAX_CODE}
            value={code()}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={!code().trim()}>
          {t("offer")}
        </button>
      </form>
      <Show when={refused()}>{(why) => <p role="alert">{t("refused", { why: spelt(why()) })}</p>}</Show>
    </>
  );
}

function Enrolled(props: { name: string; kinds: readonly string[] }): JSX.Element {
  const room = useRoom();
  return (
    <>
      <p role="status">{t("enrolled", { name: speltLine(props.name) })}</p>
      <p>{props.kinds.length > 0 ? t("counts", { kinds: sayKinds(props.kinds) }) : t("countsNot")}</p>
      <button type="button" onClick={() => room.close()}>
        {t("close")}
      </button>
    </>
  );
}
