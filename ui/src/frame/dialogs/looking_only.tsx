// Instead of answers that would not count: why, and how this device can come to answer.
import { type JSX, Show } from "solid-js";
import type { Ask } from "../../model.gen";
import { mayAct, mayAnswer, mayChoose } from "../../state/access";
import { useRoom } from "../../state/room";
import { t } from "./access_texts";
import "./looking_only.css";

/// One line where a page that only looks would have something to do.
export function LookNote(): JSX.Element {
  const room = useRoom();
  return (
    <Show when={!mayAct(room.access())}>
      <p class="frame-look" role="note">
        {t("lookNote")}
      </p>
    </Show>
  );
}

export function LookingOnly(props: { ask: Ask }): JSX.Element {
  const room = useRoom();
  const isBarred = () => !mayAnswer(room.access());
  const noYes = () =>
    props.ask.choices.some((choice) => choice.grants) &&
    !props.ask.choices.some((choice) => choice.grants && mayChoose(room.access(), props.ask, choice));
  return (
    <Show when={isBarred() || noYes()}>
      <p role="note">
        {t(isBarred() ? "lookingOnly" : "yesThere")}{" "}
        <Show when={isBarred() && room.access()?.scope !== "look"}>
          <button type="button" onClick={() => room.show({ kind: "enrol", code: "" })}>
            {t("enrol")}
          </button>
        </Show>
      </p>
    </Show>
  );
}
