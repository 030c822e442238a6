"""Marks for tests of what only some systems have."""

import sys

import pytest

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, modes, owners and FIFOs are POSIX's")
