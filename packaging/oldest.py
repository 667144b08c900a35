"""Print the lowest version of each library that pyproject.toml allows, to try the program with them.

python packaging/oldest.py > oldest.txt
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
_LOWEST = re.compile(r"([A-Za-z0-9._-]+)\s*>=\s*([0-9][0-9A-Za-z.]*)")


def oldest(text: str) -> list[str]:
    """Return ``name==version`` for each library, at the lowest version allowed."""
    project = tomllib.loads(text)["project"]
    declared = [*project["dependencies"], *project["optional-dependencies"]["statistics"]]
    return [f"{found[1]}=={found[2]}" for each in declared if (found := _LOWEST.match(each))]


if __name__ == "__main__":
    print("\n".join(oldest(PROJECT.read_text("utf-8"))))
