"""What the program says of people's own files, compared with what their maker knows: recall and false alarms by kind.

    python -m tests.benchmarks.own_files FOLDER
    python -m tests.benchmarks.own_files --cases ../shared/cases/turn3

The folder holds tables and ``truth.json``: for each file ``rows_that_are_no_people`` (numbers of lines), ``people``
(rows that are people's), ``person`` (column or null) and for each column ``kind``, ``role`` (identifier, known,
confidential or undecided; a list allows each), ``missing`` (texts that mean no answer) and ``values`` (the first three,
days and numbers in plain form). Null says nothing. Each file is read, all corrections and missing marks that the
program proposes are taken, of several choices the first, and what it then says is compared. What is not right in a
column whose choice is the owner's counts as asked.

``--cases`` prints a row for each file of the kinds of fault in a folder: what is read, and what of ``own-files.toml``
does not hold.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import tomli_w

from ppdm_desktop import api
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.dates import guess_date_format
from ppdm_desktop.engine.table.inspect import inspect_table
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.table.reading.import_log import Reading
from ppdm_desktop.engine.table.reading.proposals import propose_in_turn

ROLES = {"quasi-identifier": "known", "left-out": "identifier", None: "undecided"}
Outcome = tuple[str, str, str]
"""(kind of statement, "right", "asked", "missed" or "false", what was expected and said)."""
CASES = Path(__file__).parents[1] / "cases" / "own-files.toml"
_FEWEST = 5


def taken(path: Path) -> tuple[Reading, dict[str, Any]]:
    """Return how a file is read with all proposals taken, and what the program says of it then."""
    reading = read_source(path, InputSection())
    marks = tuple(suggestion.mark for suggestion in reading.account.suggested_missing)
    options = reading.options.model_copy(update={"missing": (*(reading.options.missing or ("",)), *marks)})
    proposals, reading = propose_in_turn(read_source(path, options), partial(read_source, path))
    return reading, inspect_table(reading, proposals)


def outcomes(reading: Reading, said: Mapping[str, Any], truth: Mapping[str, Any]) -> Iterator[Outcome]:
    """Yield an outcome for each statement about a file."""
    asked = {proposal["column"] for proposal in said["proposals"] if proposal["choices"]}
    yield from _lines(reading, truth)
    person = said["person"]["column"] if said["person"] else None
    yield "persons", _verdict(truth.get("person"), person), f"{truth.get('person')} / {person}"
    suggested = {column["name"]: (column["kind"], column["role"], column["strength"]) for column in said["columns"]}
    columns = list(reading.table.columns)
    for name, facts in truth["columns"].items():
        place = facts.get("position", 0) - 1
        if not 0 <= place < len(columns) and name not in suggested:
            yield "names", "missed", name
            continue
        column = columns[place] if 0 <= place < len(columns) else reading.table.column(name)
        for kind, verdict, text in _column(name, column, facts, reading.account.decimal, *suggested[column.name]):
            is_asked = verdict != "right" and column.name in asked and kind != "roles"
            yield kind, "asked" if is_asked else verdict, text


def _lines(reading: Reading, truth: Mapping[str, Any]) -> Iterator[Outcome]:
    """Yield an outcome for each line that is no person, and one for people's rows that were lost."""
    rows = set(reading.table.row_numbers.tolist())
    no_people = truth.get("rows_that_are_no_people", ())
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
    if facts.get("kind") is not None:
        is_right = suggested_kind in _any_of(facts["kind"])
        yield "kinds", "right" if is_right else "missed", f"{name}: {facts['kind']} / {suggested_kind}"
    for expected, code in zip(facts.get("values") or (), column.codes[:3].tolist(), strict=False):
        shown = None if column.texts[code] in column.missing_texts else column.texts[code]
        verdict = "right" if _same(expected, _as_day(column, shown), decimal) else "missed"
        yield f"values of {_any_of(facts.get('kind'))[0]}", verdict, f"{name}: {expected} / {shown}"
    if "order" in facts and facts["order"] != list(column.order or ()):
        yield "kinds", "missed", f"{name}: order {column.order}"
    if "missing" in facts:
        yield from _no_answer(name, column, facts)
    if "role" in facts:
        expected, shown = _any_of(facts["role"]), ROLES.get(role, role)
        is_right = shown in expected
        verdict = "right" if is_right else "missed" if shown == "undecided" or strength != "strong" else "false"
        yield "roles", verdict, f"{name}: {'/'.join(expected)} / {shown} ({strength})"


def _no_answer(name: str, column: Column, facts: Mapping[str, Any]) -> Iterator[Outcome]:
    """Yield the outcomes of marks for no answer in a column."""
    marks = {text for text, count in zip(column.texts, column.text_counts, strict=True) if text and count}
    code_of = {label: code for code, label in column.codebook}
    marks = {
        mark if mark in facts["missing"] else code_of.get(mark, mark) for mark in marks & set(column.missing_texts)
    }
    for mark in facts["missing"]:
        yield "no answer", "right" if mark in marks else "missed", f"{name}: {mark}"
    for mark in marks - set(facts["missing"]) - set(facts.get("missing_labels", ())):
        yield "no answer", "false", f"{name}: {mark}"


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
    """Print what is not right in a folder, and a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="of the files")
    parser.add_argument("--cases", action="store_true", help="the folder holds the kinds of fault")
    options = parser.parse_args(arguments)
    (_report_cases if options.cases else _report)(options.folder)
    return 0


def _report(folder: Path) -> None:
    """Print what is not right in a folder, and the table by kind."""
    counts: dict[str, Counter[str]] = {}
    for name, truth in json.loads((folder / "truth.json").read_text(encoding="utf-8")).items():
        for kind, verdict, text in outcomes(*taken(folder / name), truth):
            counts.setdefault(kind, Counter())[verdict] += 1
            if verdict != "right":
                print(f"{name}: {kind}: {verdict}: {text}", flush=True)
    print("\n| | right | asked | missed | false |\n|---|---|---|---|---|")
    for kind, count in counts.items():
        print(f"| {kind} | {count['right']} | {count['asked']} | {count['missed']} | {count['false']} |")


# --- the kinds of fault -----------------------------------------------------------------


def cases(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Yield for each file of a folder its name, what is read, and what does not hold of what should."""
    for name, truth in tomllib.loads(CASES.read_text(encoding="utf-8")).items():
        by_role = truth.get("roles", {}).items()
        named = {column: {"role": role} for role, columns in by_role for column in columns}
        truth["columns"] = {**truth.get("columns", {}), **named}
        reading, said = taken(folder / name)
        found = [*outcomes(reading, said, truth), *_told(said, truth), *_released(folder / name, truth)]
        wrong = [f"{kind}: {text}" for kind, verdict, text in found if verdict not in ("right", "asked")]
        yield name, _shown(reading, said, truth), wrong


def _told(said: Mapping[str, Any], truth: Mapping[str, Any]) -> Iterator[Outcome]:
    """Yield an outcome for each column of which something is to be told, or nothing."""
    sentences = [told["sentence"] for told in (*said["proposals"], *said["file"]["warnings"])]
    sentences += [f"“{column}”" for mark in said["file"]["suggested_missing"] for column in mark["columns"]]
    for name, facts in truth["columns"].items():
        if "told" in facts:
            is_told = any(f"“{name}”" in sentence and facts["told"] in sentence for sentence in sentences)
            yield "told", "right" if is_told else "missed", f"{name}: {facts['told']}"
    for name in truth.get("quiet", ()):
        for sentence in sentences:
            yield "told", "false" if f"“{name}”" in sentence else "right", sentence


def _released(path: Path, truth: Mapping[str, Any]) -> Iterator[Outcome]:
    """Yield an outcome for each check, and each column, of a release by the recipe."""
    if "recipe" not in truth:
        return
    candidate = api.protect(path, api.Recipe.loads(tomli_w.dumps(truth["recipe"])), seed=3)
    status = {check.id: check.status for check in api.judge(candidate, attacks=[]).checks}
    for id in truth.get("not_red", ()):
        yield "checks", "false" if status[id] == "red" else "right", f"{id} {status[id]}"
    for name in truth.get("hidden", ()):
        rows = api.read(path).to_frame()[name].value_counts()
        rare = int(candidate.to_frame()[name].isin(rows.index[rows < _FEWEST]).sum())
        yield "hidden", "false" if rare else "right", f"{name}: {rare} rows show a true value of few people"


def _shown(reading: Reading, said: Mapping[str, Any], truth: Mapping[str, Any]) -> str:
    """Return what is read of a file: people, person column, and kinds and roles of the columns in question."""
    parts = [f"{reading.table.rows} rows", f"person {said['person']['column']}" if said["person"] else "no person"]
    for column in said["columns"]:
        if column["name"] in truth["columns"]:
            role = ROLES.get(column["role"], column["role"])
            parts.append(f"{column['name']}: {column['kind']}, {role}{'' if column['strength'] == 'strong' else '?'}")
    told = Counter(proposal["kind"] for proposal in said["proposals"])
    told["notes"] = len(said["file"]["warnings"])
    return "; ".join([*parts, *(f"{count} {kind}" for kind, count in told.items() if count)])


def _report_cases(folder: Path) -> None:
    """Print the table of the kinds of fault."""
    print("| file | read | not right |\n|---|---|---|")
    rows = list(cases(folder))
    for name, read, wrong in rows:
        print(f"| {name} | {read} | {'; '.join(wrong)} |")
    print(f"\nright: {sum(not wrong for *_, wrong in rows)} of {len(rows)} files")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
