"""Learners that grow few trees, for tests of what is said and not of how well is learnt."""

from __future__ import annotations

import dataclasses

import pytest

from ppdm_desktop.engine.release.disclosure import dependencies, side_information


def grow_few_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the learners of what other columns tell stop after eight trees."""
    few = dataclasses.replace(side_information.WHOLE, trees=8)
    for module in (dependencies, side_information):
        monkeypatch.setattr(module, "WHOLE", few)
