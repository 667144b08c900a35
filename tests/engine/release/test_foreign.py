"""Files made elsewhere, judged beside their source: our own releases give their report's figures, copies give all."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from gate_cases import csv_of, make_candidate, recipe_of
from ill_people import PAID_ROLES, paid_people
from optional import existing
from support import not_analysed

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.evaluate.release_files import data_bytes
from ppdm_desktop.engine.release.foreign import comparing
from ppdm_desktop.engine.release.foreign.comparing import Comparison, compare
from ppdm_desktop.engine.release.measures.analyses import analyse
from ppdm_desktop.engine.release.reporting.build import with_analyses
from ppdm_desktop.engine.release.writing.export import evaluate
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.wording.texts import describe_role
from ppdm_desktop.engine.wording.values import Name, Term

ROWS = 160
COLUMNS: dict[str, Any] = {"Id": [f"p{row:03}" for row in range(ROWS)], **paid_people(ROWS)}
AGE, PAY = (np.array(COLUMNS[name], dtype=int) for name in ("Age", "Pay"))
ROLES = {"Id": "i", **PAID_ROLES}
SHOWN = [name for name in COLUMNS if name != "Id"]
BARE: dict[str, Any] = {"shuffle_rows": False, "type": "research"}
NOISE: dict[str, Any] = {"method": "two-phase-noise", "columns": ["Pay"], "parameters": {"bounds": {"Pay": [0, 12000]}}}


def found(
    folder: Path,
    shown: Any,
    rows: str = "aligned",
    *,
    columns: dict[str, list[str]] = COLUMNS,
    roles: dict[str, Any] = ROLES,
    file: str = "shown.csv",
    analysed: bool = False,
    **more: Any,
) -> Comparison:
    """Compare a file given by its columns, or as text or bytes, with the source; analyses (slow) on demand."""
    more.setdefault("utility", {"targets": ["Ill"]})
    source, released = folder / "people.csv", folder / file
    source.write_text(csv_of(columns), encoding="utf-8")
    data = csv_of(shown) if isinstance(shown, dict) else shown
    released.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    recipe = parse_recipe(recipe_of(roles, **more))
    with nullcontext() if analysed else patch.object(comparing, "analyse", lambda *_: not_analysed()):
        return compare(source, released, recipe, rows)


def without(*names: str, **changes: Any) -> dict[str, Any]:
    """The columns that may be shown, some left out, some others in their place."""
    return {name: changes.get(name, COLUMNS[name]) for name in SHOWN if name not in names}


def attacks_of(comparison: Comparison) -> list[AttackEntry]:
    return existing(comparison.verdict.attacks)


def entries(comparison: Comparison, id: str) -> dict[str, Any]:
    return {str(entry.column): entry for entry in attacks_of(comparison) if entry.id == id}


# --- our own releases ----------------------------------------------------------------------------


def test_numbers_drawn_inside_bins_are_judged_by_their_bins(tmp_path: Path) -> None:
    bins = {"method": "equal-frequency", "count": 4, "release": "draw"}
    drawn: dict[str, Any] = {**ROLES, "Pay": {**ROLES["Pay"], "bounds": [0, 12000], "bins": bins}}
    more: dict[str, Any] = {
        "steps": [{"method": "bayes-swap", "columns": ["Pay"]}],
        "release": BARE,
        "utility": {"targets": ["Ill"]},
    }
    candidate = make_candidate(tmp_path, COLUMNS, drawn, **more)
    report = with_analyses(evaluate(candidate).report, analyse(candidate)).document()
    document = found(tmp_path, data_bytes(candidate).data, analysed=True, roles=drawn, **more).document()
    assert document["risk"] == report["risk"]
    assert document["utility"] == report["utility"]


# --- what anybody can undo, the method unknown -----------------------------------------------------


def test_a_copy_gives_everything_away(tmp_path: Path) -> None:
    comparison = found(tmp_path, without())
    assert comparison.risk.after == comparison.risk.before
    assert comparison.notes == ()
    quasi, everything = (entry for entry in attacks_of(comparison) if entry.id == "singling-out")
    assert everything.severity == "total"
    assert quasi.success.value == existing(comparison.risk.before.scope.quasi_identifiers).unique / ROWS
    (nearest,) = entries(comparison, "nearest-record").values()
    assert nearest.success.value > 0.95
    assert all(entry.advantage.low > 0 for entry in entries(comparison, "inference").values())
    assert not entries(comparison, "digit-inverse")


def shifted(by: int, text: str) -> str:
    head, rest = text[0], text[1:]
    return head + "".join(str((int(digit) + by) % 10) for digit in rest)


@pytest.mark.parametrize("by", [1, -1])
def test_digits_shifted_elsewhere_are_shifted_back(tmp_path: Path, by: int) -> None:
    pay = [shifted(by, text) for text in COLUMNS["Pay"]]
    comparison = found(tmp_path, without(Pay=pay))
    entry = entries(comparison, "digit-inverse")["Pay"]
    assert (entry.success.value, entry.severity) == (1.0, "total")
    assert entry.control.value < 0.1


def test_two_constants_added_elsewhere_are_taken_off(tmp_path: Path) -> None:
    steps = [{"method": "additive-noise", "columns": ["Pay"], "parameters": {"rounding": "none"}}]
    candidate = make_candidate(tmp_path, COLUMNS, ROLES, steps=steps, release=BARE)
    entry = entries(found(tmp_path, data_bytes(candidate).data), "two-constant-search")["Pay"]
    assert (entry.success.value, entry.severity) == (1.0, "total")


def test_rounding_is_no_inverse_of_anything(tmp_path: Path) -> None:
    comparison = found(tmp_path, without(Pay=[str(round(value, -1) + 1) for value in PAY.tolist()]))
    for id in ("digit-inverse", "two-constant-search"):
        assert all(entry.severity == "none" for entry in entries(comparison, id).values())


def test_averages_of_unknown_making_are_attacked_by_the_nearest_record(tmp_path: Path) -> None:
    order = np.argsort(PAY, kind="stable")
    shown = np.empty(ROWS)
    for start in range(0, ROWS, 5):
        group = order[start : start + 5]
        shown[group] = PAY[group].mean()
    comparison = found(tmp_path, without("Ill", Pay=[f"{value:.1f}" for value in shown]))
    (entry,) = entries(comparison, "nearest-record").values()
    assert entry.success.value <= 1 / 5
    assert entry.further["own_group"].value > 0.8
    # Averages lie nearer to the middle than their members: these changes are no noise.
    assert not entries(comparison, "noise-filter")


# --- rows --------------------------------------------------------------------------------------------


def test_rows_matched_by_a_column_that_only_matches(tmp_path: Path) -> None:
    order = np.random.default_rng(5).permutation(ROWS)
    pay = [str(value + 50) for value in PAY.tolist()]
    shown = {**without(Pay=pay), "Id": COLUMNS["Id"]}
    shuffled = {name: [values[row] for row in order] for name, values in shown.items()}
    by = found(tmp_path, shuffled, "by=Id")
    aligned = found(tmp_path, without(Pay=pay))
    assert by.document() == aligned.document()
    assert (by.matched, by.released_rows) == (ROWS, ROWS)
    assert [note.id for note in by.notes] == ["note.compare.key-only"]


def test_removed_and_foreign_rows_are_counted(tmp_path: Path) -> None:
    shown = {name: [*values[10:], *values[:3]] for name, values in {**without(), "Id": COLUMNS["Id"]}.items()}
    shown["Id"] = [*COLUMNS["Id"][10:], "x1", "x2", "x3"]
    comparison = found(tmp_path, shown, "by=Id")
    assert (comparison.matched, comparison.released_rows) == (ROWS - 10, ROWS - 7)
    assert comparison.utility.rows_suppressed == 10
    assert existing(comparison.risk.after.scope.quasi_identifiers).records == ROWS - 7
    assert {note.id: note.arguments for note in comparison.notes} == {
        "note.compare.key-only": {"column": Name("Id")},
        "note.compare.removed": {"rows": 10},
        "note.compare.extra": {"rows": 3},
    }
    assert {entry.sampled for entry in attacks_of(comparison)} == {ROWS - 10}


def test_rows_not_matched(tmp_path: Path) -> None:
    shown = {name: values[: ROWS - 20] for name, values in without().items()}
    comparison = found(tmp_path, shown, "none", steps=[NOISE])
    assert comparison.matched is None
    assert {entry.id for entry in attacks_of(comparison)} == {"singling-out"}
    assert comparison.verdict.certain_by_others is None
    assert comparison.utility.rows_suppressed == 20
    assert [note.id for note in comparison.notes] == ["note.compare.rows-unknown"]


def test_a_method_that_makes_records_anew_matches_no_rows(tmp_path: Path) -> None:
    roles = {**ROLES, "City": "l", "Ill": "l"}
    comparison = found(
        tmp_path,
        without("City", "Ill"),
        roles=roles,
        steps=[{"method": "condensation"}],
        utility={"targets": ["Pay"]},
        analysed=True,
    )
    assert comparison.matched is None
    assert not comparison.risk.after.applies
    assert "note.compare.made-anew" in [note.id for note in comparison.notes]
    # The recipe says how groups are made: what the owner could learn from their statistics is measured.
    models = comparison.utility.models or []
    told = {each.learner: each.released_true_labels.value for each in models if "above" in str(each.task)}
    assert told["nearest-group"] is not None
    assert told["gaussian-mixture"] is not None


def test_rows_in_another_order_are_noticed(tmp_path: Path) -> None:
    order = np.random.default_rng(5).permutation(ROWS)
    shown = {name: [values[row] for row in order] for name, values in without().items()}
    comparison = found(tmp_path, shown)
    assert [note.id for note in comparison.notes] == ["note.compare.other-order"]
    swapped = found(tmp_path, without(Ill=[COLUMNS["Ill"][row] for row in order]))
    assert swapped.notes == ()


# --- other tools' habits -------------------------------------------------------------------------------


def test_ranges_and_coarser_names_are_compared(tmp_path: Path) -> None:
    ranges = [f"{age // 10 * 10}-{age // 10 * 10 + 9}" for age in AGE.tolist()]
    comparison = found(
        tmp_path, without(Age=ranges, City=["Benelux" if city != "Bonn" else city for city in COLUMNS["City"]])
    )
    assert [(note.id, note.arguments) for note in comparison.notes] == [
        ("note.compare.other-kind", {"column": Name("Age"), "kind": Term("numeric")})
    ]
    assert (
        existing(comparison.risk.after.scope.quasi_identifiers).k
        > existing(comparison.risk.before.scope.quasi_identifiers).k
    )
    assert existing(comparison.utility.columns[0].total_variation.value) > 0.8
    json.dumps(comparison.document(), allow_nan=False)


def test_the_same_values_written_otherwise_are_the_same(tmp_path: Path) -> None:
    pay = [str(value) + ".50" for value in PAY]
    columns = {**COLUMNS, "Pay": pay}
    plain = found(tmp_path, without(Pay=pay), columns=columns).document()
    shown = without(Pay=[text.rstrip("0").replace(".", ",") for text in pay])
    lines = [";".join(shown), *(";".join(row) for row in zip(*shown.values(), strict=True))]
    semicolons = found(tmp_path, ("\r\n".join(lines) + "\r\n").encode("utf-16"), columns=columns)
    assert semicolons.document() == plain
    from_r = without(Pay=[f"{float(text):.17e}" for text in pay])
    assert found(tmp_path, from_r, columns=columns).document() == plain


def test_gaps_and_names_of_other_tools(tmp_path: Path) -> None:
    roles = {("Home town" if name == "City" else name): role for name, role in ROLES.items()}
    columns = {("Home town" if name == "City" else name): values for name, values in COLUMNS.items()}
    shown = {("Home.town" if name == "City" else name): values for name, values in without().items()}
    shown["Pay"] = ["NA", *shown["Pay"][1:]]
    shown["Home.town"] = [*shown["Home.town"][:-1], "NA"]
    comparison = found(tmp_path, shown, columns=columns, roles=roles)
    assert [note.id for note in comparison.notes] == ["note.compare.renamed", *["note.compare.gaps"] * 2]
    assert comparison.utility.columns[3].mean_after.n == ROWS - 1
    # Namibia is no gap where the source has it.
    country = {**columns, "Home town": ["NA", *columns["Home town"][1:]]}
    shown["Home.town"] = country["Home town"]
    notes = found(tmp_path, shown, columns=country, roles=roles).notes
    assert [note.arguments.get("column") for note in notes if note.id == "note.compare.gaps"] == [Name("Pay")]


# --- refusals ---------------------------------------------------------------------------------------------


def named(**changes: Any) -> dict[str, list[str]]:
    return {**without(), "Id": COLUMNS["Id"], **changes}


REFUSED: dict[str, Any] = {
    "error.compare.row-count": ({name: values[1:] for name, values in without().items()}, "aligned", None, None),
    "error.compare.unknown-column": ({**without(), "Row": COLUMNS["Id"]}, "aligned", "Row", None),
    "error.compare.identifier": (named(), "aligned", "Id", None),
    "error.compare.no-key": (without(), "by=Id", "Id", None),
    "error.compare.key-missing": (named(Id=["p000", "", *COLUMNS["Id"][2:]]), "by=Id", "Id", 3),
    "error.compare.key-twice": (named(Id=[*COLUMNS["Id"][:-1], "p004"]), "by=Id", "Id", ROWS + 1),
    "error.compare.no-twin": (named(Id=[f"q{row}" for row in range(ROWS)]), "by=Id", "Id", None),
    "error.compare.nothing": ({"Id": COLUMNS["Id"]}, "by=Id", None, None),
}


@pytest.mark.parametrize("id", REFUSED)
def test_what_cannot_be_compared_is_refused_with_its_place(tmp_path: Path, id: str) -> None:
    shown, rows, column, row = REFUSED[id]
    with pytest.raises(InputError) as caught:
        found(tmp_path, shown, rows)
    assert (caught.value.id, caught.value.column, caught.value.row) == (id, column, row)
    assert caught.value.file == str(tmp_path / "shown.csv")


def test_columns_that_the_recipe_does_not_release_are_refused(tmp_path: Path) -> None:
    for role, word in (("l", "left-out"), (None, None)):
        roles = {name: given for name, given in ROLES.items() if name != "City"} | ({"City": role} if role else {})
        with pytest.raises(InputError) as caught:
            found(tmp_path, without(), roles=roles)
        assert (caught.value.id, caught.value.column) == ("error.compare.role", "City")
        assert caught.value.arguments == {"role": describe_role(word)}


def test_rows_that_cannot_be_read_are_refused_by_place_and_matched_by_a_column(tmp_path: Path) -> None:
    lines = csv_of(named()).splitlines()
    lines[5] += ",more"
    text = "\n".join(lines) + "\n"
    with pytest.raises(InputError) as caught:
        found(tmp_path, "\n".join(line.rpartition(",")[0] if at != 5 else line for at, line in enumerate(lines)) + "\n")
    assert caught.value.id == "error.compare.rows-unread"
    assert caught.value.arguments["line"] == 6
    assert found(tmp_path, text, "by=Id").matched == ROWS - 1


@pytest.mark.parametrize("rows", ["by=", "by Id", "alligned", ""])
def test_a_way_of_matching_that_does_not_exist_is_refused(tmp_path: Path, rows: str) -> None:
    with pytest.raises(RecipeError) as caught:
        found(tmp_path, without(), rows)
    assert caught.value.id == "error.compare.rows"
