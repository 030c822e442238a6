"""What the paths of an agent's question are now: a clone may hold links, and new files may exist."""

from collections.abc import Iterable

from msgspec.structs import replace

from bascule.host.files.confined_path import find_existing, find_linked, find_real, is_mixed
from bascule.host.files.process_links import PROCESSES
from bascule.model.asks import Ask, CommandSubject, FilesSubject, PermissionsSubject


def see_links(ask: Ask, workspace: str) -> Ask:
    """The same question, with where its paths lead now, and which of its new files exist.

    One about files inside and outside of the workspace loses its yes, and one about a path that leads the
    agent's process elsewhere than ours."""
    match ask.subject:
        case FilesSubject(files=files, grant_root=root) as subject:
            names = [name for edit in files for name in (edit.path, edit.moved_to) if name]
            links = find_linked(workspace, [*names, root] if root else names)
            made = [edit.moved_to or edit.path for edit in files if edit.moved_to or edit.change == "add"]
            existing = find_existing(workspace, made)
            mixed = is_mixed(workspace, names)
            lost = _are_lost(link.real for link in links)
            seen = replace(subject, links=links, existing=existing, mixed=mixed, per_process=lost)
            seen_ask = replace(ask, subject=seen)
            # Codex writes all of it without its sandbox, and a path inside may lead elsewhere by then.
            return _without_yes(seen_ask) if mixed or lost else seen_ask
        case PermissionsSubject(paths=paths) as subject:
            links = find_linked(workspace, paths)
            lost = _are_lost(link.real for link in links)
            seen_ask = replace(ask, subject=replace(subject, links=links, per_process=lost))
            return _without_yes(seen_ask) if lost else seen_ask
        case CommandSubject(cwd=cwd) as subject if cwd:
            real = find_real(cwd)
            lost = _are_lost([real])
            seen_ask = replace(ask, subject=replace(subject, real_cwd=real, per_process=lost))
            return _without_yes(seen_ask) if lost else seen_ask
        case _:
            return ask


def _are_lost(places: Iterable[str]) -> bool:
    """Whether one of them is another place for each process."""
    return any(place.startswith(PROCESSES) for place in places)


def _without_yes(ask: Ask) -> Ask:
    return replace(ask, choices=tuple(choice for choice in ask.choices if not choice.grants))
