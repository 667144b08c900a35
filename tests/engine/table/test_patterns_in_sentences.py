"""What points at a person inside a sentence: titles, handles, plates, streets, postcodes, vehicles, Turkish numbers."""

from __future__ import annotations

import pytest

from ppdm_desktop.engine.table.patterns import find


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Mme Dubois a rappelé", "titled-name"),
        ("Frau Weber rief an", "titled-name"),
        ("Mrs Koch was upset", "titled-name"),
        ("Sr. Costa veio tarde", "titled-name"),
        ("writes as @anna_k91", "handle"),
        ("posts as @jan.fischer", "handle"),
        ("moved to 1017 AB Amsterdam", "postcode-place"),
        ("zieht nach 89073 Ulm", "postcode-place"),
        ("woont Kerkstraat 12", "street"),
        ("Atatürk Caddesi No 11", "street"),
        ("lives at 14 Mill Lane", "street"),
        ("12 rue de la Paix", "street"),
        ("kenteken XK-421-B", "plate"),
        ("fährt B-MW 1234", "plate"),
        ("plaka 34 ABC 120", "plate"),
        ("vehicle WVWZZZ1JZXW000001", "vehicle"),
        ("TC 10000000146", "national-id"),
    ],
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
