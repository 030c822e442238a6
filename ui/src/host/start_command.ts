// What starts the Bascule behind this page, as it said itself when it was last connected: the demo is another one.
const STORED = "bascule:start";
const USUAL = "bascule up";
const MAX = 200; // characters

export function startCommand(): string {
  const served = document.querySelector<HTMLMetaElement>("meta[name=bascule-start]")?.content;
  if (served) return served; // known before anybody has signed in
  try {
    return localStorage.getItem(STORED) || USUAL;
  } catch {
    return USUAL; // nothing is stored in this browser
  }
}

/// What undoes an edit in a terminal, before its id: the demo has its own edits.
export function undoCommand(): string {
  return startCommand().replace(/ up( --demo)?$/, " undo$1");
}

export function keepStartCommand(command: string | undefined): void {
  if (!command || command === startCommand()) return;
  try {
    localStorage.setItem(STORED, command.slice(0, MAX));
  } catch {
    // full, or forbidden: the usual one is shown
  }
}
