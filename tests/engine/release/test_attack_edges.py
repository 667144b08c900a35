"""Attacks at their edges, counted by hand: who is taken for somebody else, and what an empty cell hides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gate_cases import made_by, make_candidate, with_step

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.attack_audit import seed_search

ROLES: dict[str, Any] = {"who": "i", "place": {"role": "q", "kind": "nominal"}, "ill": "c"}


def test_who_is_shown_by_the_rows_of_another_alone_is_taken_for_them(tmp_path: Path) -> None:
    """The first two exchanged their rows; the third is like one row of the fourth, whose other row is like nobody's."""
    columns = {
        "who": list("aabbccdd"),
        "place": ["p1", "p2", "p3", "p4", "p5", "p5", "p5", "p6"],
        "ill": ["x", "y"] * 4,
    }
    candidate = make_candidate(tmp_path, columns, ROLES, input={"person": "who"})
    swapped = with_step(candidate, {"place": ["p3", "p4", "p1", "p2", "p5", "p5", "p5", "p6"]})
    (result,) = [each for each in made_by("singling-out", swapped) if each.column is None]
    assert (result.success.value, result.control.value) == (0.25, 0.5)


@pytest.mark.parametrize(("draws", "tried"), [(0, 50), (51 * 100, 51), (10**9, 2_000)])
def test_of_a_large_table_fewer_seeds_are_tried_and_fifty_at_least(
    draws: int, tried: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = {"place": [f"p{each}" for each in range(100)], "ill": [f"i{each % 3}" for each in range(100)]}
    steps = [{"method": "random-swap", "columns": ["ill"]}]
    candidate = make_candidate(tmp_path, columns, {"place": "q", "ill": "c"}, steps=steps, key=Key.from_seed(10**9))
    monkeypatch.setattr(seed_search, "MOST_DRAWS", draws)
    assert [each.sampled for each in made_by("seed-search", candidate)] == [tried]
