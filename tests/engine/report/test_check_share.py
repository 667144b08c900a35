"""The figure of a check as a share: whatever its unit, from 0 to 1, so that maps and curves can draw it."""

from __future__ import annotations

import pytest

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.model.base import Sentence
from ppdm_desktop.engine.report.model.gate import CheckEntry


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
