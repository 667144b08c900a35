"""What attacks, checks and beliefs find of small releases stays; work looks at the stop sign as often as before.

That a finding is right is shown elsewhere, by hand or by a second way. Here each figure and each value of a sentence is
held, so that no change alters one unseen.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from findings import GOLDEN, RELEASES, declared, found_in


@cache
def kept() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for line in GOLDEN.read_text("utf-8").splitlines():
        name, part, value = json.loads(line)
        found[name][part] = value
    return found


def differences(kept: Any, found: Any, place: str = "") -> Iterator[str]:
    """Say where two findings differ; figures may by what another processor adds in another order."""
    if isinstance(kept, dict) and isinstance(found, dict):
        for name in dict.fromkeys([*kept, *found]):
            yield from differences(kept.get(name, "nothing"), found.get(name, "nothing"), f"{place}/{name}")
    elif isinstance(kept, list) and isinstance(found, list) and len(kept) == len(found):
        for at, (one, other) in enumerate(zip(kept, found, strict=True)):
            yield from differences(one, other, f"{place}/{at}")
    elif isinstance(kept, float) and isinstance(found, float):
        if found != pytest.approx(kept, rel=1e-5, abs=1e-9):
            yield f"{place}: {kept} was kept, {found} is found"
    elif type(kept) is not type(found) or kept != found:
        yield f"{place}: {kept} was kept, {found} is found"


@pytest.mark.parametrize("name", RELEASES)
def test_what_is_found_of_a_release_is_what_was_found(name: str, tmp_path: Path) -> None:
    """All in one test, as each release is made, attacked and judged once."""
    was, now = kept()[name], found_in(name, tmp_path)
    assert list(differences({part: value for part, value in was.items() if part != "looks"}, now.findings)) == []
    seldom = {place: looks for place, looks in was["looks"].items() if now.looks[place] < looks}
    assert seldom == {}, "the stop sign is looked at as often as before, or more often"
    for fractions in now.fractions:
        assert fractions == sorted(fractions), "reports never go back"
        assert fractions[0] == 0.0
        assert 0.5 < fractions[-1] <= 1.0


def test_what_attacks_and_checks_declare_stays() -> None:
    assert list(differences(kept()[""]["declared"], declared())) == []


def test_a_difference_is_named() -> None:
    assert list(differences({"a": [1.0, "x"]}, {"a": [1.0 + 1e-7, "x"]})) == []
    assert list(differences({"a": [1.0, "x"]}, {"a": [1.1, "x"]})) == ["/a/0: 1.0 was kept, 1.1 is found"]
    assert list(differences([1], [1, 2])) == [": [1] was kept, [1, 2] is found"]
    assert list(differences({"a": 1}, {"a": True})) == ["/a: 1 was kept, True is found"]
