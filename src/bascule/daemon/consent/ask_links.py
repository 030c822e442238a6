"""What the paths of an agent's question are now: a clone may hold links, and new files may exist."""

from msgspec.structs import replace

from bascule.host.files.confined_path import find_existing, find_linked, find_real, is_mixed
from bascule.model.asks import Ask, Choice, CommandSubject, FilesSubject, PermissionsSubject


def see_links(ask: Ask, workspace: str) -> Ask:
    """The same question, with where its paths lead now, and which of its new files exist.

    One about files inside and outside of the workspace loses its yes."""
    match ask.subject:
        case FilesSubject(files=files, grant_root=root) as subject:
            names = [name for edit in files for name in (edit.path, edit.moved_to) if name]
            links = find_linked(workspace, [*names, root] if root else names)
            made = [edit.moved_to or edit.path for edit in files if edit.moved_to or edit.change == "add"]
            existing = find_existing(workspace, made)
            mixed = is_mixed(workspace, names)
            seen = replace(subject, links=links, existing=existing, mixed=mixed)
            return replace(ask, subject=seen, choices=_take_yeses(ask.choices) if mixed else ask.choices)
        case PermissionsSubject(paths=paths) as subject:
            return replace(ask, subject=replace(subject, links=find_linked(workspace, paths)))
        case CommandSubject(cwd=cwd) as subject if cwd:
            return replace(ask, subject=replace(subject, real_cwd=find_real(cwd)))
        case _:
            return ask


def _take_yeses(choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Codex writes all of it without its sandbox, and a path inside may lead elsewhere by then."""
    return tuple(choice for choice in choices if not choice.grants)
