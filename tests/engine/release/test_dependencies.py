"""Columns that give others away: made tables, and the slow way of counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import check, evidence_of, grouped, make_candidate, randomised, with_step
from hypothesis import given, settings
from hypothesis import strategies as st
from optional import existing

from ppdm_desktop.engine.release.gate.functional_dependence import NOTHING, fixes
from ppdm_desktop.engine.release.gate.results import CheckResult
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.numbers import NumberStyle

ROWS = 60
RNG = np.random.default_rng(4)
TYPES = ("public", "research")


def nominal(name: str, values: Sequence[Any] | range) -> Column:
    return Column.from_texts(name, [str(value) for value in values], role="other", kind="nominal")


def numeric(name: str, values: Sequence[Any] | range) -> Column:
    texts = [str(value) for value in values]
    style = NumberStyle.seen_in([each for each in texts if each], ".", None)
    return Column.from_texts(name, texts, role="other", kind="numeric", style=style)


def status_of(
    folder: Path,
    columns: dict[str, list[str]],
    roles: dict[str, Any],
    hidden: str,
    type: str = "research",
    shown: Any = None,
    **more: Any,
) -> CheckResult:
    """Judge a table in which a column is swapped, so that its released values say nothing."""
    rows = len(columns[hidden])
    candidate = make_candidate(folder, columns, roles, type, **more)
    released = shown if shown is not None else list(reversed(columns[hidden]))
    changed = with_step(candidate, {hidden: released}, [randomised(hidden, [0] * rows)])
    return check(evidence_of(changed), "dependencies")


CITY = [str(name) for name in RNG.choice(["Delft", "Bonn", "Ghent", "Lille"], ROWS)]
ILL = [str(name) for name in RNG.choice(["flu", "cold", "ulcer"], ROWS)]


@pytest.mark.parametrize("type", TYPES)
def test_a_copy_under_another_name(tmp_path: Path, type: str) -> None:
    columns = {"City": CITY, "Ill": ILL, "Code": [text.upper() for text in ILL]}
    found = status_of(tmp_path, columns, {"City": "q", "Ill": "c", "Code": "o"}, "Ill", type)
    assert found.status == ("red" if type == "public" else "amber")
    assert (existing(found.figure).value, found.limit) == (1.0, 0.95)
    assert found.sentence.arguments["pairs"] == '"Code" gives away "Ill" (100 %)'


def test_columns_that_have_nothing_to_do_with_it(tmp_path: Path) -> None:
    found = status_of(tmp_path, {"City": CITY, "Ill": ILL}, {"City": "q", "Ill": "c"}, "Ill")
    assert found.status == "green"
    assert existing(existing(found.figure).value) < 0.95


def test_a_number_nobody_shares_fixes_nothing_by_itself(tmp_path: Path) -> None:
    columns = {"City": CITY, "Ill": ILL, "Number": [f"n{i}" for i in range(ROWS)]}
    assert status_of(tmp_path, columns, {"City": "q", "Ill": "c", "Number": "o"}, "Ill").status == "green"


def test_nearly_every_record_is_listed_and_never_red(tmp_path: Path) -> None:
    code = list(ILL)
    code[0] = next(each for each in ("flu", "cold", "ulcer") if each != ILL[0])
    columns = {"City": CITY, "Ill": ILL, "Code": code}
    found = status_of(tmp_path, columns, {"City": "q", "Ill": "c", "Code": "o"}, "Ill", "public")
    assert found.status == "amber"
    assert 0.95 <= existing(existing(found.figure).value) < 1


def test_what_most_people_have_is_no_dependency(tmp_path: Path) -> None:
    rare = ["no"] * 59 + ["yes"]
    columns = {"City": CITY, "Ill": rare}
    assert status_of(tmp_path, columns, {"City": "q", "Ill": "c"}, "Ill").status == "green"


@pytest.mark.parametrize("type", TYPES)
def test_the_year_of_birth_beside_a_moved_age(tmp_path: Path, type: str) -> None:
    age = [str(value) for value in RNG.integers(20, 90, ROWS)]
    born = [str(2026 - int(value)) for value in age]
    columns = {"Age": age, "Born": born, "Ill": ILL}
    roles = {"Age": {"role": "q", "kind": "numeric"}, "Born": {"role": "o", "kind": "numeric"}, "Ill": "c"}
    found = status_of(tmp_path, columns, roles, "Age", type)
    assert found.status == ("red" if type == "public" else "amber")
    assert '"Born" gives away "Age"' in found.sentence.arguments["pairs"]


def test_a_number_nearly_in_line_is_listed(tmp_path: Path) -> None:
    pay = RNG.normal(3000, 500, ROWS).round()
    tax = (pay * 0.3 + RNG.normal(0, 20, ROWS)).round()
    columns = {"Pay": [f"{x:.0f}" for x in pay], "Tax": [f"{x:.0f}" for x in tax], "City": CITY}
    roles = {"Pay": {"role": "c", "kind": "numeric"}, "Tax": {"role": "o", "kind": "numeric"}, "City": "q"}
    found = status_of(tmp_path, columns, roles, "Pay", "public")
    assert found.status == "amber"
    assert existing(found.figure).value == pytest.approx(np.corrcoef(pay, tax)[0, 1] ** 2, abs=1e-9)


def test_a_number_released_in_bins_is_hidden_too(tmp_path: Path) -> None:
    age = [str(value) for value in RNG.integers(20, 90, ROWS)]
    bins = {"method": "equal-width", "count": 4}
    columns = {"Age": age, "Born": [str(2026 - int(value)) for value in age]}
    roles = {
        "Age": {"role": "q", "kind": "numeric", "bounds": [0, 120], "bins": bins},
        "Born": {"role": "o", "kind": "numeric"},
    }
    found = check(evidence_of(make_candidate(tmp_path, columns, roles)), "dependencies")
    assert (found.status, existing(found.figure).value) == ("amber", 1.0)


def test_it_does_not_apply(tmp_path: Path) -> None:
    copy = make_candidate(tmp_path, {"City": CITY, "Ill": ILL}, {"City": "q", "Ill": "c"})
    assert check(evidence_of(copy), "dependencies").status == "not-applicable"
    everything = with_step(copy, {}, [grouped("City", ROWS), grouped("Ill", ROWS)], columns=["City", "Ill"])
    assert check(evidence_of(everything), "dependencies").status == "not-applicable"


# --- the figure itself -----------------------------------------------------------------------------


def told_by_others(giver: Sequence[int], hidden: Sequence[int]) -> list[float]:
    """Share of the records with a shared value told rightly by the commonest value of the others, ties halved."""
    right = []
    for at, (value, true) in enumerate(zip(giver, hidden, strict=True)):
        others = Counter(h for i, (g, h) in enumerate(zip(giver, hidden, strict=True)) if g == value and i != at)
        if not others:
            continue
        best = [value for value, times in others.items() if times == max(others.values())]
        right.append(0.0 if true not in best else 1.0 if len(best) == 1 else 0.5)
    return right


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2)), min_size=6, max_size=80))
def test_records_told_by_others_counted_by_hand(pairs: Any) -> None:
    giver, hidden = [g for g, _ in pairs], [h for _, h in pairs]
    right = told_by_others(giver, hidden)
    shared = [h for g, h in pairs if giver.count(g) > 1]
    found = fixes(nominal("G", giver), nominal("H", hidden))
    blind = max(Counter(shared).values()) / len(shared) if shared else 1.0
    share = float(np.mean(right)) if right else 0.0
    if len(shared) < 20 or blind == 1 or (share - blind) / (1 - blind) < 0.5 - 1e-9:
        assert found.share in (0.0, pytest.approx(share))
    elif (share - blind) / (1 - blind) > 0.5 + 1e-9:
        assert found.share == pytest.approx(share)
        assert found.every == (share == 1 and 2 * len(shared) >= len(pairs))


def test_three_ways_to_look() -> None:
    assert fixes(nominal("G", range(50)), nominal("H", ["a", "b"] * 25)) == NOTHING
    assert fixes(numeric("G", [1, 2, 3, 4, 5]), numeric("H", [1, 2, 3, 4, 5])) == NOTHING  # too few to say
    line = fixes(numeric("G", range(50)), numeric("H", [3 * each for each in range(50)]))
    assert line.share == pytest.approx(1.0)
    assert line.every
    # No line, but the groups tell the number: what a curve would.
    curve = fixes(
        nominal("G", [each % 5 for each in range(50)]), numeric("H", [(each % 5 - 2) ** 2 for each in range(50)])
    )
    assert curve.share == 1
    gaps = fixes(numeric("G", [*range(30), ""]), numeric("H", ["", *range(30)]))
    assert gaps.share == pytest.approx(1.0)
    assert fixes(nominal("G", ["x"] * 40), numeric("H", range(40))) == NOTHING
