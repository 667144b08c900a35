"""What the program says of people's own files, compared with what their maker knows: recall and false alarms by kind.

    python -m tests.benchmarks.own_files FOLDER
    python -m tests.benchmarks.own_files --generated 40 --seed 44

The folder holds tables and ``truth.json``: for each file ``rows_that_are_no_people`` (numbers of lines), ``people``
(rows that are people's), ``person`` (column or null) and for each column ``kind``, ``role`` (identifier, known,
confidential or undecided; a list allows each), ``missing`` (texts that mean no answer) and ``values`` (the first three,
days and numbers in plain form). Null says nothing. Each file is read, all corrections and missing marks that the
program proposes are taken, of several choices the first, and what it then says is compared. What is not right in a
column whose choice is the owner's counts as asked.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.dates import guess_date_format
from ppdm_desktop.engine.table.inspect import inspect_table
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.table.reading.import_log import Reading
from ppdm_desktop.engine.table.reading.proposals import propose_in_turn
from tests.benchmarks import made_files

ROLES = {"quasi-identifier": "known", "left-out": "identifier", None: "undecided"}
Outcome = tuple[str, str, str]
"""(kind of statement, "right", "asked", "missed" or "false", what was expected and said)."""


def outcomes(path: Path, truth: Mapping[str, Any]) -> Iterator[Outcome]:
    """Yield an outcome for each statement about a file."""
    reading = read_source(path, InputSection())
    marks = tuple(suggestion.mark for suggestion in reading.account.suggested_missing)
    options = reading.options.model_copy(update={"missing": (*(reading.options.missing or ("",)), *marks)})
    proposals, taken = propose_in_turn(read_source(path, options), partial(read_source, path))
    asked = {proposal.column for proposal in proposals if proposal.choices}
    said = inspect_table(taken)
    yield from _lines(taken, truth)
    person = said["person"]["column"] if said["person"] else None
    yield "persons", _verdict(truth["person"], person), f"{truth['person']} / {person}"
    suggested = {column["name"]: (column["kind"], column["role"], column["strength"]) for column in said["columns"]}
    columns = list(taken.table.columns)
    for name, facts in truth["columns"].items():
        place = facts.get("position", 0) - 1
        column = columns[place] if 0 <= place < len(columns) else taken.table.column(name)
        for kind, verdict, text in _column(name, column, facts, taken.account.decimal, *suggested[column.name]):
            is_asked = verdict != "right" and column.name in asked and kind != "roles"
            yield kind, "asked" if is_asked else verdict, text


def _lines(reading: Reading, truth: Mapping[str, Any]) -> Iterator[Outcome]:
    """Yield an outcome for each line that is no person, and one for people's rows that were lost."""
    rows = set(reading.table.row_numbers.tolist())
    no_people = truth["rows_that_are_no_people"]
    for line in no_people:
        yield "lines", "missed" if line in rows else "right", f"line {line}"
    lost = truth["people"] - len(rows - set(no_people))
    yield "people's rows", "right" if lost == 0 else "false", f"{lost} lost"


def _column(
    name: str,
    column: Column,
    facts: Mapping[str, Any],
    decimal: str,
    suggested_kind: str,
    role: str | None,
    strength: str,
) -> Iterator[Outcome]:
    """Yield the outcomes of kind, values, marks for no answer and role of a column."""
    if facts["kind"] is not None:
        is_right = suggested_kind in _any_of(facts["kind"])
        yield "kinds", "right" if is_right else "missed", f"{name}: {facts['kind']} / {suggested_kind}"
    for expected, code in zip(facts["values"] or (), column.codes[:3].tolist(), strict=False):
        shown = None if column.texts[code] in column.missing_texts else column.texts[code]
        verdict = "right" if _same(expected, _as_day(column, shown), decimal) else "missed"
        yield f"values of {_any_of(facts['kind'])[0]}", verdict, f"{name}: {expected} / {shown}"
    marks = {text for text, count in zip(column.texts, column.text_counts, strict=True) if text and count}
    code_of = {label: code for code, label in column.codebook}
    marks = {
        mark if mark in facts["missing"] else code_of.get(mark, mark) for mark in marks & set(column.missing_texts)
    }
    for mark in facts["missing"]:
        yield "no answer", "right" if mark in marks else "missed", f"{name}: {mark}"
    for mark in marks - set(facts["missing"]) - set(facts.get("missing_labels", ())):
        yield "no answer", "false", f"{name}: {mark}"
    expected, shown = _any_of(facts["role"]), ROLES.get(role, role)
    is_right = shown in expected
    verdict = "right" if is_right else "missed" if shown == "undecided" or strength != "strong" else "false"
    yield "roles", verdict, f"{name}: {'/'.join(expected)} / {shown} ({strength})"


def _as_day(column: Column, shown: str | None) -> str | None:
    """Return a cell of a column of days in ISO form, any other as it is."""
    if shown is None or column.kind != "date":
        return shown
    form = guess_date_format(present_texts(column)).format
    read = form.read(shown) if form is not None else None
    return shown if read is None else str(read[0])


def _verdict(expected: str | None, shown: str | None) -> str:
    """Return whether a column that is found or not is right, missed or a false alarm."""
    return "right" if shown == expected else "missed" if shown is None else "false"


def _any_of(value: Any) -> Sequence[Any]:
    """Return a value, or the values of a list, as a sequence."""
    return value if isinstance(value, list) else [value]


def _same(expected: str | None, shown: str | None, decimal: str) -> bool:
    """Return whether two cells mean the same: equal texts, numbers, or days."""
    if expected is None or shown is None:
        return expected is shown
    try:
        return float(expected) == float(shown.replace(decimal, "."))
    except ValueError:
        return expected == shown or expected[:10] == shown[:10]


def main(arguments: Sequence[str]) -> int:
    """Print every statement that is not right, and a table of recall and false alarms by kind."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", help="files, and truth.json")
    parser.add_argument("--generated", type=int, default=0, metavar="FILES", help="make so many files instead")
    parser.add_argument("--seed", type=int, default=44, help="of the files that are made")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as made:
        if options.generated:
            made_files.write(Path(made), options.generated, options.seed)
        _report(options.folder or Path(made))
    return 0


def _report(folder: Path) -> None:
    """Print what is not right in a folder, and the table by kind."""
    counts: dict[str, Counter[str]] = {}
    for name, truth in json.loads((folder / "truth.json").read_text(encoding="utf-8")).items():
        for kind, verdict, text in outcomes(folder / name, truth):
            counts.setdefault(kind, Counter())[verdict] += 1
            if verdict != "right":
                print(f"{name}: {kind}: {verdict}: {text}", flush=True)
    print("\n| | right | asked | missed | false |\n|---|---|---|---|---|")
    for kind, count in counts.items():
        print(f"| {kind} | {count['right']} | {count['asked']} | {count['missed']} | {count['false']} |")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
