import pytest

from bascule.demo.prose import make_prose


@pytest.mark.parametrize("words", [1, 11, 12, 300, 20_000])
def test_prose_has_exactly_the_words_asked_for(words: int) -> None:
    assert len(make_prose(words).split()) == words


def test_prose_comes_in_paragraphs_that_differ() -> None:
    paragraphs = make_prose(2_000).split("\n\n")
    assert len(paragraphs) == 23
    assert len(set(paragraphs)) == 23
