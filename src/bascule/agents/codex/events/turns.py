"""The life of a run: turns, items, deltas, diffs and plans, as the v2 wire tells them."""

from msgspec.structs import replace

from bascule.agents.codex.events.blocks import ItemPlace, count_more, file_edits, make_block
from bascule.agents.codex.events.change_sink import ChangeSink, ThreadView
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
from bascule.model.said import AGENT_RETRIES, Said
from bascule.model.session import LatestDiff, Outcome, Run, Usage

OUTCOME: dict[str, Outcome] = {
    "inProgress": "running",
    "completed": "completed",
    "failed": "failed",
    "interrupted": "interrupted",
}


def turn_started(sink: ChangeSink, event: params.TurnParams) -> None:
    started = sink.at_ms or seconds(event.turn.started_at)
    view = sink.view(event.thread_id)
    view.begin_run(RunId(event.turn.id), started)
    sink.put(event.thread_id, RunPut(Run(id=RunId(event.turn.id), started_at_ms=started)))
    sink.put_status(view, "working")


def turn_completed(sink: ChangeSink, event: params.TurnParams) -> None:
    view = sink.view(event.thread_id)
    if event.turn.error and event.turn.status == "failed":
        sink.put(event.thread_id, BlockPut(error_block(event.turn.id, event.turn.error)))
    withdraw_asks(sink, view, "the run has ended")
    _decline_unmade(sink, view)
    run = make_run(event.turn, view.run_started_ms)
    sink.put(event.thread_id, RunPut(replace(run, tokens=view.tokens)))
    sink.put_status(view, "completed")
    view.working = False


def _decline_unmade(sink: ChangeSink, view: ThreadView) -> None:
    """Codex streams a patch while it writes it; one that it then refuses never becomes an item."""
    for block in tuple(view.changes.values()):
        if block.id not in view.sent_items and block.status == "inProgress":
            sink.put_changes_block(view, replace(block, status="declined"))


def withdraw_asks(sink: ChangeSink, view: ThreadView, why: str, *, unbegun: bool = False) -> None:
    for ask in view.asks.values():
        sink.put(view.thread, AskClosed(ask.id, "withdrawn", why=why, unbegun=unbegun))
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
        said=Said(AGENT_RETRIES if retrying else "agent.error"),
    )


def error(sink: ChangeSink, event: params.ErrorParams) -> None:
    turn = event.turn_id or sink.view(event.thread_id).run or "session"
    block = error_block(turn, event.error, retrying=event.will_retry)
    sink.put(event.thread_id, BlockPut(replace(block, at_ms=sink.at_ms)))


def item_started(sink: ChangeSink, event: params.ItemParams) -> None:
    _item(sink, event, done=False)


def item_completed(sink: ChangeSink, event: params.ItemParams) -> None:
    _item(sink, event, done=True)


def _item(sink: ChangeSink, event: params.ItemParams, *, done: bool) -> None:
    view = sink.view(event.thread_id)
    view.sent_items.add(event.item.id)
    if isinstance(event.item, items.CommandExecution):
        view.commands.add(event.item.id)
    if isinstance(event.item, items.ContextCompaction):
        if done:
            view.compacted += 1
            _divide(sink, view, BlockId(event.item.id))
        return
    run = RunId(event.turn_id) if event.turn_id else view.run
    at_ms = event.item.started_at_ms or sink.at_ms
    block = make_block(event.item, ItemPlace(cwd=view.cwd, run=run, at_ms=at_ms, done=done))
    if isinstance(block, FileChangeBlock):
        sink.put_changes_block(view, _keep_diff_mark(view, block))
    elif isinstance(block, UserBlock | RemoteBlock):
        said = replace(block, steered=view.prompted) if isinstance(block, UserBlock) else block
        sink.put(event.thread_id, BlockPut(said))
        view.prompted = view.prompted or done
    elif block is not None:
        sink.put(event.thread_id, BlockPut(block))


def _keep_diff_mark(view: ThreadView, block: FileChangeBlock) -> FileChangeBlock:
    earlier = view.changes.get(block.id)
    return replace(block, has_diff=True) if earlier and earlier.has_diff else block


def thread_compacted(sink: ChangeSink, event: params.CompactedParams) -> None:
    view = sink.view(event.thread_id)
    if view.compacted:
        view.compacted -= 1  # newer servers send an item for the same compaction
        return
    _divide(sink, view, BlockId(f"compacted:{event.turn_id or view.run}:{sink.at_ms or 0}"))


def _divide(sink: ChangeSink, view: ThreadView, block: BlockId) -> None:
    worked, said = "", Said("compacted")
    if sink.at_ms and view.run_started_ms:
        worked_ms = sink.at_ms - view.run_started_ms
        worked, said = f"Worked for {duration_text(worked_ms)}", Said("compacted", {"worked_ms": worked_ms})
    divider = DividerBlock(
        id=block, run=view.run, at_ms=sink.at_ms, title=worked, text="Context compacted", said=said
    )
    sink.put(view.thread, BlockPut(divider))


def message_delta(sink: ChangeSink, event: params.Delta) -> None:
    sink.grow(event.thread_id, event.item_id, "text", event.delta, 0, event.turn_id)


def plan_delta(sink: ChangeSink, event: params.Delta) -> None:
    sink.grow(event.thread_id, event.item_id, "plan", event.delta, 0, event.turn_id)


def output_delta(sink: ChangeSink, event: params.Delta) -> None:
    sink.grow(event.thread_id, event.item_id, "output", event.delta, 0, event.turn_id)


def detail_delta(sink: ChangeSink, event: params.Delta) -> None:
    sink.grow(event.thread_id, event.item_id, "detail", event.delta, 0, event.turn_id)


def summary_delta(sink: ChangeSink, event: params.PartDelta) -> None:
    sink.grow(
        event.thread_id, event.item_id, "summary", event.delta, max(0, event.summary_index), event.turn_id
    )


def raw_delta(sink: ChangeSink, event: params.PartDelta) -> None:
    sink.grow(event.thread_id, event.item_id, "raw", event.delta, max(0, event.content_index), event.turn_id)


def summary_part(sink: ChangeSink, event: params.PartParams) -> None:
    """Room for the next part, so that two parts never run together."""
    sink.grow(event.thread_id, event.item_id, "summary", "", max(0, event.summary_index), event.turn_id)


def terminal_input(sink: ChangeSink, event: params.StdinParams) -> None:
    sink.grow(event.thread_id, event.item_id, "stdin", event.stdin, 0, event.turn_id)


def mcp_progress(sink: ChangeSink, event: params.ProgressParams) -> None:
    sink.grow(event.thread_id, event.item_id, "progress", event.message + "\n", 0, event.turn_id)


def patch_updated(sink: ChangeSink, event: params.PatchParams) -> None:
    view = sink.view(event.thread_id)
    files = file_edits(event.changes, view.cwd)
    present = view.changes.get(event.item_id)
    if present is None:
        present = FileChangeBlock(id=BlockId(event.item_id), run=view.run, at_ms=sink.at_ms)
    sink.put_changes_block(view, replace(present, files=files, more_files=count_more(event.changes)))


def diff_updated(sink: ChangeSink, event: params.DiffParams) -> None:
    set_diff(sink, sink.view(event.thread_id), RunId(event.turn_id), event.diff)


def set_diff(sink: ChangeSink, view: ThreadView, run: RunId | None, diff: str) -> None:
    """Codex repeats the diff after each step: only a new one is a Change."""
    unified = clip(diff)[0]
    if unified == view.diff:
        return
    view.diff = unified
    latest = LatestDiff(unified=unified, files=split_files(unified), run=run)
    sink.put(view.thread, DiffSet(latest))
    covered = {name for edit in latest.files for name in (edit.path, edit.moved_to)}
    for block in tuple(view.changes.values()):
        if not block.has_diff and any(edit.path in covered for edit in block.files):
            sink.put_changes_block(view, replace(block, has_diff=True))


def plan_updated(sink: ChangeSink, event: params.PlanParams) -> None:
    steps = tuple(PlanStep(step.step, step.status) for step in event.plan)
    block = PlanBlock(
        id=BlockId(f"plan:{event.turn_id}"),
        run=RunId(event.turn_id),
        at_ms=sink.at_ms,
        steps=steps,
        text=event.explanation or "",
    )
    sink.put(event.thread_id, BlockPut(block))


def token_usage(sink: ChangeSink, event: params.TokenUsageParams) -> None:
    usage = event.token_usage
    sink.view(event.thread_id).count_tokens(usage.total.total_tokens, usage.last.total_tokens)
    sink.put(event.thread_id, UsageSet(make_usage(usage.total, usage.last, usage.model_context_window)))


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
