// Home, the control room: what waits, what works, what has ended since the last look, and the recent sessions.
import { createMemo, For, type JSX, Show } from "solid-js";
import { useRoom } from "../state/room";
import { Ended } from "./ended";
import { sortOut } from "./entries";
import { Recent } from "./recent";
import { ByIds, Section } from "./section";
import { t } from "./texts";
import { Waiting } from "./waiting";
import { Working } from "./working";
import "./home.css";

/// `children` come after the lists: how to begin.
export function Home(props: { children?: JSX.Element }): JSX.Element {
  const room = useRoom();
  const entries = createMemo(() => sortOut(room.cards(), room.isSeen));
  const waits = () => room.inbox().length > 0 || entries().waiting.length > 0;
  const isQuiet = () => !waits() && entries().working.length === 0 && entries().ended.length === 0;
  return (
    <div class="home">
      <div class="home-column">
        <Show when={room.cards().length > 0 && isQuiet()}>
          <p class="home-quiet">{t("quiet")}</p>
        </Show>
        <Show when={waits()}>
          <Waiting cards={entries().waiting} />
        </Show>
        <Show when={entries().working.length > 0}>
          <Section name={t("working")} state="working" count={entries().working.length}>
            <ByIds cards={entries().working}>{(card) => <Working card={card()} />}</ByIds>
          </Section>
        </Show>
        <Show when={entries().ended.length > 0}>
          <Section
            name={t("ended")}
            state="completed"
            count={entries().ended.length}
            tools={
              <button type="button" class="plain small" onClick={() => room.lookAtAll()}>
                {t("seen")}
              </button>
            }
          >
            <ByIds cards={entries().ended}>{(card) => <Ended card={card()} />}</ByIds>
          </Section>
        </Show>
        <Show when={entries().recent.length > 0}>
          <section aria-labelledby="home-recent">
            <h2 id="home-recent">{t("recent")}</h2>
            <For each={entries().recent}>{(project) => <Recent project={project} />}</For>
          </section>
        </Show>
        {props.children}
      </div>
    </div>
  );
}
