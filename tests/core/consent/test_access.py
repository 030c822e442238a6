"""Every method has its row, and each door and pass gets what it may and nothing more."""

import pytest
from msgspec.structs import replace

from bascule.core.consent.access import (
    FOR_DEVICES,
    KINDS,
    NOT_BY_LOOKING,
    RULES,
    STARTED,
    find_answer_bar,
    find_bar,
    find_joined_bar,
    find_kinds,
    find_setting_bar,
    may_start,
)
from bascule.daemon.protocol.dispatch import HANDLERS
from bascule.model.asks import (
    ActionSubject,
    Ask,
    Choice,
    CommandSubject,
    DeviceSubject,
    FilesSubject,
    PermissionsSubject,
    QuestionsSubject,
    SettingSubject,
    Subject,
    TrustSubject,
)
from bascule.model.consent.audit import Outside
from bascule.model.consent.origin import Origin
from bascule.model.ids import AskId
from bascule.model.settings import TABLE, AnswerKind

HERE = (Origin(door="terminal"), Origin(door="stdio"), Origin(door="page"))
OUTSIDE = Origin(door="outside")
ENROLLED = Origin(door="outside", device="d1", device_name="phone")


def test_every_method_has_a_row_and_every_row_a_method() -> None:
    assert set(RULES) == set(HANDLERS)


@pytest.mark.parametrize("origin", HERE, ids=lambda origin: origin.door)
def test_whoever_is_here_may_do_everything(origin: Origin) -> None:
    assert [method for method in RULES if find_bar(origin, method)] == []


def test_from_outside_one_can_look_and_ask() -> None:
    barred = {method for method in RULES if find_bar(OUTSIDE, method)}
    assert barred == {
        method for method, rule in RULES.items() if rule.need in ("answer", "order", "manage", "type")
    }
    assert "ask.answer" in barred


def test_a_joined_session_is_watched_from_outside_and_used_here() -> None:
    """Its terminal chose what it may do without asking, and may have chosen everything."""
    for origin in (OUTSIDE, ENROLLED):
        free = {method for method in RULES if find_joined_bar(origin, method) is None}
        looking = {method for method, rule in RULES.items() if rule.need in ("look", "answer")}
        assert free == looking | {"session.open", "session.earlier", "run.cancel", "session.interrupt"}
        assert not free & {"run.start", "queue.edit", "session.drive"}
    assert all(find_joined_bar(origin, method) is None for origin in HERE for method in RULES)


def test_what_starts_an_agent_is_more_than_looking() -> None:
    """All but one: it shows a looker what is stored here."""
    starting = {method for method, rule in RULES.items() if STARTED in rule.effect}
    assert {"model.list", "mcp.list", "skills.list", "session.earlier"} < starting
    assert {method for method in starting if RULES[method].need == "look"} == {"session.history"}
    assert NOT_BY_LOOKING in RULES["session.history"].effect
    assert [may_start(Origin(door="terminal", scope=scope)) for scope in ("full", "look", "orders")] == [
        True,
        False,
        False,
    ]


def test_an_enrolled_device_can_answer_and_manages_nothing() -> None:
    assert find_bar(ENROLLED, "ask.answer") is None
    assert find_bar(ENROLLED, "order.take") is not None


def test_a_terminal_is_for_this_machine_and_for_devices_only_where_the_setting_says_so() -> None:
    of_panes = [method for method in RULES if method.startswith("pane.")]
    assert len(of_panes) == 10
    for method in of_panes:
        assert find_bar(OUTSIDE, method, panes_outside=True) is not None
        assert find_bar(ENROLLED, method) is not None
        assert find_bar(ENROLLED, method, panes_outside=True) is None
        for scope in ("look", "orders"):
            assert find_bar(Origin(door="page", scope=scope), method) is not None


@pytest.mark.parametrize(("scope", "need"), [("look", "look"), ("orders", "order")])
def test_a_narrow_pass_is_narrow_at_every_door(scope: str, need: str) -> None:
    for door in ("terminal", "stdio", "page", "outside"):
        origin = Origin(door=door, scope=scope)  # type: ignore[arg-type]
        let_in = {method for method in RULES if find_bar(origin, method) is None}
        assert {RULES[method].need for method in let_in - {"initialize", "daemon.ping"}} <= {need}


COMMAND = CommandSubject(command="ls", original="ls")
ONCE = Choice(id="accept", label="Yes", grants=True)
ALWAYS = Choice(id="always", label="Yes, always", grants=True, rule="ls")
NO = Choice(id="decline", label="No", grants=False)
SUBJECTS: dict[str, Subject] = {
    "command": COMMAND,
    "files": FilesSubject(files=()),
    "permissions": PermissionsSubject(wants=("net",)),
    "questions": QuestionsSubject(questions=()),
    "device": DeviceSubject(name="x", fingerprint="y"),
    "setting": SettingSubject(key="k", old="1", new="2"),
    "action": ActionSubject(text="Sign out"),
    "trust": TrustSubject(folder="/w", findings=()),
}


def ask_about(subject: Subject) -> Ask:
    return Ask(id=AskId("a"), title="?", subject=subject, choices=(ONCE, ALWAYS, NO))


def counts(origin: Origin, subject: Subject, choice: Choice, *allowed: AnswerKind) -> bool:
    return find_answer_bar(origin, ask_about(subject), choice, allowed) is None


def test_every_kind_of_ask_is_in_this_test() -> None:
    assert set(SUBJECTS) == set(KINDS)
    assert set(FOR_DEVICES) < set(KINDS)


@pytest.mark.parametrize("about", SUBJECTS)
def test_here_every_answer_counts_and_outside_without_a_device_none(about: str) -> None:
    for choice in (ONCE, ALWAYS, NO):
        assert all(counts(origin, SUBJECTS[about], choice) for origin in HERE)
        assert not counts(OUTSIDE, SUBJECTS[about], choice, *FOR_DEVICES)  # type: ignore[arg-type]


@pytest.mark.parametrize("about", SUBJECTS)
def test_from_a_device_a_no_counts_and_a_yes_where_the_setting_says_so(about: str) -> None:
    subject = SUBJECTS[about]
    assert counts(ENROLLED, subject, NO)
    assert not counts(ENROLLED, subject, ONCE)
    others = [kind for kind in FOR_DEVICES if kind != about]
    assert not counts(ENROLLED, subject, ONCE, *others)  # type: ignore[arg-type]
    assert counts(ENROLLED, subject, ONCE, about) == (about in FOR_DEVICES)  # type: ignore[arg-type]


def test_from_a_device_no_yes_lasts() -> None:
    assert not counts(ENROLLED, COMMAND, ALWAYS, "command")
    assert not counts(ENROLLED, FilesSubject(files=(), grant_root="/"), ONCE, "files")


def test_permissions_that_come_with_a_command_need_both_kinds() -> None:
    subject = PermissionsSubject(wants=("run make", "net"), command="make")
    assert not counts(ENROLLED, subject, ONCE, "permissions")
    assert not counts(ENROLLED, subject, ONCE, "command")
    assert counts(ENROLLED, subject, ONCE, "permissions", "command")


def test_what_a_device_asked_for_is_not_answered_by_a_device() -> None:
    asked = replace(ask_about(COMMAND), outside=Outside(credential="bearer", device="d1"))
    refused = find_answer_bar(ENROLLED, asked, ONCE, ("command",))
    assert refused is not None
    assert "the yes is given at this one" in refused.why
    assert find_answer_bar(ENROLLED, asked, NO, ("command",)) is None
    assert all(find_answer_bar(origin, asked, ONCE, ()) is None for origin in HERE)


def test_a_pass_to_look_answers_nothing_whatever_the_device() -> None:
    for origin in (Origin(door="outside", scope="look", device="d1"), Origin(door="page", scope="look")):
        assert not counts(origin, COMMAND, NO, "command")
        assert find_kinds(origin, ("command",)) == ()


def test_from_outside_no_setting_is_loosened() -> None:
    for origin in (OUTSIDE, ENROLLED):
        free = {key for key in TABLE if find_setting_bar(origin, f"bascule.{key}") is None}
        assert free == {key for key, row in TABLE.items() if row.workspace == "free"}
        assert find_setting_bar(origin, "devices.answers") is not None
    assert all(find_setting_bar(HERE[0], key) is None for key in TABLE)


def test_a_surface_hears_what_its_yes_counts_for() -> None:
    assert find_kinds(HERE[0], ()) == KINDS
    assert find_kinds(ENROLLED, ("questions", "command")) == ("command", "questions")
    assert find_kinds(OUTSIDE, ("command",)) == ()
