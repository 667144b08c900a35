"""What points at a person inside a sentence: titles, handles, plates, streets, postcodes, vehicles, Turkish numbers."""

from __future__ import annotations

import pytest
from cases import case_rows

from ppdm_desktop.engine.table.patterns import find


@pytest.mark.parametrize(
    ("text", "kind"),
    case_rows("patterns-in-sentences-it-is-seen"),
)
def test_it_is_seen(text: str, kind: str) -> None:
    assert [finding.kind for finding in find(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "Frau und Mann",
        "Sr. Developer",
        "asked @ noon",
        "moved in 2017 to Amsterdam",
        "spent in 10000 Euro",
    ]
    + ["B-MW 1234", "34 ABC 120", "ward 12, bed 4", "50 mg twice a day", "took 2 or 3 tablets", "stage 2 of 4"],
)
def test_nobody_is_meant(text: str) -> None:
    assert find(text) == []
