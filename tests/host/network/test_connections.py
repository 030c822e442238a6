"""Connections: a newcomer always gets in, at the cost of whoever has not shown who it is for longest."""

from bascule.host.network.connections import ConnectionLimits, Connections, Visitor


class ConnectionAttempts:
    def __init__(self, limits: ConnectionLimits) -> None:
        self.connections = Connections(limits)
        self.cut: list[str] = []

    def enter(self, name: str, source: str = "here") -> Visitor:
        return self.connections.enter(source, 0, lambda: self.cut.append(name))


def test_the_oldest_unknown_one_makes_room() -> None:
    attempts = ConnectionAttempts(ConnectionLimits(unknown=2, unknown_each=2, known=9, known_each=9))
    for name in ("a", "b", "c", "d"):
        attempts.enter(name)
    assert attempts.cut == ["a", "b"]


def test_a_source_makes_room_among_its_own() -> None:
    attempts = ConnectionAttempts(ConnectionLimits(unknown=9, unknown_each=2, known=9, known_each=9))
    attempts.enter("old", "elsewhere")
    for name in ("a", "b", "c"):
        attempts.enter(name)
    assert attempts.cut == ["a"]


def test_many_sources_make_room_together() -> None:
    attempts = ConnectionAttempts(ConnectionLimits(unknown=3, unknown_each=2, known=9, known_each=9))
    for number in range(5):
        attempts.enter(f"{number}", f"source {number}")
    assert attempts.cut == ["0", "1"]


def test_a_known_one_stays_whoever_comes() -> None:
    attempts = ConnectionAttempts(ConnectionLimits(unknown=1, unknown_each=1, known=2, known_each=9))
    known = attempts.enter("known")
    assert known.know("ann")
    assert known.know("ann")  # each request of one connection says so
    for name in ("a", "b", "c"):
        attempts.enter(name)
    assert attempts.cut == ["a", "b"]


def test_known_ones_have_their_own_ceiling_and_each_pass_one_of_its_own() -> None:
    attempts = ConnectionAttempts(ConnectionLimits(unknown=9, unknown_each=9, known=3, known_each=2))
    ann = [attempts.enter("x") for _ in range(3)]
    assert [one.know("ann") for one in ann] == [True, True, False]
    bob = [attempts.enter("x") for _ in range(2)]
    assert [one.know("bob") for one in bob] == [True, False]
    attempts.connections.leave(ann[0])
    attempts.connections.leave(ann[0])  # once is enough
    assert bob[1].know("bob")
    assert not ann[2].know("ann")
