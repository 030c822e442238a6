// The model of a session and how hard it thinks, chosen from what the agent has.
import { createSignal, For, Show } from "solid-js";
import { PanelButton } from "../frame/menus/panel_button";
import { sayAgent } from "../frame/session/agent_name";
import { Icon } from "../icons/icon";
import type { ModelListResult } from "../model.gen";
import { type Mirror, useRoom } from "../state/room";
import { shorten, visible } from "../text/visible";
import { t } from "./texts";

const MAX_LABEL = 60;

export function ModelMenu(props: { mirror: Mirror }) {
  const room = useRoom();
  const [list, setList] = createSignal<ModelListResult>();
  const [failed, setFailed] = createSignal(false);
  const head = () => props.mirror.head();
  const label = () =>
    shorten(
      visible([sayAgent(head().agent), head().model, head().effort].filter(Boolean).join(" · ")),
      MAX_LABEL,
    );

  async function open(): Promise<void> {
    const listed = await room.attempt("model.list", { include_details: true, session_id: props.mirror.id });
    if (listed) setList(listed);
    setFailed(!listed);
  }

  async function choose(model: string, effort: string, close: () => void): Promise<void> {
    close();
    await room.attempt("session.model", { session_id: props.mirror.id, model, effort });
  }

  return (
    <PanelButton
      opens="down"
      class="plain header-part"
      name={t("chooseModel", { model: label() })}
      label={
        <>
          <Icon name="model" />
          <span class="header-word">{label()}</span>
        </>
      }
      onOpen={() => void open()}
    >
      {(close) => (
        <Show
          when={list()}
          fallback={<p class="header-popup-note">{t(failed() ? "modelsRefused" : "loading")}</p>}
        >
          {(listed) => (
            <ul class="header-models">
              <For each={listed().models} fallback={<li>{t("noModels")}</li>}>
                {(model) => (
                  <ModelRow
                    model={model}
                    description={listed().details?.[model]?.description ?? ""}
                    efforts={listed().details?.[model]?.reasoning_efforts ?? []}
                    current={model === head().model}
                    effort={head().effort ?? ""}
                    onChoose={(effort) => void choose(model, effort, close)}
                  />
                )}
              </For>
            </ul>
          )}
        </Show>
      )}
    </PanelButton>
  );
}

interface ModelRowProps {
  model: string;
  description: string;
  efforts: readonly string[];
  current: boolean;
  effort: string;
  onChoose: (effort: string) => void;
}

function ModelRow(props: ModelRowProps) {
  return (
    <li class="header-model">
      <button
        type="button"
        class="plain header-row"
        aria-pressed={props.current}
        onClick={() => props.onChoose(props.current ? props.effort : "")}
      >
        <span>{visible(props.model)}</span>
        <span class="header-row-detail">{visible(props.description)}</span>
      </button>
      <Show when={props.efforts.length > 0}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset's legend would be drawn */}
        <div class="header-efforts" role="group" aria-label={t("effortOf", { model: visible(props.model) })}>
          <For each={props.efforts}>
            {(effort) => (
              <button
                type="button"
                class="plain"
                aria-pressed={props.current && effort === props.effort}
                onClick={() => props.onChoose(effort)}
              >
                {visible(effort)}
              </button>
            )}
          </For>
        </div>
      </Show>
    </li>
  );
}
