"""What attacks say: values and no words, written on the side of the limit where they lie, and said again from data."""

from __future__ import annotations

import pytest

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.base import share_of
from ppdm_desktop.engine.release.attack_audit.identity_attacks import NamingAttack, naming_sentence, naming_words
from ppdm_desktop.engine.release.attack_audit.linkage import Linkage
from ppdm_desktop.engine.release.attack_audit.nearest_record import NearestRecord
from ppdm_desktop.engine.report.model import Sentence
from ppdm_desktop.engine.wording.catalogue import speaking, untranslated
from ppdm_desktop.engine.wording.texts import Note, render
from ppdm_desktop.engine.wording.values import LimitOf, Names, Ratio, Share, Value, Versus, from_data


@pytest.mark.parametrize(
    ("figure", "value"),
    [
        (Figure(0.625, n=16, unit="share"), Share(10, 16)),
        (Figure(37_654 / 101_766, n=101_766, unit="share"), Share(37_654, 101_766)),
        # A mean of probabilities counts nobody: 11 of 16 equally near records each are taken with a chance of one half.
        (Figure(5.5 / 16, n=16, unit="share"), Ratio(5.5 / 16)),
        (Figure(0.05, unit="share"), Ratio(0.05)),
        (Figure.absent(untranslated("no record to attack"), unit="share"), Ratio(None)),
    ],
)
def test_people_are_counted_and_probabilities_are_not(figure: Figure, value: Share | Ratio) -> None:
    assert share_of(figure) == value


@pytest.mark.parametrize(("high", "most", "limit"), [(0.2004, "21%", "20%"), (0.1996, "19.96%", "20%")])
def test_the_upper_end_reads_on_its_side_of_the_limit(high: float, most: str, limit: str) -> None:
    words = naming_words(Figure(0.15, 0.12, high, n=100, unit="share"), 0.01, 0.2)
    said = render("attack.linkage.some", {"columns": Names(("Age", "City")), **words}).sentence
    assert f"for 15% of the people. With 95% certainty it is at most {most} (limit: {limit})." in said
    assert words["most"] == Versus(high, 0.2, end="high")
    assert words["limit"] == LimitOf(high, 0.2)


def test_an_exact_share_is_its_own_upper_end() -> None:
    assert naming_words(Figure(0.15, n=100, unit="share"), 0.01, 0.2)["most"] == Versus(0.15, 0.2, end="high")


def test_the_report_keeps_values_and_says_them_again() -> None:
    values: dict[str, Value] = {
        "column": Names(("Pay",)),
        "success": Share(10, 16),
        "inner": Note("attack.unit.tries", {"tried": 1}),
    }
    kept = Sentence.of("attack.inference.none", values)
    again = Sentence.model_validate_json(kept.model_dump_json())
    assert again == kept
    assert {name: from_data(each) for name, each in again.arguments.items()} == values
    for code in ("en", "de"):
        with speaking(code):
            assert str(from_data(again.arguments["inner"])) == str(values["inner"])


@pytest.mark.parametrize("attack", [Linkage, NearestRecord])
def test_a_result_beyond_a_limit_says_whose_limit_it_is(attack: type[NamingAttack]) -> None:
    over, within = Figure(0.2, low=0.1, high=0.3), Figure(0.05, low=0.01, high=0.1)
    assert naming_sentence(attack, "serious", over, 0.2) == f"attack.{attack.id}.serious"
    assert naming_sentence(attack, "serious", within, 0.2) == f"attack.{attack.id}.serious-level"
    assert naming_sentence(attack, "some", within, 0.2) == f"attack.{attack.id}.some"
    words: dict[str, Value] = {"columns": Names.of(["Age"]), "hits": Ratio(0.1), **naming_words(within, 0.01, 0.2)}
    said = [render(f"attack.{attack.id}.serious{each}", words).sentence for each in ("", "-level")]
    assert ["protection level" in each for each in said] == [False, True]
