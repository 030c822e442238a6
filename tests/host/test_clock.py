"""The clock and the ids that sort by it."""

import time
import uuid

from bascule.host.clock import local_time, new_id, now_ms, spread, utc_text


def test_the_time_is_in_milliseconds() -> None:
    before = int(time.time() * 1000)
    assert before <= now_ms() <= before + 60_000


def test_ids_are_unique_sort_by_time_and_are_version_7_uuids() -> None:
    before = now_ms()
    ids = []
    for _ in range(200):
        ids.append(new_id("run"))
        tick = time.time_ns()
        while time.time_ns() - tick < 1000:  # the clock's own step, not a wait for anything
            pass
    assert len(set(ids)) == 200
    assert ids == sorted(ids)
    first = uuid.UUID(ids[0].removeprefix("run_"))
    assert (first.version, first.variant) == (7, uuid.RFC_4122)
    assert before <= first.int >> 80 <= now_ms()


def test_a_delay_is_spread_so_that_not_all_come_at_once() -> None:
    spread_s = [spread(2.0) for _ in range(100)]
    assert len(set(spread_s)) > 50
    assert all(1.0 <= delay_s < 3.0 for delay_s in spread_s)


def test_a_moment_is_shown_with_its_offset() -> None:
    moment = local_time(1_763_237_527_123)
    assert moment.utcoffset() is not None
    assert (moment.timestamp(), moment.microsecond) == (1_763_237_527.123, 123_000)


def test_a_moment_is_written_as_the_protocol_writes_it() -> None:
    assert utc_text(1_763_237_527_123) == "2025-11-15T20:12:07.123Z"
    assert utc_text(0) == "1970-01-01T00:00:00.000Z"
