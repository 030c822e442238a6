"""Budget: how much is compared to place the hunks of one file, so that no diff keeps a person waiting."""

MOST = 300_000_000  # lines compared as letters of a string, or as much work as that: about a second
CALL = 50  # for one search in a string
LINE = 20  # for one line of a file that is passed
LOOK = 100  # for one that is looked at
PLACE = 100  # for one place that is kept


class Exhausted(Exception):
    """More would have to be compared than one waits for: no answer, not even that the hunks do not fit."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class Budget:
    def __init__(self, path: str) -> None:
        self._path = path
        self._left = MOST

    def spend(self, cost: int) -> None:
        self._left -= cost
        if self._left < 0:
            raise Exhausted(self._path)
