"""Milliseconds to find a word among what was said in many stored sessions."""

import random
import tempfile
import time
from pathlib import Path

from bascule.host.storage.search_index import SearchIndex
from bascule.host.storage.store import Saved
from bascule.model.blocks import AssistantBlock, Block, UserBlock
from bascule.model.ids import BlockId, SessionId
from bascule.model.session import Session
from bench.scale import Figures, Scale, megabytes, milliseconds

RARE, COMMON = "trunnion", "leaf"
RUNS = 3  # of each session
WORDS = 5_000


def measure(scale: Scale) -> Figures:
    said = random.Random(1)
    words = ["".join(said.choices("abcdefghijklmnopqrstuvwxyz", k=said.randint(2, 9))) for _ in range(WORDS)]
    with tempfile.TemporaryDirectory() as root:
        index = SearchIndex(Path(root, "search.db"))
        start = time.perf_counter()
        for number in range(scale.sessions):
            index.save([make_session(said, words, number, rare=number == scale.sessions // 2)])
        filling = time.perf_counter() - start
        size = sum(path.stat().st_size for path in Path(root).iterdir())
        times = {name: [time_find(index, name) for _ in range(scale.rounds)] for name in (RARE, COMMON, "le")}
        index.close()
    return {
        "sessions": scale.sessions,
        "index_mb": megabytes(size),
        "index_session_ms": milliseconds(filling / scale.sessions),
        "find_rare_ms": milliseconds(min(times[RARE])),
        "find_common_ms": milliseconds(min(times[COMMON])),
        "find_two_letters_ms": milliseconds(min(times["le"])),
        "rounds": scale.rounds,
    }


def make_session(said: random.Random, words: list[str], number: int, *, rare: bool) -> Saved:
    blocks: list[Block] = []
    for run in range(RUNS):
        prompt = " ".join([*said.choices(words, k=20), COMMON, *([RARE] if rare else [])])
        blocks.append(UserBlock(id=BlockId(f"u{run}"), text=prompt))
        answer = " ".join(said.choices(words, k=100))
        blocks.append(AssistantBlock(id=BlockId(f"a{run}"), text=answer, status="completed"))
    head = Session(id=SessionId(f"s{number}"), workspace="/w", title=" ".join(said.choices(words, k=5)))
    return Saved(head=head, blocks=tuple(enumerate(blocks)), whole=True)


def time_find(index: SearchIndex, query: str) -> float:
    start = time.perf_counter()
    found = index.find(query)
    assert found, query
    return time.perf_counter() - start
