// What the agent may do without asking: the settings that say so, as a menu. Loosening one of them is asked first.
import { createEffect, createMemo, createSignal, on, Show } from "solid-js";
import { AskCard } from "../asks/ask_card";
import { Dialog } from "../frame/dialogs/dialog";
import { makeGuard } from "../frame/dialogs/guard";
import { MENU_LINE, MenuButton, type MenuItem } from "../frame/menus/menu";
import { sayAgent } from "../frame/session/agent_name";
import { Icon } from "../icons/icon";
import type { ListedSetting, WaitingAsk } from "../model.gen";
import { type Mirror, useRoom } from "../state/room";
import { t } from "./texts";

const PARTS = ["sandbox", "approvals"] as const;
const LEAST_MS = 2_000; // between two looks for the sake of a run
type PermissionPart = (typeof PARTS)[number];
type Modes = Partial<Record<PermissionPart, ListedSetting>>;
const NAMED = new Set([
  "sandbox_read-only",
  "sandbox_workspace-write",
  "approvals_untrusted",
  "approvals_on-request",
]);

/// Not shown for an agent that has no such settings.
export function PermissionMenu(props: { mirror: Mirror }) {
  const room = useRoom();
  const [modes, setModes] = createSignal<Modes>({});
  const head = () => props.mirror.head();
  const agent = () => head().agent || "codex";
  const take = (settings: readonly ListedSetting[]) => {
    const find = (part: PermissionPart) => settings.find((one) => one.key === `bascule.${agent()}.${part}`);
    setModes({ sandbox: find("sandbox"), approvals: find("approvals") } as Modes);
  };
  const read = async () => {
    const listed = await room.call("settings.list", { session_id: props.mirror.id }).catch(() => undefined);
    if (listed) take(listed.settings);
  };
  // Read when the session is shown, after a dialog (the settings) has closed, and when a run begins: another
  // surface may have changed them. Of many short runs not every one.
  const isOpen = createMemo(() => room.connection().state === "open");
  const isCovered = createMemo(() => room.overlays().length > 0);
  const run = createMemo(() => head().runs?.at(-1)?.id);
  let readAtMs = 0;
  createEffect(
    on([isOpen, isCovered, run], ([open, covered, now], before) => {
      const isOfRun = before !== undefined && before[2] !== now;
      if (!open || covered || (isOfRun && Date.now() - readAtMs < LEAST_MS)) return;
      readAtMs = Date.now();
      void read();
    }),
  );
  const [asking, setAsking] = createSignal(""); // the key that was just set here
  const waiting = () => room.inbox().find((one) => isAbout(one, asking()));
  const choose = async (setting: ListedSetting, value: string) => {
    setAsking(setting.key);
    const listed = await room.attempt("settings.set", {
      key: setting.key,
      value,
      session_id: props.mirror.id,
    });
    if (listed) take(listed.settings);
    setAsking("");
  };
  const sandbox = () => modes().sandbox;
  const mode = (setting: ListedSetting) => say(`mode_${setting.value}`, setting.value);
  const group = (part: PermissionPart): readonly MenuItem[] => {
    const setting = modes()[part];
    if (!setting) return [];
    return [
      { label: t(part, { agent: sayAgent(agent()) }), line: true },
      ...(setting.choices ?? []).map((value) => ({
        label: say(`${part}_${value}`, value),
        checked: setting.value === value,
        run: () => void choose(setting, value),
      })),
    ];
  };
  return (
    <Show when={sandbox()}>
      {(setting) => (
        <>
          <MenuButton
            label={t("permission", { mode: mode(setting()) })}
            class="plain header-part"
            hasText
            items={() => [
              { label: t("permissionFor", { agent: sayAgent(agent()) }), line: true },
              MENU_LINE,
              ...PARTS.flatMap(group),
            ]}
          >
            <Icon name="shield" />
            <span class="unseen">{t("permissionName")}</span>
            <span class="header-word">{mode(setting())}</span>
          </MenuButton>
          <Show when={waiting()}>
            {(one) => <SettingQuestion waiting={one()} onClose={() => setAsking("")} />}
          </Show>
        </>
      )}
    </Show>
  );
}

/// Where it was asked for; every other surface shows it too.
function SettingQuestion(props: { waiting: WaitingAsk; onClose: () => void }) {
  const guard = makeGuard(() => props.waiting.ask.id);
  return (
    <Dialog title={t("question")} onClose={() => props.onClose()}>
      <AskCard session={props.waiting.session_id} ask={props.waiting.ask} guard={guard} heading="h3" />
    </Dialog>
  );
}

function isAbout(one: WaitingAsk, key: string): boolean {
  const subject = one.ask.subject;
  return key !== "" && subject.about === "setting" && subject.key === key;
}

/// A choice that this page has no words for yet is shown as it is spelt.
function say(key: string, value: unknown): string {
  return NAMED.has(key) || key === "mode_read-only" || key === "mode_workspace-write"
    ? t(key as "mode_read-only")
    : String(value);
}
