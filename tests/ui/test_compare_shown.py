"""What the Compare page writes and draws at its edges: cut names, points at the ends, figures that round to nothing."""

from __future__ import annotations

from dataclasses import replace

from ppdm_desktop.ui.pages.compare.side.tab import SideRow


def test_the_best_is_marked_only_where_it_reads_better() -> None:
    row = SideRow("Attack", ("withstood, 50", "withstood, 50", "does not apply"), (0.4996, 0.5002, float("nan")))
    assert row.differs
    assert row.best == frozenset()
    assert replace(row, cells=("withstood, 50", "withstood, 51", "withstood, 50")).best == {0}
    three = SideRow("Match", ("40 of 100", "40 of 100", "42 of 100"), (0.401, 0.402, 0.42))
    assert three.best == {0, 1}
