// An Ask in the person's language: by its code, else by what it is about; answers by their ids.
import { type SaidCode, say } from "../i18n/said";
import type { Ask, Choice } from "../model.gen";

/// The hash that the yes is bound to is among the details.
export function sayAsk(ask: Ask): string {
  return say(ask.said ?? codeOf(ask), ask.title);
}

function codeOf(ask: Ask): SaidCode | undefined {
  const { subject } = ask;
  switch (subject.about) {
    case "command":
      return subject.host
        ? { code: "subject.host", fields: { host: subject.host } }
        : { code: "subject.command" };
    case "files":
    case "permissions":
    case "trust":
      return { code: `subject.${subject.about}` };
    case "questions":
      if (!subject.server) return { code: "subject.question" };
      return subject.questions.length === 0 && !subject.url
        ? { code: "subject.tool" }
        : { code: "subject.server", fields: { server: subject.server } };
    default:
      return undefined;
  }
}

export function sayChoice(ask: Ask, choice: Choice): string {
  return say(choice.said ?? { code: `choice.${idOf(ask, choice)}` }, choice.label);
}

/// What would be remembered; a host stays as it is.
export function sayRule(choice: Choice): string {
  return say(choice.rule_said ?? { code: `rule.${choice.id.split(":")[0]}` }, choice.rule ?? "");
}

function idOf(ask: Ask, choice: Choice): string {
  const id = choice.id.split(":")[0] ?? "";
  if (id === "decline" && ask.by !== "bascule") return "decline.agent";
  const isForm = ask.subject.about === "questions" && ask.subject.questions.length > 0;
  return id === "accept" && isForm ? "send" : id;
}
