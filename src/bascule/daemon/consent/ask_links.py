"""What the paths of an agent's question are now: a clone may hold links, and new files may exist."""

from msgspec.structs import replace

from bascule.host.files.confined_path import find_existing, find_linked, find_real
from bascule.model.asks import Ask, CommandSubject, FilesSubject


def see_links(ask: Ask, workspace: str) -> Ask:
    """The same question, with where its paths lead now, and which of its new files exist."""
    match ask.subject:
        case FilesSubject(files=files, grant_root=root) as subject:
            names = [name for edit in files for name in (edit.path, edit.moved_to) if name]
            links = find_linked(workspace, [*names, root] if root else names)
            made = [edit.moved_to or edit.path for edit in files if edit.moved_to or edit.change == "add"]
            existing = find_existing(workspace, made)
            return replace(ask, subject=replace(subject, links=links, existing=existing))
        case CommandSubject(cwd=cwd) as subject if cwd:
            return replace(ask, subject=replace(subject, real_cwd=find_real(cwd)))
        case _:
            return ask
