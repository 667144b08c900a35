"""Tests, and benchmarks run from the root; both import modules of ``shared/`` and ``packaging/`` by their bare name."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "shared"))
sys.path.append(str(Path(__file__).parent.parent / "packaging"))
