"""How far columns that are released unchanged determine the values of a hidden column, by combinations or by formulas.

Hiding a column protects nothing where other columns reveal its values: a second coding of it, hours and rate where the
pay is hidden, or the parts where the total is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import combinations, product

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, AnyInts, Bools, Floats, Ints, on_grid, to_smallest_int_type
from ppdm_desktop.engine.attacks.uncertainty import half_widths
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes

LARGEST_SET = 3
_LEAST_RISE = 0.02
"""A column is added to a set of three only if the share that it determines rises by more, or to `DETERMINED`."""
FEWEST_SHARED, LEAST_SHARED = 20, 0.05
"""With fewer people who share a combination with others, by number or by share of all, nothing is concluded."""
DETERMINED = 0.95
"""Share of the people, beyond chance, from which on a set of columns counts as determining another."""
_MOST_TRIPLES = 600
_MOST_NUMBERS = 16
_SCREENED = 200
_MOST_SETS_KEPT = 8_000
_BLOCK = 1_000
_ANCHORS = (0.05, 0.12, 0.2, 0.28, 0.36, 0.42)
"""Quantiles of a formula's values through which a line is laid; its other point is as far from the top."""
_SCREEN_STEPS, _SCREEN_SHARE = 2.0, 0.8
_LARGE_CLASS, _ONE_IN = 64, 8
_UNLIKELY = np.log(1e-9)
_MOST_FITTED, _PEOPLE_BY_WEIGHT = 12, 10
"""Columns with weights at most, and people needed for each weight, so that chance alone is not fitted."""
_FITTED_SHARE = 0.9
"""Share of the people to whom weights are fitted again, without those that fit worst."""
_LARGEST_REST, _LEAST_PART = 0.1, 0.001
"""Median distance and least part of a term, as shares of the target's spread, for all terms to be worth a trial."""
_LARGEST_EXPONENT, _TINY = 700.0, 1e-300
_OPERATIONS = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}


@dataclass(frozen=True, eq=False)
class FixedBySet:
    """A set of columns whose combinations of values determine another column.

    Attributes
    ----------
    columns
        Indices of the columns among those searched.
    share
        Among the people who share their combination with others, the share of those whose combination shows only one
        value; what chance would produce is subtracted.
    revealed
        Flags of people who share such a combination with one value, shape (people,).
    shared
        How many people share their combination with others.
    """

    columns: tuple[int, ...]
    share: float
    revealed: Bools
    shared: int


class _SetCounts:
    """Counts for one set of columns: its classes of equal values, their sizes, and people in mixed classes.

    A class is mixed if a hidden column has several values in it. Sizes and people in mixed classes are stored by a
    digest of the column's contents.
    """

    def __init__(self) -> None:
        """Create the counts of a set about which nothing was counted yet."""
        self.classes: int | None = None
        self.sizes: dict[bytes, tuple[Ints, Ints]] = {}
        self.mixed: dict[bytes, int] = {}


class CountedSets:
    """Stored counts of sets of columns, so that later rounds of planning need not count unchanged columns again.

    Sets are looked up by digests of their columns' contents.
    """

    def __init__(self) -> None:
        """Create an empty store."""
        self._of_set: dict[tuple[bytes, ...], _SetCounts] = {}

    def of(self, contents: tuple[bytes, ...]) -> _SetCounts:
        """Return the stored counts of the set of columns with these digests; new, empty ones for a new set.

        The caller adds to the counts in place. When 8,000 sets are stored, all of them are deleted first, even if the
        wanted one is among them.
        """
        if len(self._of_set) >= _MOST_SETS_KEPT:
            self._of_set.clear()
        return self._of_set.setdefault(contents, _SetCounts())


def find_determining_sets(
    givers: Sequence[Ints],
    hidden: Sequence[Ints],
    *,
    itself: Sequence[int | None] | None = None,
    counted: CountedSets | None = None,
) -> list[FixedBySet | None]:
    """Return for each hidden column the set of columns that determines it best, None if no set does.

    The result is in the order of ``hidden``. Sets of one to three columns are searched. If the best has three and does
    not determine the column, columns are added to it; the larger set counts only if its share is at least 0.95 and each
    further column but the last raised it by more than 0.02. The share of a set is (f - c) / (1 - c), computed from the
    people who share their combination of values with others: f is the share of these people whose combination shows a
    single hidden value, and c is what f would be if the hidden values were shuffled. None means that hardly anyone
    shares a combination, or that no set was found with a share above 0 that counts. A share of 0.95 (`DETERMINED`) or
    more counts only if chance would produce so many combinations with a single value less than once in a thousand
    million times. A smaller share counts without that test.

    Parameters
    ----------
    givers
        Codes of each column that may determine the hidden ones, int64, shape (people,) each; -1 for a missing value,
        which counts as a value.
    hidden
        Codes of each hidden column; people without a value (-1) are left out.
    itself
        For each hidden column the index of a column in ``givers`` that is a generalised version of it and is not used
        for it; None where there is no such column.
    counted
        Counts of earlier searches, which are used again and to which new ones are added.

    Notes
    -----
    A set is ignored if a subset of it already determines the column, if one of its columns splits no class of the
    others, or if hardly anyone (fewer than 20 people, or under 5 % of those with a value) shares the values of a subset
    with others. If there are more than 600 sets of three columns, only those are searched that extend the pairs with
    the largest share.
    """
    columns = [_Hidden.of(codes) for codes in hidden]
    search = _SetSearch(columns, itself or [None] * len(columns))
    counted, contents = counted or CountedSets(), [_hash_array(codes) for codes in givers]
    strength: dict[tuple[int, ...], float] = {}
    for chosen in _list_column_sets(len(givers), strength):
        progress.check()
        open_columns = search.open_columns(frozenset(chosen))
        if not open_columns:
            continue
        counts = counted.of(tuple(contents[index] for index in chosen))
        giving = _GivingSet([givers[index] for index in chosen], counts)
        if not search.is_redundant(frozenset(chosen), giving.class_count):
            strength[chosen] = search.look_at(chosen, open_columns, giving)
    for index in range(len(columns)):
        search.enlarge(index, givers)
    return search.fixed


def _hash_array(codes: AnyInts | Bools) -> bytes:
    """Return the SHA-256 digest of an array's bytes."""
    return sha256(codes.tobytes()).digest()


class _GivingSet:
    """A set of columns and its classes of people with equal values in all of them, computed only when needed."""

    def __init__(self, givers: Sequence[Ints], counts: _SetCounts) -> None:
        """Store the codes of the columns and their counts; the classes are computed only when they are needed."""
        self._givers, self._counts = givers, counts

    @cached_property
    def classes(self) -> Classes:
        """Return the classes of people who share a value in each column of the set, computed once."""
        return classes_of_codes(self._givers, len(self._givers[0]))

    @property
    def class_count(self) -> int:
        """Return the number of classes, counted only where no earlier search has counted them.

        Classes of one person are included, and a missing value counts as a value.
        """
        if self._counts.classes is None:
            self._counts.classes = self.classes.count
        return self._counts.classes

    def sizes(self, column: _Hidden) -> tuple[Ints, Ints]:
        """Return the distinct class sizes of at least 2, rising, and how many classes have each size.

        Only people with a value of the hidden ``column`` are counted. The result is stored, so that it is counted once
        for each such set of people.
        """
        if column.known_content not in self._counts.sizes:
            self._counts.sizes[column.known_content] = _count_class_sizes(self._find_classes_and_sizes(column)[1])
        return self._counts.sizes[column.known_content]

    def count_mixed(self, columns: Sequence[_Hidden]) -> Ints:
        """Return for each hidden column how many people are in a class with several of its values.

        A class is the people with equal values in all columns of this set. The result has shape (columns,). All columns
        must have values for the same people. Counts are stored by the column's content.
        """
        mixed = self._counts.mixed
        new = [column for column in columns if column.content not in mixed]
        if new:
            for column, count in zip(
                new, _count_mixed(new, *self._find_classes_and_sizes(new[0])).tolist(), strict=True
            ):
                mixed[column.content] = count
        return np.array([mixed[column.content] for column in columns])

    def _find_classes_and_sizes(self, column: _Hidden) -> tuple[Ints, Ints]:
        """Return the class of each person with a value of the hidden column, and how many such people classes have."""
        ids = self.classes.ids if len(column.rows) == len(self.classes.ids) else self.classes.ids[column.rows]
        return ids, np.bincount(ids, minlength=self.classes.count)


class _SetSearch:
    """State of a search: the best set found for each hidden column, and the sets that need no further columns."""

    def __init__(self, columns: Sequence[_Hidden], itself: Sequence[int | None]) -> None:
        """Start a search for these hidden columns, without any set found.

        ``itself`` has, for each hidden column, the index of the visible column that is a generalised version of it, or
        None.
        """
        self.fixed: list[FixedBySet | None] = [None] * len(columns)
        self._columns, self._itself = columns, itself
        self._determining_sets: list[list[frozenset[int]]] = [[] for _ in columns]
        self._sparse: list[frozenset[int]] = []
        self._counts: dict[frozenset[int], int] = {}
        self._with_same_people = [
            [index for index, column in enumerate(columns) if np.array_equal(column.known, known)]
            for known in {column.known.tobytes(): column.known for column in columns}.values()
        ]

    def open_columns(self, subset: frozenset[int]) -> list[int]:
        """Return the indexes of the hidden columns that a set may determine better than its subsets do.

        A column is left out if a subset already determines at least 0.95 of it, or if the set contains a generalised
        version of it. The list is empty where fewer than 20 people, or under 5 % of those with a value, share the
        values of a subset.
        """
        if any(smaller <= subset for smaller in self._sparse):
            return []
        return [
            index
            for index, determining_sets in enumerate(self._determining_sets)
            if self._itself[index] not in subset and not any(smaller <= subset for smaller in determining_sets)
        ]

    def is_redundant(self, subset: frozenset[int], count: int) -> bool:
        """Store the set's number of classes and return whether leaving out one column leaves as many.

        ``count`` is that number. If it stays, the column adds nothing to the set. False for a single column, and where
        no smaller set was searched before.
        """
        self._counts[subset] = count
        return len(subset) > 1 and any(self._counts.get(subset - {index}) == count for index in subset)

    def look_at(self, chosen: tuple[int, ...], open_columns: Sequence[int], giving: _GivingSet) -> float:
        """Store the set for each open column that it determines better than earlier sets; return its largest share.

        Results are stored in ``fixed``; the method also records which sets need no further columns. A share of 0.95 or
        more is stored only where chance does not explain it, but the share returned may be one that is not stored.
        Returns 0.0 where fewer than 20 people, or under 5 % of those with a value, share a class.
        """
        best, is_sparse = 0.0, True
        for indices in self._with_same_people:
            asked = [index for index in indices if index in open_columns]
            if not asked:
                continue
            known_shares = [_read_determined_share(self.fixed[index]) for index in asked]
            determined = _compute_determined_shares([self._columns[index] for index in asked], known_shares, giving)
            if determined is None:
                continue
            is_sparse, (shares, shared) = False, determined
            best = max(best, *shares)
            for index, share in zip(asked, shares, strict=True):
                column, is_determined = self._columns[index], share >= DETERMINED - GRID
                if share <= _read_determined_share(self.fixed[index]) + GRID:
                    continue
                if is_determined and not column.is_no_chance(giving.classes.ids, giving.class_count):
                    continue
                self.fixed[index] = FixedBySet(chosen, share, column.revealed_by(giving.classes), shared)
                if is_determined:
                    self._determining_sets[index].append(frozenset(chosen))
        if is_sparse:
            self._sparse.append(frozenset(chosen))
        return best

    def enlarge(self, index: int, givers: Sequence[Ints]) -> None:
        """Add columns to a hidden column's best set of three until it determines the column, best columns first.

        This finds a column that many yes/no columns determine together, one for each of its values. The set of three
        stays if no larger one determines it: the search ends as soon as the best further column raises the share by
        0.02 or less without reaching 0.95. Nothing happens where the best set has fewer columns or determines the
        column already. ``index`` is that of the hidden column; the larger set is stored in ``fixed``.
        """
        start = best = self.fixed[index]
        while best is not None and len(best.columns) >= LARGEST_SET and best.share < DETERMINED - GRID:
            progress.check()
            for column in range(len(givers)):
                chosen = tuple(sorted({*best.columns, column}))
                if len(chosen) > len(best.columns) and self.open_columns(frozenset(chosen)).count(index):
                    self.look_at(chosen, [index], _GivingSet([givers[giver] for giver in chosen], _SetCounts()))
            before, best = best, self.fixed[index]
            if best is None or best.share <= min(before.share + _LEAST_RISE, DETERMINED - GRID):
                self.fixed[index] = start
                return


def _compute_determined_shares(
    columns: Sequence[_Hidden], earlier: Sequence[float], giving: _GivingSet
) -> tuple[list[float], int] | None:
    """Return the share of each column that a set determines beyond chance, and how many people share a class.

    All columns must have values for the same people. None where fewer than 20 people (`FEWEST_SHARED`), or less than 5
    % (`LEAST_SHARED`) of those with a value, share a class with others. As a shortcut, a share is 0.0 where it cannot
    exceed the smaller of the column's entry in ``earlier`` and the largest share of this set so far, even before chance
    is subtracted. A share is at least 0.
    """
    kinds, times = giving.sizes(columns[0])
    shared = int(kinds @ times)
    if shared < max(FEWEST_SHARED, LEAST_SHARED * len(columns[0].rows)):
        return None
    right = (shared - giving.count_mixed(columns)) / shared
    weights, shares, most = kinds * times, [0.0] * len(columns), 0.0
    for index in np.argsort(-right, kind="stable").tolist():
        if right[index] > min(earlier[index], most):
            chance = float(np.sum(weights * columns[index].pure_by_chance(kinds))) / shared
            shares[index] = max(float(right[index]) - chance, 0.0) / (1 - chance if chance < 1 else np.inf)
            most = max(most, shares[index])
    return shares, shared


def _count_mixed(columns: Sequence[_Hidden], class_ids: Ints, sizes: Ints) -> Ints:
    """Return for each column how many people are in a class that shows several values of it, int64, shape (columns,).

    ``class_ids`` has the class of each person with a value, ``sizes`` the number of people in each class. Where classes
    have 64 people or more on average, they are first tested on every eighth person; classes that show several values of
    every column already there are not tested again. The result is exact either way.
    """
    is_open, mixed_in_all = sizes > 1, 0
    if len(class_ids) >= _LARGE_CLASS * len(sizes):
        part = np.arange(0, len(class_ids), _ONE_IN)
        classes, _, mixed = _find_mixed_classes(columns, class_ids, part)
        is_open[classes[mixed.all(axis=0)]] = False
        mixed_in_all = int(sizes[(sizes > 1) & ~is_open].sum())
    rows = np.flatnonzero(is_open[class_ids])
    if not len(rows):
        return np.full(len(columns), mixed_in_all)
    _, members, mixed = _find_mixed_classes(columns, class_ids, rows)
    return mixed_in_all + (mixed.astype(np.float64) @ members).astype(np.int64)


def _find_mixed_classes(columns: Sequence[_Hidden], class_ids: Ints, rows: Ints) -> tuple[Ints, Ints, Bools]:
    """Return the classes of the given rows, ascending, how many rows each has, and which classes show several values.

    The last array is bool, shape (columns, classes). ``rows`` must not be empty.
    """
    order = rows[np.argsort(to_smallest_int_type(class_ids[rows]), kind="stable")]
    ordered_ids = class_ids[order]
    first = np.concatenate([[0], 1 + np.flatnonzero(ordered_ids[1:] != ordered_ids[:-1])])
    last = np.append(first[1:], len(rows)) - 1
    # In the order of classes a mixed one is where the value changes between its first and its last row.
    values = np.stack([column.codes[order] for column in columns])
    changes = np.zeros(values.shape, dtype=np.int32)
    np.not_equal(values[:, 1:], values[:, :-1], out=changes[:, 1:])
    changes[:, first] = 0
    np.cumsum(changes, axis=1, out=changes)
    return ordered_ids[first], last - first + 1, changes[:, last] > changes[:, first]


def _read_determined_share(fixed_by_set: FixedBySet | None) -> float:
    """Return the share that the set determines, 0 where there is no set."""
    return fixed_by_set.share if fixed_by_set is not None else 0.0


def _list_column_sets(columns: int, strength: dict[tuple[int, ...], float]) -> Iterator[tuple[int, ...]]:
    """Yield sets of one to three column indexes to search, with at most 600 sets of three.

    If there are more sets of three, the 600 are yielded that extend the strongest pairs, strongest pair first. The
    caller fills ``strength`` with the share of each set while it consumes the sets.
    """
    for size in (1, 2):
        yield from combinations(range(columns), size)
    triples = columns * (columns - 1) * (columns - 2) // 6
    if triples <= _MOST_TRIPLES:
        yield from combinations(range(columns), LARGEST_SET)
        return
    seen: set[tuple[int, ...]] = set()
    for pair in sorted(
        (pair for pair in strength if len(pair) == 2), key=lambda pair: (-on_grid(strength[pair]), pair)
    ):
        for more in range(columns):
            chosen = tuple(sorted({*pair, more}))
            if len(chosen) < LARGEST_SET or chosen in seen:
                continue
            if len(seen) == _MOST_TRIPLES:
                return
            seen.add(chosen)
            yield chosen


@dataclass(frozen=True, eq=False)
class _Hidden:
    """A hidden column, reduced to the rows that have a value.

    It holds these rows, the codes of their values, and how many values have each frequency.
    """

    rows: Ints
    codes: AnyInts
    frequencies: Ints
    values: Ints
    known: Bools
    chances: Floats
    """By class size, what ``pure_by_chance`` returns for it; NaN where it was not asked yet."""
    content: bytes
    known_content: bytes

    @classmethod
    def of(cls, codes: Ints) -> _Hidden:
        """Return a hidden column from its codes; people whose code is -1 (missing) are left out."""
        present = codes >= 0
        rows = np.flatnonzero(present)
        own_codes = codes[rows].astype(np.int64)
        counts = np.bincount(own_codes)
        frequencies, values = np.unique(counts[counts > 0], return_counts=True)
        chances, contents = np.full(len(rows) + 1, np.nan), (_hash_array(codes), _hash_array(present))
        return cls(rows, to_smallest_int_type(own_codes), frequencies, values, present, chances, *contents)

    def revealed_by(self, classes: Classes) -> Bools:
        """Return who is in a class of several people that shows a single value, bool, shape (people,).

        People without a value do not count in their class, and are False.
        """
        class_ids = classes.ids[self.rows]
        pure = (np.bincount(class_ids, minlength=classes.count) > 1) & _find_one_value_classes(
            class_ids, classes.count, self.codes
        )
        return pure[classes.ids] & self.known

    def is_no_chance(self, ids: Ints, count: int) -> bool:
        """Return whether chance hardly explains how few classes show several values of the column.

        If values were shuffled among people, so few classes with several values would have a probability of at most
        1e-9, by a Chernoff bound.

        Parameters
        ----------
        ids, count
            Class of every row of the table, shape (rows,), and the number of classes. Only rows with a value count.
        """
        class_ids = ids[self.rows]
        sizes = np.bincount(class_ids, minlength=count)
        many = sizes > 1
        mixed = int((many & ~_find_one_value_classes(class_ids, count, self.codes)).sum())
        kinds, times = _count_class_sizes(sizes)
        pure = self.pure_by_chance(kinds)
        tilts = np.concatenate([np.linspace(0, 6, 25), [10.0, 20.0, 50.0, 700.0]])
        with np.errstate(divide="ignore"):
            bounds = [
                tilt * mixed + float(times @ np.log(pure + (1 - pure) * np.exp(-tilt))) for tilt in tilts.tolist()
            ]
        return bool(min(bounds) <= _UNLIKELY)

    def pure_by_chance(self, sizes: Ints) -> Floats:
        """Return for each group size the chance that so many people, drawn without replacement, share one value.

        They are drawn from the people with a value of this column. ``sizes`` are at least 1 and at most the number of
        people with a value. Results have the shape of ``sizes`` and are stored.
        """
        new = sizes[np.isnan(self.chances[sizes])]
        if len(new):
            factorials, people = _log_factorials(len(self.codes)), len(self.codes)
            # Chosen among those of each value, over chosen among all; nobody can be chosen twice.
            left = self.frequencies[:, None] - new[None]
            ways = factorials[self.frequencies][:, None] - factorials[np.maximum(left, 0)]
            every = factorials[people] - factorials[people - new]
            chances = np.where(left >= 0, np.exp(ways - every), 0.0)
            # A sum of rows: that of one size never depends on which others are asked with it.
            self.chances[new] = np.minimum((self.values[:, None] * chances).sum(axis=0), 1.0)
        return np.asarray(self.chances[sizes])


@lru_cache(maxsize=8)
def _log_factorials(most: int) -> Floats:
    """Return the natural logarithms of 0!, 1!, ..., ``most``!, shape (most + 1,)."""
    from scipy.special import gammaln

    return np.asarray(gammaln(np.arange(most + 1) + 1.0))


def _count_class_sizes(sizes: Ints) -> tuple[Ints, Ints]:
    """Return the distinct class sizes from 2 on, rising, and the number of classes of each size."""
    times = np.bincount(sizes, minlength=2)
    kinds = 2 + np.flatnonzero(times[2:])
    return kinds, times[kinds]


def _find_one_value_classes(ids: Ints, count: int, codes: AnyInts) -> Bools:
    """Return which classes show no two different codes, bool, shape (classes,); True for a class without rows, too."""
    any_code = np.zeros(count, dtype=np.int64)
    any_code[ids] = codes
    pure = np.ones(count, dtype=np.bool_)
    pure[ids[codes != any_code[ids]]] = False
    return pure


@dataclass(frozen=True)
class Form:
    """A formula of one to three columns, such as a + b · c, compared with a hidden number up to scale and offset.

    Attributes
    ----------
    columns
        Indices of the columns.
    signs
        How the second and the third column are joined: ``+``, ``-``, ``*`` or ``/``.
    """

    columns: tuple[int, ...]
    signs: str

    def of(self, numbers: Floats) -> Floats:
        """Return the formula's value for each person, from numbers of shape (people, columns), NaN where missing."""
        return np.asarray(_compute_formula_values([self], numbers)[0])

    def format(self, names: Sequence[str]) -> str:
        """Return the formula as text with the columns' names, such as "hours × rate − tax".

        ``names`` are the names of all columns that formulas can use; ``columns`` holds indices into them.
        """
        marks = {"+": "+", "-": "−", "*": "×", "/": "/"}
        text = names[self.columns[0]]
        for sign, column in zip(self.signs, self.columns[1:], strict=True):
            text += f" {marks[sign]} {names[column]}"
        return text


def _compute_formula_values(forms: Sequence[Form], numbers: Floats) -> Floats:
    """Return the values of formulas, shape (forms, people), from numbers of shape (people, columns).

    NaN where a number that the formula uses is missing, or the result is not finite. Operators are applied from left to
    right, without precedence: a + b · c is (a + b) · c.
    """
    columns, last = np.ascontiguousarray(numbers.T), LARGEST_SET - 1
    values = columns[[form.columns[0] for form in forms]]
    signs = np.array([list(form.signs.ljust(last)) for form in forms])
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for position, (sign, operation) in product(range(last), _OPERATIONS.items()):
            with_sign = np.flatnonzero(signs[:, position] == sign)
            operands = columns[[forms[index].columns[position + 1] for index in with_sign.tolist()]]
            values[with_sign] = operation(values[with_sign], operands)
    values[~np.isfinite(values)] = np.nan
    return values


@dataclass(frozen=True, eq=False)
class DeterminingFormula:
    """A formula that determines a hidden number, with its guess for each person.

    Attributes
    ----------
    form
        The formula.
    share
        (s - c) / (1 - c), at least 0: s is the share of ``people`` whose number the formula gives to within half a
        step, and c is the share that one number for all would reach.
    guesses
        The formula's values after scaling, shape (people,), NaN where it or the hidden column has no value.
    revealed
        Flags of people whose guess is right, shape (people,).
    people
        Number of people for whom both the formula and the hidden column have a value.
    """

    form: Form
    share: float
    guesses: Floats
    revealed: Bools
    people: int


def find_determining_formula(hidden: Floats, step: float, givers: Floats) -> DeterminingFormula | None:
    """Return the formula that gives a hidden number for most people, or None where none gives it for many.

    The formulas tried are a, a ± b, a · b, a / b, a ± b ± c and a · b ± c, up to scale and offset. The one with the
    largest share (see `DeterminingFormula`) is returned, of equal ones the first with fewest columns. A formula that
    comes near the number for less than about 80 % of a sample of 200 people is dropped, so None means that none does.
    The result is also None for fewer than 20 people with a value, without ``givers``, and where the hidden numbers
    spread over no more than four steps.

    Parameters
    ----------
    hidden
        True values, shape (people,), NaN where missing.
    step
        Distance of neighbouring numbers that the hidden column can take.
    givers
        Numeric columns that are released unchanged, shape (people, columns), NaN where missing; only the first sixteen
        columns that vary are used.

    Notes
    -----
    Lines through two people's values are first tested on two hundred people; a formula that holds there for most is
    fitted to everyone. So a formula is found although it does not hold for some people.
    """
    known_rows = np.flatnonzero(~np.isnan(hidden))
    if len(known_rows) < FEWEST_SHARED or not givers.shape[1]:
        return None
    varying = [column for column in range(givers.shape[1]) if _has_variation(givers[known_rows, column])][
        :_MOST_NUMBERS
    ]
    rows = known_rows[np.linspace(0, len(known_rows) - 1, min(len(known_rows), _SCREENED)).astype(np.int64)]
    target, few = hidden[rows], givers[rows]
    if np.ptp(target) <= 2 * _SCREEN_STEPS * step:
        return None
    forms = _list_formulas(tuple(varying))
    best: DeterminingFormula | None = None
    for begin in range(0, len(forms), _BLOCK):
        progress.check()
        block = forms[begin : begin + _BLOCK]
        for form_index in np.flatnonzero(_may_hold(_compute_formula_values(block, few), target, step)).tolist():
            progress.check()
            candidate = fit_formula(block[form_index], hidden, step, givers)
            if candidate is not None and (best is None or candidate.share > best.share + GRID):
                best = candidate
    return best


def _has_variation(values: Floats) -> bool:
    """Return whether at least 20 values are not NaN and these are not all equal."""
    there = values[~np.isnan(values)]
    return len(there) >= FEWEST_SHARED and bool(there.max() > there.min())


@lru_cache(maxsize=16)
def _list_formulas(columns: tuple[int, ...]) -> list[Form]:
    """Return every formula of one, two or three of the columns once; formulas with fewest columns come first.

    Two columns are joined by +, -, * or / (division in both orders). Three are joined by + and -, or a third is added
    to or subtracted from a product of two.
    """
    forms = [Form((column,), "") for column in columns]
    for first, second in combinations(columns, 2):
        forms += [Form((first, second), sign) for sign in "+-*/"]
        forms.append(Form((second, first), "/"))
    for chosen in combinations(columns, 3):
        forms += [Form(chosen, signs) for signs in ("++", "+-", "-+", "--")]
        for last in range(3):
            factors = tuple(factor for index, factor in enumerate(chosen) if index != last)
            forms += [Form((*factors, chosen[last]), signs) for signs in ("*+", "*-")]
    return forms


def _may_hold(values: Floats, target: Floats, step: float) -> Bools:
    """Return which formulas may give the target, up to a line, for at least 80 % of people, bool, shape (forms,).

    The people whom one number for all would hit are discounted. ``values`` has shape (forms, people), NaN where a
    formula has no value; ``target`` has shape (people,) without NaN. Lines are laid through two people's values at
    several quantiles; a line that misses too many of the first quarter of the people is not tested on the others. A
    line hits a person if it is within two steps of the target. False for formulas with fewer than 20 values.
    """
    forms, people = values.shape
    there = ~np.isnan(values)
    order = np.argsort(np.where(there, values, np.inf), axis=1, kind="stable")
    counts, quarter = there.sum(axis=1), people // 4
    rest_counts = there[:, quarter:].sum(axis=1)
    margin = _SCREEN_STEPS * step
    chance = _count_most_in_window(target, 2 * margin) / people
    holds = np.zeros(forms, dtype=np.bool_)

    def are_enough(hits: Ints, rows: Ints) -> Bools:
        """Return which of the formulas ``rows`` hit at least 80 % of people beyond what one number for all hits.

        ``hits`` is the number of people whom each formula hits.
        """
        shares = hits / np.maximum(counts[rows], 1)
        return np.asarray((shares - chance) / max(1 - chance, 1e-12) >= _SCREEN_SHARE - GRID)

    for anchor in _ANCHORS:
        at = np.flatnonzero(~holds & (counts >= FEWEST_SHARED))
        low = order[at, np.minimum((anchor * counts[at]).astype(np.int64), people - 1)]
        high = order[at, np.clip(((1 - anchor) * counts[at]).astype(np.int64), 0, people - 1)]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            slope = (target[high] - target[low]) / (values[at, high] - values[at, low])

        def count_near(chosen: Ints, part: slice, at: Ints = at, low: Ints = low, slope: Floats = slope) -> Ints:
            """Return how many people of ``part`` each chosen formula's line puts within two steps of the target."""
            rows, lowest = at[chosen], low[chosen]
            with np.errstate(invalid="ignore", over="ignore"):
                rise = slope[chosen, None] * (values[rows, part] - values[rows, lowest][:, None])
                apart = target[None, part] - target[lowest][:, None] - rise
                return np.asarray((np.abs(apart) <= margin).sum(axis=1))

        hits = count_near(np.arange(len(at)), slice(quarter))
        possible = np.flatnonzero(are_enough(hits + rest_counts[at], at))
        hits = hits[possible] + count_near(possible, slice(quarter, None))
        holds[at[possible]] = are_enough(hits, at[possible])
    return holds


def _count_most_in_window(values: Floats, width: float) -> int:
    """Return the largest number of values in any window of this width, ends included, of at least one value."""
    rising = np.sort(values)
    window = width * (1 + 1e-9)
    return int((np.searchsorted(rising, rising + window, side="right") - np.arange(len(rising))).max())


def fit_formula(form: Form, hidden: Floats, step: float, givers: Floats) -> DeterminingFormula | None:
    """Return a formula fitted to all people with a value of it and of the hidden number, or None.

    None is returned if these are fewer than 20 people or 5 % of those with a hidden number, if no line fits, or if the
    hidden number does not vary. The share of the result is (s - c) / (1 - c), at least 0: s is the share of these
    people whose number the line gives within half a step, and c is the share that one number for all would reach. The
    formula's values must not all be equal.
    """
    values = form.of(givers)
    rows = np.flatnonzero(~np.isnan(values) & ~np.isnan(hidden))
    if len(rows) < max(FEWEST_SHARED, LEAST_SHARED * int((~np.isnan(hidden)).sum())):
        return None
    x, y = values[rows], hidden[rows]
    x = (x - float(np.median(x))) / float(x.max() - x.min())  # who has been tried first is among them, and varies
    half = step / 2 * (1 + 1e-6)
    best: tuple[int, float, float] = (-1, 0.0, 0.0)
    slope, offset = _fit_robust_line(x, y)
    for margin in (8.0, 2.0, 1.2, 1.1):
        near = np.abs(y - slope * x - offset) <= margin * half
        if near.sum() < FEWEST_SHARED or not np.ptp(x[near]):
            break
        slope, offset = np.polyfit(x[near], y[near], 1)
        for line in ((float(slope), float(offset)), _fit_narrowest_line(x[near], y[near], float(slope), step)):
            right = int((np.abs(y - line[0] * x - line[1]) <= half).sum())
            if right > best[0]:
                best = (right, *line)
    right, slope, offset = best
    chance = _count_most_in_window(y, step) / len(y)
    if right < 0 or chance >= 1:
        return None
    guesses = np.full(len(hidden), np.nan)
    guesses[rows] = slope * x + offset
    revealed = np.zeros(len(hidden), dtype=np.bool_)
    revealed[rows] = np.abs(y - guesses[rows]) <= half
    share = (right / len(rows) - chance) / (1 - chance)
    return DeterminingFormula(form, max(share, 0.0), guesses, revealed, len(rows))


def _fit_robust_line(x: Floats, y: Floats) -> tuple[float, float]:
    """Return slope and offset of the best of several lines through quantiles, by the median absolute residual.

    Where x does not vary between them, slope 0 and the median of y are returned.
    """
    order = np.argsort(x, kind="stable")
    lines = []
    for anchor in _ANCHORS:
        low, high = order[int(anchor * len(x))], order[int((1 - anchor) * len(x))]
        if x[high] > x[low]:
            slope = float((y[high] - y[low]) / (x[high] - x[low]))
            offset = float(y[low] - slope * x[low])
            lines.append((float(np.median(np.abs(y - slope * x - offset))), slope, offset))
    spread = max(float(np.ptp(y)), 1e-300)
    return min(lines, key=lambda line: on_grid(line[0], spread))[1:] if lines else (0.0, float(np.median(y)))


def _fit_narrowest_line(x: Floats, y: Floats, slope: float, step: float) -> tuple[float, float]:
    """Return slope and offset of the line with the smallest maximal residual, for numbers rounded to a grid.

    The slope is searched in an interval around ``slope`` of two steps on either side, so that the line changes by at
    most two steps where ``x`` spans 1. The range of the residuals is convex in the slope, so a ternary search finds the
    best one.
    """
    low, high = slope - 2 * step, slope + 2 * step

    def width(trial: float) -> float:
        """Return the range of the residuals of the line with this slope."""
        return float(np.ptp(y - trial * x))

    for _ in range(60):
        lower, upper = low + (high - low) / 3, high - (high - low) / 3
        if width(lower) <= width(upper):
            high = upper
        else:
            low = lower
    best = (low + high) / 2
    rest = y - best * x
    return best, float((rest.max() + rest.min()) / 2)


def find_computed_numbers(
    hidden: Floats, counted: tuple[Floats, Ints], step: float, givers: Sequence[Floats], sample: Ints
) -> tuple[tuple[int, ...], Bools]:
    """Return indices of columns from which a hidden number is computed, and flags of people for whom that comes near.

    The number may be a weighted sum of columns with a constant, such as 2 + 0.5 a + b, or a product, such as 3 a² b;
    the weights are fitted and not returned. A result is near within the half width of `half_widths`. Sums are tried
    before products, and the first set of columns is returned that comes near for at least 95 % of the sample, beyond
    those who have the most frequent number; people who lack one of the numbers do not count. No indices and only False
    if there is no such set, no ``givers``, or fewer than two different hidden numbers. Flags are also False where the
    hidden number or one of the set's is missing.

    Parameters
    ----------
    hidden
        True values, shape (people,), NaN where missing.
    counted
        The different hidden numbers, rising, and how many people have each.
    step
        Distance of neighbouring numbers that the hidden column can take.
    givers
        For each column from which it may be computed its numbers, shape (people,), NaN where missing or not shown.
    sample
        Indices of the people among whom weights are searched.
    """
    (values, counts), nothing = counted, np.zeros(len(hidden), dtype=np.bool_)
    if len(values) < 2 or not givers:
        return (), nothing
    shares, count, sampled = counts / counts.sum(), len(givers), hidden[sample]
    terms = np.stack([numbers[sample] for numbers in givers], axis=1)

    def find_near(numbers: Floats, sums: Floats, is_product: bool) -> Bools:
        """Return which numbers are near a weighted sum, or near its exponential if ``is_product``, shape (people,)."""
        guesses = np.exp(np.minimum(sums, _LARGEST_EXPONENT)) if is_product else sums
        return np.asarray(np.abs(numbers - guesses) <= half_widths(guesses, values, shares, step))

    for is_product in (False, True):
        target, terms = (_take_logs(sampled), np.hstack([terms, _take_logs(terms)])) if is_product else (sampled, terms)
        for chosen, weights in _list_fits(target, terms):
            sums = terms[:, chosen] @ weights[1:] + weights[0]
            share = find_near(sampled, sums, is_product).sum() / np.count_nonzero(~np.isnan(sampled + sums))
            if share - shares.max() >= (DETERMINED - GRID) * (1 - shares.max()):
                whole = [_take_logs(givers[term - count]) if term >= count else givers[term] for term in chosen]
                sums = np.stack(whole, axis=1) @ weights[1:] + weights[0]
                return tuple(dict.fromkeys(term % count for term in chosen)), find_near(hidden, sums, is_product)
    return (), nothing


def _take_logs(numbers: Floats) -> Floats:
    """Return the natural logarithms of numbers, in the same shape, NaN where a number is missing or not positive."""
    return np.asarray(np.log(np.where(numbers > 0, numbers, np.nan)))


def _list_fits(target: Floats, terms: Floats) -> Iterator[tuple[list[int], Floats]]:
    """Yield sets of terms (indices), each with the constant and the weights that bring their sum nearest to the target.

    If at least 10 people for each weight have a number in all terms, at most one set comes: the terms that matter, and
    nothing if the median error exceeds a tenth of the target's standard deviation. Otherwise the sets grow by one term,
    the one most correlated with what is left, up to 12 terms (at most one for each 10 people) or until fewer than 20
    people (or 5 %) have all of them. They stop, too, where no term is correlated any more.
    """
    rows, chosen, numbers = np.flatnonzero(~np.isnan(target)), list[int](), np.ma.masked_invalid(terms)
    rest, fewest = target[rows], max(FEWEST_SHARED, LEAST_SHARED * np.count_nonzero(~np.isnan(target)))
    whole = rows[~np.isnan(terms[rows]).any(axis=1)]
    if len(whole) >= max(_PEOPLE_BY_WEIGHT * (terms.shape[1] + 1), fewest):
        weights, rest = _fit_weights(terms[whole], target[whole])
        spread = float(target[whole].std())
        parts = np.abs(weights[1:]) * terms[whole].std(axis=0)
        chosen = np.flatnonzero(parts >= _LEAST_PART * spread).tolist()
        if chosen and np.median(np.abs(rest)) <= _LARGEST_REST * spread:
            yield chosen, _fit_weights(terms[whole][:, chosen], target[whole])[0]
        return
    apart = (numbers - numbers.mean(axis=0)).filled(0.0)
    apart /= np.maximum(np.linalg.norm(apart, axis=0), _TINY)
    for _ in range(min(_MOST_FITTED, len(rows) // _PEOPLE_BY_WEIGHT)):
        progress.check()
        scores = on_grid(np.abs((rest - rest.mean()) @ apart[rows]), max(float(np.linalg.norm(rest)), _TINY))
        scores[chosen] = 0.0
        chosen = [*chosen, int(scores.argmax())]
        rows = rows[~np.isnan(terms[rows, chosen[-1]])]
        if not scores.any() or len(rows) < fewest:
            return
        weights, rest = _fit_weights(terms[rows][:, chosen], target[rows])
        yield chosen, weights


def _fit_weights(terms: Floats, target: Floats) -> tuple[Floats, Floats]:
    """Return (constant and weights by least squares, target minus the fitted sum for each person).

    The fit is repeated without the tenth of the people that fit worst; they have a remainder, too. The shapes are (1 +
    terms,), constant first, and (people,).
    """
    columns, near = np.column_stack([np.ones(len(terms)), terms]), np.arange(len(terms))
    for _ in range(2):
        weights = np.linalg.lstsq(columns[near], target[near], rcond=None)[0]
        rest = target - columns @ weights
        near = np.flatnonzero(np.abs(rest) <= np.quantile(np.abs(rest), _FITTED_SHARE))
    return np.asarray(weights), np.asarray(rest)
