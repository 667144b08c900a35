"""The frontier of a swap in the report: where its points lie and what is said of them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from report_cases import judged_candidate

from ppdm_desktop.engine.report.html import render_report
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.report.scene.svg import as_figures
from ppdm_desktop.engine.report.swap_frontier import compute_undo_excess, swap_frontier_chart


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return judged_candidate(tmp_path_factory.mktemp("frontier")).report


def point(search: str, divergence: float, success: float, high: float, boosted: float | None = None) -> dict[str, Any]:
    attack = {"success": success, "control": high - 0.02, "high": high, "people": 500}
    other = None if boosted is None else {**attack, "success": boosted}
    return {"search": search, "divergence": divergence, "bayes": attack, "boosting": other, "within_control": True}


def test_the_more_successful_attempt_counts() -> None:
    assert compute_undo_excess(point("exact", 0.1, 0.7, 0.8)) == pytest.approx(-0.1)
    assert compute_undo_excess(point("exact", 0.1, 0.7, 0.8, 0.85)) == pytest.approx(0.05)


def test_points_lie_where_their_figures_say() -> None:
    drawn = str(
        as_figures(
            swap_frontier_chart(
                "Pay",
                [point("calibrated", 0.1, 0.7, 0.75), point("random", 0.4, 0.7, 0.7), point("exact", 0.2, 0.9, 0.8)],
            )
        )
    )
    places = [tuple(map(float, each)) for each in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', drawn)]
    dashed = float(re.findall(r'x1="([\d.]+)"[^>]*stroke-dasharray', drawn)[0])
    (inside, low), (edge, high), (outside, middle) = places
    assert inside < dashed < outside
    assert edge == dashed
    assert high < middle < low  # a drawing counts downwards
    assert "this swap (calibrated): divergence 0.1" in drawn
    assert "exact search" in drawn


def test_the_report_shows_the_frontier_of_a_calibrated_swap_and_of_no_other(report: Report) -> None:
    frontier = [point("calibrated", 0.1, 0.7, 0.75, 0.6), point("random", 0.4, 0.7, 0.7)]
    calibration = {"kept": 0.75, "temperature": 0.1, "leaning": "even", "tried": 26, "frontier": frontier}
    step = report.steps[0].model_copy(update={"detail": {"columns": {"Pay": {"calibration": calibration}}}})
    shown = render_report(report.model_copy(update={"steps": [step]}), in_full=True).decode()
    assert 'data-key="steps.0.detail.columns.Pay.calibration.frontier.1.divergence">0.4<' in shown
    assert shown.count("random choice") >= 2  # the table and the drawing
    assert "calibration" not in render_report(report, in_full=True).decode()
