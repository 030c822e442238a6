// What is beside the log: a diff, or what one run changed.
import { type JSX, Match, Switch } from "solid-js";
import type { Beside } from "../../state/room";
import { visible } from "../../text/visible";
import { t } from "../texts";
import { DiffPane } from "./diff_pane";
import { Pane } from "./pane";
import { ReviewPane } from "./review_pane";
import "../review.css";

type BesideOf<K extends Beside["kind"]> = Extract<Beside, { kind: K }>;

export function BesideLog(props: { beside: Beside; isWhole: boolean }): JSX.Element {
  const is = <K extends Beside["kind"]>(kind: K): BesideOf<K> | undefined =>
    props.beside.kind === kind ? (props.beside as BesideOf<K>) : undefined;
  return (
    <Switch>
      <Match when={is("diff")} keyed>
        {(beside) => (
          <Pane title={visible(beside.title) || t("changes")} isWhole={props.isWhole}>
            <DiffPane beside={beside} />
          </Pane>
        )}
      </Match>
      <Match when={is("review")}>
        {(beside) => <ReviewPane session={beside().session} run={beside().run} isWhole={props.isWhole} />}
      </Match>
    </Switch>
  );
}
