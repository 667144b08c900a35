"""What recipients read about a release: each fact once, where it belongs, and nothing that did not happen."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from gate_cases import check, make_candidate

from ppdm_desktop.engine.release.candidate.model import Candidate, column_notes, list_treatment_terms
from ppdm_desktop.engine.release.measures.rules import count_broken_rules, state_broken_rules
from ppdm_desktop.engine.release.measures.utility import measure, public_dictionary, public_note
from ppdm_desktop.engine.report.html import render_note
from ppdm_desktop.engine.report.public.note import PublicNote

ROWS = 240
COLUMNS = {
    "Age": [str(20 + number % 40) for number in range(ROWS)],
    "City": ["Bonn", "Ghent", "Lille", "Delft"] * (ROWS // 4 - 1) + ["Bonn"] * 3 + ["Oslo"],
    "Visits": [str(number % 30 + 1) for number in range(ROWS)],
    "Pay": ["", *(str(2000 + 10 * (number % 50)) for number in range(1, ROWS))],
}
ROLES: dict[str, Any] = {
    "Age": {"role": "q", "kind": "numeric"},
    "City": {"role": "q", "kind": "nominal"},
    "Visits": {"role": "o", "kind": "numeric"},
    "Pay": {"role": "c", "kind": "numeric"},
}
LEAVE_OUT_ROWS = {"method": "leave-out-rows"}
CITIES = {"method": "generalize", "columns": ["City"], "parameters": {"rare": 0.1}}
AGES = {"method": "generalize", "columns": ["Age"], "parameters": {"width": 20}}
LIMITS = {"method": "top-bottom-code", "columns": ["Visits", "Pay"], "parameters": {"limits": {"Visits": [3, 28]}}}


def made(folder: Path, *steps: Any) -> Candidate:
    return make_candidate(folder, COLUMNS, ROLES, steps=list(steps))


def note_of(candidate: Candidate) -> PublicNote:
    return public_note(candidate, measure(candidate), data_name="data.csv", data_sha256="0" * 64, guarded_cells=0)


def dictionary_of(candidate: Candidate) -> dict[str, dict[str, str]]:
    lines = public_dictionary(candidate).decode("utf-8").splitlines()
    return {line["name"]: line for line in csv.DictReader(lines)}


@pytest.mark.parametrize(
    ("steps", "removed"),
    [
        ([LEAVE_OUT_ROWS], ("Records with rare patterns of empty cells were left out.",)),
        ([LIMITS], ()),
        # Nothing was left out: each group has many different values.
        ([{**LEAVE_OUT_ROWS, "columns": ["Age", "Pay"], "parameters": {"most": 0.9}}], ()),
        (
            [{"method": "suppress", "parameters": {"k": 2}}],
            ("Records of people who could be recognised were removed.",),
        ),
    ],
)
def test_records_that_were_left_out_are_said_once_and_of_the_file(
    tmp_path: Path, steps: list[Any], removed: tuple[str, ...]
) -> None:
    candidate = made(tmp_path, *steps)
    assert note_of(candidate).removed == removed
    page = render_note(note_of(candidate)).decode("utf-8")
    for sentence in removed:
        assert page.count(sentence) == 1
        assert sentence not in " ".join(column_notes(candidate).values())
        assert all("suppression" not in line["treatment"] for line in dictionary_of(candidate).values())
    assert check(candidate, "release-text").status == "green"


def test_groups_that_were_left_out_are_not_called_rare_gaps(tmp_path: Path) -> None:
    columns = {
        **COLUMNS,
        "City": ["Bonn"] * (ROWS - 10) + ["Oslo"] * 5 + ["Rome"] * 5,
        "Pay": ["2000", "2500"] * (ROWS // 2 - 5) + ["2000"] * 5 + ["2500"] * 5,
    }
    step = {**LEAVE_OUT_ROWS, "columns": ["City", "Pay"], "parameters": {"most": 0.9}}
    candidate = make_candidate(tmp_path, columns, {**ROLES, "Age": "l", "Visits": "l"}, steps=[step])
    assert [*note_of(candidate).removed] == [
        "Groups in which at least 90% of the records have the same confidential value were left out."
    ]


def test_a_column_is_told_only_what_was_done_to_it(tmp_path: Path) -> None:
    steps = [LIMITS, {"method": "local-suppression", "parameters": {"k": 2}}]
    columns = {**COLUMNS, "Age": ["30", "50"] * (ROWS // 2), "Pay": ["2000", "2500", "3000"] * (ROWS // 3)}
    candidate = make_candidate(tmp_path, columns, ROLES, steps=steps)
    notes = column_notes(candidate)
    # Enough people have the lowest and the highest pay, and only one city was too rare.
    assert notes["Visits"] == "Values below 3 are shown as 3. Values above 28 are shown as 28."
    assert notes["Pay"] == notes["Age"] == "The values are as in the source."
    assert "Single cells" in notes["City"]
    assert list_treatment_terms(candidate)["Age"] == "none"
    assert dictionary_of(candidate)["Age"]["settings"] == ""
    assert [step.columns for step in note_of(candidate).steps] == [("Visits",), ("City",)]
    groups = {"method": "mondrian", "columns": ["Age", "Visits", "City"], "parameters": {"k": 4}}
    candidate = make_candidate(tmp_path, {**COLUMNS, "City": ["Bonn"] * ROWS}, {**ROLES, "Visits": "q"}, steps=[groups])
    notes = column_notes(candidate)
    assert notes["Visits"] == "Each value was replaced by a range or a set that contains it."
    assert notes["City"] == "The values are as in the source."


def test_the_dictionary_explains_the_signs_of_each_column(tmp_path: Path) -> None:
    candidate = made(tmp_path, CITIES, AGES)
    signs = {name: line["signs_in_values"] for name, line in dictionary_of(candidate).items()}
    ends = ("≤ A: A or less, for dates A or earlier; < A does not include A.", "≥ A: A or more, for dates A or later.")
    assert signs == {
        "Age": " | ".join(ends),
        "City": "(*): One of the rarer values, which are not named.",
        "Visits": "",
        "Pay": "",
    }
    assert [sign for sign, _ in note_of(candidate).signs] == ["≤ A", "≥ A", "(*)"]
    assert check(candidate, "release-text").status == "green"
    assert "signs_in_values" not in next(iter(dictionary_of(made(tmp_path / "plain")).values()))


def test_a_step_that_only_left_columns_out_is_not_listed_without_columns(tmp_path: Path) -> None:
    candidate = made(tmp_path, {"method": "leave-out", "columns": ["City"]}, LIMITS)
    assert [(step.title, step.columns) for step in note_of(candidate).steps] == [
        ("Limit extreme values", ("Visits", "Pay"))
    ]


def test_rows_that_break_a_rule_as_printed_are_said_beside_those_that_certainly_do(tmp_path: Path) -> None:
    limits = [1000 * (1 + number % 9) + 900 for number in range(ROWS)]
    balances = [limit - 10 * (number % 60) for number, limit in enumerate(limits)]
    columns = {**COLUMNS, "Balance": list(map(str, balances)), "Limit": [str(limit) for limit in limits]}
    roles = {**ROLES, **dict.fromkeys(("Balance", "Limit"), {"role": "c", "kind": "numeric"})}
    steps = [
        {"method": "round", "columns": [name], "parameters": {"base": base}}
        for name, base in (("Balance", 100), ("Limit", 2000))
    ]
    candidate = make_candidate(tmp_path, columns, roles, steps=steps)
    counted = count_broken_rules(candidate)
    assert counted is not None
    balance, limit = (candidate.released.column(name).numbers for name in ("Balance", "Limit"))
    assert (counted.broken, counted.broken_as_printed) == (0, (balance > limit).sum())
    assert counted.broken_as_printed > 10
    said = state_broken_rules(candidate)
    assert said is not None
    assert said.endswith(f"If the numbers are taken as printed, {counted.broken_as_printed} rows break it.")
    assert check(candidate, "release-text").status == "green"
    plain = make_candidate(tmp_path / "plain", columns, roles)
    assert "as printed" not in (state_broken_rules(plain) or "")
