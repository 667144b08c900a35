"""Charts of fewer than 100 records write counts: a percentage of sixteen people claims what they cannot show."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from report_cases import attack
from scene_support import svg_texts

from ppdm_desktop.engine.figure import SHARE_RIGHT, Figure
from ppdm_desktop.engine.report.charts import Marginal, attack_chart
from ppdm_desktop.engine.report.charts_usefulness import curves_scene, marginal_chart, model_chart
from ppdm_desktop.engine.report.model import CheckEntry, ModelEntry, Sentence
from ppdm_desktop.engine.report.scene.model import Scene
from ppdm_desktop.engine.wording.catalogue import speak_language, untranslated


def marginals(records: int) -> Scene:
    half = records // 2
    shares = (half / records, 1 - half / records)
    (scene,) = marginal_chart(Marginal("town", ("a", "b"), shares, shares[::-1], (records, records)))
    return scene


def learners(records: int) -> Scene:
    def figure(hits: int) -> Figure:
        return Figure(hits / records, 0.2, 0.9, records, SHARE_RIGHT)

    absent = Figure.absent(untranslated("none"))
    entry = ModelEntry.model_validate(
        {
            "learner": "decision-tree", "text": "learner.decision-tree", "target": "town",
            "task": untranslated("all values"), "folds": 4,
            "leaves": None,
            "original": figure(9).document(), "released_labels": absent.document(),
            "released_true_labels": figure(8).document(), "baseline": figure(6).document(),
        }
    )  # fmt: skip
    (scene,) = model_chart([entry], ["tree"])
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


def test_a_count_keeps_its_interval_in_percent() -> None:
    scene = learners(16)
    assert scene.rows[0].cells == ("tree", "9 of 16 (20% to 90%)", "8 of 16 (20% to 90%)")
    assert scene.rules[0].words == "most common value 6 of 16"
    assert "right for 6 of 16." in scene.source
    assert learners(160).rules[0].words == "most common value 4%"


def test_an_attack_on_few_people_is_counted() -> None:
    entry = attack(0)
    few = entry.model_copy(
        update={
            "success": Figure(0.5, 0.2, 0.8, 6, "share"),
            "control": Figure(0.5, 0.2, 0.8, 6, "share"),
            "chance": Figure(0.4, None, None, 6, "share"),  # a mean of chances is no count of six
        }
    )
    (scene,) = attack_chart([few], ["it"])
    assert scene.rows[0].cells == ("it", "40%", "3 of 6 (20% to 80%)", "3 of 6 (20% to 80%)")


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
