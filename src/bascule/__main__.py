"""`python -m bascule`."""

import sys

from bascule.cli import main

sys.exit(main())
