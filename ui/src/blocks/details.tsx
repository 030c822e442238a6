// Details: a line that opens, and stays as the person left it while content streams in.
import { type JSX, Show } from "solid-js";
import { Icon, type IconName } from "../icons/icon";
import { useRoom } from "../state/room";
import { StatusIcon, type StatusSign } from "./status_icon";
import "./blocks.css";

export interface DetailsProps {
  session: string;
  key: string; // of the block, and of what is in it
  summary: JSX.Element;
  icon?: IconName;
  note?: JSX.Element; // at the right: how it ended, how long it took
  status?: StatusSign;
  title?: string; // shown on hover
  open?: boolean; // until the person says otherwise
  onSummaryClick?: (event: MouseEvent) => void;
  children: JSX.Element;
}

export function Details(props: DetailsProps): JSX.Element {
  const room = useRoom();
  const isOpen = () => room.isOpen(props.session, props.key, props.open ?? false);
  const keep = (element: HTMLDetailsElement) => {
    if (element.open !== isOpen()) room.setOpen(props.session, props.key, element.open);
  };
  return (
    <details class="blocks-details" open={isOpen()} onToggle={(event) => keep(event.currentTarget)}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a control */}
      <summary class="blocks-row" title={props.title} onClick={(event) => props.onSummaryClick?.(event)}>
        <span class="blocks-sign" classList={{ "blocks-sign-own": props.icon !== undefined }}>
          <Show when={props.icon}>{(name) => <Icon name={name()} />}</Show>
          <Icon name="right" />
        </span>
        <span class="blocks-summary">{props.summary}</span>
        <Show when={props.note}>
          <span class="blocks-right">{props.note}</span>
        </Show>
        <Show when={props.status}>{(status) => <StatusIcon status={status()} />}</Show>
      </summary>
      <Show when={isOpen()}>
        <div class="blocks-inside">{props.children}</div>
      </Show>
    </details>
  );
}
