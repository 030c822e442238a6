// What the palette found: groups of entries, of which one is chosen.
import { createMemo, For, Show } from "solid-js";
import type { EntryGroup, EntryKind, PaletteEntry } from "./groups";
import { Option } from "./option";
import { t } from "./texts";

interface PaletteListProps {
  id: string;
  groups: readonly EntryGroup[];
  words: readonly string[];
  chosen: string | undefined; // its key
  optionId: (key: string) => string;
  onPoint: (key: string) => void;
  onChoose: (entry: PaletteEntry) => void;
}

export function PaletteList(props: PaletteListProps) {
  // By name, so that a row keeps its element under the pointer while sessions change.
  const kinds = createMemo(() => props.groups.map((group) => group.kind));
  const groupOf = (kind: EntryKind) => props.groups.find((group) => group.kind === kind);
  const byKey = createMemo(
    () => new Map(props.groups.flatMap((group) => group.entries).map((entry) => [entry.key, entry])),
  );
  return (
    <div id={`${props.id}-list`} class="palette-list" role="listbox" aria-label={t("results")}>
      <For each={kinds()}>
        {(kind) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
          <div role="group" aria-labelledby={`${props.id}-${kind}`}>
            <div id={`${props.id}-${kind}`} class="palette-kind" role="presentation">
              {t(kind)}
              <span class="palette-part">{sayPart(groupOf(kind))}</span>
            </div>
            <For each={groupOf(kind)?.entries.map((entry) => entry.key)}>
              {(key) => (
                <Show when={byKey().get(key)}>
                  {(entry) => (
                    <Option
                      entry={entry()}
                      id={props.optionId(key)}
                      words={props.words}
                      isChosen={props.chosen === key}
                      onPoint={() => props.onPoint(key)}
                      onChoose={() => props.onChoose(entry())}
                    />
                  )}
                </Show>
              )}
            </For>
          </div>
        )}
      </For>
    </div>
  );
}

function sayPart(group: EntryGroup | undefined): string {
  if (!group || group.count === group.entries.length) return "";
  return t("part", { n: group.entries.length, count: group.count });
}
