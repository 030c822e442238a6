"""Wrong credentials are answered later and later, up to a second, and forgotten after a while."""

from bascule.serve.slow_down import FORGOTTEN_S, FREE, MAX_S, MAX_SOURCES, SlowDown


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_each_source_is_slowed_by_itself_and_never_for_long() -> None:
    slowing = SlowDown(now_s=Clock())
    waits = [slowing.miss("here") for _ in range(FREE + 40)]
    assert waits[:FREE] == [0.0] * FREE
    assert waits[FREE : FREE + 5] == [0.05, 0.1, 0.2, 0.4, 0.8]
    assert set(waits[FREE + 5 :]) == {MAX_S}
    assert slowing.miss("elsewhere") == 0.0


def test_a_quiet_source_begins_again() -> None:
    clock = Clock()
    slowing = SlowDown(now_s=clock)
    for _ in range(FREE + 3):
        slowing.miss("here")
    clock.now_s += FORGOTTEN_S + 1
    assert slowing.miss("here") == 0.0


def test_sources_have_a_ceiling() -> None:
    slowing = SlowDown(now_s=Clock())
    for number in range(3 * MAX_SOURCES):
        slowing.miss(str(number))
    assert len(slowing._misses) == MAX_SOURCES
