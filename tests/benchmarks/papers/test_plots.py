"""The page's charts: well-formed, every point where it belongs, odd input drawn or refused."""

from __future__ import annotations

import itertools
import math
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.benchmarks.papers.plots import HEIGHT, WIDTH, line_chart, step_chart, ticks

pytestmark = pytest.mark.thorough

SVG = "{http://www.w3.org/2000/svg}"


def drawn(path: Path) -> ElementTree.Element:
    return ElementTree.fromstring(path.read_text(encoding="utf-8"))


def lines(root: ElementTree.Element) -> list[str]:
    return [each.get("d", "") for each in root.iter(f"{SVG}path") if each.get("stroke-width")]


def test_points_lie_where_they_belong(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    line_chart("A <title> & more", "rows", "share", {"one & two": [(0, 0), (5, 50), (10, 100)]}, path, {"printed": 75})
    root = drawn(path)
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert {"A <title> & more", "rows", "share", "one & two", "printed"} <= set(texts)
    points = [(float(each.get("cx", "0")), float(each.get("cy", "0"))) for each in root.iter(f"{SVG}circle")][:3]
    (x0, y0), (x1, y1), (x2, y2) = points
    assert x1 == pytest.approx((x0 + x2) / 2, abs=0.1)
    assert y1 == pytest.approx((y0 + y2) / 2, abs=0.1)
    assert y0 > y2
    (level,) = [
        float(each.get("y1", "0"))
        for each in root.iter(f"{SVG}line")
        if each.get("stroke-dasharray") == "1 4" and each.get("stroke-width") is None
    ]
    assert level == pytest.approx(y0 + 0.75 * (y2 - y0), abs=0.1)


def test_everything_stays_on_the_paper(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    line_chart("t", "x", "y", {"a": [(-1e9, 1e-9), (2e9, -3e-9)], "b": [(0, 2e-9)]}, path, {"r": 9e-9})
    for command in lines(drawn(path)):
        for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", command):
            assert 0 <= float(x) <= WIDTH
            assert 0 <= float(y) <= HEIGHT


def test_gaps_part_a_line_and_one_value_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    line_chart("t", "x", "y", {"a": [(0, 1), (1, math.nan), (2, 1), (3, 1)]}, path)
    (line,) = lines(drawn(path))
    assert line.count("M") == 2
    assert line.count("L") == 1
    with pytest.raises(ValueError, match="point"):
        line_chart("t", "x", "y", {"a": [(0, math.nan)]}, path)


def test_steps_hold_each_value_until_the_next(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    step_chart("t", "x", "y", {"a": [(0, 0), (1, 5), (2, 5)]}, path)
    (line,) = lines(drawn(path))
    places = re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", line)
    assert len(places) == 5
    assert places[0][1] == places[1][1]
    assert places[1][0] == places[2][0]


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0.31, 0.36), (-5, 12_345), (1e-7, 3e-7), (99.9, 100.1)])
def test_ticks_are_round_and_cover(low: float, high: float) -> None:
    found = ticks(low, high)
    assert found[0] <= low + 1e-12
    assert found[-1] >= high - 1e-12
    assert 3 <= len(found) <= 12
    gaps = [b - a for a, b in itertools.pairwise(found)]
    assert max(gaps) == pytest.approx(min(gaps))
    assert f"{gaps[0]:.6e}"[0] in "125"
