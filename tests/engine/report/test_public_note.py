"""What may be handed over says nothing that helps an intruder: no attack, no count of the singled out, no level."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from gate_cases import make_candidate
from support import reasons_for

from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.writing.export import export

ROWS = 700
OF_THE_VERDICT = ("beliefs", "attacks", "levels", "checks")
WORDS = ("attack", "snooper", "intruder", "unique", "identifiab", "singling", "cautious", "paranoid", "prosecutor",
         "linkage", "inference", "reversal", "reconstruct", "certain", "severity", "marketer",
         "journalist")  # fmt: skip


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    """The texts of ``release/`` without the data, and report.json."""
    dice = random.Random(5)
    ages = [str(dice.randint(18, 89)) for _ in range(ROWS)]
    columns = {
        "Age": ages,
        "Town": [f"town-{dice.randint(1, 25)}" for _ in range(ROWS)],
        "Hours": [str(dice.randint(0, 80)) for _ in range(ROWS)],
        "Pay": [dice.choice(["low", "high"] if int(age) < 50 else ["low", "high", "high"]) for age in ages],
    }
    roles = {
        "Age": {"role": "q", "kind": "numeric"},
        "Town": "q",
        "Hours": {"role": "c", "kind": "numeric"},
        "Pay": "c",
    }
    folder = tmp_path_factory.mktemp("public")
    candidate = make_candidate(
        folder,
        columns,
        roles,
        input={"one_row_per_person": True},
        privacy={"rules": [{"where": {"column": "Age", "at_least": 60}, "level": "paranoid"}]},
        steps=[
            {"method": "bayes-swap", "columns": ["Pay"]},
            {"method": "two-phase-noise", "columns": ["Hours"], "parameters": {"bounds": {"Hours": [0, 80]}}},
        ],
    )
    out = folder / "out"
    export(candidate, out, accepts=reasons_for(all_checks()))
    texts = [path.read_text("utf-8-sig") for path in (out / "release").iterdir() if path.name != "data.csv"]
    assert len(texts) == 2
    visible = re.sub(r"(?s)<style>.*?</style>", "", "\n".join(texts))
    return visible, json.loads((out / "internal" / "report.json").read_text("utf-8"))


def numbers(value: Any) -> Iterator[float]:
    """Every number of a part of the report."""
    if isinstance(value, dict):
        for each in value.values():
            yield from numbers(each)
    elif isinstance(value, list):
        for each in value:
            yield from numbers(each)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def written(value: float) -> set[str]:
    """How a number that nobody meets by accident could stand in a text: three digits at least."""
    if isinstance(value, int):
        ways = {f"{value}", f"{value:,}", f"{value:,}".replace(",", "\u202f")}
    else:
        ways = {f"{value:.4g}", f"{value:.3g}", f"{100 * value:.3g}", f"{100 * value:.1f}", f"{value:.4f}"}
    return {way for way in ways if len(re.sub(r"\D", "", way).strip("0")) >= 3}


@pytest.mark.thorough
def test_no_word_of_attacks_risk_or_levels(released: tuple[str, dict[str, Any]]) -> None:
    text = released[0].casefold()
    assert "town" in text
    assert [word for word in WORDS if word in text] == []


@pytest.mark.parametrize("part", ["risk", "privacy", *(f"verdict.{name}" for name in OF_THE_VERDICT)])
def test_no_figure_of_a_part_that_stays_inside(released: tuple[str, dict[str, Any]], part: str) -> None:
    text, report = released
    public = {report["release"]["rows"], report["release"]["columns"]}
    section = reduce(lambda document, key: document[key], part.split("."), report)
    inside = {value for value in numbers(section) if value not in public}
    looked_for = {way for value in inside for way in written(value)}
    assert len(looked_for) >= 2
    shown = set(re.findall(r"\d[\d.,\u202f]*\d|\d", text))
    hashes = {found for code in re.findall(r"[0-9a-f]{64}", text) for found in re.findall(r"\d+", code)}
    assert sorted(looked_for & (shown - hashes)) == []


def test_no_count_of_what_changed(released: tuple[str, dict[str, Any]]) -> None:
    text, report = released
    changed = [column["changed"]["value"] for column in report["columns"] if column["changed"]["value"]]
    detail = [
        each for step in report["steps"] for each in numbers(step["detail"]) if isinstance(each, int) and each > 99
    ]
    assert changed
    for count in {*changed, *detail} - {report["release"]["rows"]}:
        assert not re.search(rf"(?<![\d.]){count}(?![\d.])", re.sub(r"[0-9a-f]{64}", "", text)), count


def test_nothing_of_the_source_and_no_key(released: tuple[str, dict[str, Any]], tmp_path: Path) -> None:
    text, report = released
    assert report["input"]["sha256"] not in text
    assert report["recipe_sha256"] not in text
