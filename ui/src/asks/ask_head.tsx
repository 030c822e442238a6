// The head of an Ask: what is asked, on whose behalf, and the agent's reason.
import { type JSX, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { StatusDot } from "../frame/session/status_dot";
import { MANY_LINES } from "../limits.gen";
import type { Ask } from "../model.gen";
import { spelt, speltLine } from "../text/spelt";
import { sayAsk } from "./ask_words";
import { Shortened } from "./reading/shortened";
import { t } from "./texts";

const REASON_LENGTH = 1_000; // characters

export function AskHead(props: { ask: Ask; heading: "h2" | "h3" | "h4"; id: string }): JSX.Element {
  return (
    <>
      <div class="asks-head">
        <StatusDot status="waiting_user" decorative />
        <Dynamic component={props.heading} id={props.id}>
          {speltLine(sayAsk(props.ask)) || t("allowThis")}
        </Dynamic>
        <Show when={props.ask.subject.about === "command" && props.ask.subject.sandbox}>
          {(sandbox) => (
            <span class="asks-sandbox">
              {t(sandbox() === "outside" ? "sandbox_outside" : "sandbox_unknown")}
            </span>
          )}
        </Show>
      </div>
      <Show when={props.ask.sender}>
        {(sender) => (
          <p class="asks-remote">
            {t("fromRemote", {
              user: speltLine(sender().user),
              order: speltLine(sender().command_id),
              via: speltLine(sender().via || "?"),
            })}
          </p>
        )}
      </Show>
      <Show when={props.ask.outside}>
        {(outside) => (
          <p class="asks-remote">
            {t("fromOutside", { who: speltLine(outside().device_name || outside().credential) })}
          </p>
        )}
      </Show>
      <Show when={props.ask.reason}>
        <p class="asks-words">
          <span class="asks-dim">{t("agentSays")}</span>{" "}
          <Shortened text={spelt(props.ask.reason ?? "")} lines={MANY_LINES} length={REASON_LENGTH} />
        </p>
      </Show>
    </>
  );
}
