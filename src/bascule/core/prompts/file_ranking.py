"""Which of a workspace's files a person means by a few letters, the likeliest first."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

MAX_QUERY = 200  # characters; nobody types more of a path


class PathIndex:
    """The paths of one workspace, relative with `/`; searched again with each letter."""

    def __init__(self, paths: Iterable[str]) -> None:
        # Shallow before deep, short before long: each tier below keeps this order.
        self._paths = sorted(paths, key=lambda path: (path.count("/"), len(path), path))
        self._lower = [path.lower() for path in self._paths]

    def find(self, query: str, limit: int) -> list[str]:
        """A capital in the query means that case matters."""
        query = query.replace("\\", "/").removeprefix("./")
        if len(query) > MAX_QUERY:
            return []
        texts = self._paths if query != query.lower() else self._lower
        best = self._contains(texts, query, limit)
        if len(best) < limit and query:
            best += islice(self._fuzzy(texts, query), limit - len(best))
        return [self._paths[at] for at in best]

    def _contains(self, texts: list[str], query: str, limit: int) -> list[int]:
        if not query:
            return list(range(min(limit, len(texts))))
        tiers: tuple[list[int], ...] = ([], [], [], [])
        for at, text in enumerate(texts):
            if query in text:
                tiers[_tier(text, query)].append(at)
        return list(islice((at for tier in tiers for at in tier), limit))

    def _fuzzy(self, texts: list[str], query: str) -> Iterator[int]:
        """The letters in their order with others between: within the name first, then within the path."""
        letters = re.compile("".join(f"[^{re.escape(letter)}]*{re.escape(letter)}" for letter in query))
        others = [at for at, text in enumerate(texts) if query not in text]
        in_name = set()
        for at in others:
            if letters.match(_name(texts[at])):
                in_name.add(at)
                yield at
        yield from (at for at in others if at not in in_name and letters.match(texts[at]))


def _tier(text: str, query: str) -> int:
    """A query with a folder in it is compared with the end of the path, from that folder's name on."""
    name = _name(text) if "/" not in query else text
    if name == query or text.endswith("/" + query):
        return 0
    if name.startswith(query):
        return 1
    return 2 if query in name else 3


def _name(path: str) -> str:
    return path[path.rfind("/") + 1 :]
