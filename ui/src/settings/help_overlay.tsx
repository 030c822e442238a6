// The keyboard help, and the slash commands as the daemon lists them.
import { createSignal, For, onMount, Show } from "solid-js";
import { COMMANDS, type DiffCommand } from "../diff/keys";
import { Dialog } from "../frame/dialogs/dialog";
import { type ActionName, isMac, SHORTCUTS, showStroke } from "../frame/shortcuts";
import { commandDoc } from "../i18n/command_docs";
import type { SlashCommand } from "../model.gen";
import { useRoom } from "../state/room";
import { ownSession } from "../state/sessions/viewed";
import { type HelpText, t } from "./help_texts";
import "./settings.css";

type Line = readonly [keys: readonly string[], what: HelpText];

const LISTS: readonly Line[] = [
  [["←", "→", "↑", "↓", "Home", "End"], "walk"],
  [["Enter"], "enter"],
  [["Shift+F10"], "menu"],
  [["Delete"], "hide"],
  [["F2"], "rename"],
];
const makeReading = (mac: boolean): readonly Line[] => [
  [[mac ? "⌘F" : "Ctrl+F"], "findLog"],
  [["y"], "yes"],
  [["n"], "no"],
  [["Home"], "first"],
  [["End"], "last"],
];
const makeInput = (mac: boolean): readonly Line[] => [
  [["Enter"], "send"],
  [["Shift+Enter"], "break"],
  [[mac ? "⌘Enter" : "Ctrl+Enter"], "steer"],
  [["Esc"], "stop"],
  [["↑", "↓"], "history"],
  [["/"], "slash"],
  [["@"], "at"],
  [["Enter", "Tab"], "pick"],
  [[mac ? "⌥↑" : "Alt+↑", mac ? "⌥↓" : "Alt+↓"], "queue"],
];
const DIFF = (Object.entries(COMMANDS) as [string, DiffCommand][]).map(([key, what]): Line => [[key], what]);
const makeFile = (mac: boolean): readonly Line[] => [
  [["↑", "↓", "Shift+↑", "Shift+↓"], "lines"],
  [["/", mac ? "⌘F" : "Ctrl+F"], "find"],
];

export function HelpOverlay() {
  const room = useRoom();
  const mac = isMac();
  const names = Object.keys(SHORTCUTS) as ActionName[];
  const everywhere: readonly Line[] = [
    ...names.map((name): Line => [[showStroke(name, mac)], name]),
    [["Esc"], "escape"],
  ];
  return (
    <Dialog title={t("title")} wide reading onClose={() => room.close()}>
      <Part title={t("everywhere")} lines={everywhere} />
      <Part title={t("lists")} lines={LISTS} />
      <Part title={t("input")} lines={makeInput(mac)} />
      <Part title={t("reading")} lines={makeReading(isMac())} />
      <Part title={t("diffs")} lines={DIFF} />
      <Part title={t("file")} lines={makeFile(mac)} />
      <Commands />
    </Dialog>
  );
}

function Part(props: { title: string; lines: readonly Line[] }) {
  return (
    <section class="settings-help">
      <h3>{props.title}</h3>
      <table aria-label={props.title}>
        <tbody>
          <For each={props.lines}>
            {([keys, what]) => (
              <tr>
                <th scope="row">
                  <For each={keys}>
                    {(key) => (
                      <>
                        <kbd>{key}</kbd>{" "}
                      </>
                    )}
                  </For>
                </th>
                <td>{t(what)}</td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  );
}

function Commands() {
  const room = useRoom();
  const [commands, setCommands] = createSignal<readonly SlashCommand[]>([]);
  onMount(() =>
    room.call("commands.list", { session_id: ownSession(room) }).then(
      (listed) => setCommands(listed.commands),
      () => undefined, // said below
    ),
  );
  return (
    <section class="settings-help">
      <h3>{t("commands")}</h3>
      <Show when={commands().length > 0} fallback={<p class="settings-dim">{t("noCommands")}</p>}>
        <table aria-label={t("commands")}>
          <tbody>
            <For each={commands()}>
              {(command) => (
                <tr>
                  <th scope="row">
                    <code>{`${command.name} ${command.argument}`.trim()}</code>
                  </th>
                  <td>{commandDoc(command.name, command.doc)}</td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </Show>
    </section>
  );
}
