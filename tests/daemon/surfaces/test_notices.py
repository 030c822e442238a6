"""Notices of the daemon: a toast once, the list as it is, and a limit on both."""

from bascule.daemon.surfaces.notices import MAX_NOTICES, Notices
from bascule.model.protocol.sessions import DaemonNotice
from bascule.model.protocol.ui import UiToastNotify

FULL = DaemonNotice(id="disk", kind="store_full", text="The disk is full.")


def listen(notices: Notices) -> tuple[list[tuple[DaemonNotice, ...]], list[UiToastNotify]]:
    lists: list[tuple[DaemonNotice, ...]] = []
    toasts: list[UiToastNotify] = []
    notices.on_change, notices.on_toast = lists.append, toasts.append
    return lists, toasts


def test_a_notice_is_listed_and_its_toast_comes_once() -> None:
    notices = Notices()
    lists, toasts = listen(notices)
    later = DaemonNotice(id="disk", kind="store_full", text="The disk is still full.")
    for notice in (FULL, FULL, later):
        notices.put(notice)
    assert lists == [(FULL,), (later,)]
    assert toasts == [UiToastNotify(level="error", message="The disk is full.")]


def test_what_is_over_leaves_the_list_with_a_word_and_only_if_it_was_there() -> None:
    notices = Notices()
    lists, toasts = listen(notices)
    notices.withdraw("disk", "There is room again.")
    assert (lists, toasts) == ([], [])
    notices.put(FULL)
    notices.withdraw("disk", "There is room again.")
    assert (notices.all(), lists[-1]) == ((), ())
    assert toasts[-1] == UiToastNotify(level="info", message="There is room again.")


def test_the_oldest_leave_when_there_are_too_many() -> None:
    notices = Notices()
    for number in range(MAX_NOTICES + 1):
        notices.put(DaemonNotice(id=str(number), kind="store_full", text="x"))
    assert [notices.all()[0].id, len(notices.all())] == ["1", MAX_NOTICES]
