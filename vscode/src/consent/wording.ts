// An Ask in the words of a dialog: what would happen, where, for whom, and to which plan a yes is bound.
import type { Ask, Choice } from "../../../ui/src/model.gen";

const MAX_FILES = 15;
const HASH_SHOWN = 12;

export interface Words {
  requestedBy(user: string, via: string): string;
  folder(path: string): string;
  plan(hash: string): string;
  more(count: number): string;
}

/// The lines below the title.
export function detailOf(ask: Ask, workspace: string, words: Words): string {
  return [
    ...(ask.sender ? [words.requestedBy(ask.sender.user, ask.sender.via ?? "")] : []),
    ...subjectLines(ask, words),
    ...(workspace ? [words.folder(workspace)] : []),
    ...(ask.reason ? [ask.reason] : []),
    ...(ask.plan ? [words.plan(ask.plan.slice(0, HASH_SHOWN))] : []),
  ].join("\n");
}

function subjectLines({ subject }: Ask, words: Words): string[] {
  switch (subject.about) {
    case "files": {
      const shown = subject.files.slice(0, MAX_FILES);
      const left = subject.files.length - shown.length;
      const lines = shown.map(
        (file) => `${file.path} (${file.change}) +${file.additions ?? 0} −${file.deletions ?? 0}`,
      );
      return left > 0 ? [...lines, words.more(left)] : lines;
    }
    case "command":
      return [`$ ${subject.command}`, ...(subject.cwd ? [words.folder(subject.cwd)] : [])];
    case "permissions":
      return [...subject.wants];
    case "setting":
      return [`${subject.key}: ${subject.old} → ${subject.new}`];
    case "action":
      return [subject.text];
    case "device":
      return [`${subject.name}: ${subject.fingerprint}`];
    case "trust":
      return [subject.folder, ...subject.findings.slice(0, MAX_FILES).map((found) => JSON.stringify(found))];
    case "questions":
      return subject.questions.map((question) => question.text);
    default:
      return [];
  }
}

/// Questions want words, and a folder's trust wants reading: the page has room for both, a dialog has not.
export function fitsDialog(ask: Ask): boolean {
  return ask.subject.about !== "questions" && ask.subject.about !== "trust";
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
