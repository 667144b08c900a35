"""What the tests of subsets of columns share: small tables, and who is alone by comparing everybody with everybody."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from ppdm_desktop.engine.identifiability.risk import MATCHES_ANYTHING
from ppdm_desktop.engine.table.column import Column

Row = tuple[str, ...]
CENSUS = ("age", "education", "marital-status", "occupation", "race", "sex", "native-country")
ROWS = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[st.sampled_from(["", "a", "b", "c"])] * width), max_size=12).map(
        lambda rows: (width, rows)
    )
)


def columns_of(rows: Sequence[Row], width: int) -> list[Column]:
    """Return columns q0, q1, ... of some rows."""
    return [Column.from_texts(f"q{i}", [row[i] for row in rows]) for i in range(width)]


def lonely(rows: list[Row], places: tuple[int, ...], rule: str) -> list[int]:
    """Return the rows that match no other in some columns."""

    def same(a: str, b: str) -> bool:
        return a == b or (rule == MATCHES_ANYTHING and "" in (a, b))

    return [i for i, a in enumerate(rows) if sum(all(same(a[place], b[place]) for place in places) for b in rows) == 1]
