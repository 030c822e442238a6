// Files attached to a prompt: lines at its end that give the agent their paths and people their names.

const LINE = /^Attached file: (.*[\\/]attachments[\\/][^\\/]+[\\/][0-9a-f]{8}-([^\\/]+))$/; // as the daemon keeps them

export interface AttachedFile {
  name: string;
  path: string;
}

export function attachedLine(path: string): string {
  return `Attached file: ${path}`;
}

/// The words of a prompt, and the files that were attached to it.
export function parseAttached(text: string): { words: string; files: readonly AttachedFile[] } {
  const lines = text.split("\n");
  const files: AttachedFile[] = [];
  for (let found = LINE.exec(lines.at(-1) ?? ""); found; found = LINE.exec(lines.at(-1) ?? "")) {
    files.unshift({ path: found[1] ?? "", name: found[2] ?? "" });
    lines.pop();
  }
  return { words: lines.join("\n"), files };
}
