"""Each check of the gate: green, amber, red on small tables."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import (
    HandMade,
    check,
    evidence_of,
    grouped,
    make_candidate,
    proof,
    randomised,
    with_step,
)
from optional import existing

from ppdm_desktop.engine.methods.base.step import Protection
from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate import all_checks, run_gate
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.measures.utility import public_columns
from ppdm_desktop.engine.report import public
from ppdm_desktop.engine.texts import all_texts

TWENTY = [str(i) for i in range(20)]
SAFE: dict[str, Any] = {"Q": ["a"] * 10 + ["b"] * 10, "C": ["x", "y"] * 10}
ROLES: dict[str, Any] = {"Q": "q", "C": "c"}
# Four people alone in their class, all with a value that gives them away.
ALONE: dict[str, Any] = {"Q": ["1", "2", "3", "4"], "C": ["x", "y", "x", "y"]}
NOMINAL: dict[str, Any] = {"Q": {"role": "q", "kind": "nominal"}, "C": "c"}


def status(given: Candidate | Evidence, id: str) -> str:
    return check(given, id).status


# --- source ------------------------------------------------------------------------------------


def test_roles_decided(tmp_path: Path) -> None:
    assert status(make_candidate(tmp_path, SAFE, ROLES), "roles-decided") == "green"
    result = check(make_candidate(tmp_path, {**SAFE, "Z": TWENTY}, ROLES), "roles-decided")
    assert result.status == "red"
    assert existing(result.figure).value == 1


@pytest.mark.parametrize(("bad", "expected"), [(0, "green"), (1, "amber"), (5, "red")])
def test_rows_read(tmp_path: Path, bad: int, expected: str) -> None:
    candidate = make_candidate(tmp_path, SAFE, ROLES)
    path = tmp_path / "people-list.csv"
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines + ["a,b,c"] * bad) + "\n")
    from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate

    prepared = prepare(path, candidate.prepared.recipe, silent())
    again = run_candidate(prepared, candidate.key, silent())
    assert status(again, "rows-read") == expected


def test_source_unchanged(tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path, SAFE, ROLES)
    assert status(candidate, "source-unchanged") == "green"
    (tmp_path / "people-list.csv").write_text("Q,C\n")
    assert status(candidate, "source-unchanged") == "red"
    (tmp_path / "people-list.csv").unlink()
    assert status(candidate, "source-unchanged") == "red"


def test_one_row_per_person(tmp_path: Path) -> None:
    assert status(make_candidate(tmp_path, SAFE, ROLES), "one-row-per-person") == "amber"
    confirmed = make_candidate(tmp_path, SAFE, ROLES, input={"one_row_per_person": True})
    assert status(confirmed, "one-row-per-person") == "green"


# --- the data file -------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_written_back(tmp_path: Path, format: str) -> None:
    evidence = evidence_of(make_candidate(tmp_path, SAFE, ROLES, release={"format": format}))
    assert status(evidence, "written-back") == "green"
    column = existing(evidence.read_back)[1]
    damaged = column.with_values(np.array([3]), ["z"])
    found = check(replace(evidence, as_written=(existing(evidence.read_back)[0], damaged)), "written-back")
    assert (found.status, existing(found.figure).value) == ("red", 1)
    assert status(replace(evidence, as_written=None), "written-back") == "red"


def test_checks_of_the_file_are_not_run_without_one(tmp_path: Path) -> None:
    evidence = replace(evidence_of(make_candidate(tmp_path, SAFE, ROLES)), as_written=None)
    results = {result.id: result for result in run_gate(evidence, silent())}
    assert tuple(results) == tuple(all_checks())
    assert results["class-size"].status == "not-run"
    assert results["written-back"].status == "red"
    assert all(result.sentence.id in all_texts() for result in results.values())


def test_row_order(tmp_path: Path) -> None:
    assert status(make_candidate(tmp_path, SAFE, ROLES), "row-order") == "green"
    assert status(make_candidate(tmp_path, SAFE, ROLES, release={"shuffle_rows": False}), "row-order") == "amber"


def test_formula_cells(tmp_path: Path) -> None:
    risky = {**SAFE, "T": ["=1+1", "-5", "'@x", *["t"] * 17]}
    roles = {**ROLES, "T": {"role": "o", "kind": "nominal"}}
    found = check(make_candidate(tmp_path, risky, roles), "formula-cells")
    assert (found.status, existing(found.figure).value, found.sentence.arguments["cells"]) == ("green", 0, 2)
    raw = check(make_candidate(tmp_path, risky, roles, release={"formula_guard": False}), "formula-cells")
    assert (raw.status, existing(raw.figure).value) == ("amber", 1)
    workbook = evidence_of(make_candidate(tmp_path, risky, roles, release={"format": "xlsx"}))
    assert status(workbook, "formula-cells") == "green"
    import io
    import zipfile

    stream = io.BytesIO(existing(workbook.written).data)
    with zipfile.ZipFile(stream, "a") as package:
        package.writestr("xl/worksheets/sheet2.xml", "<c><f>1+1</f></c>")
    written = replace(existing(workbook.written), data=stream.getvalue())
    assert status(replace(workbook, written=written), "formula-cells") == "red"
    assert status(replace(workbook, written=written), "metadata") == "red"


def test_file_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert status(make_candidate(tmp_path, SAFE, ROLES), "file-limits") == "green"
    from ppdm_desktop.engine.table.writing import limits

    monkeypatch.setattr(limits, "MOST_ROWS", 20)
    assert status(make_candidate(tmp_path, SAFE, ROLES), "file-limits") == "not-applicable"
    evidence = evidence_of(make_candidate(tmp_path, SAFE, ROLES, release={"format": "xlsx"}))
    assert status(evidence, "file-limits") == "red"
    results = {result.id: result.status for result in run_gate(evidence, silent())}
    assert results["written-back"] == "red"
    assert results["release-text"] == "not-run"


# --- identifiers ---------------------------------------------------------------------------------


def test_identifiers_gone(tmp_path: Path) -> None:
    names = [f"Person {i}" for i in range(20)]
    clean = {**SAFE, "Id": names}
    assert status(make_candidate(tmp_path, clean, {**ROLES, "Id": "i"}), "identifiers-gone") == "green"
    copied = {**clean, "T": [f" {name.upper()}" if i == 7 else "-" for i, name in enumerate(names)]}
    found = check(make_candidate(tmp_path, copied, {**ROLES, "Id": "i", "T": "o"}), "identifiers-gone")
    assert (found.status, existing(found.figure).value) == ("red", 1)  # 1 in 20 rows is over 1 %


def test_one_to_one_with_an_identifier_that_repeats(tmp_path: Path) -> None:
    rows = 120
    ids = [f"id{i % 60}" for i in range(rows)]
    columns = {
        "Q": ["a"] * rows,
        "Id": ids,
        "T": [f"t{(i * 7) % 60}" for i in (int(x[2:]) for x in ids)],
        "U": [f"u{i % 59}" for i in range(rows)],
    }
    found = check(make_candidate(tmp_path, columns, {"Q": "q", "Id": "i", "T": "o", "U": "o"}), "identifiers-gone")
    assert found.status == "red"
    assert '"T"' in found.sentence.arguments["columns"]
    assert '"U"' not in found.sentence.arguments["columns"]


@pytest.mark.parametrize(
    ("slips", "blanks", "expected"),
    [(0, 0, "red"), (3, 0, "red"), (0, 6, "red"), (30, 0, "green"), (0, 150, "green")],
)
def test_a_few_slips_do_not_hide_a_mirror_of_an_identifier(
    tmp_path: Path, slips: int, blanks: int, expected: str
) -> None:
    rows = 300
    mirror = [f"t{(i % 60) * 7 % 60}" for i in range(rows)]
    for row in range(slips):
        mirror[row * 7] = f"t{row % 3}"
    if blanks:
        # The codes of whole persons are missing.
        mirror = ["" if i % 60 < blanks // 5 else text for i, text in enumerate(mirror)]
    columns = {"Q": ["a"] * rows, "Id": [f"id{i % 60}" for i in range(rows)], "T": mirror}
    candidate = make_candidate(tmp_path, columns, {"Q": "q", "Id": "i", "T": "o"})
    assert status(candidate, "identifiers-gone") == expected


def test_a_category_is_no_mirror_of_an_identifier_with_one_common_value(tmp_path: Path) -> None:
    rows = 6000
    ids = [f"id{i}" if i < 50 else "none" for i in range(rows)]
    columns = {"Q": ["a"] * rows, "Id": ids, "T": ["y" if i < 50 else "n" for i in range(rows)]}
    candidate = make_candidate(tmp_path, columns, {"Q": "q", "Id": "i", "T": "o"})
    assert status(candidate, "identifiers-gone") == "green"


def test_pseudonyms_are_amber(tmp_path: Path) -> None:
    class Pseudonymise(HandMade):
        id = "pseudonymise"

    ids = [f"id{i % 60}" for i in range(120)]
    columns = {"Q": ["a"] * 120, "Id": ids, "T": [f"x{text}" for text in ids]}
    candidate = make_candidate(tmp_path, columns, {"Q": "q", "Id": "i", "T": "o"})
    assert status(candidate, "identifiers-gone") == "red"
    assert status(with_step(candidate, {}, method=Pseudonymise(), columns=["T"]), "identifiers-gone") == "amber"


@pytest.mark.parametrize(
    ("type", "cells", "expected"),
    [
        ("research", 0, "green"),
        ("research", 1, "amber"),
        ("research", 20, "red"),
        ("public", 1, "red"),
        ("internal", 3, "amber"),
    ],
)
def test_identifier_patterns(tmp_path: Path, type: str, cells: int, expected: str) -> None:
    columns = {**SAFE, "T": [f"ann{i}@example.org" if i < cells else f"word {i % 3}" for i in range(20)]}
    candidate = make_candidate(tmp_path, columns, {**ROLES, "T": {"role": "o", "kind": "nominal"}}, type)
    found = check(candidate, "identifier-patterns")
    assert (found.status, existing(found.figure).value) == (expected, cells)


def _bsn(rows: Any) -> Any:
    """Numbers that pass the Dutch test of eleven, which one in eleven passes by chance."""
    weights = (9, 8, 7, 6, 5, 4, 3, 2, -1)
    numbers = map(str, range(110_000_000, 110_100_000))
    passing = (text for text in numbers if sum(int(d) * w for d, w in zip(text, weights, strict=True)) % 11 == 0)
    return [next(passing) for _ in range(rows)]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        (_bsn(20), "red"),
        (["4111111111111", "4222222222222"] * 10, "amber"),  # one of the two has the right check digit
        ([str(100_000_000 + 7919 * i) for i in range(20)], "green"),
        ([f"{100_000_000 + 7919 * i}.5" for i in range(20)], "green"),
    ],
)
def test_identifiers_of_kind_numeric_are_found(tmp_path: Path, numbers: Sequence[str], expected: str) -> None:
    columns = {**SAFE, "T": numbers}
    candidate = make_candidate(tmp_path, columns, {**ROLES, "T": {"role": "o", "kind": "numeric"}})
    assert status(candidate, "identifier-patterns") == expected


@pytest.mark.parametrize(("type", "expected"), [("research", "amber"), ("public", "red")])
def test_free_text(tmp_path: Path, type: str, expected: str) -> None:
    roles = {**ROLES, "T": {"role": "o", "kind": "text"}}
    wordy = {**SAFE, "T": ["she said it hurt"] * 20}
    various = {**SAFE, "T": [f"w{i}" for i in range(20)]}
    plain = {**SAFE, "T": ["yes", "no"] * 10}
    assert status(make_candidate(tmp_path, wordy, roles, type), "free-text") == expected
    assert status(make_candidate(tmp_path, various, roles, type), "free-text") == expected
    assert status(make_candidate(tmp_path, plain, roles, type), "free-text") == "green"


# --- class size and certainty -----------------------------------------------------------------------


@pytest.mark.parametrize(("type", "size"), [("research", "amber"), ("internal", "amber"), ("public", "red")])
def test_unprotected_uniques(tmp_path: Path, type: str, size: str) -> None:
    candidate = make_candidate(tmp_path, ALONE, NOMINAL, type)
    found = check(candidate, "class-size")
    assert (found.status, existing(found.figure).value) == (size, 1)
    certain = check(candidate, "certain-disclosure")
    # All four: more than a third, which not even colleagues may learn.
    assert (certain.status, existing(certain.figure).value) == ("red", 4)


@pytest.mark.parametrize(
    ("alone", "research", "internal"),
    [(0, "green", "green"), (6, "amber", "amber"), (7, "red", "amber"), (10, "red", "amber"), (11, "red", "red")],
)
def test_a_fifth_or_a_third_may_be_certain_but_not_in_public(
    tmp_path: Path, alone: int, research: str, internal: str
) -> None:
    """Of 30 people some are alone in their class; the others share one that shows both values alike."""
    columns = {"Q": [str(i) for i in range(alone)] + ["a"] * (30 - alone), "C": ["x", "y"] * 15}
    for type, expected in (("research", research), ("internal", internal), ("public", "red" if alone else "green")):
        found = check(make_candidate(tmp_path, columns, NOMINAL, type), "certain-disclosure")
        assert (found.status, existing(found.figure).value) == (expected, alone)


def test_large_mixed_classes_are_green(tmp_path: Path) -> None:
    for id in ("class-size", "certain-disclosure"):
        assert status(make_candidate(tmp_path, SAFE, ROLES), id) == "green"
    # 10 < 11, but nobody's value is certain.
    assert status(make_candidate(tmp_path, SAFE, ROLES, "public"), "class-size") == "amber"


def test_randomised_uniques_pass_in_amber(tmp_path: Path) -> None:
    """Two of four records changed, half of each released value true."""
    candidate = make_candidate(tmp_path, ALONE, NOMINAL, "public")
    swapped = with_step(candidate, {"C": ["y", "x", "x", "y"]}, [randomised("C", [0, 0, 0, 0])])
    assert status(swapped, "class-size") == "amber"
    assert status(swapped, "certain-disclosure") == "green"


def test_a_flip_of_every_value_is_undone_by_anybody(tmp_path: Path) -> None:
    """No released value is true and there are two, so each gives the other away."""
    flip = {"C": ["y", "x", "y", "x"]}
    for type, expected in (("public", "red"), ("research", "amber")):
        flipped = with_step(make_candidate(tmp_path, ALONE, NOMINAL, type), flip, [randomised("C", [0, 0, 0, 0])])
        certain = check(flipped, "certain-disclosure")
        assert (certain.status, existing(certain.figure).value) == ("red", 4)
        found = check(flipped, "class-size").sentence
        # A method treats the column, and leaves nothing open.
        assert (found.id, found.arguments["open"]) == (f"gate.class-size.{expected}-partly", 4)


@pytest.mark.parametrize(
    "declared",
    [
        randomised("C", [0, 0, 0, 0]),
        randomised("C", [0, 0, 0, -1]),
        randomised("C", [0, 0, 1, 1]),
        grouped("C", 4),
        Protection("C", "noise", np.ones(4, dtype=bool), np.zeros(4, dtype=np.int64)),
    ],
)
def test_what_a_step_declares_is_not_believed(tmp_path: Path, declared: Protection) -> None:
    candidate = make_candidate(tmp_path, ALONE, NOMINAL, "public")
    still = with_step(candidate, {}, [declared])
    assert existing(check(still, "certain-disclosure").figure).value == 4
    assert status(still, "class-size") == "red"
    # Each shown value stands for one x and one y, whoever is said to have been treated.
    mixed = with_step(candidate, {"C": ["y", "x", "x", "y"]}, [declared])
    assert existing(check(mixed, "certain-disclosure").figure).value == 0


def test_missing_values_make_a_class_mixed(tmp_path: Path) -> None:
    columns = {"Q": ["a", "a", "b", "b"], "C": ["x", "", "y", "y"]}
    found = check(make_candidate(tmp_path, columns, NOMINAL), "certain-disclosure")
    assert existing(found.figure).value == 2


def test_class_size_of_regenerated_columns_does_not_apply(tmp_path: Path) -> None:
    class Condense(HandMade):
        correspondence = "group"

    candidate = make_candidate(tmp_path, ALONE, NOMINAL, "public")
    made = with_step(candidate, {}, [grouped("Q", 4), grouped("C", 4)], method=Condense(), columns=["Q", "C"])
    assert check(made, "class-size").sentence.id == "gate.class-size.not-applicable-regenerated"


# --- everything known but the secret ----------------------------------------------------------------


BOTH: dict[str, Any] = {"Q": {"role": "q", "kind": "nominal"}, "O": {"role": "o", "kind": "nominal"}, "C": "c"}


@pytest.mark.parametrize(
    ("alone", "type", "expected"),
    [
        (0, "public", "green"),
        (5, "public", "amber"),  # 1 of 12, and 1 of 11 may be
        (6, "public", "red"),
        (30, "research", "amber"),
        (31, "research", "red"),
        (60, "internal", "amber"),
    ],
)
def test_certain_by_all(tmp_path: Path, alone: int, type: str, expected: str) -> None:
    """All look the same to others; by a further column some are alone."""
    columns = {"Q": ["a"] * 60, "O": [f"o{i}" if i < alone else "o" for i in range(60)], "C": ["x", "y"] * 30}
    candidate = make_candidate(tmp_path, columns, BOTH, type)
    found = check(candidate, "certain-by-all")
    assert (found.status, found.sentence.arguments.get("records", 0)) == (expected, alone)
    assert status(candidate, "certain-disclosure") == "green"
    picked = check(candidate, "singling-out")
    # Beyond the limit it is red only where a secret goes with it.
    limits = {"public": 1 / 11, "research": 1 / 2, "internal": 1.0}
    beyond = "red" if alone / 60 > limits[type] else "amber"
    assert (picked.status, existing(picked.figure).value) == (beyond if alone else "green", alone / 60)


def test_a_secret_known_beside_another_picks_people_out(tmp_path: Path) -> None:
    columns = {"Q": ["a"] * 60, "C": [str(i) for i in range(60)], "D": ["x", "y"] * 30}
    roles = {"Q": "q", "C": {"role": "c", "kind": "nominal"}, "D": "c"}
    found = check(make_candidate(tmp_path, columns, roles, "public"), "singling-out")
    # Whoever knows C finds D; nobody stands out by Q.
    assert (found.sentence.id, existing(found.figure).value) == ("gate.singling-out.amber-one", 1.0)
    assert found.sentence.arguments["records"] == 60


@pytest.mark.parametrize(
    ("alone", "few", "type", "expected", "figure"),
    [
        (0, 0, "public", "green", 0.0),
        (0, 10, "public", "amber", 10 / 60),  # ten share one value: fewer than eleven
        (1, 0, "public", "amber", 1 / 60),
        (6, 0, "public", "red", 6 / 60),  # more than 1 of 11
        (0, 40, "public", "red", 40 / 60),  # more than half, in four tens
        (12, 0, "research", "green", 12 / 60),
        (13, 0, "research", "amber", 13 / 60),
        (31, 0, "research", "red", 31 / 60),
        (31, 0, "internal", "amber", 31 / 60),
    ],
)
def test_near_identifiers(tmp_path: Path, alone: int, few: int, type: str, expected: str, figure: float) -> None:
    values = [f"a{i}" for i in range(alone)] + [f"f{i // 10}" for i in range(few)] + ["o"] * (60 - alone - few)
    columns = {"Q": ["a"] * 60, "O": values, "C": ["x", "y"] * 30}
    found = check(make_candidate(tmp_path, columns, BOTH, type), "near-identifiers")
    assert found.status == expected
    assert existing(found.figure).value == pytest.approx(figure)
    assert (found.sentence.arguments["alone"], found.sentence.arguments["few"]) == (alone, alone + few)


def test_a_reading_is_no_name_where_researchers_get_it(tmp_path: Path) -> None:
    columns = {"Q": ["a"] * 60, "C": [str(i) for i in range(60)]}
    for section, expected in (({}, "red"), ({"measured": True}, "amber")):
        roles = {"Q": "q", "C": {"role": "c", "kind": "numeric", **section}}
        assert status(make_candidate(tmp_path, columns, roles), "near-identifiers") == expected
        assert status(make_candidate(tmp_path, columns, roles, "public"), "near-identifiers") == "red"


@pytest.mark.parametrize(("type", "expected"), [("public", "amber"), ("research", "amber"), ("internal", "amber")])
def test_most_exposed(tmp_path: Path, type: str, expected: str) -> None:
    """Twenty people are alone in their class and guessed right; the lower end of 20 of 20 is 0.05 ** (1 / 20)."""
    columns = {"Q": [f"q{i}" for i in range(20)] + ["a"] * 40, "C": ["x", "y", "z"] * 20}
    found = check(make_candidate(tmp_path, columns, NOMINAL, type), "most-exposed")
    assert found.status == expected
    assert existing(found.figure).value == pytest.approx(0.05 ** (1 / 20))
    mixed = {"Q": ["a"] * 60, "C": ["x", "y", "z"] * 20}
    assert status(make_candidate(tmp_path, mixed, NOMINAL, type), "most-exposed") == "green"


def test_the_most_exposed_of_many_are_red_in_public(tmp_path: Path) -> None:
    """One in a hundred of 6,000 are sixty, and the lower end of 60 of 60 is 0.951."""
    columns = {"Q": [str(i) for i in range(6_000)], "C": ["x", "y", "z"] * 2_000}
    assert status(make_candidate(tmp_path, columns, NOMINAL, "public"), "most-exposed") == "red"
    assert status(make_candidate(tmp_path, columns, NOMINAL), "most-exposed") == "amber"


def test_a_small_table_counts_the_most_exposed(tmp_path: Path) -> None:
    found = check(make_candidate(tmp_path, ALONE, NOMINAL, "public"), "most-exposed")
    assert found.sentence.id == "gate.most-exposed.amber-few"
    assert found.sentence.arguments["right"] == 4


@pytest.mark.parametrize(
    ("named", "type", "expected"),
    [
        (28, "public", "red"),  # 0.05 ** (1 / 28) = 0.899
        (28, "research", "amber"),
        (29, "research", "red"),  # 0.902
        (29, "internal", "amber"),
        (14, "research", "amber"),  # 0.807
        (13, "research", "green"),  # 0.794
    ],
)
def test_rare_secret(tmp_path: Path, named: int, type: str, expected: str) -> None:
    """One in ten holds z; those alone in their class are named and the others share a large class."""
    rest = 10 * 29 - named
    values = ["z"] * named + ["z"] * (29 - named) + (["x", "y"] * 290)[:261]
    columns = {"Q": [f"q{i}" for i in range(named)] + ["a"] * rest, "C": values}
    swapped = make_candidate(tmp_path, columns, NOMINAL, type)
    found = check(swapped, "rare-secret")
    # Whoever knows all details but the secret knows the row of those who are alone.
    assert found.status == expected
    assert (found.sentence.arguments["named"], found.sentence.arguments["right"]) == (named, named)


def test_few_holders_found_are_no_rare_secret_told(tmp_path: Path) -> None:
    """Fifteen of 75 holders are named, all rightly: fewer than a quarter."""
    columns = {"Q": [f"q{i}" for i in range(15)] + ["a"] * 735, "C": ["z"] * 75 + (["x", "y"] * 338)[:675]}
    found = check(make_candidate(tmp_path, columns, NOMINAL, "public"), "rare-secret")
    assert (found.status, existing(found.figure).value, found.limit) == ("green", 0.2, 0.25)


class Shift(HandMade):
    """Writes each value with a mark that anyone can take off."""

    id = "shift"

    def undo(self, column: Any, settings: Any) -> Any:
        return column.with_values(np.arange(len(column)), [value.removeprefix("+") for value in column.values()])


@pytest.mark.parametrize(("type", "expected"), [("research", "red"), ("public", "red"), ("internal", "amber")])
def test_reversible_method(tmp_path: Path, type: str, expected: str) -> None:
    candidate = make_candidate(tmp_path, ALONE, NOMINAL, type)
    shifted = with_step(candidate, {"C": ["+x", "+y", "+x", "+y"]}, [randomised("C", [0] * 4)], method=Shift())
    assert status(shifted, "reversible-method") == expected
    assert existing(check(shifted, "certain-disclosure").figure).value == 4  # the shift hides nothing
    both = with_step(shifted, {"C": ["+y", "+x", "+x", "+y"]}, [randomised("C", [0] * 4)])
    assert status(both, "reversible-method") == "amber"
    assert status(candidate, "reversible-method") == "green"


def test_a_choice_that_can_be_retraced_is_amber(tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path, ALONE, NOMINAL)
    swapped = with_step(candidate, {"C": ["y", "x", "x", "y"]}, [randomised("C", [0] * 4, traceable=True)])
    found = check(swapped, "reversible-method")
    assert found.sentence.id == "gate.reversible-method.amber-traceable"


# --- levels ------------------------------------------------------------------------------------------


def test_levels_met(tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path, ALONE, NOMINAL)
    assert status(candidate, "levels-met") == "green"
    assert status(with_step(candidate, {}, [], recount=proof(True), columns=["C"]), "levels-met") == "green"
    assert status(with_step(candidate, {}, [], recount=proof(False), columns=["C"]), "levels-met") == "red"
    broken = proof(True, holds=False)
    assert status(with_step(candidate, {}, [], recount=broken, columns=["C"]), "levels-met") == "red"


def test_uncovered_records_above_the_weakest_level(tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path, ALONE, NOMINAL, privacy={"default": "cautious"})
    found = check(candidate, "levels-met")
    assert (found.status, existing(found.figure).value) == ("amber", 4)
    served = with_step(candidate, {"C": ["y", "x", "x", "y"]}, [randomised("C", [0, 0, 0, -1])])
    assert existing(check(served, "levels-met").figure).value == 1
    large = make_candidate(tmp_path, SAFE, ROLES, privacy={"default": "cautious"})
    assert status(large, "levels-met") == "green"  # classes of 10 with two values
    one_value = {"Q": ["a"] * 10 + ["b"] * 10, "C": ["x"] * 10 + ["x", "y"] * 5}
    assert (
        existing(
            check(make_candidate(tmp_path, one_value, ROLES, privacy={"default": "cautious"}), "levels-met").figure
        ).value
        == 10
    )


def test_recount_sees_the_exported_file(tmp_path: Path) -> None:
    seen = []

    class Looks(HandMade):
        def recount(self, before: Any, after: Any, settings: Any, detail: Any) -> Any:
            seen.append((before.column("C").values(), after.column("C").values()))
            return super().recount(before, after, settings, detail)

    candidate = with_step(
        make_candidate(tmp_path, ALONE, NOMINAL),
        {"C": ["y", "x", "x", "y"]},
        [randomised("C", [0] * 4)],
        method=Looks(),
    )
    evidence = evidence_of(candidate)
    place = list(candidate.row_order).index(2)
    damaged = existing(evidence.read_back)[1].with_values(np.array([place]), ["y"])
    check(replace(evidence, as_written=(existing(evidence.read_back)[0], damaged)), "levels-met")
    assert seen[-1] == (["x", "y", "x", "y"], ["y", "x", "y", "y"])


# --- bounds of noise ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ({}, "not-applicable"),
        ({"C": "declared"}, "green"),
        ({"C": "data"}, "amber"),
        ({"C": "declared", "D": "data"}, "amber"),
    ],
)
def test_bounds_from_data(tmp_path: Path, sources: dict[str, str], expected: str) -> None:
    detail = {"columns": {name: {"bounds_source": source} for name, source in sources.items()}}
    for type in ("public", "internal"):
        candidate = make_candidate(tmp_path / type, SAFE, ROLES, type)
        found = check(with_step(candidate, {}, columns=["C"], detail=detail), "bounds-from-data")
        assert found.status == expected
        if sources:
            assert (existing(found.figure).value, existing(found.figure).n) == (
                list(sources.values()).count("data"),
                len(sources),
            )
    assert status(with_step(candidate, {}, columns=["C"], detail={"columns": ["C"]}), "bounds-from-data") == (
        "not-applicable"
    )


def test_bounds_of_the_noise_of_a_real_step(tmp_path: Path) -> None:
    columns = {"Q": ["a"] * 20, "C": TWENTY}
    for bounds, expected in (({}, "amber"), ({"bounds": [0, 20]}, "green")):
        roles = {"Q": "q", "C": {"role": "c", "kind": "numeric", **bounds}}
        folder = tmp_path / expected
        candidate = make_candidate(folder, columns, roles, steps=[{"method": "two-phase-noise"}])
        assert status(candidate, "bounds-from-data") == expected
        assert status(candidate, "certain-disclosure") == "green"
        assert status(candidate, "levels-met") == "green"
        assert status(candidate, "reversible-method") == "green"


# --- rare values, key, audit ---------------------------------------------------------------


def test_rare_values(tmp_path: Path) -> None:
    assert status(make_candidate(tmp_path, SAFE, ROLES), "rare-values") == "green"
    rare = {**SAFE, "T": ["u"] + ["v"] * 19}
    roles = {**ROLES, "T": "o"}
    found = check(make_candidate(tmp_path, rare, roles), "rare-values")
    assert (found.status, existing(found.figure).value) == ("amber", 1)
    protected = with_step(make_candidate(tmp_path, rare, roles), {}, [grouped("T", 20)])
    assert status(protected, "rare-values") == "green"
    extreme = {**SAFE, "T": ["99"] + ["5"] * 10 + ["1"] * 9}
    number = {**ROLES, "T": {"role": "o", "kind": "numeric"}}
    assert existing(check(make_candidate(tmp_path, extreme, number), "rare-values").figure).value == 1
    middle = {**SAFE, "T": ["3"] + ["5"] * 10 + ["1"] * 9}
    assert status(make_candidate(tmp_path, middle, number), "rare-values") == "green"
    gap = {**SAFE, "T": [""] + ["v"] * 19}
    assert check(make_candidate(tmp_path, gap, roles), "rare-values").sentence.arguments["patterns"] == 1


def test_values_that_only_moved_records_show_are_counted(tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path, ALONE, NOMINAL)
    moved = with_step(candidate, {"C": ["z", "y", "x", "y"]}, [randomised("C", [0] * 4)])
    assert check(moved, "rare-values").sentence.arguments["moved"] == 1


@pytest.mark.parametrize(
    ("key", "type", "expected"),
    [
        (Key.fresh(), "public", "green"),
        (Key(bytes(32), "file"), "public", "green"),
        (Key.from_seed(1), "research", "amber"),
        (Key.from_seed(1), "internal", "amber"),
        (Key.from_seed(1), "public", "red"),
    ],
)
def test_guessable_key(tmp_path: Path, key: Key, type: str, expected: str) -> None:
    assert status(make_candidate(tmp_path, SAFE, ROLES, type, key=key), "guessable-key") == expected


# --- a copy of the source, and the texts ----------------------------------------------------------------


def test_a_copy_of_the_source_is_never_green(tmp_path: Path) -> None:
    results = run_gate(evidence_of(make_candidate(tmp_path, ALONE, NOMINAL)), silent())
    assert [result.id for result in results if result.status == "red"] == [
        "certain-disclosure",
        "certain-by-all",
        "singling-out",
    ]
    public = run_gate(evidence_of(make_candidate(tmp_path, ALONE, NOMINAL, "public")), silent())
    assert [result.id for result in public if result.status == "red"] == [
        "class-size",
        "certain-disclosure",
        "certain-by-all",
        "singling-out",
        "near-identifiers",  # two people share each secret
    ]


@pytest.mark.parametrize("type", ["public", "research", "internal"])
@pytest.mark.parametrize("role", ["o", "c"])
def test_a_copy_without_a_quasi_identifier_needs_a_reason(tmp_path: Path, role: str, type: str) -> None:
    columns: dict[str, Any] = {"Q": SAFE["Q"] * 3, "C": SAFE["C"] * 3}
    confirmed: dict[str, Any] = {"input": {"one_row_per_person": True}}
    candidate = make_candidate(tmp_path, columns, {"Q": role, "C": role}, type, **confirmed)
    found = check(candidate, "class-size")
    assert (found.status, found.sentence.id) == ("amber", "gate.class-size.amber-no-quasi")
    assert existing(found.figure).value == (15 if role == "o" else 60)


def test_the_dictionary_says_that_numbers_were_drawn(tmp_path: Path) -> None:
    columns = {"Q": SAFE["Q"], "C": [str(i) for i in range(20)]}
    bins = {"method": "equal-frequency", "count": 2}
    notes = {}
    for release in ("category", "draw"):
        section = {"role": "c", "kind": "numeric", "bounds": [0, 50], "bins": {**bins, "release": release}}
        candidate = make_candidate(tmp_path, columns, {"Q": "q", "C": section})
        assert status(candidate, "release-text") == "green"
        notes[release] = public_columns(candidate)[1].note
    assert notes == {"category": public.RANGES, "draw": public.DRAWN}


def test_every_text_of_the_gate_belongs_to_a_check() -> None:
    raw = (resources.files("ppdm_desktop.resources") / "texts" / "en.toml").read_text(encoding="utf-8")
    ids = [id for id in tomllib.loads(raw) if id.startswith("gate.")]
    for id in ids:
        _, name, verdict = id.split(".")
        assert name in all_checks(), id
        assert verdict.split("-")[0] in ("green", "amber", "red", "not"), id
    assert {id.split(".")[1] for id in ids} == set(all_checks())


# --- diversity --------------------------------------------------------------------------------------------


def two_groups(first: Sequence[str], second: Sequence[str]) -> dict[str, list[str]]:
    return {
        "Q": ["a"] * len(first) + ["b"] * len(second),
        "C": [*first, *second],
        "O": ["o"] * (len(first) + len(second)),
    }


DIVERSE: dict[str, Any] = {"Q": "q", "C": "c", "O": "o"}


@pytest.mark.parametrize(
    ("first", "second", "type", "expected"),
    [
        (["x", "y"], ["x", "y"], "research", "green"),
        (["x", "y"], ["x", "x"], "research", "amber"),
        (["x", "y", "z"], ["x", "y", "y"], "internal", "green"),
        (["x", "y", "z"], ["x", "y", "y"], "public", "amber"),
        (["x", "y", "x"], ["x", "y", "y"], "public", "green"),  # there are no more than two values
        (["x", "y", "z"], ["z", "y", "x"], "public-high-harm", "green"),
        (["x", ""], ["y", ""], "research", "green"),  # nothing said is an answer, too
        (["x", "x"], ["x", "x"], "research", "green"),  # nothing to tell apart: certain-disclosure speaks
    ],
)
def test_diversity(tmp_path: Path, first: Sequence[str], second: Sequence[str], type: str, expected: str) -> None:
    found = check(make_candidate(tmp_path, two_groups(first, second), DIVERSE, type), "diversity")
    assert found.status == expected
    if expected == "amber":
        assert found.sentence.arguments["records"] == len(second)
        assert found.limit == (3 if type == "public" else 2)


def test_diversity_passes_over_what_a_step_hides(tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path, two_groups(["x", "y"] * 5, ["x"] * 10), DIVERSE)
    assert status(candidate, "diversity") == "amber"
    values = ["x", "y"] * 5 + ["x"] * 9 + ["y"]
    hidden = with_step(candidate, {"C": values}, [randomised("C", [0] * 20)])
    assert status(hidden, "diversity") == "not-applicable"
    assert status(with_step(candidate, {}, [grouped("C", 20)], columns=["C"]), "diversity") == "not-applicable"
    # Part of the records only: those of the one-valued group are open.
    half = with_step(candidate, {}, [randomised("C", [0] * 10 + [-1] * 10)], columns=["C"])
    assert status(half, "diversity") == "amber"


def test_diversity_of_records_made_anew_and_of_no_confidential_column(tmp_path: Path) -> None:
    columns = two_groups(["x", "y"] * 5, ["x"] * 10)
    roles = {**DIVERSE, "C": {"role": "c", "kind": "nominal"}}
    again = make_candidate(tmp_path, columns, roles, steps=[{"method": "condensation"}])
    assert status(again, "diversity") == "not-applicable"
    assert status(make_candidate(tmp_path, columns, {**DIVERSE, "C": "o"}), "diversity") == "not-applicable"
