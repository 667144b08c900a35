"""Codes with their labels in a release: what few people have is not named, and noise makes no code."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from gate_cases import check, make_candidate

from ppdm_desktop.engine.release.measures.utility import public_dictionary
from ppdm_desktop.engine.table.writing.guard import unguard

CODES: dict[str, Any] = {
    "Pay": {"label": "What do you earn?", "codes": {"-9": "Refused", "-8": "Nobody asked", "40": "Forty"}},
    "Sex": {"codes": {"1": "Female", "2": "Male", "3": "Neither"}},
}
COLUMNS = {
    "Sex": ["1", "2"] * 19 + ["3", "1"],
    "Pay": ["-9"] * 6 + ["-8"] * 2 + ["40"] * 7 + [str(41 + row) for row in range(25)],
}
NOISE = {"method": "two-phase-noise", "columns": ["Pay"]}


@pytest.mark.parametrize(
    ("steps", "missing", "pay"),
    [
        ([], [], {"-9": "Refused", "40": "Forty"}),
        ([NOISE], ["-9", "-8"], {"-9": "Refused"}),
    ],
)
def test_codes_of_few_people_or_of_noise_have_no_label(
    tmp_path: Path, steps: list[dict[str, Any]], missing: list[str], pay: dict[str, str]
) -> None:
    repair = {"repair": {"Pay": {"missing": missing}}} if missing else {}
    candidate = make_candidate(
        tmp_path, COLUMNS, {"Sex": "q", "Pay": "c"}, input={"dictionary": CODES, **repair}, steps=steps
    )
    assert dict(candidate.released.column("Pay").codebook) == pay
    assert dict(candidate.released.column("Sex").codebook) == {"1": "Female", "2": "Male"}
    rows = list(csv.DictReader(io.StringIO(public_dictionary(candidate).decode())))
    stated = {row["name"]: (row["original_header"], unguard(row["codes_and_labels"])) for row in rows}
    assert stated == {
        "Sex": ("Sex", "1 = Female | 2 = Male"),
        "Pay": ("What do you earn?", " | ".join(f"{code} = {label}" for code, label in pay.items())),
    }
    assert check(candidate, "release-text").status == "green"


def test_a_release_without_codes_has_the_dictionary_of_before(tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path, COLUMNS, {"Sex": "q", "Pay": "c"})
    assert b"codes_and_labels" not in public_dictionary(candidate)


def test_the_dictionary_says_what_holds_in_every_row(tmp_path: Path) -> None:
    pay = [str(2000 + 37 * row % 900) for row in range(60)]
    bonus = [str(100 + 13 * row % 70) for row in range(60)]
    total = [str(int(one) + int(other)) for one, other in zip(pay, bonus, strict=True)]
    number = {"role": "c", "kind": "numeric"}
    roles = {"Pay": number, "Bonus": number, "Total": number}
    candidate = make_candidate(tmp_path, {"Pay": pay, "Bonus": bonus, "Total": total}, roles)
    rows = list(csv.DictReader(io.StringIO(public_dictionary(candidate).decode())))
    holds = {row["name"]: row["what_always_holds"] for row in rows}
    assert holds["Total"].startswith("“Total” is the sum of “Pay” and “Bonus”")
    assert holds["Bonus"].startswith("“Bonus” lies between ")
    assert b"sum of" not in public_dictionary(candidate, is_draft=True)
    assert check(candidate, "release-text").status == "green"
