"""What the store needs of a database: one connection, used by one thread, and one writer at a time."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeVar

Row = tuple[Any, ...]
P = ParamSpec("P")
T = TypeVar("T")


class StoreAway(Exception):
    """The database can't be reached, or did not take it."""


def away_on(kind: type[Exception], *unfit: type[Exception]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A driver's own fault becomes `StoreAway`; but what is wrong with a value stays so however often it is
    tried, and is raised as it is."""

    def translated(do: Callable[P, T]) -> Callable[P, T]:
        def call(*args: P.args, **more: P.kwargs) -> T:
            try:
                return do(*args, **more)
            except unfit:
                raise
            except kind as fault:
                raise StoreAway(str(fault)) from fault

        return call

    return translated


class Read(NamedTuple):
    sql: str  # with ? for each argument
    args: Sequence[object] = ()


class Write(NamedTuple):
    sql: str
    rows: Sequence[Sequence[object]]


class News(NamedTuple):
    """For other nodes, once what it is about is stored."""

    word: str
    about: str = ""  # a machine
    node: str = ""  # empty: for all of them


class Database(Protocol):
    """Two implementations. Their faults are `StoreAway`; after one, `reconnect` is called."""

    dialect: str  # in the names of migrations
    is_shared: bool  # by several nodes

    def begin(self) -> None:
        """A transaction beside which nobody else writes; it may have to wait for others."""

    def read(self, reads: Sequence[Read]) -> list[list[Row]]:
        """Inside a transaction: true until it ends."""

    def commit(self, writes: Sequence[Write], news: Iterable[News]) -> None:
        """All of it is on the disk when this returns, and other nodes get the news."""

    def rollback(self) -> None: ...

    def query(self, sql: str, args: Sequence[object] = ()) -> list[Row]: ...

    def execute(self, sql: str, args: Sequence[object] = ()) -> int:
        """How many rows it changed."""

    def run_script(self, sql: str) -> None:
        """Several statements, inside the transaction."""

    def now_ms(self) -> int:
        """By one clock for all nodes."""

    def reconnect(self) -> None: ...

    def close(self) -> None: ...


def marks(values: Sequence[object]) -> tuple[str, tuple[object, ...]]:
    """`(?, ?)` for that many values, filled up to a power of two: few statements, each prepared once."""
    size = 1 << max(len(values) - 1, 0).bit_length()
    padded = (*values, *[values[-1]] * (size - len(values)))
    return f"({', '.join('?' * size)})", padded
