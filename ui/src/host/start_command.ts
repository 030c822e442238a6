// What starts the Bascule behind this page, as it said itself when it was last connected: the demo is another one.
const STORED = "bascule:start";
const USUAL = "bascule up";
const MAX = 200; // characters

export function startCommand(): string {
  try {
    return localStorage.getItem(STORED) || USUAL;
  } catch {
    return USUAL; // nothing is stored in this browser
  }
}

export function keepStartCommand(command: string | undefined): void {
  if (!command || command === startCommand()) return;
  try {
    localStorage.setItem(STORED, command.slice(0, MAX));
  } catch {
    // full, or forbidden: the usual one is shown
  }
}
