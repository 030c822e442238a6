"""Where programs are looked for, with what is known of the folders that agents may write."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from bascule.host.config.trust_store import TrustStore
from bascule.host.files.data_folder import Folder, find_home
from bascule.host.files.private_places import PrivatePaths, find_private, find_temps
from bascule.host.processes.program import SearchPath


def find_search_path(
    environ: Mapping[str, str], store: TrustStore, private: PrivatePaths, workspaces: Iterable[str]
) -> SearchPath:
    """Every sandboxed command may write into its workspace and the temp folders; but not into a folder that
    holds something private, such as the home folder."""
    search_path = SearchPath(environ, lambda folder: not private.lies_below(Path(folder)))
    search_path.exclude({*store.opened, *workspaces, *find_temps()})
    return search_path


def find_search_path_in(folder: Folder, environ: Mapping[str, str], workspace: str | Path) -> SearchPath:
    """For a command called in that workspace, beside the daemon."""
    private = find_private((folder.root,), home=find_home(environ))
    here = (str(workspace), os.path.realpath(workspace))
    return find_search_path(environ, TrustStore(folder.trust), private, here)
