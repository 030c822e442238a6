"""Words by the thousand: made up, always the same, readable enough to scroll through."""

import re
from collections.abc import Iterator, Sequence

_WORDS = re.findall(
    r"\w+",
    "bridge water keeper lamp river gate rope winch barge morning signal stone tide leaf "
    "counterweight crew evening fog harbour iron journey keel ledger market north oak pilot quay "
    "road sail timber village wheel yard bell chain deck engine ferry guard hinge inlet",
)
_WORDS_PER_SENTENCE = 11
_SENTENCES_PER_PARAGRAPH = 8


def make_prose(words: int) -> str:
    """Sentences and paragraphs holding exactly that many words."""
    chosen = list(_choose(words))
    sentences = [" ".join(each).capitalize() + "." for each in _cut(chosen, _WORDS_PER_SENTENCE)]
    return "\n\n".join(" ".join(each) for each in _cut(sentences, _SENTENCES_PER_PARAGRAPH))


def _choose(words: int) -> Iterator[str]:
    """A walk through the words that never stays where it is; a congruential generator picks the steps."""
    at, state = 0, 1
    for _ in range(words):
        state = (state * 1_103_515_245 + 12_345) % 2**31
        at = (at + 1 + (state >> 16) % (len(_WORDS) - 1)) % len(_WORDS)
        yield _WORDS[at]


def _cut(things: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (things[at : at + size] for at in range(0, len(things), size))
