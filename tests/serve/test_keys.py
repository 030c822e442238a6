"""Keys: links open once and not for long, browsers can be sent away, nothing is guessed."""

from bascule.serve.keys import LINK_LIFE_S, MAX_BROWSERS, MAX_LINKS, Keys


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_every_start_has_another_token() -> None:
    assert Keys(now_s=Clock()).bearer != Keys(now_s=Clock()).bearer
    assert len(Keys(now_s=Clock()).bearer) >= 43  # 256 bits


def test_only_the_bearer_token_is_the_bearer_token() -> None:
    keys = Keys(now_s=Clock())
    browser = keys.admit_browser()
    assert keys.find_bearer(keys.bearer) is not None
    for wrong in ("", keys.bearer[:-1], keys.bearer + "x", browser.secret, keys.new_link(), "é\udcff"):
        assert keys.find_bearer(wrong) is None


def test_a_link_opens_once() -> None:
    keys = Keys(now_s=Clock())
    link, other = keys.new_link(), keys.new_link()
    spent = [keys.spend(one) for one in (link, link, "x", other)]
    assert [one is not None for one in spent] == [True, False, False, True]


def test_a_link_knows_the_folder_where_it_was_asked_for() -> None:
    keys = Keys(now_s=Clock())
    link = keys.spend(keys.new_link("/home/me/app"))
    assert link is not None
    assert link.workspace == "/home/me/app"


def test_a_link_opens_not_for_long() -> None:
    clock = Clock()
    keys = Keys(now_s=clock)
    link = keys.new_link()
    clock.now_s += LINK_LIFE_S
    assert not keys.spend(link)


def test_old_links_make_room() -> None:
    keys = Keys(now_s=Clock())
    links = [keys.new_link() for _ in range(MAX_LINKS + 1)]
    spent = [keys.spend(links[n]) for n in (0, 1, -1)]
    assert [one is not None for one in spent] == [False, True, True]


def test_a_browser_is_known_until_it_is_revoked() -> None:
    keys = Keys(now_s=Clock())
    one, other = keys.admit_browser(), keys.admit_browser()
    assert keys.find_browser(one.secret) is one
    keys.revoke(one)
    assert keys.find_browser(one.secret) is None
    assert (one.revoked.is_set(), other.revoked.is_set()) == (True, False)
    assert keys.find_browser(other.secret) is other
    assert keys.find_browser(keys.bearer) is None


def test_the_first_browser_makes_room_for_one_too_many() -> None:
    keys = Keys(now_s=Clock())
    browsers = [keys.admit_browser() for _ in range(MAX_BROWSERS + 1)]
    assert [browser.revoked.is_set() for browser in browsers] == [True] + [False] * MAX_BROWSERS
