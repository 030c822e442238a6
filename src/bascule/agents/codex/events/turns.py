"""The life of a run: turns, items, deltas, diffs and plans, as the v2 wire tells them."""

from msgspec.structs import replace

from bascule.agents.codex.events.blocks import ItemPlace, file_edits, make_block
from bascule.agents.codex.events.scribe import Scribe, ThreadView
from bascule.agents.codex.wire import items, legacy, params
from bascule.agents.codex.wire.threads import Turn, TurnError
from bascule.core.diff.show.unified import split_files
from bascule.core.session.growing_text import clip
from bascule.core.session.usage import duration_text
from bascule.model.blocks import (
    DividerBlock,
    ErrorBlock,
    FileChangeBlock,
    PlanBlock,
    PlanStep,
    RemoteBlock,
    UserBlock,
)
from bascule.model.changes import AskClosed, BlockPut, DiffSet, RunPut, UsageSet
from bascule.model.ids import BlockId, RunId
from bascule.model.said import Said
from bascule.model.session import LatestDiff, Outcome, Run, Usage

OUTCOME: dict[str, Outcome] = {
    "inProgress": "running",
    "completed": "completed",
    "failed": "failed",
    "interrupted": "interrupted",
}


def turn_started(scribe: Scribe, event: params.TurnParams) -> None:
    started = scribe.at_ms or seconds(event.turn.started_at)
    view = scribe.view(event.thread_id)
    view.begin_run(RunId(event.turn.id), started)
    scribe.put(event.thread_id, RunPut(Run(id=RunId(event.turn.id), started_at_ms=started)))
    scribe.put_status(view, "working")


def turn_completed(scribe: Scribe, event: params.TurnParams) -> None:
    view = scribe.view(event.thread_id)
    if event.turn.error and event.turn.status == "failed":
        scribe.put(event.thread_id, BlockPut(error_block(event.turn.id, event.turn.error)))
    withdraw_asks(scribe, view, "the run has ended")
    _decline_unmade(scribe, view)
    run = make_run(event.turn, view.run_started_ms)
    scribe.put(event.thread_id, RunPut(replace(run, tokens=view.tokens)))
    scribe.put_status(view, "completed")
    view.working = False


def _decline_unmade(scribe: Scribe, view: ThreadView) -> None:
    """Codex streams a patch while it writes it; one that it then refuses never becomes an item."""
    for block in tuple(view.changes.values()):
        if block.id not in view.sent_items and block.status == "inProgress":
            scribe.put_changes_block(view, replace(block, status="declined"))


def withdraw_asks(scribe: Scribe, view: ThreadView, why: str) -> None:
    for ask in view.asks.values():
        scribe.put(view.thread, AskClosed(ask.id, "withdrawn", why=why))
    view.asks.clear()


def make_run(turn: Turn, started_ms: int | None = None) -> Run:
    started = started_ms or seconds(turn.started_at)
    ended = seconds(turn.completed_at)
    if started and turn.duration_ms is not None:
        ended = started + turn.duration_ms
    why = turn.error.message if turn.error else ""
    return Run(
        id=RunId(turn.id), outcome=OUTCOME[turn.status], started_at_ms=started, ended_at_ms=ended, why=why
    )


def seconds(value: int | None) -> int | None:
    return value * 1000 if value else None


def error_block(turn: str, error: TurnError, *, retrying: bool = False) -> ErrorBlock:
    text = "\n".join(part for part in (error.message, error.additional_details) if part)
    title = "The agent met an error and tries again" if retrying else "The agent met an error"
    return ErrorBlock(
        id=BlockId(f"error:{turn}{':retry' if retrying else ''}"),
        run=RunId(turn),
        title=title,
        text=text,
        said=Said("agent.retries" if retrying else "agent.error"),
    )


def error(scribe: Scribe, event: params.ErrorParams) -> None:
    turn = event.turn_id or scribe.view(event.thread_id).run or "session"
    block = error_block(turn, event.error, retrying=event.will_retry)
    scribe.put(event.thread_id, BlockPut(replace(block, at_ms=scribe.at_ms)))


def item_started(scribe: Scribe, event: params.ItemParams) -> None:
    _item(scribe, event, done=False)


def item_completed(scribe: Scribe, event: params.ItemParams) -> None:
    _item(scribe, event, done=True)


def _item(scribe: Scribe, event: params.ItemParams, *, done: bool) -> None:
    view = scribe.view(event.thread_id)
    view.sent_items.add(event.item.id)
    if isinstance(event.item, items.CommandExecution):
        view.commands.add(event.item.id)
    if isinstance(event.item, items.ContextCompaction):
        if done:
            view.compacted += 1
            _divide(scribe, view, BlockId(event.item.id))
        return
    run = RunId(event.turn_id) if event.turn_id else view.run
    at_ms = event.item.started_at_ms or scribe.at_ms
    block = make_block(event.item, ItemPlace(cwd=view.cwd, run=run, at_ms=at_ms, done=done))
    if isinstance(block, FileChangeBlock):
        scribe.put_changes_block(view, _keep_diff_mark(view, block))
    elif isinstance(block, UserBlock | RemoteBlock):
        said = replace(block, steered=view.prompted) if isinstance(block, UserBlock) else block
        scribe.put(event.thread_id, BlockPut(said))
        view.prompted = view.prompted or done
    elif block is not None:
        scribe.put(event.thread_id, BlockPut(block))


def _keep_diff_mark(view: ThreadView, block: FileChangeBlock) -> FileChangeBlock:
    earlier = view.changes.get(block.id)
    return replace(block, has_diff=True) if earlier and earlier.has_diff else block


def thread_compacted(scribe: Scribe, event: params.CompactedParams) -> None:
    view = scribe.view(event.thread_id)
    if view.compacted:
        view.compacted -= 1  # newer servers send an item for the same compaction
        return
    _divide(scribe, view, BlockId(f"compacted:{event.turn_id or view.run}:{scribe.at_ms or 0}"))


def _divide(scribe: Scribe, view: ThreadView, block: BlockId) -> None:
    worked, said = "", Said("compacted")
    if scribe.at_ms and view.run_started_ms:
        worked_ms = scribe.at_ms - view.run_started_ms
        worked, said = f"Worked for {duration_text(worked_ms)}", Said("compacted", {"worked_ms": worked_ms})
    divider = DividerBlock(
        id=block, run=view.run, at_ms=scribe.at_ms, title=worked, text="Context compacted", said=said
    )
    scribe.put(view.thread, BlockPut(divider))


def message_delta(scribe: Scribe, event: params.Delta) -> None:
    scribe.grow(event.thread_id, event.item_id, "text", event.delta, 0, event.turn_id)


def plan_delta(scribe: Scribe, event: params.Delta) -> None:
    scribe.grow(event.thread_id, event.item_id, "plan", event.delta, 0, event.turn_id)


def output_delta(scribe: Scribe, event: params.Delta) -> None:
    scribe.grow(event.thread_id, event.item_id, "output", event.delta, 0, event.turn_id)


def detail_delta(scribe: Scribe, event: params.Delta) -> None:
    scribe.grow(event.thread_id, event.item_id, "detail", event.delta, 0, event.turn_id)


def summary_delta(scribe: Scribe, event: params.PartDelta) -> None:
    scribe.grow(
        event.thread_id, event.item_id, "summary", event.delta, max(0, event.summary_index), event.turn_id
    )


def raw_delta(scribe: Scribe, event: params.PartDelta) -> None:
    scribe.grow(
        event.thread_id, event.item_id, "raw", event.delta, max(0, event.content_index), event.turn_id
    )


def summary_part(scribe: Scribe, event: params.PartParams) -> None:
    """Room for the next part, so that two parts never run together."""
    scribe.grow(event.thread_id, event.item_id, "summary", "", max(0, event.summary_index), event.turn_id)


def terminal_input(scribe: Scribe, event: params.StdinParams) -> None:
    scribe.grow(event.thread_id, event.item_id, "stdin", event.stdin, 0, event.turn_id)


def mcp_progress(scribe: Scribe, event: params.ProgressParams) -> None:
    scribe.grow(event.thread_id, event.item_id, "progress", event.message + "\n", 0, event.turn_id)


def patch_updated(scribe: Scribe, event: params.PatchParams) -> None:
    view = scribe.view(event.thread_id)
    files = file_edits(event.changes, view.cwd)
    present = view.changes.get(event.item_id)
    if present is None:
        present = FileChangeBlock(id=BlockId(event.item_id), run=view.run, at_ms=scribe.at_ms)
    scribe.put_changes_block(view, replace(present, files=files))


def diff_updated(scribe: Scribe, event: params.DiffParams) -> None:
    set_diff(scribe, scribe.view(event.thread_id), RunId(event.turn_id), event.diff)


def set_diff(scribe: Scribe, view: ThreadView, run: RunId | None, diff: str) -> None:
    """Codex repeats the diff after each step: only a new one is a Change."""
    unified = clip(diff)[0]
    if unified == view.diff:
        return
    view.diff = unified
    latest = LatestDiff(unified=unified, files=split_files(unified), run=run)
    scribe.put(view.thread, DiffSet(latest))
    covered = {name for edit in latest.files for name in (edit.path, edit.moved_to)}
    for block in tuple(view.changes.values()):
        if not block.has_diff and any(edit.path in covered for edit in block.files):
            scribe.put_changes_block(view, replace(block, has_diff=True))


def plan_updated(scribe: Scribe, event: params.PlanParams) -> None:
    steps = tuple(PlanStep(step.step, step.status) for step in event.plan)
    block = PlanBlock(
        id=BlockId(f"plan:{event.turn_id}"),
        run=RunId(event.turn_id),
        at_ms=scribe.at_ms,
        steps=steps,
        text=event.explanation or "",
    )
    scribe.put(event.thread_id, BlockPut(block))


def token_usage(scribe: Scribe, event: params.TokenUsageParams) -> None:
    usage = event.token_usage
    scribe.view(event.thread_id).count_tokens(usage.total.total_tokens, usage.last.total_tokens)
    scribe.put(event.thread_id, UsageSet(make_usage(usage.total, usage.last, usage.model_context_window)))


def make_usage(
    total: params.TokenCount | legacy.LegacyTokenUsage,
    last: params.TokenCount | legacy.LegacyTokenUsage,
    window: int | None,
) -> Usage:
    return Usage(
        context_used=last.total_tokens,
        context_window=window,
        total=total.total_tokens,
        input=total.input_tokens,
        cached=total.cached_input_tokens,
        output=total.output_tokens,
        reasoning=total.reasoning_output_tokens,
    )
