"""What the daemon asks of a surface that shows events: confirm, prompt, pick."""

from typing import Literal

from msgspec import Struct


class UiConfirmParams(Struct, frozen=True, kw_only=True, omit_defaults=True):
    title: str
    message: str
    run_id: str = ""
    confirm_label: str = "OK"
    cancel_label: str = "Cancel"
    danger_level: Literal["normal", "danger"] = "normal"
    allow_remember: bool = False
    allow_reason: bool = False


class UiConfirmResult(Struct, frozen=True, kw_only=True):
    ok: bool
    remember: bool | None = False
    reason: str | None = None


class UiPromptParams(Struct, frozen=True, kw_only=True, omit_defaults=True):
    title: str
    message: str
    run_id: str = ""
    default_value: str = ""
    multiline: bool = False
    secret: bool = False


class UiPromptResult(Struct, frozen=True, kw_only=True):
    value: str | None


class PickItem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    label: str
    detail: str = ""


class UiPickParams(Struct, frozen=True, kw_only=True, omit_defaults=True):
    title: str
    items: tuple[PickItem, ...]
    run_id: str = ""
    multi: bool = False


class UiPickResult(Struct, frozen=True, kw_only=True):
    ids: tuple[str, ...]


class UiToastNotify(Struct, frozen=True, kw_only=True):
    level: Literal["info", "warn", "error"]
    message: str
