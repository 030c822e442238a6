"""Where programs are looked for, with what is known of the folders that agents may write."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from bascule.host.config.trust_store import TrustStore
from bascule.host.files.data_folder import Folder, find_home, with_outer
from bascule.host.files.private_places import PrivatePaths, find_private, find_temps
from bascule.host.processes.program import SearchPath


def find_search_path(
    environ: Mapping[str, str], folder: Folder, private: PrivatePaths, workspaces: Iterable[str]
) -> SearchPath:
    """Every sandboxed command may write into its workspace and the temp folders; but not into a folder that
    holds something private, such as the home folder."""
    search_path = SearchPath(environ, lambda place: not private.lies_below(Path(place)))
    opened = (place for one in with_outer(folder) for place in TrustStore(one.trust).opened)
    search_path.exclude({*opened, *workspaces, *find_temps()})
    return search_path


def find_search_path_in(folder: Folder, environ: Mapping[str, str], workspace: str | Path) -> SearchPath:
    """For a command called in that workspace, beside the daemon."""
    private = find_private(tuple(one.root for one in with_outer(folder)), home=find_home(environ))
    here = (str(workspace), os.path.realpath(workspace))
    return find_search_path(environ, folder, private, here)
