// A session's name in little room: its words give way, the number at its end stays.
import { type JSX, Show } from "solid-js";
import "./session_name.css";

export function SessionName(props: { name: string }): JSX.Element {
  const parts = () => splitName(props.name);
  return (
    <span class="frame-name">
      <span class="frame-name-words">{parts().words}</span>
      <Show when={parts().number}>
        {" "}
        <span class="frame-name-number">{parts().number}</span>
      </Show>
    </span>
  );
}

export function splitName(name: string): { words: string; number: string } {
  const [, words, number] = /^(.*\S) (#\d{1,6})$/s.exec(name) ?? [];
  return words && number ? { words, number } : { words: name, number: "" };
}
