"""Fields of tomorrow: what a client says beyond what is known, kept wherever something outlives the call.

What comes with a prompt is given back with its run's events; what is in a context stays until
the next one comes, and `context.inspect` shows it. Other calls are over with their answer."""

from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.model.protocol.runs import RunStartParams, UiContext

MAX_KEPT = 64 * 1024  # bytes of JSON: a prompt's are repeated with each of its events

T = TypeVar("T", bound=Struct)


def keep_extra(read: T, body: bytes) -> T:
    """The params with what else was said; a refusal where that is too much to keep."""
    if isinstance(read, UiContext):
        return _with_extensions(read, msgspec.json.decode(body))  # type: ignore[return-value]
    if isinstance(read, RunStartParams):
        return _with_extra(read, msgspec.json.decode(body))  # type: ignore[return-value]
    return read


def _with_extra(read: RunStartParams, given: dict[str, Any]) -> RunStartParams:
    extra = {**read.extra, **_unknown(RunStartParams, given)}
    _check("meta and unknown fields", {**extra, **read.meta})
    context = read.ui_context and _with_extensions(read.ui_context, given["ui_context"])
    return replace(read, extra=extra, ui_context=context)


def _with_extensions(read: UiContext, given: dict[str, Any]) -> UiContext:
    extensions = {**_unknown(UiContext, given), **read.extensions}
    _check("extensions and unknown fields", extensions)
    return replace(read, extensions=extensions)


def _unknown(kind: type[Struct], given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name not in kind.__struct_fields__}


def _check(what: str, kept: dict[str, Any]) -> None:
    if kept and (size := len(msgspec.json.encode(kept))) > MAX_KEPT:
        raise RpcError(rpc.INVALID_PARAMS, f"{what} have {size} bytes together; {MAX_KEPT} are kept.")
