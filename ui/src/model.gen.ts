// Written by tools/gen_reference.py from src/bascule/model. Do not edit by hand.

export interface Access {
  door: "outside" | "page" | "stdio" | "terminal";
  scope?: "full" | "look" | "orders";
  may?: string[];
  yes_to?: string[];
  device?: string;
  device_name?: string;
}

export interface AccountSet {
  change: "accountSet";
  account: string;
}

export interface AckPaneParams {
  pane_id: string;
  offset: number;
}

export interface ActionSubject {
  about: "action";
  text: string;
  said?: Said | null;
}

export interface AgentCapabilities {
  steer?: boolean;
  fork?: boolean;
  compact?: boolean;
  resume?: boolean;
  models?: boolean;
  images?: boolean;
  read_only?: boolean;
  mcp?: boolean;
  skills?: boolean;
  sign_out?: boolean;
}

export interface AgentEventNotify {
  run_id: string;
  seq: number;
  event: Record<string, unknown>;
  meta?: Record<string, unknown>;
}

export interface AgentNotify {
  state: AgentState;
}

export interface AgentState {
  workspace: string;
  agent?: string;
  notices?: (InfoBlock | SystemBlock)[];
  account?: string;
  limits?: Limit[];
  plan?: string;
  silent_since_ms?: number | null;
}

export interface AnswerParams {
  session_id: string;
  ask_id: string;
  choice: string;
  answers?: Record<string, string[]>;
  reason?: string;
  shown?: number;
}

export interface Artifact {
  artifact_id: string;
  text: string;
  size: number;
  next_offset?: number | null;
}

export interface ArtifactParams {
  artifact_id: string;
  offset?: number;
  limit?: number;
}

export interface Ask {
  id: string;
  title: string;
  subject: CommandSubject | FilesSubject | PermissionsSubject | QuestionsSubject | SettingSubject | ActionSubject | DeviceSubject | TrustSubject;
  choices: Choice[];
  run?: string | null;
  reason?: string;
  sender?: Remote | null;
  outside?: Outside | null;
  by?: "agent" | "bascule";
  opened_at_ms?: number;
  said?: Said | null;
  plan?: string;
  edit?: string;
  workspace?: string;
  shown?: number;
}

export interface AskClosed {
  change: "askClosed";
  ask: string;
  end: "answered" | "expired" | "withdrawn";
  choice?: string;
  by?: string;
  why?: string;
  unbegun?: boolean;
}

export interface AskList {
  asks: WaitingAsk[];
}

export interface AskOpened {
  change: "askOpened";
  ask: Ask;
}

export interface AssistantBlock {
  kind: "assistant";
  id: string;
  run?: string | null;
  at_ms?: number | null;
  dropped?: number;
  attachments?: (DiffAttachment | LogsAttachment | StatusAttachment | ErrorAttachment)[];
  text?: string;
  final?: boolean;
  status?: "cancelled" | "completed" | "declined" | "failed" | "inProgress";
}

export interface AttachPaneParams {
  pane_id: string;
  offset?: number;
}

export interface AttachParams {
  session_id: string;
  name: string;
  data: string;
}

export interface AuthLogoutParams {
  clear_session?: boolean;
}

export interface AuthLogoutResult {
  ok: boolean;
  auth_cleared?: boolean;
  session_cleared?: boolean;
  cancelled?: boolean;
}

export interface BlockGone {
  change: "blockGone";
  block: string;
}

export interface BlockPut {
  change: "blockPut";
  block: UserBlock | RemoteBlock | AssistantBlock | ReasoningBlock | CommandBlock | FileChangeBlock | McpBlock | WebSearchBlock | PlanBlock | ImageBlock | DividerBlock | InfoBlock | SystemBlock | ErrorBlock;
  first?: boolean;
}

export interface BoardList {
  sessions: WatchedSession[];
}

export interface BoardNotify {
  sessions: WatchedSession[];
  whole?: boolean;
  gone?: string[];
  faults?: string[] | null;
}

export interface BoardParams {
}

export interface BoardRef {
  key: string;
}

export interface BridgeState {
  status: "connected" | "connecting" | "waiting";
  relay: string;
  machine: string;
  since_ms: number;
  last_error?: string;
  last_error_ms?: number;
  retry_ms?: number;
}

export interface CancelOrderParams {
  command_id: string;
}

export interface CapabilitiesSet {
  change: "capabilitiesSet";
  capabilities: AgentCapabilities;
}

export interface Card {
  session_id: string;
  title: string;
  workspace: string;
  status: "completed" | "stopped" | "unknown" | "waiting_user" | "working";
  outcome?: "" | "completed" | "declined" | "failed" | "interrupted";
  agent?: string;
  capabilities?: AgentCapabilities;
  asks?: number;
  queued?: number;
  hidden?: boolean;
  place?: "" | "archived" | "pinned";
  deleted?: boolean;
  draft?: boolean;
  driver?: string;
  parent?: string;
  updated_at_ms?: number;
  created_at_ms?: number;
  run_at_ms?: number | null;
  run_ended_at_ms?: number | null;
  why?: string;
  said?: Said | null;
  files?: number;
  additions?: number;
  deletions?: number;
}

export interface CardsNotify {
  cards: Card[];
  whole?: boolean;
  gone?: string[];
}

export interface Challenge {
  nonce: string;
}

export interface ChallengeParams {
}

export interface ChangedNotify {
  session_id: string;
  after: number;
  seq: number;
  changes: (BlockPut | BlockGone | TextGrew | HistoryPut | StatusSet | TitleSet | UsageSet | DiffSet | RunPut | AskOpened | AskClosed | QueueSet | ModelSet | CapabilitiesSet | HiddenSet | PlaceSet | DeletedSet | DriverSet | ParentSet | ElsewhereSet | TheirRightsSet | Cleared)[];
}

export interface Check {
  name: string;
  state: "missing" | "note" | "ok";
  text: string;
  next?: string;
  step?: "" | "install" | "sign_in";
  commands?: string[];
  agent?: string;
}

export interface Choice {
  id: string;
  label: string;
  grants: boolean;
  lasts?: "always" | "once" | "run" | "session" | "unknown";
  rule?: string;
  said?: Said | null;
  rule_said?: Said | null;
}

export interface ChosenFile {
  path: string;
  hunks?: number[] | null;
}

export interface Cleared {
  change: "cleared";
  thread: string;
}

export interface Client {
  name: string;
  version?: string;
}

export interface CommandBlock {
  kind: "command";
  id: string;
  run?: string | null;
  at_ms?: number | null;
  dropped?: number;
  attachments?: (DiffAttachment | LogsAttachment | StatusAttachment | ErrorAttachment)[];
  command?: string;
  original?: string;
  summary?: string;
  cwd?: string;
  output?: string;
  stdin?: string;
  status?: "cancelled" | "completed" | "declined" | "failed" | "inProgress";
  exit_code?: number | null;
  duration_ms?: number | null;
  does?: "list" | "read" | "run" | "search" | "test";
  reads?: number;
}

export interface CommandList {
  commands: SlashCommand[];
}

export interface CommandSubject {
  about: "command";
  command: string;
  original: string;
  cwd?: string;
  real_cwd?: string;
  host?: string;
  sandbox?: "" | "outside" | "unknown";
  per_process?: boolean;
}

export interface CommentParams {
  session_id: string;
  comments: LineComment[];
  text?: string;
  how?: "queue" | "start" | "steer";
  key?: string;
}

export interface ContextInspectParams {
  include_agents?: boolean;
  include_skills?: boolean;
}

export interface ContextInspectResult {
  runtime_working_dir: string;
  runtime_sandbox_root: string;
  execution_environment: string;
  ui_context?: InspectedUi | null;
}

export interface ContextPart {
  kind: "active_file" | "file" | "selection" | "workspace_summary";
  name: string;
  size?: number;
  whole?: number;
  note?: string;
  left_out?: boolean;
}

export interface ContextRequest {
  include_active_file?: boolean;
  include_selection?: boolean;
  include_workspace_summary?: boolean;
  files?: string[];
}

export interface CreateParams {
  workspace?: string;
  agent?: string;
  model?: string;
  effort?: string;
}

export interface Created {
  session_id: string;
}

export interface DaemonNotice {
  id: string;
  kind: "database_replaced" | "folder_gone" | "set_aside" | "store_failed" | "store_full";
  text: string;
  detail?: string;
  since_ms?: number;
}

export interface DaemonNotify {
  notices: DaemonNotice[];
  bridge?: BridgeState | null;
}

export interface DecidedFolder {
  folder: string;
  decision: "refused" | "trusted";
  decided_at_ms?: number;
  by?: string;
  files?: string[];
  now?: "changed" | "gone" | "same";
}

export interface DeletedSet {
  change: "deletedSet";
  at_ms: number | null;
}

export interface DemoPrompt {
  title: string;
  text: string;
}

export interface DeviceList {
  devices?: ListedDevice[];
  passes?: PassInfo[];
  yes_to?: string[];
  outside?: string;
}

export interface DeviceSubject {
  about: "device";
  name: string;
  fingerprint: string;
}

export interface DiffAttachment {
  type: "diff";
  title?: string;
  diff_id: string;
  unified_diff: string;
  files: DiffFileSummary[];
}

export interface DiffFileSummary {
  path: string;
  additions: number;
  deletions: number;
}

export interface DiffRef {
  diff_id: string;
}

export interface DiffSet {
  change: "diffSet";
  diff: LatestDiff;
}

export interface DirEntry {
  name: string;
  kind: "dir" | "file" | "other";
  size?: number;
}

export interface DividerBlock {
  kind: "divider";
  id: string;
  run?: string | null;
  at_ms?: number | null;
  dropped?: number;
  attachments?: (DiffAttachment | LogsAttachment | StatusAttachment | ErrorAttachment)[];
  title: string;
  text: string;
  said?: Said | null;
}

export interface Done {
  ok?: boolean;
}

export interface DriveParams {
  session_id: string;
}

export interface DriverSet {
  change: "driverSet";
  driver: string;
}

export interface Earlier {
  more: boolean;
}

export interface EditDone {
  work: "apply" | "revert" | "undo";
  undo_id: string;
  files: number;
  additions: number;
  deletions: number;
  plan: string;
  diff_id?: string;
  of?: string;
  undoes?: string;
  reverts?: string;
}

export interface Elsewhere {
  key: string;
  their_id: string;
  holder?: string;
  home?: string;
  joined?: boolean;
  sandbox?: "" | "external" | "full-access" | "read-only" | "workspace-write";
  approvals?: "" | "never" | "on-request" | "untrusted";
  is_guest?: boolean;
}

export interface ElsewhereSet {
  change: "elsewhereSet";
  elsewhere: Elsewhere | null;
}

export interface ErrorAttachment {
  type: "error";
  title?: string;
  code: string;
  message: string;
  details?: unknown;
}

export interface ErrorBlock {
  kind: "error";
  id: string;
  run?: string | null;
  at_ms?: number | null;
  dropped?: number;
  attachments?: (DiffAttachment | LogsAttachment | StatusAttachment | ErrorAttachment)[];
  title: string;
  text?: string;
  agent_stopped?: boolean;
  said?: Said | null;
}

export interface ExportParams {
  session_id: string;
  format?: "json" | "markdown";
}

export interface Exported {
  session_id: string;
  format: string;
  text: string;
}

export interface Fact {
  name: string;
  value: string;
}

export interface FileChangeBlock {
  kind: "fileChange";
  id: string;
  run?: string | null;
  at_ms?: number | null;
  dropped?: number;
  attachments?: (DiffAttachment | LogsAttachment | StatusAttachment | ErrorAttachment)[];
  files?: FileEdit[];
  more_files?: number;
  detail?: string;
  has_diff?: boolean;
  status?: "cancelled" | "completed" | "declined" | "failed" | "inProgress";
}

export interface FileEdit {
  path: string;
  change: "add" | "delete" | "update";
  moved_to?: string | null;
  diff?: string;
  additions?: number;
  deletions?: number;
  hunks?: ShownHunk[];
  spans?: HunkSpan[];
}

export interface FileRef {
  path: string;
  language_id?: string;
}

export interface FilesSubject {
  about: "files";
  files: FileEdit[];
  more?: number;
  mixed?: boolean;
  links?: RealPath[];
  existing?: string[];
  grant_root?: string;
  per_process?: boolean;
}

export interface FindFilesParams {
  query: string;
  session_id?: string;
  limit?: number;
}

export interface FolderParams {
  folder: string;
}

export interface ForkParams {
  session_id: string;
  run_id?: string;
}

export interface FoundFiles {
  files: string[];
  truncated?: boolean;
}

export interface FoundSession {
  session_id: string;
  title: string;
  workspace: string;
  status: "completed" | "stopped" | "unknown" | "waiting_user" | "working";
  outcome?: "" | "completed" | "declined" | "failed" | "interrupted";
  updated_at_ms?: number;
  hits?: FoundText[];
}

export interface FoundSessions {
  sessions: FoundSession[];
  truncated?: boolean;
}

export interface FoundText {
  found_in: "answer" | "file" | "prompt" | "title";
  text: string;
  block_id?: string;
}

export interface GitStatus {
  branch?: string;
  changed?: number;
}

export interface Grant {
  id: string;
  asked: string;
  lasts: "always" | "once" | "run" | "session" | "unknown";
  rule?: string;
  at_ms?: number;
  by?: string;
  revocable?: boolean;
  kept_in?: string;
}

export interface GrantList {
  grants: Grant[];
}

export interface HiddenSet {
  change: "hiddenSet";
  hidden: boolean;
}

export interface HideParams {
  session_id: string;
  hidden?: boolean;
}

export interface HistoryPut {
  change: "historyPut";
  blocks: (UserBlock | RemoteBlock | AssistantBlock | ReasoningBlock | CommandBlock | FileChangeBlock | McpBlock | WebSearchBlock | PlanBlock | ImageBlock | DividerBlock | InfoBlock | SystemBlock | ErrorBlock)[];
  runs: Run[];
  earlier?: string;
  older?: boolean;
}

export interface HistoryRead {
  session: Session;
}

export interface HistoryReadParams {
  session_id: string;
}

export interface HooksParams {
  settings?: string;
  outside?: boolean;
}

export interface HooksStatus {
  settings: string;
  state: "absent" | "installed" | "partly";
  command: string;
  backup?: string;
  outside?: boolean;
  is_off?: boolean;
}

export interface HunkSpan {
  first: number;
  count: number;
  old_start: number;
  new_start: number;
}

export interface ImageBlock {
  kind: "image";
  id: string;
  run?: string | null;
  at_ms?: number | null;
  dropped?: number;
  attachments?: (DiffAttachment | LogsAttachment | StatusAttachment | ErrorAttachment)[];
  path?: string;
  url?: string;
  caption?: string;
  status?: "cancelled" | "completed" | "declined" | "failed" | "inProgress";
}

export interface ImageUrl {
  url: string;
}

export interface InfoBlock {
  kind: "info";
  id: string;
  run?: string | null;
  at_ms?: number | null;
  dropped?: number;
  attachments?: (DiffAttachment | LogsAttachment | StatusAttachment | ErrorAttachment)[];
  title: string;
  text?: string;
  facts?: Fact[];
  status?: "cancelled" | "completed" | "declined" | "failed" | "inProgress";
  said?: Said | null;
}

export interface InitializeParams {
  protocol_version: string;
  client: Client;
  ui_capabilities?: UiCapabilities;
}

export interface InitializeResult {
  protocol_version: string;
  server: ServerIdentity;
  server_capabilities: ServerCapabilities;
  surface_id?: string;
  workspace?: string;
  home?: string;
  access?: Access | null;
  start_command?: string;
}

export interface InputPart {
  type: string;
  text?: string;
  image_url?: ImageUrl | null;
}

export interface InspectParams {
}

export interface Inspected {
  checks: Check[];
  workspaces?: string[];
  program?: string;
  demo?: boolean;
  prompts?: DemoPrompt[];
}

export interface InspectedFolder {
  folder: string;
  fingerprint: string;
  findings?: TrustFinding[];
  trusted?: boolean;
  truncated?: boolean;
}

export interface InspectedUi {
  cwd?: string;
  workspace_root?: string;
  active_file_path?: string;
  extensions?: Record<string, unknown>;
}

export interface InviteParams {
  name: string;
}

export interface InviteRef {
  code: string;
}

export interface Invited {
  link: string;
  code: string;
  session_id: string;
  ends_at_ms: number;
}

export interface LatestDiff {
  unified: string;
  files: FileEdit[];
  run?: string | null;
}

export interface Limit {
  name: string;
  used_percent: number;
  window_minutes?: number | null;
  resets_at_s?: number | null;
}

export interface LimitsSet {
  change: "limitsSet";
  limits: Limit[];
  plan?: string;
}

export interface LineComment {
  path: string;
  line: number;
  text: string;
  side?: "after" | "before";
  quote?: string;
}

export interface LinkParams {
  session_id: string;
  path: string;
}

export interface LinkedFile {
  file_id: string;
  path: string;
  name: string;
  size: number;
  media_type: string;
}

export interface ListDirParams {
  path?: string;
  session_id?: string;
}

export interface ListFoldersParams {
  folder?: string;
}

export interface ListedDevice {
  device_id: string;
  name: string;
  fingerprint: string;
  enrolled_at_ms: number;
  seen_at_ms?: number;
  connected?: number;
}

export interface ListedDir {
  path: string;
  entries: DirEntry[];
  truncated?: boolean;
}

export interface ListedFolder {
  name: string;
  folder: string;
  is_repository?: boolean;
}

export interface ListedFolders {
  folder: string;
  parent?: string;
  folders?: ListedFolder[];
  truncated?: boolean;
  is_repository?: boolean;
  can_open?: boolean;
}

export interface ListedSession {
  session_id: string;
  updated_at: string;
  run_id?: string;
  message_count?: number;
  last_user_message?: string;
  workspace_root?: string;
  title?: string;
  status?: string;
  outcome?: string;
  agent?: string;
}

export interface ListedSetting {
  key: string;
  kind: "choice" | "flag" | "number" | "text" | "texts";
  value: unknown;
  default: unknown;
  doc: string;
  source: "default" | "user" | "workspace";
  workspace: "free" | "never" | "tighten";
  choices?: string[];
  least?: number | null;
  most?: number | null;
}

export interface ListedSettings {
  settings: ListedSetting[];
  user_file: string;
  workspace_file: string;
  problems?: string[];
  ignored?: string[];
}

export interface LogsAttachment {
  type: "logs";
  title?: string;
  text: string;
}

export interface McpBlock {
  kind: "mcp";
  id: string;
  run?: string | null;
  at_ms?: number | null;
  dropped?: number;
  attachments?: (DiffAttachment | LogsAttachment | StatusAttachment | ErrorAttachment)[];
  server?: string;
  tool?: string;
  arguments?: string;
  progress?: string;
  result?: string;
  error?: string;
  status?: "cancelled" | "completed" | "declined" | "failed" | "inProgress";
  duration_ms?: number | null;
}

export interface McpListParams {
  scope?: "configured" | "loaded";
}

export interface McpListResult {
  servers: McpServer[];
}

export interface McpServer {
  id: string;
  transport: "http" | "stdio";
  enabled: boolean;
  state: "auth_required" | "connecting" | "disabled" | "error" | "ready";
  source?: "global" | "project" | null;
  tools?: number | null;
  last_error?: string | null;
  last_connected_at?: string | null;
}

export interface ModelDetails {
  context_window?: number | null;
  max_input_tokens?: number | null;
  max_output_tokens?: number | null;
  description?: string;
  reasoning_efforts?: string[];
}

export interface ModelListParams {
  provider?: string;
  include_details?: boolean;
  session_id?: string;
}

export interface ModelListResult {
  provider: string;
  models: string[];
  current?: string | null;
  reasoning?: string | null;
  details?: Record<string, ModelDetails> | null;
}

export interface ModelParams {
  session_id: string;
  model: string;
  effort?: string;
}

export interface ModelSet {
  change: "modelSet";
  model: string;
  effort?: string;
}

export interface ModelSetParams {
  name: string;
  provider?: string;
  reasoning?: string;
  session_id?: string;
}

export interface ModelSetResult {
  provider: string;
  name: string;
  source: "config" | "session";
  reasoning?: string | null;
}

export interface Moved {
  hunk: number;
  offset: number;
}

export interface NoticePut {
  change: "noticePut";
  block: InfoBlock | SystemBlock;
}

export interface OfferParams {
  code: string;
  key: string;
  signature: string;
}

export interface OpenPaneParams {
  cwd?: string;
  cols?: number;
  rows?: number;
  pane_id?: string;
  run?: string;
}

export interface OpenedFolder {
  workspace: string;
}

export interface OpenedPane {
  pane: Pane;
}

export interface Option {
  label: string;
  description?: string;
}

export interface Order {
  commandId: string;
  machineId: string;
  userId: string;
  kind: "apply" | "help" | "patch" | "plan" | "status" | "test";
  createdAt: string;
  prompt?: string;
  refId?: string;
}

export interface OrderOutcome {
  commandId: string;
  machineId: string;
  status: "cancelled" | "error" | "ok" | "rejected";
  summary: string;
  createdAt: string;
  diff?: string;
}

export interface OuterLink {
  link: string;
}

export interface OuterLinkParams {
  scope?: "full" | "look";
}

export interface Outside {
  from: "outside";
  credential: string;
  device?: string;
  device_name?: string;
  client?: string;
}

export interface Pane {
  pane_id: string;
  state: "ended" | "restored" | "running";
  shell: string;
  cwd: string;
  cols: number;
  rows: number;
  title?: string;
  command?: string;
  typing?: string;
  exit_code?: number | null;
  opened_at_ms?: number;
}

export interface PaneList {
  panes: Pane[];
  is_available?: boolean;
}

export interface PaneOutputNotify {
  pane_id: string;
  offset: number;
  data: string;
  reset?: boolean;
  before?: string;
  is_old?: boolean;
}

export interface PaneRef {
  pane_id: string;
}

export interface PanesNotify {
  panes: Pane[];
  gone?: string[];
}

export interface PanesParams {
}

export interface ParentSet {
  change: "parentSet";
  thread: string;
}

export interface PassInfo {
  name: string;
  kind: "browser" | "credential";
  door: "outside" | "page" | "stdio" | "terminal";
  scope: "full" | "look" | "orders";
  since_ms?: number;
  seen_at_ms?: number;
}

export interface PermissionsSubject {
  about: "permissions";
  wants: string[];
  cwd?: string;
  command?: string;
  paths?: string[];
  links?: RealPath[];
  per_process?: boolean;
}

export interface PickItem {
  id: string;
  label: string;
  detail?: string;
}

export interface PlaceParams {
  session_id: string;
  place?: "" | "archived" | "pinned";
}

export interface PlaceSet {
  change: "placeSet";
  place: "" | "archived" | "pinned";
}

export interface PlanBlock {
  kind: "plan";
  id: string;
  run?: string | null;
  at_ms?: number | null;
  dropped?: number;
  attachments?: (DiffAttachment | LogsAttachment | StatusAttachment | ErrorAttachment)[];
  steps?: PlanStep[];
  text?: string;
}

export interface PlanStep {
  text: string;
  status: "completed" | "inProgress" | "pending";
}

export interface Position {
  line: number;
  column: number;
}

export interface PrepareParams {
  session_id?: string;
  diff?: string;
  data?: string;
  strip?: number | null;
}

export interface Prepared {
  diff_id: string;
  hash: string;
  files: PreparedFile[];
  preview: string;
  bar?: string;
}

export interface PreparedFile {
  path: string;
  kind: "add" | "copy" | "delete" | "rename" | "update";
  additions: number;
  deletions: number;
  source?: string;
  mode?: string;
  moved?: Moved[];
  head?: string;
  hunks?: ShownHunk[];
}

export interface PreviewContextParams {
  context: ContextRequest;
  session_id?: string;
}

export interface PreviewedContext {
  parts: ContextPart[];
  max_files: number;
  max_file_bytes: number;
}

export interface Prompt {
  key: string;
  text: string;
  images?: string[];
  context?: ContextPart[];
  selected?: string;
  purpose?: "patch" | "plan" | "talk";
  by?: "bascule" | "person";
  asked_in?: string | null;
  sender?: Remote | null;
}

export interface ProveParams {
  device_id: string;
  signature: string;
}

export interface Question {
  id: string;
  text: string;
  header?: string;
  options?: Option[];
  free_text?: boolean;
  several?: boolean;
  secret?: boolean;
  required?: boolean;
  type?: "boolean" | "integer" | "number" | "text";
  default?: string;
}

export interface QuestionsSubject {
  about: "questions";
  questions: Question[];
  server?: string;
  message?: string;
  url?: string;
}

export interface QueueEditParams {
  session_id: string;
  key: string;
  text: string;
}

export interface QueueMoveParams {
  session_id: string;
  key: string;
  to: number;
}

export interface QueueRef {
  session_id: string;
  key: string;
}

export interface QueueSet {
  change: "queueSet";
  queue: Prompt[];
  held?: boolean;
}

export interface RanTest {
  status: "cancelled" | "error" | "ok" | "rejected";
  summary: string;
  command?: string;
  exit_code?: number | null;
  logs?: string;
  duration_ms?: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface ReadFile {
  path: string;
  text: string;
  size: number;
  next_offset?: number | null;
  binary?: boolean;
}

export interface ReadFileParams {
  path: string;
  session_id?: string;
  offset?: number;
  limit?: number;
}

export interface RealPath {
  path: string;
  real: string;
  is_outside: boolean;
}

export interface ReasoningBlock {
  kind: "reasoning";
  id: string;
  run?: string | null;
  at_ms?: number | null;
  dropped?: number;
  attachments?: (DiffAttachment | LogsAttachment | StatusAttachment | ErrorAttachment)[];
  summary?: string[];
  raw?: string[];
  status?: "cancelled" | "completed" | "declined" | "failed" | "inProgress";
}

export interface Remote {
  from: "remote";
  user: string;
  command_id: string;
  via?: string;
}

export interface RemoteBlock {
  kind: "remote";
  id: string;
  run?: string | null;
  at_ms?: number | null;
  dropped?: number;
  attachments?: (DiffAttachment | LogsAttachment | StatusAttachment | ErrorAttachment)[];
  text: string;
  author?: string;
  command_id?: string;
}

export interface RenameParams {
  session_id: string;
  title: string;
}

export interface ResizePaneParams {
  pane_id: string;
  cols: number;
  rows: number;
}

export interface RestartAgentParams {
  session_id?: string;
  workspace?: string;
}

export interface RestartedAgent {
  workspace: string;
  was_running: boolean;
}

export interface RevertParams {
  session_id: string;
  run_id: string;
  files: ChosenFile[];
}

export interface ReviewedFile {
  path: string;
  kind: "add" | "copy" | "delete" | "rename" | "update";
  additions: number;
  deletions: number;
  hunks?: ReviewedHunk[];
  moved_to?: string;
  by?: "agent" | "command";
  note?: string;
}

export interface ReviewedHunk {
  number: number;
  old_start: number;
  old_count: number;
  new_start: number;
  new_count: number;
  lines: string[];
  unended?: number[];
  there?: boolean;
  why?: string;
  reverted?: boolean;
}

export interface RevokeGrantParams {
  session_id: string;
  grant_id: string;
}

export interface RevokeParams {
  name: string;
}

export interface Revoked {
  what: string;
  closed?: number;
}

export interface Run {
  id: string;
  outcome?: "completed" | "failed" | "interrupted" | "running";
  started_at_ms?: number | null;
  ended_at_ms?: number | null;
  why?: string;
  said?: Said | null;
  tokens?: number;
  declined?: boolean;
}

export interface RunCancelParams {
  run_id: string;
  reason?: string;
}

export interface RunCancelResult {
  ok: boolean;
  status?: "awaiting_ui" | "cancelled" | "completed" | "error" | "running" | null;
}

export interface RunContextNotify {
  run_id: string;
  context_left_percent: number;
}

export interface RunInput {
  type: string;
  text?: string;
  parts?: InputPart[];
}

export interface RunPut {
  change: "runPut";
  run: Run;
}

export interface RunRef {
  session_id: string;
  run_id?: string;
}

export interface RunReview {
  session_id: string;
  run_id: string;
  files: ReviewedFile[];
  unified: string;
  note?: string;
}

export interface RunStartParams {
  input: RunInput;
  session_id?: string;
  ui_context?: UiContext | null;
  context?: ContextRequest | null;
  meta?: Record<string, unknown>;
  force_compaction?: boolean;
  how?: "queue" | "start" | "steer";
  key?: string;
  take_over?: boolean;
  extra?: Record<string, unknown>;
}

export interface RunStartResult {
  run_id: string;
  session_id?: string;
  queued?: boolean;
  unsent?: string;
}

export interface RunStatusNotify {
  run_id: string;
  status: "awaiting_ui" | "cancelled" | "completed" | "error" | "running";
  message?: string;
}

export interface RunTestParams {
  session_id: string;
  command?: string;
}

export interface Said {
  code: string;
  fields?: Record<string, string | number>;
}

export interface SearchFilesParams {
  query: string;
  session_id?: string;
  limit?: number;
}

export interface SearchHit {
  path: string;
  line: number;
  text: string;
}

export interface SearchSessionsParams {
  query: string;
  workspace?: string;
  limit?: number;
}

export interface SearchedFiles {
  hits: SearchHit[];
  truncated?: boolean;
}

export interface SelectParams {
  diff_id: string;
  files: ChosenFile[];
}

export interface ServerCapabilities {
  supports_run_cancel?: boolean;
  supports_ui_requests?: boolean;
  supports_mcp_list?: boolean;
  supports_skills_list?: boolean;
  supports_context_inspect?: boolean;
  supports_shell_exec?: boolean;
  supports_permission_preflight_events?: boolean;
  supports_session_sync?: boolean;
}

export interface ServerIdentity {
  name: string;
  version: string;
}

export interface Session {
  id: string;
  workspace: string;
  agent?: string;
  capabilities?: AgentCapabilities;
  thread?: string | null;
  title?: string;
  title_by?: "agent" | "default" | "person" | "prompt";
  status?: "completed" | "stopped" | "unknown" | "waiting_user" | "working";
  blocks?: (UserBlock | RemoteBlock | AssistantBlock | ReasoningBlock | CommandBlock | FileChangeBlock | McpBlock | WebSearchBlock | PlanBlock | ImageBlock | DividerBlock | InfoBlock | SystemBlock | ErrorBlock)[];
  dropped_blocks?: number;
  earlier?: string;
  runs?: Run[];
  usage?: Usage | null;
  diff?: LatestDiff | null;
  asks?: Ask[];
  queue?: Prompt[];
  queue_held?: boolean;
  model?: string;
  effort?: string;
  hidden?: boolean;
  place?: "" | "archived" | "pinned";
  deleted_at_ms?: number | null;
  driver?: string;
  parent?: string | null;
  parent_thread?: string | null;
  sender?: string;
  relay?: string;
  elsewhere?: Elsewhere | null;
  created_at_ms?: number;
  updated_at_ms?: number;
}

export interface SessionHistoryParams {
  session_id: string;
  max_runs?: number;
  max_events?: number;
}

export interface SessionHistoryResult {
  runs: number;
  events_sent: number;
  truncated?: boolean;
}

export interface SessionListParams {
  limit?: number;
  scope?: "all" | "current_workspace";
}

export interface SessionListResult {
  sessions: ListedSession[];
  current_workspace_root?: string;
}

export interface SessionRef {
  session_id: string;
}

export interface SetSettingParams {
  key: string;
  value?: unknown;
  scope?: "user" | "workspace";
  session_id?: string;
}

export interface SettingSubject {
  about: "setting";
  key: string;
  old: string;
  new: string;
  effect?: string;
  doc?: string;
  file?: string;
}

export interface SettingsParams {
  session_id?: string;
}

export interface ShellExecParams {
  command: string;
  timeout_seconds?: number;
  cwd?: string;
}

export interface ShellExecResult {
  command_preview: string;
  exit_code: number | null;
  stdout: string;
  stderr: string;
  truncated: Truncated;
  duration_ms: number;
  signal?: string | null;
}

export interface ShownHunk {
  number: number;
  old_start: number;
  old_count: number;
  new_start: number;
  new_count: number;
  lines: string[];
  unended?: number[];
}

export interface SilenceSet {
  change: "silenceSet";
  since_ms: number | null;
}

export interface Skill {
  id: string;
  name: string;
  description: string;
  path: string;
  dir: string;
  scope: "repo" | "user";
  mtime_ms: number;
}

export interface SkillError {
  path: string;
  message: string;
}

export interface SkillsListParams {
  cwd?: string;
  force_reload?: boolean;
}

export interface SkillsListResult {
  skills: Skill[];
  errors: SkillError[];
  truncated: boolean;
}

export interface SlashCommand {
  name: string;
  argument: string;
  doc: string;
  needs?: "compact" | "fork" | "images" | "mcp" | "models" | "read_only" | "resume" | "sign_out" | "skills" | "steer" | null;
}

export interface SnapshotNotify {
  session_id: string;
  seq: number;
  session: Session;
}

export interface StatusAttachment {
  type: "status";
  title?: string;
  json: unknown;
}

export interface StatusSet {
  change: "statusSet";
  status: "completed" | "stopped" | "unknown" | "waiting_user" | "working";
}

export interface SystemBlock {
  kind: "system";
  id: string;
  run?: string | null;
  at_ms?: number | null;
  dropped?: number;
  attachments?: (DiffAttachment | LogsAttachment | StatusAttachment | ErrorAttachment)[];
  title?: string;
  text?: string;
  debug?: boolean;
  edit?: EditDone | null;
  said?: Said | null;
}

export interface TakeOrderParams {
  order: Order;
}

export interface TextGrew {
  change: "textGrew";
  block: string;
  field: "debug" | "detail" | "output" | "plan" | "progress" | "raw" | "stdin" | "summary" | "text";
  text: string;
  part?: number;
  run?: string | null;
}

export interface TheirRightsSet {
  change: "theirRightsSet";
  sandbox: "" | "external" | "full-access" | "read-only" | "workspace-write";
  approvals: "" | "never" | "on-request" | "untrusted";
}

export interface TitleSet {
  change: "titleSet";
  title: string;
  by: "agent" | "default" | "person" | "prompt";
}

export interface Todo {
  text: string;
  status: "completed" | "inProgress" | "pending";
}

export interface Todos {
  session_id: string;
  todos: Todo[];
}

export interface Truncated {
  stdout?: boolean;
  stderr?: boolean;
  combined?: boolean;
}

export interface TrustAddParams {
  folder: string;
  fingerprint: string;
}

export interface TrustFinding {
  kind: "broken" | "environment" | "hook" | "instructions" | "rule" | "server" | "setting" | "skill";
  path: string;
  text: string;
  content?: string;
  reader?: "bascule" | "claude" | "codex";
  changed?: boolean;
}

export interface TrustList {
  folders: DecidedFolder[];
}

export interface TrustListParams {
}

export interface TrustSubject {
  about: "trust";
  folder: string;
  findings: TrustFinding[];
  more?: number;
  fingerprint?: string;
}

export interface UiCapabilities {
  supports_confirm?: boolean;
  supports_prompt?: boolean;
  supports_pick?: boolean;
  supports_markdown?: boolean;
  supports_images?: boolean;
  supports_permission_preflight_events?: boolean;
  supports_session_sync?: boolean;
}

export interface UiConfirmParams {
  title: string;
  message: string;
  run_id?: string;
  confirm_label?: string;
  cancel_label?: string;
  danger_level?: "danger" | "normal";
  allow_remember?: boolean;
  allow_reason?: boolean;
}

export interface UiConfirmResult {
  ok: boolean;
  remember?: boolean | null;
  reason?: string | null;
}

export interface UiContext {
  cwd?: string;
  workspace_root?: string;
  active_file?: FileRef | null;
  selection?: UiSelection | null;
  context?: ContextRequest | null;
  extensions?: Record<string, unknown>;
}

export interface UiPickParams {
  title: string;
  items: PickItem[];
  run_id?: string;
  multi?: boolean;
}

export interface UiPickResult {
  ids: string[];
}

export interface UiPromptParams {
  title: string;
  message: string;
  run_id?: string;
  default_value?: string;
  multiline?: boolean;
  secret?: boolean;
}

export interface UiPromptResult {
  value: string | null;
}

export interface UiSelection {
  path: string;
  range: Range;
  selected_text?: string;
}

export interface UiToastNotify {
  level: "error" | "info" | "warn";
  message: string;
}

export interface UndoParams {
  undo_id: string;
  session_id?: string;
}

export interface Usage {
  context_used: number;
  context_window?: number | null;
  total?: number;
  input?: number;
  cached?: number;
  output?: number;
  reasoning?: number;
  cost_usd?: number;
}

export interface UsageSet {
  change: "usageSet";
  usage: Usage;
}

export interface UserBlock {
  kind: "user";
  id: string;
  run?: string | null;
  at_ms?: number | null;
  dropped?: number;
  attachments?: (DiffAttachment | LogsAttachment | StatusAttachment | ErrorAttachment)[];
  text: string;
  images?: string[];
  steered?: boolean;
  sent?: boolean;
  purpose?: "patch" | "plan" | "talk";
  context?: ContextPart[];
}

export interface Viewed {
  diff_id: string;
  files: ViewedFile[];
}

export interface ViewedFile {
  path: string;
  before: string | null;
  after: string | null;
}

export interface WaitingAsk {
  session_id: string;
  title: string;
  ask: Ask;
  yours?: boolean;
}

export interface WatchParams {
  session_id?: string;
}

export interface WatchedSession {
  key: string;
  agent: string;
  their_id: string;
  status: "completed" | "stopped" | "unknown" | "waiting_user" | "working";
  source: "hook" | "pane" | "protocol" | "registry" | "rollout" | "socket";
  evidence?: string;
  since_ms?: number;
  heard_at_ms?: number;
  activity_at_ms?: number;
  title?: string;
  doing?: string;
  cwd?: string;
  branch?: string;
  pane?: string;
  is_still?: boolean;
  session_id?: string;
}

export interface WebSearchBlock {
  kind: "webSearch";
  id: string;
  run?: string | null;
  at_ms?: number | null;
  dropped?: number;
  attachments?: (DiffAttachment | LogsAttachment | StatusAttachment | ErrorAttachment)[];
  query?: string;
  status?: "cancelled" | "completed" | "declined" | "failed" | "inProgress";
}

export interface WorkspaceNotify {
  state: WorkspaceState;
}

export interface WorkspaceState {
  workspace: string;
  git?: GitStatus | null;
}

export interface WritePaneParams {
  pane_id: string;
  data: string;
}

export interface Written {
  status: "error" | "ok" | "rejected";
  summary: string;
  undo_id?: string;
  declined?: boolean;
  said?: Said | null;
}

export interface WrittenEdit {
  undo_id: string;
  workspace: string;
  at_ms: number;
  hash: string;
  files: string[];
  count: number;
  undoes?: string;
  undone?: boolean;
}

export interface WrittenEdits {
  edits: WrittenEdit[];
}

export type Block =
  | UserBlock
  | RemoteBlock
  | AssistantBlock
  | ReasoningBlock
  | CommandBlock
  | FileChangeBlock
  | McpBlock
  | WebSearchBlock
  | PlanBlock
  | ImageBlock
  | DividerBlock
  | InfoBlock
  | SystemBlock
  | ErrorBlock;

export type Change =
  | BlockPut
  | BlockGone
  | TextGrew
  | HistoryPut
  | StatusSet
  | TitleSet
  | UsageSet
  | DiffSet
  | RunPut
  | AskOpened
  | AskClosed
  | QueueSet
  | ModelSet
  | CapabilitiesSet
  | HiddenSet
  | PlaceSet
  | DeletedSet
  | DriverSet
  | ParentSet
  | ElsewhereSet
  | TheirRightsSet
  | Cleared;

export type AgentChange =
  | NoticePut
  | AccountSet
  | LimitsSet
  | SilenceSet;

export interface Requests {
  "initialize": { params: InitializeParams; result: InitializeResult };
  "daemon.ping": { params: InspectParams; result: Done };
  "run.start": { params: RunStartParams; result: RunStartResult };
  "run.cancel": { params: RunCancelParams; result: RunCancelResult };
  "session.list": { params: SessionListParams; result: SessionListResult };
  "session.search": { params: SearchSessionsParams; result: FoundSessions };
  "session.history": { params: SessionHistoryParams; result: SessionHistoryResult };
  "model.list": { params: ModelListParams; result: ModelListResult };
  "model.set": { params: ModelSetParams; result: ModelSetResult };
  "mcp.list": { params: McpListParams; result: McpListResult };
  "skills.list": { params: SkillsListParams; result: SkillsListResult };
  "context.inspect": { params: ContextInspectParams; result: ContextInspectResult };
  "shell.exec": { params: ShellExecParams; result: ShellExecResult };
  "auth.logout": { params: AuthLogoutParams; result: AuthLogoutResult };
  "ui.context.update": { params: UiContext; result: Done };
  "session.watch": { params: WatchParams; result: Done };
  "session.unwatch": { params: WatchParams; result: Done };
  "session.create": { params: CreateParams; result: Created };
  "session.open": { params: SessionRef; result: Done };
  "session.earlier": { params: SessionRef; result: Earlier };
  "session.rename": { params: RenameParams; result: Done };
  "session.hide": { params: HideParams; result: Done };
  "session.place": { params: PlaceParams; result: Done };
  "session.delete": { params: SessionRef; result: Done };
  "session.restore": { params: SessionRef; result: Done };
  "session.deleted": { params: InspectParams; result: SessionListResult };
  "session.fork": { params: ForkParams; result: Created };
  "session.compact": { params: SessionRef; result: RunStartResult };
  "session.clear": { params: SessionRef; result: Done };
  "session.model": { params: ModelParams; result: Done };
  "session.drive": { params: DriveParams; result: Done };
  "session.interrupt": { params: SessionRef; result: Done };
  "agent.restart": { params: RestartAgentParams; result: RestartedAgent };
  "ask.answer": { params: AnswerParams; result: Done };
  "queue.edit": { params: QueueEditParams; result: Done };
  "queue.move": { params: QueueMoveParams; result: Done };
  "queue.remove": { params: QueueRef; result: Done };
  "queue.steer": { params: QueueRef; result: Done };
  "queue.release": { params: SessionRef; result: Done };
  "edits.prepare": { params: PrepareParams; result: Prepared };
  "edits.prepared": { params: DiffRef; result: Prepared };
  "edits.view": { params: DiffRef; result: Viewed };
  "edits.apply": { params: DiffRef; result: Written };
  "edits.select": { params: SelectParams; result: Prepared };
  "edits.review": { params: RunRef; result: RunReview };
  "edits.revert": { params: RevertParams; result: Prepared };
  "edits.comment": { params: CommentParams; result: RunStartResult };
  "edits.list": { params: InspectParams; result: WrittenEdits };
  "edits.undo": { params: UndoParams; result: Written };
  "test.run": { params: RunTestParams; result: RanTest };
  "test.cancel": { params: SessionRef; result: Done };
  "order.take": { params: TakeOrderParams; result: OrderOutcome };
  "order.cancel": { params: CancelOrderParams; result: Done };
  "board.list": { params: BoardParams; result: BoardList };
  "board.watch": { params: BoardParams; result: Done };
  "board.unwatch": { params: BoardParams; result: Done };
  "board.join": { params: BoardRef; result: Created };
  "board.leave": { params: SessionRef; result: Done };
  "board.fork": { params: BoardRef; result: Created };
  "hooks.status": { params: HooksParams; result: HooksStatus };
  "hooks.install": { params: HooksParams; result: HooksStatus };
  "hooks.uninstall": { params: HooksParams; result: HooksStatus };
  "hooks.restore": { params: HooksParams; result: HooksStatus };
  "pane.list": { params: PanesParams; result: PaneList };
  "pane.watch": { params: PanesParams; result: PaneList };
  "pane.open": { params: OpenPaneParams; result: OpenedPane };
  "pane.attach": { params: AttachPaneParams; result: OpenedPane };
  "pane.detach": { params: PaneRef; result: Done };
  "pane.write": { params: WritePaneParams; result: Done };
  "pane.resize": { params: ResizePaneParams; result: Done };
  "pane.drive": { params: PaneRef; result: Done };
  "pane.ack": { params: AckPaneParams; result: Done };
  "pane.close": { params: PaneRef; result: Done };
  "settings.list": { params: SettingsParams; result: ListedSettings };
  "settings.set": { params: SetSettingParams; result: ListedSettings };
  "trust.list": { params: TrustListParams; result: TrustList };
  "trust.inspect": { params: FolderParams; result: InspectedFolder };
  "trust.add": { params: TrustAddParams; result: Done };
  "trust.ask": { params: FolderParams; result: Done };
  "trust.revoke": { params: FolderParams; result: Done };
  "folders.list": { params: ListFoldersParams; result: ListedFolders };
  "folders.open": { params: FolderParams; result: OpenedFolder };
  "setup.inspect": { params: InspectParams; result: Inspected };
  "commands.list": { params: WatchParams; result: CommandList };
  "context.preview": { params: PreviewContextParams; result: PreviewedContext };
  "ask.list": { params: InspectParams; result: AskList };
  "grants.list": { params: SessionRef; result: GrantList };
  "grants.revoke": { params: RevokeGrantParams; result: Done };
  "files.attach": { params: AttachParams; result: LinkedFile };
  "files.link": { params: LinkParams; result: LinkedFile };
  "files.find": { params: FindFilesParams; result: FoundFiles };
  "workspace.list": { params: ListDirParams; result: ListedDir };
  "workspace.read": { params: ReadFileParams; result: ReadFile };
  "workspace.search": { params: SearchFilesParams; result: SearchedFiles };
  "artifact.read": { params: ArtifactParams; result: Artifact };
  "history.read": { params: HistoryReadParams; result: HistoryRead };
  "history.export": { params: ExportParams; result: Exported };
  "todos.list": { params: SessionRef; result: Todos };
  "device.list": { params: InspectParams; result: DeviceList };
  "device.invite": { params: InviteParams; result: Invited };
  "device.wait": { params: InviteRef; result: ListedDevice };
  "device.link": { params: OuterLinkParams; result: OuterLink };
  "device.revoke": { params: RevokeParams; result: Revoked };
  "device.offer": { params: OfferParams; result: ListedDevice };
  "device.challenge": { params: ChallengeParams; result: Challenge };
  "device.prove": { params: ProveParams; result: Access };
  "ui.confirm.request": { params: UiConfirmParams; result: UiConfirmResult };
  "ui.prompt.request": { params: UiPromptParams; result: UiPromptResult };
  "ui.pick.request": { params: UiPickParams; result: UiPickResult };
}

export interface Notifications {
  "agent.event": { params: AgentEventNotify; result: never };
  "run.status": { params: RunStatusNotify; result: never };
  "run.context": { params: RunContextNotify; result: never };
  "ui.toast": { params: UiToastNotify; result: never };
  "session.snapshot": { params: SnapshotNotify; result: never };
  "session.changed": { params: ChangedNotify; result: never };
  "session.cards": { params: CardsNotify; result: never };
  "board.changed": { params: BoardNotify; result: never };
  "pane.changed": { params: PanesNotify; result: never };
  "pane.output": { params: PaneOutputNotify; result: never };
  "agent.state": { params: AgentNotify; result: never };
  "workspace.state": { params: WorkspaceNotify; result: never };
  "daemon.state": { params: DaemonNotify; result: never };
  "todos.update": { params: Todos; result: never };
}
