"""What pictures of the Compare page showed to be wrong: units, ends of lines, words without room."""

from __future__ import annotations

from typing import Any

import pytest

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.model import AttackEntry, AttackTail, Sentence
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.pages.compare.side.tab import _attack_words, _gained


def attack(id: str, value: float, unit: str) -> AttackEntry:
    figure = Figure(value, n=2_000, unit=unit)
    return AttackEntry(
        id=id,
        column="age",
        knows=Sentence.of("attack.knows.columns", {"columns": Term("x")}),
        success=figure,
        control=figure,
        chance=figure,
        advantage=figure,
        tail=AttackTail(share_sure_and_right=figure, control=figure),
        tolerance=None,
        sampled=2_000,
        severity="none",
        sentence=Sentence.of("attack.none"),
        levels=[],
        further={},
    )


@pytest.mark.parametrize(
    ("value", "unit", "words", "rank"),
    [
        (0.64, "noise sd", "remaining error 0.64", -0.64),
        (0.64, "share", ", 64%", 0.64),
        (0.00045, "share", ", less than 0.1%", 0.00045),
    ],
)
def test_attacks_side_by_side_say_their_unit(qapp: Any, value: float, unit: str, words: str, rank: float) -> None:
    shown = attack("noise-filter" if unit != "share" else "linkage", value, unit)
    assert _attack_words(shown).endswith(words)
    # Less is better for a share of people found; what the noise still hides counts the other way.
    assert _gained(shown) == rank
