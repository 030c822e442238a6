// A value that is JSON, laid out; what is not is shown as it is.
import { createMemo, type JSX, Show } from "solid-js";
import { Code } from "../../text/code/code";
import { Plain } from "../../text/plain";

const MAX_LAID_OUT = 200_000; // characters

export function Json(props: { text: string }): JSX.Element {
  const pretty = createMemo(() => layOut(props.text));
  return (
    <Show when={pretty()} fallback={<Plain text={props.text} class="blocks-code" />}>
      {(text) => <Code text={text()} language="json" bare />}
    </Show>
  );
}

function layOut(text: string): string | undefined {
  if (text.length > MAX_LAID_OUT || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined; // it only looked like it
  }
}
