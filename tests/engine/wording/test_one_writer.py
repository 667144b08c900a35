"""Numbers that people read are written by the one writer: in window, command and report no format of Python does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from source_trees import nodes_of

from ppdm_desktop.engine.wording import numbers

PACKAGE = Path(numbers.__file__).parents[2]
ROOMS = ("ui", "cli", "engine/report")
NUMBER = re.compile(r"[eEfFgGn%,_]$|[,_][.]")
EXCEPTIONS = {
    "cli/commands/sample.py": "the ends of a sample's option, as they are typed",
    "engine/report/drawing.py": "a coordinate",
    "engine/report/public/columns.py": "the data dictionary, whose figures are data",
    "engine/report/setting_texts.py": "rounded to a number again",
    "ui/pages/levels/map.py": "how many decimals a field has",
    "ui/shell/start_check.py": "a check of the installation, for machines",
    "ui/state/tried_range.py": "rounded to a number again",
    "ui/state/typed_numbers.py": "a number as it is typed",
}


def formats_of_numbers(source: str) -> Iterator[int]:
    """Yield the lines in which a format writes a number."""
    for node in nodes_of(source):
        if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr):
            spec = "".join(str(each.value) for each in node.format_spec.values if isinstance(each, ast.Constant))
            if NUMBER.search(spec):
                yield node.lineno


@pytest.mark.parametrize("room", ROOMS)
def test_no_format_writes_a_number_that_people_read(room: str) -> None:
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in sorted((PACKAGE / room).rglob("*.py"))
        if any(formats_of_numbers(path.read_text("utf-8")))
    }
    assert found == {name for name in EXCEPTIONS if name.startswith(f"{room}/")}
