// One icon set, Lucide's, drawn in the colour of the text around it; the control that holds one names itself.

import Archive from "lucide/dist/esm/icons/archive.mjs";
import ArrowDown from "lucide/dist/esm/icons/arrow-down.mjs";
import ArrowLeft from "lucide/dist/esm/icons/arrow-left.mjs";
import ArrowUp from "lucide/dist/esm/icons/arrow-up.mjs";
import ArrowUpRight from "lucide/dist/esm/icons/arrow-up-right.mjs";
import AtSign from "lucide/dist/esm/icons/at-sign.mjs";
import Ban from "lucide/dist/esm/icons/ban.mjs";
import Bell from "lucide/dist/esm/icons/bell.mjs";
import Brain from "lucide/dist/esm/icons/brain.mjs";
import Check from "lucide/dist/esm/icons/check.mjs";
import ChevronDown from "lucide/dist/esm/icons/chevron-down.mjs";
import ChevronRight from "lucide/dist/esm/icons/chevron-right.mjs";
import Circle from "lucide/dist/esm/icons/circle.mjs";
import CircleCheck from "lucide/dist/esm/icons/circle-check.mjs";
import CircleDot from "lucide/dist/esm/icons/circle-dot.mjs";
import CircleMinus from "lucide/dist/esm/icons/circle-minus.mjs";
import CircleQuestionMark from "lucide/dist/esm/icons/circle-question-mark.mjs";
import CircleX from "lucide/dist/esm/icons/circle-x.mjs";
import Clock from "lucide/dist/esm/icons/clock.mjs";
import Columns2 from "lucide/dist/esm/icons/columns-2.mjs";
import Copy from "lucide/dist/esm/icons/copy.mjs";
import Cpu from "lucide/dist/esm/icons/cpu.mjs";
import Ellipsis from "lucide/dist/esm/icons/ellipsis.mjs";
import Eye from "lucide/dist/esm/icons/eye.mjs";
import FileDiff from "lucide/dist/esm/icons/file-diff.mjs";
import FileText from "lucide/dist/esm/icons/file-text.mjs";
import Folder from "lucide/dist/esm/icons/folder.mjs";
import GitBranch from "lucide/dist/esm/icons/git-branch.mjs";
import Globe from "lucide/dist/esm/icons/globe.mjs";
import House from "lucide/dist/esm/icons/house.mjs";
import Image from "lucide/dist/esm/icons/image.mjs";
import Info from "lucide/dist/esm/icons/info.mjs";
import ListTodo from "lucide/dist/esm/icons/list-todo.mjs";
import Maximize2 from "lucide/dist/esm/icons/maximize-2.mjs";
import Minimize2 from "lucide/dist/esm/icons/minimize-2.mjs";
import PanelLeft from "lucide/dist/esm/icons/panel-left.mjs";
import Paperclip from "lucide/dist/esm/icons/paperclip.mjs";
import Pencil from "lucide/dist/esm/icons/pencil.mjs";
import Pin from "lucide/dist/esm/icons/pin.mjs";
import Plug from "lucide/dist/esm/icons/plug.mjs";
import Plus from "lucide/dist/esm/icons/plus.mjs";
import RotateCcw from "lucide/dist/esm/icons/rotate-ccw.mjs";
import RotateCw from "lucide/dist/esm/icons/rotate-cw.mjs";
import Rows2 from "lucide/dist/esm/icons/rows-2.mjs";
import Search from "lucide/dist/esm/icons/search.mjs";
import Settings from "lucide/dist/esm/icons/settings.mjs";
import Shield from "lucide/dist/esm/icons/shield.mjs";
import Square from "lucide/dist/esm/icons/square.mjs";
import Terminal from "lucide/dist/esm/icons/terminal.mjs";
import Trash from "lucide/dist/esm/icons/trash.mjs";
import TriangleAlert from "lucide/dist/esm/icons/triangle-alert.mjs";
import Undo2 from "lucide/dist/esm/icons/undo-2.mjs";
import X from "lucide/dist/esm/icons/x.mjs";
import { For, type JSX } from "solid-js";
import { Dynamic } from "solid-js/web";
import "./icon.css";

const NODES = {
  plus: Plus,
  close: X,
  check: Check,
  search: Search,
  sidebar: PanelLeft,
  diff: FileDiff,
  gear: Settings,
  help: CircleQuestionMark,
  more: Ellipsis,
  info: Info,
  bell: Bell,
  down: ChevronDown,
  right: ChevronRight,
  home: House,
  folder: Folder,
  reset: RotateCcw,
  terminal: Terminal,
  pencil: Pencil,
  file: FileText,
  tool: Plug,
  globe: Globe,
  thought: Brain,
  list: ListTodo,
  image: Image,
  clock: Clock,
  eye: Eye,
  undo: Undo2,
  retry: RotateCw,
  stop: Square,
  send: ArrowUp,
  attach: Paperclip,
  at: AtSign,
  open: ArrowUpRight,
  copy: Copy,
  declined: Ban,
  cancelled: CircleMinus,
  failed: CircleX,
  done: CircleCheck,
  pending: Circle,
  current: CircleDot,
  warning: TriangleAlert,
  arrowUp: ArrowUp,
  back: ArrowLeft,
  arrowDown: ArrowDown,
  model: Cpu,
  columns: Columns2,
  rows: Rows2,
  maximize: Maximize2,
  minimize: Minimize2,
  branch: GitBranch,
  shield: Shield,
  pin: Pin,
  archive: Archive,
  trash: Trash,
} as const;

export type IconName = keyof typeof NODES;

export function Icon(props: { name: IconName }): JSX.Element {
  return (
    <svg class="icon-drawn" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">
      <For each={NODES[props.name]}>
        {([tag, attributes]) => <Dynamic component={tag as "path"} {...attributes} />}
      </For>
    </svg>
  );
}
