// What stands between a person and the first prompt: one card each, with the next step to copy or to click.
import { For, type JSX, Show } from "solid-js";
import { sayAgent } from "../frame/session/agent_name";
import type { Check, Inspected } from "../model.gen";
import { mayManage } from "../state/access";
import { useRoom } from "../state/room";
import { CopyButton } from "../text/copy";
import { visible } from "../text/visible";
import { t } from "./texts";

interface StepsProps {
  inspected: Inspected | undefined;
  hasFolder: boolean;
  isBusy: boolean;
  onAgain: () => void;
  onFolder: () => void;
}

export function Steps(props: StepsProps) {
  const room = useRoom();
  const open = () => (props.inspected?.checks ?? []).filter((check) => check.step);
  const needsFolder = () =>
    !props.hasFolder && mayManage(room.access()) && room.connection().state === "open" && room.listed();
  return (
    <Show when={!props.inspected?.demo}>
      <For each={open()}>
        {(check) => (
          <StepCard title={t(titleOf(check), { agent: nameOf(check) })} text={sayWhy(check)}>
            <For each={check.commands ?? []}>{(command) => <CommandLine command={command} />}</For>
            <div class="welcome-step-row">
              <Show when={isNamed(check)}>
                <button
                  type="button"
                  class="primary"
                  onClick={() => room.show({ kind: "settings", at: `bascule.${check.name}.command` })}
                >
                  {t("openSetting")}
                </button>
              </Show>
              <button type="button" disabled={props.isBusy} onClick={() => props.onAgain()}>
                {t(props.isBusy ? "looking" : "again")}
              </button>
              <span class="welcome-dim">
                {t("doctor")} <code>{visible(props.inspected?.program ?? "bascule")} doctor</code>
              </span>
            </div>
          </StepCard>
        )}
      </For>
      <Show when={needsFolder()}>
        <StepCard title={t("noFolderTitle")} text={t("noFolderText")}>
          <div class="welcome-step-row">
            <button type="button" class="primary" onClick={() => props.onFolder()}>
              {t("chooseFolder")}
            </button>
          </div>
        </StepCard>
      </Show>
      <Show when={open().length > 0 || needsFolder()}>
        <StepCard title={t("demoTitle")} text={t("demoText")}>
          <CommandLine command={`${props.inspected?.program ?? "bascule"} up --demo`} />
        </StepCard>
      </Show>
    </Show>
  );
}

/// A setting names the program, so there is nothing of ours to install.
function isNamed(check: Check): boolean {
  return check.step === "install" && (check.commands ?? []).length === 0;
}

function titleOf(check: Check): "installTitle" | "namedTitle" | "signInTitle" {
  if (check.step === "sign_in") return "signInTitle";
  return isNamed(check) ? "namedTitle" : "installTitle";
}

function nameOf(check: Check): string {
  return visible(sayAgent(check.agent));
}

/// Of a program that a setting names, only the daemon knows what is wrong with it.
function sayWhy(check: Check): string {
  if (check.step === "sign_in") return t("signInText", { agent: nameOf(check) });
  return isNamed(check)
    ? visible([check.text, check.next].filter(Boolean).join(" "))
    : t("installText", { agent: nameOf(check) });
}

function StepCard(props: { title: string; text: string; children: JSX.Element }) {
  return (
    <section class="welcome-step" aria-label={props.title}>
      <h3>{props.title}</h3>
      <p>{props.text}</p>
      {props.children}
    </section>
  );
}

function CommandLine(props: { command: string }) {
  return (
    <div class="welcome-command">
      <code>{visible(props.command)}</code>
      <CopyButton text={props.command} />
    </div>
  );
}
