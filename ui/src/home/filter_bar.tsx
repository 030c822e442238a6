// Which sessions Home lists: by agent, project and status; and those that were hidden.
import { createMemo, For, type JSX, Show } from "solid-js";
import { sayAgent } from "../frame/session/agent_name";
import type { Card } from "../model.gen";
import { shownPath } from "../text/paths";
import { visible } from "../text/visible";
import { t } from "./board/board_texts";
import { listAgents, nameFolders } from "./choices";
import type { HomeEntry, HomeFilter } from "./entries";

const STATUSES: readonly Card["status"][] = ["waiting_user", "working", "completed", "stopped", "unknown"];

export interface FilterBarProps {
  entries: readonly HomeEntry[];
  filter: HomeFilter;
  onFilter: (filter: HomeFilter) => void;
  hidden: number; // how many were hidden
  showsHidden: boolean;
  onShowHidden: (show: boolean) => void;
}

export function FilterBar(props: FilterBarProps): JSX.Element {
  const agents = createMemo(() => listAgents(props.entries));
  const folders = createMemo(() => nameFolders(props.entries));
  return (
    <fieldset class="home-filters" aria-label={t("filters")}>
      <Choice
        name={t("agent")}
        all={t("allAgents")}
        values={agents()}
        say={(agent) => visible(sayAgent(agent))}
        value={props.filter.agent}
        onValue={(agent) => props.onFilter({ ...props.filter, agent })}
      />
      <Choice
        name={t("project")}
        all={t("allProjects")}
        values={[...folders().keys()]}
        say={(folder) => folders().get(folder) || shownPath(folder) || t("noFolder")}
        value={props.filter.folder}
        onValue={(folder) => props.onFilter({ ...props.filter, folder })}
      />
      <Choice
        name={t("status")}
        all={t("allStatuses")}
        values={STATUSES}
        say={(status) => t(`status_${status}`)}
        value={props.filter.status}
        onValue={(status) => props.onFilter({ ...props.filter, status })}
      />
      <Show when={props.hidden > 0}>
        <label class="home-hidden">
          <input
            type="checkbox"
            checked={props.showsHidden}
            onChange={(event) => props.onShowHidden(event.currentTarget.checked)}
          />
          {t("showHidden", { count: props.hidden })}
        </label>
      </Show>
    </fieldset>
  );
}

interface ChoiceProps<V extends string> {
  name: string;
  all: string;
  values: readonly V[];
  say: (value: V) => string;
  value: V | undefined;
  onValue: (value: V | undefined) => void;
}

/// By place, because a value may be any text, also none.
function Choice<V extends string>(props: ChoiceProps<V>): JSX.Element {
  /// What is chosen stays in the menu when its last session has gone.
  const values = () =>
    props.value === undefined || props.values.includes(props.value)
      ? props.values
      : [...props.values, props.value];
  return (
    <select
      aria-label={props.name}
      onChange={(event) => props.onValue(values()[event.currentTarget.selectedIndex - 1])}
    >
      <option selected={props.value === undefined}>{props.all}</option>
      <For each={values()}>
        {(value) => <option selected={value === props.value}>{props.say(value)}</option>}
      </For>
    </select>
  );
}
