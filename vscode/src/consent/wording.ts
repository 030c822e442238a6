// An Ask in the words of a dialog: what would happen, where, for whom, and to which plan a yes is bound.
import type { Ask, Choice } from "../../../ui/src/model.gen";
import { speltLine } from "../../../ui/src/text/spelt";

const MAX_FILES = 15;
const MAX_LINES = 20;
const MAX_LINE = 160; // characters: what a window shows without scrolling, which a dialog cannot
const HASH_SHOWN = 12;

export interface Words {
  requestedBy(user: string, via: string): string;
  folder(path: string): string;
  plan(hash: string): string;
}

/// The lines below the title.
export function detailOf(ask: Ask, workspace: string, words: Words): string {
  return [
    ...(ask.sender ? [words.requestedBy(ask.sender.user, ask.sender.via ?? "")] : []),
    ...subjectLines(ask, words),
    ...(workspace && workspace !== folderOf(ask) ? [words.folder(workspace)] : []),
    ...(ask.reason ? [ask.reason] : []),
    ...(ask.plan ? [words.plan(ask.plan.slice(0, HASH_SHOWN))] : []),
  ].join("\n");
}

/// Which its own lines name.
function folderOf({ subject }: Ask): string {
  return subject.about === "command" ? (subject.cwd ?? "") : "";
}

function subjectLines({ subject }: Ask, words: Words): string[] {
  switch (subject.about) {
    case "files":
      return subject.files.map((file) => {
        const name = file.moved_to ? `${file.path} → ${file.moved_to}` : file.path;
        return `${name} (${file.change}) +${file.additions ?? 0} −${file.deletions ?? 0}`;
      });
    case "command":
      return [`$ ${subject.command}`, ...(subject.cwd ? [words.folder(subject.cwd)] : [])];
    case "action":
      return [subject.text];
    default:
      return [];
  }
}

/// Only what a dialog shows whole, on one screen, and Bascule asks itself. An agent's questions, and all that needs
/// reading or words, are for the page: it says where a write leads, what leaves the sandbox and which rule a lasting
/// yes makes, and takes no yes before its end was in view.
export function fitsDialog(ask: Ask): boolean {
  if (ask.by !== "bascule" || ask.outside || ask.choices.some((choice) => choice.rule)) return false;
  return (
    isShownWhole(ask) &&
    areShort([ask.title, ask.reason ?? "", ask.sender?.user ?? "", ...subjectLines(ask, PLAIN)])
  );
}

function isShownWhole({ subject, edit, plan, sender }: Ask): boolean {
  switch (subject.about) {
    case "files":
      return (
        Boolean(edit && plan && !sender) && // a sender's diff was not seen here
        subject.files.length > 0 &&
        subject.files.length <= MAX_FILES &&
        !(subject.links?.length || subject.more || subject.grant_root)
      );
    case "command":
      return (
        Boolean(subject.command) &&
        subject.command === subject.original &&
        !(subject.host || subject.real_cwd || subject.sandbox)
      );
    case "action":
      return true;
    default:
      return false;
  }
}

const PLAIN: Words = {
  requestedBy: (user, via) => `${user} ${via}`,
  folder: (path) => path,
  plan: (hash) => hash,
};

function areShort(lines: readonly string[]): boolean {
  return (
    lines.length <= MAX_LINES && lines.every((line) => line.length <= MAX_LINE && line === speltLine(line))
  );
}

export interface Button {
  title: string;
  choice: Choice | undefined; // without one, it only shows what is asked about
  isCloseAffordance?: true;
}

/// An editor focuses the first button, and somebody who types presses Enter blindly: so that one answers nothing.
/// Closing the dialog means the first no.
export function makeButtons(choices: readonly Choice[], look: string): Button[] {
  const no = choices.find((choice) => !choice.grants);
  const yes = choices.filter((choice) => choice.grants);
  return [
    { title: look, choice: undefined },
    ...yes.map((choice) => ({ title: choice.label, choice })),
    ...(no ? [{ title: no.label, choice: no, isCloseAffordance: true as const }] : []),
  ];
}
