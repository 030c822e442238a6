"""Calls and their answers: by id, once, and none is left waiting."""

from concurrent.futures import Future
from typing import Any

import pytest

from bascule.core.wire.pending_calls import PendingCalls


class Gone(Exception):
    pass


def make() -> PendingCalls[str, str]:
    return PendingCalls(lambda count: f"c{count}")


def test_an_answer_reaches_the_call_of_its_id_once() -> None:
    calls, first, second = make(), Future[Any](), Future[Any]()
    with calls.wait(first, "ping") as one, calls.wait(second, "list") as two:
        assert (one, two, len(calls), calls.find(two)) == ("c1", "c2", 2, "list")
        assert calls.answer(two, "B")
        assert not calls.answer(two, "again")
        assert calls.find(two) is None
        assert calls.refuse(one, Gone())
    assert (second.result(), len(calls), calls.answer(one, "late")) == ("B", 0, False)
    with pytest.raises(Gone):
        first.result()


def test_who_leaves_is_not_waited_for_and_ids_are_never_used_twice() -> None:
    calls = make()
    with pytest.raises(KeyError), calls.wait(Future(), "x") as name:
        raise KeyError(name)
    assert (len(calls), calls.name(), calls.find("c1")) == (0, "c2", None)


def test_at_the_end_every_call_ends() -> None:
    calls, waiting, done = make(), Future[Any](), Future[Any]()
    with calls.wait(waiting, "x"), calls.wait(done, "y") as name:
        calls.answer(name, 1)
        calls.fail(Gone)
        assert (isinstance(waiting.exception(), Gone), done.result(), len(calls)) == (True, 1, 0)
