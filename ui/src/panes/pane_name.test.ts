import { expect, it } from "vitest";
import { sayName } from "./pane_name";

it.each([
  ["vim notes/today.md", "vim notes/today.md"],
  ["/home/me/.venv/bin/claude --resume", "claude --resume"],
  ["./tools/build.sh src/x", "build.sh src/x"],
  ["A=/x/y make", "A=/x/y make"],
  ["'/a b/c' d", "'/a b/c' d"],
  ["/", "/"],
])("names a tab after its program: %s", (command, name) => {
  expect(sayName({ command, title: "t", shell: "bash" })).toBe(name);
});

it("takes the title, then the shell, where no command runs", () => {
  expect(sayName({ command: "", title: "~/shop", shell: "bash" })).toBe("~/shop");
  expect(sayName({ command: "", title: "", shell: "/bin/bash" })).toBe("/bin/bash");
});
