"""What a change of a setting means, in words, where its value alone does not say it."""

EFFECTS: dict[tuple[str, object], str] = {
    ("codex.sandbox", "workspace-write"): (
        "Lets Codex change files in its folder, in temporary folders and in the writable_roots of your own "
        "Codex configuration without asking."
    ),
    ("codex.sandbox", "read-only"): "Codex asks before it changes any file.",
    ("codex.approvals", "on-request"): "Lets Codex run commands inside its sandbox without asking.",
    ("codex.approvals", "untrusted"): "Codex asks before every command but the most harmless ones.",
    ("orders.commands", "read-only"): "Lets remote orders run commands in a sandbox without asking you.",
    ("orders.commands", "ask"): "You are asked about every command of a remote order.",
    ("allowApplyPatch", True): "Lets diffs be written, each after your yes.",
    ("allowRunTerminal", True): "Lets tests and typed commands run, each after your yes.",
    ("panes.fromOutside", True): "Lets enrolled devices type in terminals of this machine.",
}


def find_effect(key: str, value: object) -> str:
    """Empty where nothing needs to be said."""
    return EFFECTS.get((key, value), "") if isinstance(value, str | bool) else ""
