"""Headers of a section that can't be followed: each is refused with its line and a reason that helps."""

import pytest

from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import EditRefused

HUNK = "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
NAMES = "--- a/x\n+++ b/x\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"diff --git a/x b/x\nfrobnicate 12\n{NAMES}{HUNK}",
            'line 2 of the diff, "frobnicate 12", is not a header',
        ),
        (
            "diff --git a/x b/x\nnew file mode 100644\nowner me\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n",
            'line 3 of the diff, "owner me", is not a header',
        ),
        (
            f"diff --git a/x b/x\nindex 1..2\none: 1\ntwo: 2\n{NAMES}{HUNK}",
            'line 3 of the diff, "one: 1", is not a header',
        ),
        (f"diff --git a/x b/x\nnew mode\n{NAMES}{HUNK}", 'line 2 of the diff, "new mode", lacks its value'),
        (f"--- a/x\n+++ b/y\n{HUNK}", "does not say that one is renamed to the other"),
        (f"diff --git a/x b/y\nrename old x\n--- a/x\n+++ b/y\n{HUNK}", "and no `rename to`"),
    ],
)
def test_what_a_header_cannot_say_is_named_with_its_line(text: str, said: str) -> None:
    refused = parse_diff(text)
    assert isinstance(refused, EditRefused)
    assert said in refused.why
