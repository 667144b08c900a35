"""The report's drawings: well-formed, said in words, and true to their figures."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree

import numpy as np
import pytest
from gate_cases import attack_entry
from report_cases import attack
from scene_support import numbers, svg_texts

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.base import label_entries
from ppdm_desktop.engine.report.charts import Bar, Marginal, Series, attack_chart, bars_scene
from ppdm_desktop.engine.report.charts_usefulness import association_charts, cluster_chart, marginal_chart, model_chart
from ppdm_desktop.engine.report.model import ModelEntry
from ppdm_desktop.engine.report.report_texts import OUTCOMES, describe_attack_outcome
from ppdm_desktop.engine.report.scene.model import Rule, Scene
from ppdm_desktop.engine.report.scene.svg import as_figures
from ppdm_desktop.engine.utility.associations import Associations
from ppdm_desktop.engine.utility.clusters import ClusterAgreement
from ppdm_desktop.engine.utility.models.suite import Leaves
from ppdm_desktop.engine.wording.catalogue import lazy, untranslated


def drawings(scenes: Iterable[Scene]) -> list[ElementTree.Element]:
    page = str(as_figures(scenes))
    found = [ElementTree.fromstring(part.split("</svg>")[0] + "</svg>") for part in page.split("<figure>")[1:]]
    for each in found:
        assert each.attrib["role"] == "img"
        assert each.findtext("title")
        assert each.findtext("desc")
    return found


def texts(drawing: ElementTree.Element) -> list[str]:
    return [each.text or "" for each in drawing.iter("text")]


def widths(drawing: ElementTree.Element, tone: str) -> list[float]:
    """Widths of the bars of a series; its first rectangle is the legend's."""
    return [float(each.attrib["width"]) for each in drawing.iter("rect") if each.attrib.get("class") == f"bar-{tone}"][
        1:
    ]


def test_bars_are_as_long_as_their_values() -> None:
    series: list[Series] = [
        ("original", "one", [Bar(0.2), Bar(0.4), Bar(0.0)]),
        ("released", "two", [Bar(0.1, 0.05, 0.2), Bar(None), Bar(-0.3)]),
    ]
    scene = bars_scene("T", "C", ["a", "b", "c"], series, limits=[("limit", 0.3)])
    (drawing,) = drawings([scene])
    assert scene.rows[0].cells == ("a", "20%", "10% (5% to 20%)")
    first, second = widths(drawing, "before"), widths(drawing, "after")
    assert first[1] == pytest.approx(2 * first[0], abs=0.2)
    assert first[2] == 0
    assert second[0] == pytest.approx(first[0] / 2, abs=0.2)
    assert second[1] == 0  # below zero: no bar, but its figure
    assert "−30%" in texts(drawing)
    assert "not measured" in texts(drawing)
    assert "limit 30%" in texts(drawing)
    said = drawing.findtext("desc") or ""
    assert "a: one 20%, two 10% (5% to 20%)" in said
    assert "b: one 40%, two not measured" in said


def associations(columns: int) -> Associations:
    rng = np.random.default_rng(3)
    before = rng.random((columns, columns))
    before = (before + before.T) / 2
    after = before * 0.5
    after[0] = after[:, 0] = np.nan
    return Associations(
        names=tuple(f"c{n}" for n in range(columns)), kinds=(), before=before, after=after, left_out=(), rows_before=9,
        rows_after=9, numeric=("c1", "c2"), covariance_before=np.diag([4.0, 0.0]), covariance_after=np.diag([8.0, 1.0]),
    )  # fmt: skip


def model(original: float | None, released: float | None, baseline: float | None = 0.6) -> ModelEntry:
    def figure(value: float | None) -> Figure:
        if value is None:
            return Figure.absent(untranslated("left out"))
        return Figure(value, round(value - 0.05, 3), round(value + 0.05, 3), 100, "share")

    return ModelEntry(
        task=lazy("which of its values"), learner="tree", text="learner.decision-tree", target="class",
        folds=5, original=figure(original),
        released_true_labels=figure(released), released_labels=figure(released), baseline=figure(baseline),
        leaves=Leaves(original=figure(0.5), released=figure(0.5)),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("id", "severity", "low", "words"),
    [
        ("inference", "serious", -0.2, OUTCOMES["note"]),
        ("inference", "serious", 0.1, OUTCOMES["works"]),
        ("rank", "some", 0.0, OUTCOMES["note"]),
        ("rank", "none", -0.1, OUTCOMES["withstood"]),
        ("singling-out", "total", None, OUTCOMES["works"]),
        ("averaging", "none", None, OUTCOMES["forecast"]),
    ],
)
def test_an_attack_is_not_said_to_gain_what_its_interval_leaves_open(
    id: str, severity: str, low: float | None, words: object
) -> None:
    gained = Figure(0.3, low=low, high=None if low is None else 0.7, n=3, unit="share", method=untranslated("by hand"))
    entry = attack_entry(id, advantage=gained).model_copy(update={"severity": severity})
    assert describe_attack_outcome(label_entries([entry])[0]) == str(words)


# --- one scene, the same figures everywhere -----------------------------------------------


def figures_of_bars(scene: Scene) -> None:
    limits = {each for mark in scene.marks if isinstance(mark, Rule) for each in numbers([mark.text])}
    names = numbers(name for name in scene.y.names)
    drawn = numbers(svg_texts(scene)) - names
    stated = numbers(cell.split(" (")[0] for row in scene.rows for cell in row.cells[1:])
    assert drawn == stated | limits


def figures_of_matrix(scene: Scene) -> None:
    """Both halves of the square are drawn, and the rows have one."""
    written = {each for each in svg_texts(scene) if re.fullmatch(r"[+−]?\d+\.\d\d", each)}
    assert written == {row.cells[2] for row in scene.rows}


def test_each_chart_of_the_report_draws_the_figures_of_its_rows_and_the_same_bytes_twice() -> None:
    entries = [attack(0), attack(1)]
    marginal = Marginal("town", ("a", "b"), (0.25, 0.75), (0.5, 0.5), (400, 400))
    cluster = ClusterAgreement(k=3, by_sizes=Figure(0.9), matched=Figure(0.8), ari=Figure(-0.01))
    bars = [
        *attack_chart(entries, ["first", "second"]),
        *marginal_chart(marginal),
        *model_chart([model(0.8, 0.7)], ["tree"]),
        *cluster_chart([cluster]),
    ]
    assert len(bars) == 4
    for scene in bars:
        figures_of_bars(scene)
        assert scene.sentence.startswith(scene.rows[0].text)
    squares = association_charts(associations(4))
    assert len(squares) == 4
    for scene in squares:
        figures_of_matrix(scene)
    assert str(as_figures([*bars, *squares])) == str(as_figures([*bars, *association_charts(associations(4))]))
