// The daemon's own sentences in the page's other languages: loaded where one of these is spoken.
import { createSignal } from "solid-js";
import { lookUp, type Tables } from "./docs";
import { language } from "./texts";

const [tables, setTables] = createSignal<Tables>();
let loading: Promise<void> | undefined;

/// English, as the daemon says it, until the others are here.
export function sentence(code: string, english: string): string {
  if (language() === "en") return english;
  const here = tables();
  if (!here) void loadSentences();
  return here ? lookUp(here, code, english) : english;
}

export function loadSentences(): Promise<void> {
  loading ??= import("./sentences").then(
    ({ SENTENCES }) => void setTables(SENTENCES),
    () => {
      loading = undefined; // the next one to need them tries again
    },
  );
  return loading;
}
