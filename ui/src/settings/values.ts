// The values of settings: how they are shown, searched, grouped, and read from what was typed.
import { settingDoc } from "../i18n/setting_docs";
import { settingTitle } from "../i18n/setting_titles";
import type { ListedSetting } from "../model.gen";
import { t } from "./texts";

const PREFIX = "bascule.";

// Keys that the specification gave no group, by how they begin.
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ["relay", "relay"],
  ["reconnect", "relay"],
  ["heartbeat", "relay"],
  ["machine", "relay"],
  ["test", "tests"],
  ["defaultTest", "tests"],
  ["context", "context"],
];

/// "codex" of "bascule.codex.sandbox"; "" for a key without a group.
export function groupOf(key: string): string {
  const parts = key.slice(key.startsWith(PREFIX) ? PREFIX.length : 0).split(".");
  const [first = ""] = parts;
  if (parts.length > 1) return first;
  return BEGINNINGS.find(([beginning]) => first.startsWith(beginning))?.[1] ?? "";
}

const NAMED = [
  "codex",
  "devices",
  "log",
  "history",
  "agents",
  "ui",
  "orders",
  "panes",
  "relay",
  "tests",
  "context",
] as const;

const UNITS = ["Ms", "Seconds", "Minutes", "Days", "Bytes"] as const;

/// What a number counts, as its key says; "" for things that its name says.
export function unitOf(key: string): string {
  const unit = UNITS.find((one) => key.endsWith(one));
  return unit ? t(`unit${unit}`) : "";
}

/// As a person reads it; a group that this page has no name for is called as the daemon does.
export function groupTitle(name: string): string {
  if (name === "") return t("general");
  const known = NAMED.find((one) => one === name);
  return known ? t(`group_${known}`) : name;
}

export interface SettingGroup {
  name: string;
  keys: readonly string[];
}

/// In the daemon's order; keys without a group come first.
export function makeGroups(settings: readonly ListedSetting[], query: string): SettingGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, string[]>([["", []]]);
  for (const setting of settings) {
    const doc = settingDoc(setting.key, setting.doc);
    const text =
      `${setting.key}\n${settingTitle(setting.key)}\n${doc}\n${showValue(setting.value)}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const name = groupOf(setting.key);
    groups.set(name, [...(groups.get(name) ?? []), setting.key]);
  }
  return [...groups].filter(([, keys]) => keys.length > 0).map(([name, keys]) => ({ name, keys }));
}

export function showValue(value: unknown): string {
  if (value === true) return t("on");
  if (value === false) return t("off");
  if (Array.isArray(value)) return value.join(", ") || t("empty");
  return String(value ?? "") || t("empty");
}

/// What a setting of texts holds; anything else is none.
export function asTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/// Undefined when it is no whole number; whether it is in range, the daemon says. Wide digits are digits.
export function parseNumber(text: string): number | undefined {
  const plain = text.normalize("NFKC");
  return /^\s*[+-]?\d{1,15}\s*$/.test(plain) ? Number(plain) : undefined;
}

export function showRange(setting: ListedSetting): string {
  const { least, most, kind } = setting;
  if (kind !== "number") return "";
  if (least != null && most != null) return t("range", { least, most });
  if (least != null) return t("least", { least });
  return most != null ? t("most", { most }) : "";
}
