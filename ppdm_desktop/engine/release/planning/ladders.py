"""Ladders: for each column the ways ("rungs") to release it, from unchanged over generalised values to left out.

Each rung between the two is a rule of the method ``generalize``, made by the method's own functions, so that classes
counted on a ladder are those of the release.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, partial
from weakref import WeakKeyDictionary

import numpy as np

from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.generalisation import recoding
from ppdm_desktop.engine.methods.algorithms.generalisation.recoding import Recoding
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.recipe.models import COMMON
from ppdm_desktop.engine.release.measures.kept_shares import is_rough
from ppdm_desktop.engine.table.codes import MOST_CODES
from ppdm_desktop.engine.table.column import MISSING, Column, Table
from ppdm_desktop.engine.table.generalised_texts import code_length
from ppdm_desktop.engine.table.public_grid import NumberGrid, find_tail_cutoffs
from ppdm_desktop.engine.utility.generalisation import compute_lost_detail
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Name, Number, Term, to_year_or_amount

MERGED_SHARES = (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 0.75)
"""Shares of the records whose rarest categories become one value, from the finest rung to the coarsest."""
COMMON_SHARE = 0.1
"""Share of the records that a common name has at least."""
MOSTLY_DIFFERENT, FEWEST_DIFFERENT = 0.9, 20
"""Share of different values, and their least number, from which on categories without general forms are left out."""

SHARE_LIMITS = (0.9, 0.8)
"""Share of a class that must not have one confidential value, by how often a check asked for more different ones; nine
in ten is what the gate calls one secret.
"""
END_SHARES = (0.05, 0.1, 0.2, 0.3)
"""Least shares of the records that the lowest and the highest range of a number have, or each range of years."""
_MOST_CELLS = 1 << 20
"""Largest table of a column's and a confidential column's values for which merged ends are checked."""

Ends = tuple[Decimal, Decimal]
Parameters = Mapping[str, Mapping[str, object]]
_MADE: WeakKeyDictionary[Table, dict[str, Ladder]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Rung:
    """One way to release a column.

    Attributes
    ----------
    text
        What becomes of the column, in a few plain words.
    codes_of_categories
        int64, shape (categories + 1,): the value shown for each category, the last for missing (-1, or 0 if the column
        is left out). Category codes index it.
    loss
        Share of the column's usefulness that is lost, 0 to 1: the mean over the records with a value of (L + 2 L * L) /
        3, L = (values under the shown one - 1) / (values - 1); 1 for a column left out. This is how
        ``utility.usefulness`` counts a generalised value: L by itself, and L * L in each pair, which has two columns.
    is_rough
        Whether the column is left out, or shown so broadly that cards say "only roughly".
    parameters
        What makes the method ``generalize`` release this rung, by parameter and column; empty for unchanged, None if
        the column is left out.
    """

    text: Sentence
    codes_of_categories: Ints
    loss: float
    is_rough: bool
    parameters: Parameters | None

    @property
    def is_left_out(self) -> bool:
        """Whether the column is not released."""
        return self.parameters is None


@dataclass(frozen=True, eq=False)
class Ladder:
    """The ways to release one column by rising loss; the last leaves it out."""

    column: str
    rungs: tuple[Rung, ...]

    @cached_property
    def refines(self) -> Bools:
        """Whether equal values at rung i stay equal at rung j, bool of shape (rungs, rungs), indexed [i, j]."""
        codes = [rung.codes_of_categories for rung in self.rungs]
        return np.array([[_is_finer(fine, coarse) for coarse in codes] for fine in codes], dtype=np.bool_)


def ladder_of(table: Table, name: str) -> Ladder:
    """Return the ways to release a column, from unchanged to left out, by rising loss.

    It is made once for each table. Nearly unique categories without a generalised form have one rung only, which leaves
    them out.
    """
    ladders = _MADE.setdefault(table, {})
    if name not in ladders:
        ladders[name] = _make_ladder(table, table.column(name))
    return ladders[name]


def _make_ladder(table: Table, column: Column) -> Ladder:
    """Return a column's ways to be released, sorted by rising loss: unchanged, generalised, left out.

    "Left out" is always there. It is the only way for a column of nearly unique categories without a generalised form.
    """
    rungs: list[Rung] = []
    if not _should_be_left_out(column):
        rungs = [_build_unchanged_rung(column), *_yield_generalised_rungs(table, column)]
    top = lazy("{column} left out", column=Name(column.name))
    rungs.append(Rung(top, np.zeros(len(column.categories) + 1, dtype=np.int64), 1.0, True, None))
    return Ladder(column.name, tuple(sorted(rungs, key=lambda rung: rung.loss)))


def hides_common_name(column: Column, rung: Rung) -> bool:
    """Return whether a rung merges rare names into one value that hides a common name.

    The common name makes up at least nine in ten of the records with the merged value, and a tenth of all records with
    a value. Example: "woman" (900 of 1,000) merged with "unknown" (10): recipients would take all women for rare cases.
    False for a rung that does not merge rare names.
    """
    if "rare" not in (rung.parameters or {}):
        return False
    shown, counts = rung.codes_of_categories[:-1], column.category_counts
    joined = counts[np.bincount(shown)[shown] > 1]
    return bool(joined.max() >= max(COMMON_SHARE * counts.sum(), SHARE_LIMITS[0] * joined.sum()))


def _should_be_left_out(column: Column) -> bool:
    """Return whether a column can only be left out: nearly unique categories without a generalised form.

    They are nearly unique if there are at least 20 different ones, and at least 90 % as many as rows with a value.
    False for numbers, dates and ordered values, and with a hierarchy or codes that can be shortened.
    """
    values = len(column.categories)
    has_ladder = column.hierarchy is not None or (column.kind == "nominal" and code_length(column) is not None)
    if column.kind not in ("nominal", "text") or has_ladder or values < FEWEST_DIFFERENT:
        return False
    return values >= MOSTLY_DIFFERENT * int(column.category_counts.sum())


def _build_unchanged_rung(column: Column) -> Rung:
    """Return the way ("rung") of releasing a column unchanged, with a loss of 0."""
    codes = np.append(np.arange(len(column.categories)), MISSING)
    return Rung(lazy("{column} as it is", column=Name(column.name)), codes, 0.0, False, {})


def _yield_generalised_rungs(table: Table, column: Column) -> Iterator[Rung]:
    """Yield the generalised ways to show a column, without those that change nothing or repeat another.

    Nothing for fewer than three values; each way shows at least two values and fewer than the column. Ways that the
    method refuses, and ways that would show a text which means "missing" in the column, are passed over.
    """
    seen: set[bytes] = set()
    for parameters, recode in _yield_recodings(table, column) if len(column.categories) > 2 else ():
        try:
            rule = recode()
        except InputError:  # one range for all, or too many
            continue
        # In the order of the released column's categories: where equally many cells could be emptied, order decides.
        present = set(rule.texts)
        ordered = [text for text in rule.order or sorted(present) if text in present]
        place = {text: code for code, text in enumerate(ordered)}
        codes = np.array([*(place[text] for text in rule.texts), MISSING], dtype=np.int64)
        is_new = codes.tobytes() not in seen and column.missing_texts.isdisjoint(place)
        if is_new and 1 < len(place) < len(column.categories):
            seen.add(codes.tobytes())
            text = lazy("{column}: {how}", column=Name(column.name), how=Term(rule.how))
            lost = compute_lost_detail(column, np.arange(len(column.categories)), codes[:-1])
            counts = column.category_counts
            rough = is_rough(1.0 - float(np.average(lost, weights=counts)), np.bincount(codes[:-1], counts), counts)
            yield Rung(text, codes, _compute_loss(column, codes), rough, parameters)


def _yield_recodings(table: Table, column: Column) -> Iterator[tuple[Parameters, Callable[[], Recoding]]]:
    """Yield parameters of ``generalize``, and a function that makes the recoding they lead to, finest first.

    By levels of a hierarchy if there is one; else numbers by bands (by their width, see `_yield_bands`), dates by weeks
    to years (`_yield_periods`), ordered values by joining neighbours, codes by leading characters, other categories by
    joining the rarest. Nothing for free text without a hierarchy. The function takes no argument; it raises InputError
    if the method refuses the parameters.
    """
    name, length = column.name, None
    if column.hierarchy is not None:
        for level in range(1, column.hierarchy.height + 1):
            yield {"level": {name: level}}, partial(recoding.recode_by_level, column, level)
    elif column.kind == "numeric":
        yield from _yield_bands(table, column)
    elif column.kind == "date":
        yield from _yield_periods(table, column)
    elif column.kind == "ordinal":
        count = len(column.categories)
        while count > 2:
            count = (count + 1) // 2
            yield {"ranges": {name: count}}, partial(recoding.recode_ordered_groups, column, count)
    elif column.kind == "nominal" and (length := code_length(column)) is not None:
        for kept in range(length - 1, 0, -1):
            yield {"characters": {name: kept}}, partial(recoding.recode_by_prefix, column, kept)
    elif column.kind == "nominal":
        for share in MERGED_SHARES:
            yield {"rare": {name: share}}, partial(recoding.recode_rare_names, column, share)


def _yield_periods(table: Table, column: Column) -> Iterator[tuple[Parameters, Callable[[], Recoding]]]:
    """Yield weeks, then months up to ten years, as parameters and a function making the recoding of a date column.

    Neighbours are joined until each range has as many records as the smallest class size that anybody asks for; years
    also until each has a certain share of the records (`END_SHARES`). The function takes no argument.
    """
    name, least = column.name, _least_demand(table)
    yield {"weeks": {name: 1}, "fewest": {name: least}}, partial(recoding.recode_by_weeks, column, least)
    people = int(column.category_counts.sum())
    by_share = [max(least, math.ceil(share * people)) for share in END_SHARES]
    for months in recoding.MONTHS:
        for fewest in dict.fromkeys([least, *(by_share if months == 12 else ())]):
            parameters: Parameters = {"months": {name: months}, "fewest": {name: fewest}}
            yield parameters, partial(recoding.recode_by_months, column, months, fewest)


def _yield_bands(table: Table, column: Column) -> Iterator[tuple[Parameters, Callable[[], Recoding]]]:
    """Yield numeric bands 1, 2 and 5 times powers of ten wide, as parameters and a function making the recoding.

    Widths rise from the column's own step to at most its range without the ends. For each width come first bands in
    which about one in a hundred records at each end share an open band, then the same width with more values merged at
    the ends: up to twice, so that each end has as many people as the smallest class size that anybody asks for, and
    fewer than 90 or 80 % of them share a confidential value; and up to four times, so that each end has a certain share
    of the records (`END_SHARES`). If the two merged ends meet, there is one cut: "below 50" and "50 and up". The own
    step has merged ends only, and only up to 12 different values: "1", "2", "3" and "4 and up".
    """
    values, counts = column.counted_numbers()
    grid = NumberGrid.of(column)
    low, high = (Decimal(repr(float(values[index]))) for index in find_tail_cutoffs(counts))
    mergeable = [_MergeableEnds.of(table, column, values, limit) for limit in SHARE_LIMITS]
    mergeable += [_MergeableEnds.by_share(values, counts, share) for share in END_SHARES]
    unit, least = Decimal(1).scaleb(grid.step.adjusted()), max(grid.own_step, grid.step)
    while unit <= high - low:
        for width in (unit, 2 * unit, 5 * unit):
            if least <= width <= high - low and (width > grid.own_step or len(values) <= MOST_CODES):
                ends = (math.floor(low / width) * width, math.ceil(high / width) * width)
                if width > grid.own_step:
                    yield _make_band_recoding(column, width, ends, recoding.describe_range_width(width))
                for merged in dict.fromkeys(possible.ends(ends, width) for possible in mergeable):
                    if merged is not None and merged != ends:
                        yield _make_band_recoding(column, *_merge_band_ends(ends, merged, width))
        unit *= 10


def _merge_band_ends(ends: Ends, merged: Ends, width: Decimal) -> tuple[Decimal, Ends, Sentence]:
    """Return (width, ends, description) of bands for ``generalize`` between the ``merged`` ends.

    If the merged ends differ, such as 20 and 60, they are returned as the ends, with the width as given. If they are
    equal, such as 50 and 50, that is one cut: the width is multiplied by ten until only two bands are left, "below 50"
    and "50 and up", and the ends are the lower one of ``ends`` and the cut.
    """
    low, high = (to_year_or_amount(float(end), map(float, ends)) for end in merged)
    if merged[0] < merged[1]:
        how = lazy("ranges of {width} from {low} to {high}", width=Number(float(width)), low=low, high=high)
        return width, merged, how
    while abs(ends[0]) >= width or abs(merged[1]) >= width:
        width *= 10
    return width, (ends[0], merged[1]), lazy("below {low} and from {high} up as one value each", low=low, high=low)


def _make_band_recoding(
    column: Column, width: Decimal, ends: Ends, how: Sentence
) -> tuple[Parameters, Callable[[], Recoding]]:
    """Return parameters of ``generalize`` for bands of a width between two ends, and a function making the recoding.

    ``how`` is the sentence that describes the bands. The function takes no argument; it raises InputError if all values
    would be in one band, or if there would be more than 10,000 bands.
    """
    parameters: Parameters = {
        "width": {column.name: _to_plain_number(width)},
        "ends": {column.name: [_to_plain_number(end) for end in ends]},
    }
    return parameters, partial(_put_into_bands, column, width, ends, how)


def _put_into_bands(column: Column, width: Decimal, ends: Ends, how: Sentence) -> Recoding:
    """Return the recoding of a numeric column into bands of equal width, with the tails beyond ``ends`` joined.

    ``how`` describes it. InputError if no band begins within the column's bounds, so that all values would be in one,
    or if there would be more than 10,000.
    """
    return recoding.recode_by_cuts(column, recoding.width_cuts(column, width, ends), how)


@dataclass(frozen=True, eq=False)
class _MergeableEnds:
    """At which values a column's lowest and highest values can be merged, so that each end has enough records.

    Attributes
    ----------
    values
        The column's numbers, rising, shape (values,).
    below, upwards
        Entry i: whether the i lowest numbers, and whether all the others, may be one value; bool, shape (values + 1,).
    """

    values: Floats
    below: Bools
    upwards: Bools

    @classmethod
    def by_share(cls, values: Floats, counts: Ints, share: float) -> _MergeableEnds:
        """Return at which values the ends may be merged if each must have at least ``share`` (0 to 1) of the records.

        ``counts`` is the number of records of each of the rising ``values``, both of shape (values,).
        """
        reached = np.append(0, np.cumsum(counts))
        return cls(values, reached >= share * reached[-1], reached[-1] - reached >= share * reached[-1])

    @classmethod
    def of(cls, table: Table, column: Column, values: Floats, share_limit: float) -> _MergeableEnds:
        """Return at which values a column's ends may be merged.

        The records of a merged end must be at least the smallest class size that anybody in the table asks for, and
        less than ``share_limit`` of them (0 to 1) may share a confidential value. Any number may share a value that in
        the whole table at least ``share_limit`` or 90 % of the records have, whichever is less. Confidential columns
        that make more than 2**20 pairs of values with this column are not looked at. ``values`` are the column's
        numbers, rising.
        """
        least = _least_demand(table)
        reached = np.append(0, np.cumsum(column.category_counts))
        below, upwards = reached >= least, reached[-1] - reached >= least
        for secret in table.with_role("confidential"):
            count = len(secret.categories)
            shares = secret.category_counts / max(table.rows, 1)
            is_secret = shares < min(share_limit, COMMON) - GRID
            if not is_secret.any() or count * len(values) > _MOST_CELLS:
                continue
            is_present = (secret.category_codes >= 0) & (column.category_codes >= 0)
            cells = column.category_codes[is_present].astype(np.int64) * count + secret.category_codes[is_present]
            counts = np.bincount(cells, minlength=count * len(values)).reshape(len(values), count)[:, is_secret]
            running_counts = np.vstack([np.zeros(counts.shape[1]), np.cumsum(counts, axis=0)])
            below &= running_counts.max(axis=1) < share_limit * reached - GRID
            upwards &= (running_counts[-1] - running_counts).max(axis=1) < share_limit * (reached[-1] - reached) - GRID
        return cls(values, below, upwards)

    def ends(self, ends: Ends, width: Decimal) -> Ends | None:
        """Return the two cuts below and above which values are merged; None if no cut leaves enough people beyond it.

        Cuts are multiples of ``width`` counted from the lower of ``ends``; each moves inwards only as far as needed:
        (20, 60) means "below 20" and "60 and up". If the two would meet or cross, one cut comes back twice, (50, 50),
        that leaves about equally many different values on both sides; None if no cut suits both sides.
        """
        count = int((ends[1] - ends[0]) / width) + 1
        cuts = [ends[0] + step * width for step in range(count)]
        index = np.searchsorted(self.values, np.array([float(cut) for cut in cuts]))
        low, high = np.flatnonzero(self.below[index]), np.flatnonzero(self.upwards[index])
        if not len(low) or not len(high):
            return None
        if low[0] < high[-1]:
            # An end that is one value is shown as that value.
            first = low[0] - (low[0] > 0 and index[low[0]] == 1)
            last = high[-1] + (high[-1] + 1 < count and index[high[-1]] == len(self.values) - 1)
            return cuts[first], cuts[last]
        both = np.intersect1d(low, high)
        if not len(both):
            return None
        middle = both[int(np.argmin(np.abs(2 * index[both] - len(self.values))))]
        return cuts[middle], cuts[middle]


def _least_demand(table: Table) -> int:
    """Return the smallest class size that anybody asks for, in people; 1 for an empty table."""
    return int(levels_of(table).of("group").min()) if table.rows else 1


def _to_plain_number(number: Decimal) -> float:
    """Return a number as int if it is whole, else as float."""
    return int(number) if number == number.to_integral_value() else float(number)


def _compute_loss(column: Column, codes: Ints) -> float:
    """Return the share of a column's information that a generalised rung loses, from 0 to 1, as `Rung.loss` defines it.

    It is the mean of (L + 2 L * L) / 3 over the records with a value. L = (values merged into the shown value - 1) /
    (all different values - 1): of 5 values, one merged with another has L = 0.25.

    ``codes`` is the code of the value shown for each category; the last one is that of missing values. The column needs
    at least two values.
    """
    released_codes, counts = codes[:-1], column.category_counts
    lost = (np.bincount(released_codes)[released_codes] - 1) / (len(released_codes) - 1)
    return float(counts @ (lost + 2 * lost * lost)) / (3 * float(counts.sum()))


def _is_finer(fine: Ints, coarse: Ints) -> bool:
    """Return whether all categories with equal codes in ``fine`` have equal codes in ``coarse`` as well.

    True also if the two are equal: bands of 10 years are as fine as, or finer than, bands of 20 with the same cuts.
    Both have shape (categories + 1,), the last entry for missing.
    """
    coarse_of_fine = np.zeros(len(fine) + 1, dtype=np.int64)
    coarse_of_fine[fine + 1] = coarse
    return bool((coarse_of_fine[fine + 1] == coarse).all())
