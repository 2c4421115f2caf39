"""``python -m lowtime`` is the command `lowtime`."""

import sys

from lowtime.cli import main

sys.exit(main())
