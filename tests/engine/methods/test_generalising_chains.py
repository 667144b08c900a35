"""Chains of coarser values, groups and removals on tables of every kind, and Adult, from the exported files."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from generalising_support import classes_in, release
from hypothesis import given
from hypothesis import strategies as st
from pycanon import anonymity
from thoroughness import examples

from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.release.verify import verify
from ppdm_desktop.ui.state.diff import GENERALISED, HIDDEN, SAME, make_diff

ORDER = ["none", "school", "college"]
COLUMNS: dict[str, Any] = {
    "age": {"role": "q", "kind": "numeric"},
    "born": {"role": "q", "kind": "date"},
    "zip": {"role": "q", "kind": "nominal"},
    "study": {"role": "q", "kind": "ordinal", "order": ORDER},
    "ill": "c",
    "pay": {"role": "c", "kind": "numeric"},
    "asked": "p",
}
QUASI = ["age", "born", "zip", "study"]
STEPS: dict[str, dict[str, Any]] = {
    "generalize": {"method": "generalize"},
    "mondrian": {"method": "mondrian"},
    "groups": {"method": "mondrian", "parameters": {"strict": False, "l": 1}},
    "remove": {"method": "suppress", "parameters": {"most": 1}},
    "empty": {"method": "local-suppression", "parameters": {"most": 1}},
    "swap": {"method": "bayes-swap", "columns": ["ill"]},
}


def people(seed: int, rows: int) -> list[dict[str, str]]:
    rng = np.random.default_rng(seed)

    def maybe(text: str) -> str:
        return "" if rng.random() < 0.06 else text

    return [
        {
            "age": maybe(str(rng.integers(20, 50))),
            "born": maybe(f"{rng.integers(1990, 1994)}-{rng.integers(1, 13):02d}-{rng.integers(1, 29):02d}"),
            "zip": maybe(f"{rng.integers(10, 12)}{rng.integers(0, 1000):03d}"),
            "study": maybe(str(rng.choice(ORDER))),
            "ill": f"i{rng.integers(3)}",
            "pay": str(rng.integers(1, 9) * 100),
            "asked": str(rng.choice([3, 3, 3, 4, 6])),
        }
        for _ in range(rows)
    ]


@pytest.mark.thorough
@examples(12)
@given(
    seed=st.integers(0, 10**6),
    rows=st.integers(60, 110),
    chain=st.sampled_from(
        [
            ("generalize", "mondrian"),
            ("mondrian", "generalize", "remove"),
            ("mondrian", "remove"),
            ("generalize", "groups", "swap"),
            ("groups", "empty"),
            ("mondrian", "mondrian"),
        ]
    ),
)
def test_every_record_of_a_chain_has_its_class(seed: int, rows: int, chain: tuple[str, ...]) -> None:
    table = people(seed, rows)
    with tempfile.TemporaryDirectory() as folder:
        found = release(Path(folder), table, COLUMNS, [STEPS[name] for name in chain])
        lines, report = found.by_row, found.report
        assert verify(found.out, found.source, silent()).result == "identical"
        diff = make_diff(found.candidate, silent())
    groups = classes_in(list(lines.values()), QUASI)
    for place, line in lines.items():
        assert len(groups[tuple(line[name] for name in QUASI)]) >= int(table[int(place[1:]) - 1]["asked"])
    assert anonymity.k_anonymity(pd.DataFrame(list(lines.values())), QUASI) >= 3
    assert all(step["guarantee"]["holds"] for step in report["steps"])
    for name in QUASI:
        states = set(diff.states[diff.released.names.index(name)].tolist())
        assert states <= ({SAME, GENERALISED, HIDDEN} if "empty" in chain else {SAME, GENERALISED})
    assert found.check("levels-met")["status"] in ("green", "amber")


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize(
    "parameters",
    [
        {"l": 1.5, "l_kind": "entropy"},
        *(pytest.param(each, marks=pytest.mark.thorough) for each in ({}, {"t": 0.3}, {"strict": False})),
    ],
)
def test_adult_in_groups_of_five(tmp_path: Path, data_folder: Path, parameters: dict[str, Any]) -> None:
    quasi = ["age", "education", "marital-status", "occupation", "race", "sex", "native-country"]
    with (data_folder / "adult_train.csv").open(encoding="utf-8", newline="") as file:
        rows = [{name: row[name] for name in (*quasi, "class")} for row in csv.DictReader(file)]
    rows = rows[:8_000]
    columns: dict[str, Any] = dict.fromkeys(quasi, "q")
    columns = {**columns, "age": {"role": "q", "kind": "numeric"}, "class": "c"}
    steps = [{"method": "mondrian", "parameters": {"k": 5, **parameters}}]
    found = release(tmp_path, rows, columns, steps)
    data = pd.DataFrame(found.rows)
    assert len(data) == 8_000
    assert anonymity.k_anonymity(data, quasi) >= 5
    assert found.check("class-size")["status"] == "green"
    assert found.check("certain-disclosure")["status"] == "green"
    assert found.check("levels-met")["status"] == "green"
    if "l_kind" not in parameters:
        assert anonymity.l_diversity(data, quasi, ["class"]) == 2
    if "t" in parameters:
        assert anonymity.t_closeness(data, quasi, ["class"]) <= 0.3 + 1e-9
