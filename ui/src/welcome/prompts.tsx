// Prompts to begin with: three things to try, and what the demo plays.
import { For } from "solid-js";
import { demoDoc } from "../i18n/demo_docs";
import type { DemoPrompt } from "../model.gen";
import { Part } from "./part";
import { t } from "./texts";

const TRIES = [
  ["try1", "try1Text"],
  ["try2", "try2Text"],
  ["try3", "try3Text"],
] as const;

export function Tries(props: { canStart: boolean; onTry: (text: string) => void }) {
  return (
    <section aria-labelledby="welcome-try">
      <h3 id="welcome-try">{t("try")}</h3>
      <p class="welcome-dim">{t("tryNote")}</p>
      <ul class="welcome-cards">
        <For each={TRIES}>
          {([title, text]) => (
            <li>
              <button type="button" disabled={!props.canStart} onClick={() => props.onTry(t(text))}>
                <strong>{t(title)}</strong>
                <span>{t(text)}</span>
              </button>
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}

export function Demo(props: {
  prompts: readonly DemoPrompt[];
  isOpen: boolean;
  onSend: (prompt: DemoPrompt) => void;
}) {
  return (
    <Part name={t("demo")} isOpen={props.isOpen}>
      <p class="welcome-dim">{t("demoNote")}</p>
      <ul class="welcome-cards">
        <For each={props.prompts}>
          {(prompt) => (
            <li>
              <button type="button" onClick={() => props.onSend(prompt)}>
                <strong>{prompt.text}</strong>
                <span>{demoDoc(prompt.text, prompt.title)}</span>
              </button>
            </li>
          )}
        </For>
      </ul>
    </Part>
  );
}
