import { afterEach, expect, it } from "vitest";
import { setLanguage } from "../i18n/texts";
import { t } from "./texts";

afterEach(() => setLanguage("en"));

it.each(["en", "ja", "zh"] as const)(
  "what is read aloud for a reset begins or ends with its words, in %s",
  (language) => {
    setLanguage(language);
    const name = t("reset", { name: "X" });
    expect(name.startsWith(t("resetShort")) || name.endsWith(t("resetShort"))).toBe(true);
  },
);
