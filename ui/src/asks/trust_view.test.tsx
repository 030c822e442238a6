import { expect, it } from "vitest";
import type { TrustSubject } from "../model.gen";
import { makeTestRoom, mount } from "../text/test_room";
import { TrustView } from "./trust_view";

it("lists what a folder would make agents run, and what changed", () => {
  const subject: TrustSubject = {
    about: "trust",
    folder: "/home/me/repo",
    findings: [
      { kind: "server", path: ".codex/config.toml", text: 'starts the MCP server "x": node \u202eevil.js' },
      { kind: "instructions", path: "AGENTS.md", text: "tells the agent what to do", changed: true },
    ],
    more: 1,
  };
  const { root, end } = mount(makeTestRoom(), () => <TrustView subject={subject} />);
  const lines = [...root.querySelectorAll(".asks-files li")].map((line) => line.textContent);
  expect(lines[0]).toContain('starts the MCP server "x": node');
  expect(lines[0]).not.toContain("\u202e");
  expect(lines[1]).toBe("AGENTS.md changed tells the agent what to do");
  expect(root.textContent).toContain("/home/me/repo");
  expect(root.querySelector(".asks-warning")).not.toBeNull();
  end();
});
