"""Tests, and benchmarks run from the root; what both share lies in ``shared/`` and is imported by its bare name."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "shared"))
