"""Tables of cases that are kept as data, below ``tests/cases``: one row of JSON a line, comments behind ``#``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "cases"


def case_rows(name: str, *, lists: bool = False) -> list[Any]:
    """Return the rows of a table of cases, each a tuple, or what stands alone on its line.

    Parameters
    ----------
    lists
        Lists inside a row stay lists; otherwise they are tuples as well.
    """
    lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [_as_row(json.loads(line), lists) for line in lines if line and not line.startswith("#")]


def case_text(name: str) -> str:
    """Return a recipe or a table that is kept as a file of its own."""
    return (FOLDER / name).read_bytes().decode()


def _as_row(value: Any, lists: bool) -> Any:
    if isinstance(value, list):
        return tuple(item if lists else _as_row(item, lists) for item in value)
    if isinstance(value, dict) and not lists:
        return {key: _as_row(item, lists) for key, item in value.items()}
    return value
