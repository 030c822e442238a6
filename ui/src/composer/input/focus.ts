// The way to the input from anywhere, whether or not the composer has been loaded.

export const INPUT_ID = "composer-input";

export function focusComposer(): void {
  document.getElementById(INPUT_ID)?.focus();
}
