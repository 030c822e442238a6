"""A line of the record as a sentence: who did what, what was answered, and how it ended."""

from bascule.core.session.growing_text import shorten
from bascule.core.text.visible import visible
from bascule.model.consent.audit import Entry, Kind, Lasts, Local, Outcome, Outside, Remote, Who

MAX_ASKED = 80  # characters of what it is about
MAX_WHY = 80
NOBODY = "nobody"  # no surface has spoken in that session

LASTS: dict[Lasts, str] = {
    "once": "once",
    "run": "for this run",
    "session": "for this session",
    "always": "always",
    "unknown": "for how long is unknown",
}
# What somebody wanted; the kinds that are not here say it in their own words.
WANTED: dict[Kind, str] = {
    "apply": "write ",
    "undo": "undo the edit of ",
    "test": "run the test ",
    "shell": "run ",
    "command": "run ",
    "setting": "set ",
    "grant": "revoke the permission for ",
}
ENDED: dict[Outcome, str] = {
    "started": "started; its end is not recorded",
    "done": "done",
    "rejected": "declined",
    "refused": "refused",
    "failed": "failed",
    "expired": "nobody answered in time",
    "withdrawn": "withdrawn before an answer",
    "cancelled": "cancelled",
    "timed_out": "took too long and was stopped",
    "not_allowed": "not allowed by the settings",
}


def say_entry(entry: Entry) -> str:
    asked = shorten(visible(entry.asked, keep="\n"), MAX_ASKED)
    why = f" ({shorten(visible(entry.why), MAX_WHY)})" if entry.why else ""
    if entry.kind == "ask" and entry.answer != "none":
        return f"{say_who(entry.who)} answered {_answer(entry)}: {asked}{why}"
    if entry.kind == "ask" and entry.outcome == "refused":
        return f"the answer of {say_who(entry.who)} didn't count: {asked}{why}"
    if entry.kind == "ask":
        return f"{say_who(entry.who)} asked: {asked} – {ENDED[entry.outcome]}{why}"
    answer = f", after the answer {_answer(entry)}{_by(entry)}" if entry.answer != "none" else ""
    return f"{say_who(entry.who)}: {WANTED.get(entry.kind, '')}{asked} – {ENDED[entry.outcome]}{answer}{why}"


def _answer(entry: Entry) -> str:
    if entry.answer == "no":
        return "no" if entry.lasts == "once" else f"no, {LASTS[entry.lasts]}"
    rule = f" [{shorten(visible(entry.rule), MAX_WHY)}]" if entry.rule else ""
    return f"yes, {LASTS[entry.lasts]}{rule}"


def _by(entry: Entry) -> str:
    return f" of {say_who(entry.answered_by)}" if entry.answered_by is not None else ""


def say_who(who: Who) -> str:
    """What the door knows. What a program or a sender calls itself is in quotes, which it cannot leave."""
    match who:
        case Local(surface=surface) if surface == NOBODY:
            return "Bascule"
        case Local(surface=surface, person=person, client=client):
            place = visible(f"{person} ({surface})" if person else surface)
            return f"{place} {_quoted(client)}" if client else place
        case Outside(device="", credential=credential, client=client):
            return f"another machine, by {visible(credential)}{f' {_quoted(client)}' if client else ''}"
        case Outside(device=device, device_name=name, client=client):
            named = f"another machine, device {_quoted(name)} ({visible(device)})"
            return f"{named} {_quoted(client)}" if client else named
        case Remote(user=user, command_id=command_id):
            return f"{_quoted(user)}, by order {_quoted(command_id)}"


def _quoted(name: str) -> str:
    inside = visible(name).replace("“", "'").replace("”", "'")
    return f"“{inside}”"
