// What an Ask is about, by its kind; in a compact card, what is long opens on demand.
import { type JSX, Show } from "solid-js";
import { say } from "../../i18n/said";
import type { Ask } from "../../model.gen";
import { never } from "../../never";
import { spelt } from "../../text/spelt";
import { PlanDetails } from "./plan_details";
import { CommandView, DeviceView, FilesView, PermissionsView, SettingView } from "./subject";
import { TrustView } from "./trust_view";

interface SubjectProps {
  ask: Ask;
  session: string;
  compact: boolean | undefined;
  folded: boolean;
  onUnfold: () => void;
  children: JSX.Element;
}

/// What a compact card opens on demand: a form, or a diff.
export function hasMore(ask: Ask): boolean {
  const { subject } = ask;
  if (subject.about === "questions") return subject.questions.length > 0;
  return subject.about === "files" && subject.files.some((file) => file.diff);
}

export function SubjectView(props: SubjectProps): JSX.Element {
  const view = () => {
    const subject = props.ask.subject;
    switch (subject.about) {
      case "command":
        return <CommandView subject={subject} compact={props.compact} />;
      case "files":
        return (
          <FilesView
            subject={subject}
            session={props.session}
            folded={props.folded}
            onUnfold={props.onUnfold}
          />
        );
      case "permissions":
        return <PermissionsView subject={subject} />;
      case "device":
        return <DeviceView subject={subject} />;
      case "questions":
        return props.children;
      case "setting":
        return <SettingView subject={subject} />;
      case "action":
        return <p class="asks-words">{spelt(say(subject.said, subject.text))}</p>;
      case "trust":
        return <TrustView subject={subject} />;
      default:
        return never(subject);
    }
  };
  return (
    <>
      {view()}
      <Show when={!props.folded}>
        <PlanDetails plan={props.ask.plan} />
      </Show>
    </>
  );
}
