"""How often a random test tries: seldom in the suite, which has to end in time, often before a delivery."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

ASKED = settings.get_profile(settings.get_current_profile_name()).max_examples
THOROUGH = ASKED > 1_000
"""Whether the profile ``thorough`` was asked for."""


def every_third(cases: Iterable[Any]) -> list[Any]:
    """Return the cases of a parametrised test with all but every third of them marked thorough."""
    marks = pytest.mark.thorough
    return [case if index % 3 == 0 else pytest.param(case, marks=marks) for index, case in enumerate(cases)]


def draws(few: int, many: int) -> int:
    """Return how often to try: ``few`` in the suite, ``many`` where ``thorough`` was asked for."""
    return many if THOROUGH else few


def examples(count: int) -> settings:
    """Half as many random cases in the suite, or as many as the profile ``thorough`` says."""
    return settings(max_examples=max(count, ASKED) if THOROUGH else max(count // 2, 5), deadline=None)
