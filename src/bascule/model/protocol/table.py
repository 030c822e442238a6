"""Every method of the protocol: what it takes, what it gives, who says it to whom."""

from typing import Any, Literal

from msgspec import Struct

from bascule.model.consent.orders import OrderOutcome
from bascule.model.protocol import (
    board,
    devices,
    edits,
    files,
    grants,
    hooks,
    orders,
    panes,
    runs,
    search,
    sessions,
    setup,
    trust,
    ui,
)

VERSION = "0"

Way = Literal["surface to daemon", "daemon to surface"]


class Method(Struct, frozen=True):
    params: Any
    result: Any  # None for a notification
    doc: str
    way: Way = "surface to daemon"


UP: Way = "surface to daemon"
DOWN: Way = "daemon to surface"

METHODS: dict[str, Method] = {
    "initialize": Method(runs.InitializeParams, runs.InitializeResult, "The first message of a connection."),
    "daemon.ping": Method(setup.InspectParams, sessions.Done, "Whether anybody is there."),
    "run.start": Method(
        runs.RunStartParams,
        runs.RunStartResult,
        "Say something to the agent; slash commands are carried out here.",
    ),
    "run.cancel": Method(runs.RunCancelParams, runs.RunCancelResult, "Stop a run: best effort, idempotent."),
    "session.list": Method(runs.SessionListParams, runs.SessionListResult, "Sessions, the latest first."),
    "session.search": Method(
        search.SearchSessionsParams,
        search.FoundSessions,
        "Sessions by their names, prompts, answers and changed files.",
    ),
    "session.history": Method(
        runs.SessionHistoryParams,
        runs.SessionHistoryResult,
        "Replay a session as agent.event, and continue it.",
    ),
    "model.list": Method(runs.ModelListParams, runs.ModelListResult, "The agent's models."),
    "model.set": Method(runs.ModelSetParams, runs.ModelSetResult, "The model for later runs."),
    "mcp.list": Method(runs.McpListParams, runs.McpListResult, "The agent's MCP servers, also during a run."),
    "skills.list": Method(runs.SkillsListParams, runs.SkillsListResult, "The agent's skills."),
    "context.inspect": Method(
        runs.ContextInspectParams, runs.ContextInspectResult, "Where the agent works and what it may do."
    ),
    "shell.exec": Method(
        runs.ShellExecParams, runs.ShellExecResult, "Run a command here, after a yes on this machine."
    ),
    "auth.logout": Method(runs.AuthLogoutParams, runs.AuthLogoutResult, "Sign the agent out, after a yes."),
    "ui.context.update": Method(
        runs.UiContext, sessions.Done, "What the person is looking at; also taken as a notification."
    ),
    "session.watch": Method(
        sessions.WatchParams, sessions.Done, "A snapshot, then Changes; without a session, the cards of all."
    ),
    "session.unwatch": Method(sessions.WatchParams, sessions.Done, "No more of it."),
    "session.create": Method(sessions.CreateParams, sessions.Created, "A new session."),
    "session.open": Method(
        sessions.SessionRef, sessions.Done, "Back among the tabs, with its history from the agent."
    ),
    "session.earlier": Method(sessions.SessionRef, sessions.Earlier, "One more page of the past."),
    "session.rename": Method(sessions.RenameParams, sessions.Done, "A person's title stays."),
    "session.hide": Method(sessions.HideParams, sessions.Done, "From the tabs only; nothing is lost."),
    "session.place": Method(
        sessions.PlaceParams, sessions.Done, "Pin it above the others in the list, or archive it below them."
    ),
    "session.delete": Method(
        sessions.SessionRef, sessions.Done, "After a yes. It can be restored for some days, then it is gone."
    ),
    "session.restore": Method(sessions.SessionRef, sessions.Done, "A deleted session, back in the list."),
    "session.deleted": Method(
        setup.InspectParams, runs.SessionListResult, "Deleted sessions that can still be restored."
    ),
    "session.fork": Method(sessions.ForkParams, sessions.Created, "A new session with the same past."),
    "session.compact": Method(
        sessions.SessionRef, runs.RunStartResult, "Have the agent shorten its context; the run that does it."
    ),
    "session.clear": Method(sessions.SessionRef, sessions.Done, "An empty log and a fresh conversation."),
    "session.model": Method(sessions.ModelParams, sessions.Done, "Model and effort of one session."),
    "session.drive": Method(
        sessions.DriveParams, sessions.Done, "Take over from the surface that drives it now."
    ),
    "session.interrupt": Method(
        sessions.SessionRef, sessions.Done, "Stop what the session is doing, also before the run has a name."
    ),
    "agent.restart": Method(
        sessions.RestartAgentParams,
        sessions.RestartedAgent,
        "End a workspace's agent, however silent, and start it.",
    ),
    "ask.answer": Method(sessions.AnswerParams, sessions.Done, "Answer an Ask; the first answer wins."),
    "queue.edit": Method(sessions.QueueEditParams, sessions.Done, "Change the text of a prompt that waits."),
    "queue.move": Method(sessions.QueueMoveParams, sessions.Done, "Change its place."),
    "queue.remove": Method(sessions.QueueRef, sessions.Done, "Remove a prompt that waits."),
    "queue.steer": Method(sessions.QueueRef, sessions.Done, "Send it now, into the run."),
    "queue.release": Method(sessions.SessionRef, sessions.Done, "Let a held queue go on."),
    "edits.prepare": Method(
        edits.PrepareParams, edits.Prepared, "Check a diff against the files; writes nothing."
    ),
    "edits.prepared": Method(edits.DiffRef, edits.Prepared, "A diff that is kept, as it was prepared."),
    "edits.view": Method(edits.DiffRef, edits.Viewed, "Before and after of each file, from memory."),
    "edits.apply": Method(edits.DiffRef, edits.Written, "Write it, after a yes that names its plan."),
    "edits.select": Method(
        edits.SelectParams, edits.Prepared, "A new diff of the chosen files and hunks of one; writes nothing."
    ),
    "edits.review": Method(
        edits.RunRef, edits.RunReview, "What one run changed, apart from the person's own edits."
    ),
    "edits.revert": Method(
        edits.RevertParams, edits.Prepared, "A diff that reverts chosen hunks of a run; writes nothing."
    ),
    "edits.comment": Method(
        edits.CommentParams, runs.RunStartResult, "Comments on lines, to the agent as its next prompt."
    ),
    "edits.list": Method(setup.InspectParams, edits.WrittenEdits, "Finished edits of all workspaces."),
    "edits.undo": Method(edits.UndoParams, edits.Written, "Undo a finished edit, after a yes."),
    "test.run": Method(edits.RunTestParams, edits.RanTest, "Run the project's tests here, after a yes."),
    "test.cancel": Method(sessions.SessionRef, sessions.Done, "End the session's test and all its children."),
    "order.take": Method(
        orders.TakeOrderParams, OrderOutcome, "Carry out what a remote person wants; no yes comes with it."
    ),
    "order.cancel": Method(
        orders.CancelOrderParams,
        sessions.Done,
        "Stop an order that is under way; its outcome says how it ended.",
    ),
    "board.list": Method(
        board.BoardParams, board.BoardList, "Every session on this machine, no matter who started it."
    ),
    "board.watch": Method(board.BoardParams, sessions.Done, "The same as board.changed, then what changes."),
    "board.unwatch": Method(board.BoardParams, sessions.Done, "No more of it."),
    "board.join": Method(
        board.BoardRef,
        sessions.Created,
        "Use a session that a Codex terminal shares here too, at this machine.",
    ),
    "board.leave": Method(
        sessions.SessionRef, sessions.Done, "Stop using a joined session here; it continues there."
    ),
    "board.fork": Method(
        board.BoardRef, sessions.Created, "A new session with the same past as one of another program."
    ),
    "hooks.status": Method(hooks.HooksParams, hooks.HooksStatus, "Whether Claude's hooks are installed."),
    "hooks.install": Method(
        hooks.HooksParams, hooks.HooksStatus, "Add our hooks to Claude's settings, after a yes."
    ),
    "hooks.uninstall": Method(hooks.HooksParams, hooks.HooksStatus, "Remove them again, after a yes."),
    "hooks.restore": Method(
        hooks.HooksParams,
        hooks.HooksStatus,
        "The settings from before the first change, after a yes.",
    ),
    "pane.list": Method(panes.PanesParams, panes.PaneList, "Terminal panes, the oldest first."),
    "pane.watch": Method(panes.PanesParams, panes.PaneList, "The same, then what changes as pane.changed."),
    "pane.open": Method(
        panes.OpenPaneParams, panes.OpenedPane, "A shell in a new pane, or again in one that has ended."
    ),
    "pane.attach": Method(
        panes.AttachPaneParams,
        panes.OpenedPane,
        "Its output from an offset on, and what follows, as pane.output.",
    ),
    "pane.detach": Method(panes.PaneRef, sessions.Done, "No more of it."),
    "pane.write": Method(
        panes.WritePaneParams, sessions.Done, "Keys; answered once the program has taken most of them."
    ),
    "pane.resize": Method(panes.ResizePaneParams, sessions.Done, "The size of the surface that types in it."),
    "pane.drive": Method(panes.PaneRef, sessions.Done, "Type here from now on, instead of another surface."),
    "pane.ack": Method(
        panes.AckPaneParams,
        sessions.Done,
        "How much was shown; without it the output stops. A notification will do.",
    ),
    "pane.close": Method(panes.PaneRef, sessions.Done, "Hang up its shell and forget what it showed."),
    "settings.list": Method(setup.SettingsParams, setup.ListedSettings, "Every setting, and who set it."),
    "settings.set": Method(setup.SetSettingParams, setup.ListedSettings, "Write one setting, and record it."),
    "trust.list": Method(trust.TrustListParams, trust.TrustList, "Folders that were decided about."),
    "trust.inspect": Method(
        trust.FolderParams, trust.InspectedFolder, "What would be run or obeyed in a folder; terminal only."
    ),
    "trust.add": Method(
        trust.TrustAddParams, sessions.Done, "Trust a folder with the content that was shown; terminal only."
    ),
    "trust.ask": Method(
        trust.FolderParams,
        sessions.Done,
        "Ask again whether to trust a folder, after an earlier decision.",
    ),
    "trust.revoke": Method(trust.FolderParams, sessions.Done, "Forget what was decided about a folder."),
    "folders.list": Method(
        trust.ListFoldersParams,
        trust.ListedFolders,
        "Names of folders, for somebody who looks for a project.",
    ),
    "folders.open": Method(
        trust.FolderParams, trust.OpenedFolder, "A person at this machine chose it: sessions may begin there."
    ),
    "setup.inspect": Method(setup.InspectParams, setup.Inspected, "What is found here, what is missing."),
    "commands.list": Method(sessions.WatchParams, setup.CommandList, "The slash commands."),
    "context.preview": Method(
        setup.PreviewContextParams,
        setup.PreviewedContext,
        "What would be sent with a prompt; limits too.",
    ),
    "ask.list": Method(setup.InspectParams, setup.AskList, "Every Ask that waits, in all sessions."),
    "grants.list": Method(
        sessions.SessionRef, grants.GrantList, "What the agent may do without asking again, and until when."
    ),
    "grants.revoke": Method(
        grants.RevokeGrantParams,
        sessions.Done,
        "The agent forgets it; refused where the agent keeps it itself.",
    ),
    "files.attach": Method(setup.AttachParams, setup.LinkedFile, "Keep a file that a prompt may name."),
    "files.link": Method(setup.LinkParams, setup.LinkedFile, "An id under which a file is served."),
    "files.find": Method(
        files.FindFilesParams, files.FoundFiles, "Files of the workspace, the likeliest first."
    ),
    "workspace.list": Method(files.ListDirParams, files.ListedDir, "A folder of the workspace."),
    "workspace.read": Method(files.ReadFileParams, files.ReadFile, "A file of the workspace, in pieces."),
    "workspace.search": Method(files.SearchFilesParams, files.SearchedFiles, "Lines that hold a text."),
    "artifact.read": Method(
        sessions.ArtifactParams, sessions.Artifact, "A large text of a block, in pieces."
    ),
    "history.read": Method(sessions.HistoryReadParams, sessions.HistoryRead, "A session as it is stored."),
    "history.export": Method(sessions.ExportParams, sessions.Exported, "A session as Markdown or JSON."),
    "todos.list": Method(sessions.SessionRef, sessions.Todos, "The steps of the latest plan."),
    "device.list": Method(
        setup.InspectParams, devices.DeviceList, "Enrolled devices, and the passes that are open."
    ),
    "device.invite": Method(
        devices.InviteParams, devices.Invited, "A link and a code by which one device can offer its key."
    ),
    "device.wait": Method(
        devices.InviteRef, devices.ListedDevice, "Answered once the invited device is enrolled, or is not."
    ),
    "device.link": Method(
        devices.OuterLinkParams, devices.OuterLink, "A link to the outer door; opens once."
    ),
    "device.revoke": Method(
        devices.RevokeParams,
        devices.Revoked,
        "A device or a pass ends, with what it has open.",
    ),
    "device.offer": Method(
        devices.OfferParams, devices.ListedDevice, "Offer a key; answered when a person has decided."
    ),
    "device.challenge": Method(devices.ChallengeParams, devices.Challenge, "What a device is to sign."),
    "device.prove": Method(
        devices.ProveParams, devices.Access, "Sign it: this connection is then the device's own."
    ),
    # what the daemon says
    "agent.event": Method(runs.AgentEventNotify, None, "One thing that happened in a run.", DOWN),
    "run.status": Method(runs.RunStatusNotify, None, "What a run is doing.", DOWN),
    "run.context": Method(runs.RunContextNotify, None, "How much context is left.", DOWN),
    "ui.confirm.request": Method(ui.UiConfirmParams, ui.UiConfirmResult, "Yes or no?", DOWN),
    "ui.prompt.request": Method(ui.UiPromptParams, ui.UiPromptResult, "A line of text.", DOWN),
    "ui.pick.request": Method(ui.UiPickParams, ui.UiPickResult, "One or several of these.", DOWN),
    "ui.toast": Method(ui.UiToastNotify, None, "A short notice.", DOWN),
    "session.snapshot": Method(sessions.SnapshotNotify, None, "The whole session as of `seq`.", DOWN),
    "session.changed": Method(sessions.ChangedNotify, None, "What has changed since.", DOWN),
    "session.cards": Method(sessions.CardsNotify, None, "The list of sessions.", DOWN),
    "board.changed": Method(board.BoardNotify, None, "The board, or the sessions that changed.", DOWN),
    "pane.changed": Method(panes.PanesNotify, None, "Panes that are new, changed or gone.", DOWN),
    "pane.output": Method(panes.PaneOutputNotify, None, "What a pane shows, byte for byte, in order.", DOWN),
    "agent.state": Method(sessions.AgentNotify, None, "Notices, account and limits of an agent.", DOWN),
    "workspace.state": Method(
        sessions.WorkspaceNotify,
        None,
        "The branch and the changed files of a workspace that is watched.",
        DOWN,
    ),
    "daemon.state": Method(
        sessions.DaemonNotify,
        None,
        "What is wrong with the daemon itself, and its connection to a relay.",
        DOWN,
    ),
    "todos.update": Method(sessions.Todos, None, "The plan has moved on.", DOWN),
}
