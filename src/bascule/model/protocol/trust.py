"""trust.*: which folders are trusted, what they hold, and taking trust back."""

from msgspec import Struct

from bascule.model.consent.trust import Decision, FolderNow, TrustFinding


class TrustListParams(Struct, frozen=True, kw_only=True):
    pass


class DecidedFolder(Struct, frozen=True, kw_only=True, omit_defaults=True):
    folder: str
    decision: Decision
    decided_at_ms: int = 0
    by: str = ""
    files: tuple[str, ...] = ()  # that the decision is about
    now: FolderNow = "same"


class TrustList(Struct, frozen=True, kw_only=True):
    folders: tuple[DecidedFolder, ...]


class FolderParams(Struct, frozen=True, kw_only=True):
    folder: str


class ListFoldersParams(Struct, frozen=True, kw_only=True):
    folder: str = ""  # the person's own when empty


class ListedFolder(Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    folder: str  # the whole path
    is_repository: bool = False


class ListedFolders(Struct, frozen=True, kw_only=True, omit_defaults=True):
    folder: str
    parent: str = ""  # empty at the top
    folders: tuple[ListedFolder, ...] = ()
    truncated: bool = False
    is_repository: bool = False
    can_open: bool = True  # not where secrets are, nor the whole file system


class OpenedFolder(Struct, frozen=True, kw_only=True):
    workspace: str


class InspectedFolder(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What would be run or obeyed in it, as it is now."""

    folder: str
    fingerprint: str
    findings: tuple[TrustFinding, ...] = ()
    trusted: bool = False
    truncated: bool = False


class TrustAddParams(Struct, frozen=True, kw_only=True):
    folder: str
    fingerprint: str  # of what was shown
