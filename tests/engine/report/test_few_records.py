"""Charts of fewer than 100 records write counts: a percentage of sixteen people claims what they cannot show."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from scene_support import svg_texts

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.charts import Marginal
from ppdm_desktop.engine.report.charts_usefulness import curves_scene, marginal_chart
from ppdm_desktop.engine.report.model import CheckEntry, Sentence
from ppdm_desktop.engine.report.scene.model import Scene
from ppdm_desktop.engine.wording.catalogue import speak_language


def marginals(records: int) -> Scene:
    half = records // 2
    shares = (half / records, 1 - half / records)
    (scene,) = marginal_chart(Marginal("town", ("a", "b"), shares, shares[::-1], (records, records)))
    return scene


def curves(records: int) -> Scene:
    exact = [3 / records, 1 - 3 / records]
    drawn: Sequence[tuple[str, str, Sequence[float]]] = [("original", "o", exact), ("third", "t", [0.347, 0.653])]
    return curves_scene("T", "", "", "age", [0.0, 1.0, 2.0], records, drawn)  # type: ignore[arg-type]


@pytest.mark.parametrize("chart", [marginals, curves], ids=lambda each: each.__name__)
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_percentage_below_a_hundred_records(chart: Callable[[int], Scene], language: str) -> None:
    with speak_language(language):
        few, many = chart(99), chart(100)
        assert not [each for each in [*svg_texts(few), few.sentence, *_cells(few)] if "%" in each]
        assert [each for each in [*svg_texts(many), *_cells(many)] if "%" in each]
        assert not [each for each in _cells(many) if re.search(r"\d (of|von) \d", each)]


def _cells(scene: Scene) -> list[str]:
    return [cell for row in scene.rows for cell in row.cells[1:]]


# --- the figure of a check as a share -------------------------------------------------------------


def entry(figure: Figure | None, hits: int | None = None, of: int | None = None) -> CheckEntry:
    sentence = Sentence.of("gate.reversal.green")
    return CheckEntry(
        id="reversal", cause="what-is-learnt", status="green", figure=figure, limit=None, direction="at-most",
        hits=hits, of=of, sentence=sentence, fix_on="protect",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("found", "share"),
    [
        (entry(None), None),
        (entry(Figure(0.25, unit="share")), 0.25),
        (entry(Figure(0.2, high=0.5, unit="share")), 0.5),
        (entry(Figure(-0.2, unit="share")), 0.0),
        (entry(Figure(0.7, unit="ratio")), pytest.approx(0.3)),
        (entry(Figure(1.4, unit="ratio")), 0.0),
        (entry(Figure(3, unit="records"), 3, 6), 0.5),
        (entry(Figure(3, unit="records")), None),
        # One fewer is found with the record than without it.
        (entry(Figure(-1, unit="records"), -1, 6), 0.0),
    ],
)
def test_a_share_lies_between_nothing_and_all(found: CheckEntry, share: float | None) -> None:
    assert found.share == share
