"""Keys: links open once and not for long, browsers can be sent away, nothing is guessed."""

from bascule.serve.keys import LINK_LIFE_S, MAX_BROWSERS, MAX_LINKS, Keys


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_without_a_credential_none_opens() -> None:
    keys = Keys(now_s=Clock())
    browser = keys.admit_browser()
    for wrong in ("", "x", browser.secret, browser.key, keys.new_link()):
        assert keys.find_bearer(wrong) is None


def test_only_the_credential_is_the_credential() -> None:
    keys = Keys(now_s=Clock(), bearer="c" * 40)
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
    assert keys.find_browser(one.secret, one.key) is one
    keys.revoke(one)
    assert keys.find_browser(one.secret, one.key) is None
    assert keys.find_cookie(one.secret) is None
    assert (one.revoked.is_set(), other.revoked.is_set()) == (True, False)
    assert keys.find_browser(other.secret, other.key) is other


def test_half_of_what_a_browser_has_is_nothing() -> None:
    keys = Keys(now_s=Clock())
    one, other = keys.admit_browser(), keys.admit_browser()
    halves = [(one.secret, ""), (one.secret, one.secret), (one.secret, other.key), ("", one.key)]
    assert [keys.find_browser(*half) for half in [*halves, (one.key, one.secret), ("", "")]] == [None] * 6


def test_a_narrowed_pass_is_revoked_with_the_one_it_came_from() -> None:
    keys = Keys(now_s=Clock(), bearer="c" * 40)
    whole = keys.find_bearer(keys.bearer)
    assert whole is not None
    narrow = whole.narrowed("orders")
    assert (whole.is_program, narrow.is_program) == (True, False)
    keys.revoke(whole)
    assert narrow.revoked.is_set()


def test_the_first_browser_makes_room_for_one_too_many() -> None:
    keys = Keys(now_s=Clock())
    browsers = [keys.admit_browser() for _ in range(MAX_BROWSERS + 1)]
    assert [browser.revoked.is_set() for browser in browsers] == [True] + [False] * MAX_BROWSERS


def test_whatever_ends_a_pass_is_told_before_what_it_has_open_is_closed() -> None:
    """A sign-out, a revocation, one browser too many: its answers count no more."""
    keys = Keys(now_s=Clock(), bearer="c" * 40)
    ended: list[str] = []
    keys.on_ended = ended.append
    browsers = [keys.admit_browser() for _ in range(MAX_BROWSERS)]
    first, second, third = browsers[:3]
    keys.revoke(first)
    keys.revoke_named(second.name)
    keys.revoke_named("bearer")
    assert keys.make_room() == []
    keys.admit_browser()
    keys.admit_browser()
    assert keys.make_room() == [third]
    assert ended == [first.name, second.name, "bearer", third.name]


def test_passes_are_listed_and_revoked_one_by_one() -> None:
    keys = Keys(now_s=Clock(), bearer="c" * 40)
    looking, full = keys.admit_browser("look"), keys.admit_browser()
    listed = [(one.name, one.kind, one.door, one.scope) for one in keys.list_passes("outside")]
    assert listed == [
        ("bearer", "credential", "outside", "full"),
        (looking.name, "browser", "outside", "look"),
        (full.name, "browser", "outside", "full"),
    ]
    assert keys.revoke_named(looking.name)
    assert (looking.revoked.is_set(), full.revoked.is_set()) == (True, False)
    assert keys.revoke_named("bearer")
    assert keys.find_bearer("c" * 40) is None
    assert [one.name for one in keys.list_passes("outside")] == [full.name]
    assert not keys.revoke_named("browser-none")


def test_a_link_carries_its_scope() -> None:
    keys = Keys(now_s=Clock())
    link = keys.spend(keys.new_link(scope="look"))
    assert link is not None
    assert link.scope == "look"
