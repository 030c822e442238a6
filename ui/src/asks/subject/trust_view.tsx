// Files that agents would run or follow, which a person is asked to trust.
import { For, Show } from "solid-js";
import type { TrustFinding, TrustSubject } from "../../model.gen";
import { fromHome } from "../../text/paths";
import { spelt, speltLine } from "../../text/spelt";
import { t } from "../texts";
import { Fact, Script } from "./subject";

export function TrustView(props: { subject: TrustSubject }) {
  return (
    <>
      <p>{t("trustWhat")}</p>
      <Fact name={t("folder")}>
        <code title={speltLine(props.subject.folder)}>{speltLine(fromHome(props.subject.folder))}</code>
      </Fact>
      <ul class="asks-files">
        <For each={props.subject.findings} fallback={<li>{t("nothingNamed")}</li>}>
          {(finding) => <FindingLine finding={finding} />}
        </For>
      </ul>
      <Show when={props.subject.more}>
        <p class="asks-warning">{t("trustMore")}</p>
      </Show>
      <p class="asks-dim">{t("trustMeanwhile")}</p>
    </>
  );
}

function FindingLine(props: { finding: TrustFinding }) {
  return (
    <li>
      <code>{speltLine(props.finding.path)}</code>{" "}
      <Show when={props.finding.changed}>
        <span class="asks-added">{t("trustChanged")}</span>{" "}
      </Show>
      {speltLine(props.finding.text)}
      <Show when={props.finding.content}>{(content) => <Script text={spelt(content())} />}</Show>
    </li>
  );
}
