import { expect, it } from "vitest";
import type { Card } from "../model.gen";
import { MACHINE } from "../state/room";
import { makeTestRoom, mount } from "../text/test_room";
import { CardHead } from "./card_head";

function show(card: Partial<Card>): { text: string; buttons: number } {
  const whole = { session_id: "s1", workspace: "/home/me/shop", title: "Fix it", status: "working", ...card };
  const { root, end } = mount(makeTestRoom(), () => <CardHead card={whole as Card} when="now" />);
  const found = {
    text: root.textContent?.replace(/\s+/g, " ").trim() ?? "",
    buttons: root.querySelectorAll("button").length,
  };
  end();
  return found;
}

it("names a session, its agent, folder and time", () => {
  expect(show({})).toEqual({ text: "WorkingFix itCodexshop · now", buttons: 1 });
});

it("opens nothing and names no agent for what the machine itself asks", () => {
  const machine = { session_id: MACHINE, workspace: "", title: "This machine" };
  expect(show(machine)).toEqual({ text: "WorkingThis machinenow", buttons: 0 });
});
