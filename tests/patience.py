"""How long a test waits for what must come before it fails: a limit for a hang, never what a test shows."""

PATIENCE_S = 60.0  # below the 120 s after which pytest ends a test without saying what it waited for
