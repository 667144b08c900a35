"""Two measures of how identifiable people are: an intruder knows one row of a person, or all of them.

With one row for each person both are Li & Sarkar's (2004, definitions 1 and 2). Where people have several rows, the
first measure counts different people in classes and takes a person's worst row; by the second, people are equivalent
when all their rows are. A person's share of a class follows the linkability of K. Wang, B. C. M. Fung, Anonymizing
sequential releases, KDD 2006. Under the rule ``matches-anything`` a missing value equals every value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import (
    Classes,
    Members,
    classes_of_codes,
    count_class_people,
    count_fewest_distinct,
    count_flagged_classes,
    find_class_extremes,
    group_people_by_rows,
)
from ppdm_desktop.engine.table.people import People

# People met in one go where they have to be distinguished one by one.
_AT_ONCE = 4_000_000
_LARGEST = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class Matches:
    """For each record, how many records and people it cannot be distinguished from, and their confidential values.

    Attributes
    ----------
    counts
        int64, shape (records,): matching records, itself included.
    people
        int64, shape (records,): different people among the matching records, its own included.
    own_rows
        int64, shape (records,): matching records of its own person, itself included.
    lowest, highest
        int64, shape (confidential columns, records): least and greatest confidential code
        among the matching records; -1 is missing.
    """

    counts: Ints
    people: Ints
    own_rows: Ints
    lowest: Ints
    highest: Ints


def wildcard_matches(quasi: Sequence[AnyInts], confidential: Sequence[AnyInts], people: People) -> Matches:
    """Return what each record matches: the records whose quasi-identifiers equal its own wherever both have a value.

    For each they are the numbers of records, of people and of records of its own person, and the least and greatest
    confidential codes (-1 for a missing value). A record matches itself.

    Parameters
    ----------
    quasi
        Codes of each quasi-identifier, shape (rows,), -1 where missing.
    confidential
        Codes of each confidential column, shape (rows,), -1 where missing.
    people
        The person of each row.

    Notes
    -----
    Records with the same set of missing columns form a block; each pair of blocks is joined
    on the columns neither lacks, so the cost is (number of blocks)^2 passes, not rows^2. Only people with rows in
    several blocks have to be distinguished across the blocks.
    """
    rows = people.rows
    missing = [codes < 0 for codes in quasi]
    blocks = classes_of_codes([flags.astype(np.int8) for flags in missing], rows)
    members = np.split(np.argsort(blocks.ids, kind="stable"), np.cumsum(blocks.sizes)[:-1]) if rows else []
    counts = np.zeros(rows, dtype=np.int64)
    lowest = np.full((len(confidential), rows), _LARGEST, dtype=np.int64)
    highest = np.full((len(confidential), rows), -2, dtype=np.int64)
    crowd = _Crowd(people, blocks.ids) if people.with_several else None
    for asking in members:
        if crowd is not None:
            crowd.ask(asking, classes_of_codes([codes[asking] for codes in quasi], len(asking)).ids)
        for asked in members:
            joined = _find_joint_classes(quasi, missing, asking, asked)
            of_asking, of_asked = joined.ids[: len(asking)], joined.ids[len(asking) :]
            counts[asking] += np.bincount(of_asked, minlength=joined.count)[of_asking]
            if crowd is not None:
                crowd.meet(asked, of_asking, of_asked, joined.count)
            for index, codes in enumerate(confidential):
                low = np.full(joined.count, _LARGEST)
                high = np.full(joined.count, -2)
                # Codes of another width would be converted one by one, which takes thirty times as long.
                theirs = codes[asked].astype(np.int64)
                np.minimum.at(low, of_asked, theirs)
                np.maximum.at(high, of_asked, theirs)
                lowest[index, asking] = np.minimum(lowest[index, asking], low[of_asking])
                highest[index, asking] = np.maximum(highest[index, asking], high[of_asking])
        if crowd is not None:
            crowd.answer()
    if crowd is None:
        return Matches(counts, counts, np.ones(rows, dtype=np.int64), lowest, highest)
    return Matches(counts, crowd.people, crowd.own_rows, lowest, highest)


def _find_joint_classes(quasi: Sequence[AnyInts], missing: Sequence[Bools], asking: Ints, asked: Ints) -> Classes:
    """Return the classes of the records of two blocks, ``asking`` first, by the columns that both blocks have.

    A block is a group of records that lack the same columns.

    Parameters
    ----------
    quasi
        Codes of each quasi-identifier, one for each record.
    missing
        For each quasi-identifier, whether a record lacks it.
    asking, asked
        Row indices of the two blocks, neither empty.
    """
    both = np.concatenate([asking, asked])
    flags_of_blocks = zip(quasi, ((flags[asking[0]] or flags[asked[0]]) for flags in missing), strict=True)
    return classes_of_codes([codes[both] for codes, is_missing in flags_of_blocks if not is_missing], len(both))


class _Crowd:
    """Counts the people whom the records of a block match: call ``ask``, then ``meet`` for all blocks, then ``answer``.

    A block is a group of records that lack the same columns.
    """

    def __init__(self, people: People, block: Ints) -> None:
        """Start with nobody matched, and mark the people who have rows in several blocks.

        ``block`` is the number of each record's block, shape (rows,).
        """
        self._of_row = people.of_row
        self._width = max(people.count, 1)
        lowest = np.full(people.count, _LARGEST)
        highest = np.full(people.count, -1)
        np.minimum.at(lowest, people.of_row, block)
        np.maximum.at(highest, people.of_row, block)
        self._scattered: Bools = np.asarray(lowest != highest)
        self.people = np.zeros(people.rows, dtype=np.int64)
        self.own_rows = np.zeros(people.rows, dtype=np.int64)

    def ask(self, asking: Ints, patterns: Ints) -> None:
        """Begin with the records of one block, given by row index.

        ``patterns`` has equal numbers for records with equal values, which match the same records.
        """
        self._asking, self._patterns = asking, patterns
        self._first = np.unique(patterns, return_index=True)[1]
        # Of each asked block: scattered people by class, where each pattern's class begins, and how many it has.
        self._met: list[tuple[Ints, Ints, Ints]] = []

    def meet(self, asked: Ints, of_asking: Ints, of_asked: Ints, count: int) -> None:
        """Add the people whom the asking records match in the block ``asked`` to ``people``, in place.

        The matching rows of the asking record's own person are added to ``own_rows``. People with records in several
        blocks are counted later, by `answer`.

        Parameters
        ----------
        asked
            Row indices of the block to compare with, which can be the asking block itself.
        of_asking, of_asked
            The class of each asking and each asked record by the columns that both blocks have.
        count
            Number of these classes.
        """
        keys, times = np.unique(of_asked * self._width + self._of_row[asked], return_counts=True)
        of, person = keys // self._width, keys % self._width
        scattered = self._scattered[person]
        self.people[self._asking] += np.bincount(of[~scattered], minlength=count)[of_asking]
        mine = of_asking * self._width + self._of_row[self._asking]
        position = np.minimum(np.searchsorted(keys, mine), len(keys) - 1)
        self.own_rows[self._asking] += np.where(keys[position] == mine, times[position], 0)
        several = np.bincount(of[scattered], minlength=count).astype(np.int64)
        begins = np.cumsum(several) - several
        classes = of_asking[self._first]
        self._met.append((person[scattered], begins[classes], several[classes]))

    def answer(self) -> None:
        """Add the people who have records in several blocks to ``people``, in place, each once for a record.

        To be called when the asking block has met all blocks.
        """
        total = np.sum([several for _, _, several in self._met], axis=0)
        people_counts = np.zeros(len(total), dtype=np.int64)
        portion = np.cumsum(total) // _AT_ONCE
        for portion_number in np.unique(portion[total > 0]).tolist():
            at = np.flatnonzero((portion == portion_number) & (total > 0))
            keys = []
            for person, begins, several in self._met:
                length = several[at]
                # 0, 1, 2, ... within each pattern's class
                step = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length, length)
                whom = person[np.repeat(begins[at], length) + step]
                keys.append(np.repeat(at, length) * self._width + whom)
            people_counts += np.bincount(np.unique(np.concatenate(keys)) // self._width, minlength=len(total))
        self.people[self._asking] += people_counts[self._patterns]


Check = Callable[[], None]


@dataclass(frozen=True)
class Counts:
    """How many people are identifiable; without a person column each record is another person.

    Attributes
    ----------
    uniquely
        People alone in a class, with a confidential value.
    collectively
        People in a class of two or more in which all have the same confidential value, none missing; without those who
        are unique by another row.
    groups
        Number of such classes.
    unidentifiable
        All other people.
    no_value
        People whose confidential value is missing in all their rows (they are among the unidentifiable).
    """

    uniquely: int
    collectively: int
    groups: int
    unidentifiable: int
    no_value: int

    @property
    def identifiable(self) -> int:
        """The number of people whose confidential value is certain from their class, uniquely or collectively."""
        return self.uniquely + self.collectively


@dataclass(frozen=True, eq=False)
class Measure:
    """The identifiability figures of a table against one intruder.

    Attributes
    ----------
    classes_of_people
        Classes of people with equal values, where a person cannot be distinguished from exactly those; else None.
    counted
        int64, shape (people,): how many people each person cannot be distinguished from; None where the classes say so.
    chances
        float64, shape (people,): chance that a guess at the person's row, or rows, is right; None where the chance is
        one in ``matches``.
    sizes
        int64, shape (classes,): people in each class.
    unique, collective
        bool, shape (people,): identifiable in at least one confidential column; nobody is both. Without a confidential
        column ``unique`` tells who matches nobody else.
    overall
        Counts over all confidential columns; None without any.
    per_confidential
        Counts for each confidential column.
    distinct_l
        For each confidential column the smallest number, over the classes, of distinct values that different people
        hold.
    """

    classes_of_people: Classes | None
    counted: Ints | None
    chances: Floats | None
    sizes: Ints
    unique: Bools
    collective: Bools
    overall: Counts | None
    per_confidential: dict[str, Counts]
    distinct_l: dict[str, int]

    @cached_property
    def matches(self) -> Ints:
        """The number of people each person cannot be distinguished from, themselves included, int64, shape (people,).

        If an intruder knows one row, the row of the person that fewest people share counts; otherwise all rows must be
        equal.
        """
        if self.counted is not None:
            return self.counted
        assert self.classes_of_people is not None
        return self.classes_of_people.size_of_record

    @property
    def prosecutor(self) -> Floats:
        """The chance that a guess at each person's row, or rows, is right, float64, shape (people,)."""
        return 1.0 / self.matches if self.chances is None else self.chances

    @property
    def people(self) -> int:
        """The number of people."""
        return len(self.unique)

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.sizes)

    @property
    def k(self) -> int:
        """The smallest number of people that any person cannot be distinguished from; 0 without people."""
        return int(self.matches.min()) if self.people else 0

    @property
    def unique_people(self) -> int:
        """The number of people who match nobody else."""
        return self.below(2)

    @property
    def prosecutor_max(self) -> float:
        """The highest chance that an intruder finds a person whom they know to be in the file; 0 without people."""
        return float(self.prosecutor.max()) if self.people else 0.0

    @property
    def prosecutor_mean(self) -> float:
        """The mean chance that an intruder finds a person whom they know to be in the file; 0 without people."""
        return float(self.prosecutor.mean()) if self.people else 0.0

    def below(self, least_class: int) -> int:
        """Return how many people match fewer than ``least_class`` people, themselves included."""
        return int(np.count_nonzero(self.matches < least_class))

    def share_below(self, least_class: int) -> float:
        """Return the share of people, 0 to 1, who match fewer than ``least_class`` people, themselves included.

        It is 0 without people.
        """
        return float((self.matches < least_class).mean()) if self.people else 0.0


@dataclass(frozen=True, eq=False)
class _Identifiable:
    """Who is identifiable by one confidential column.

    ``unique`` and ``collective`` are bool, one for each row, or for each person if people are compared by all their
    rows. ``missing`` is bool, shape (people,): who has no value. ``fewest`` is the smallest number of distinct values
    that the different people of a class hold.
    """

    unique: Bools
    collective: Bools
    missing: Bools
    fewest: int


def measure_one_row(
    classes: Classes,
    secrets: Mapping[str, AnyInts],
    people: People,
    matched: Matches | None = None,
    check: Check = lambda: None,
) -> Measure:
    """Return the identifiability figures against an intruder who knows one row of each person.

    A person with several rows counts by the row that identifies them best.

    Parameters
    ----------
    classes
        Classes of rows with equal values (missing is a value of its own).
    secrets
        Codes of each confidential column, shape (rows,), -1 where missing.
    people
        The person of each row.
    matched
        What each row matches where missing values match anything, for the same confidential columns in the same order;
        None where missing is a value of its own. ``sizes`` and ``distinct_l`` of the result are of ``classes`` even so.
    check
        A function called between the parts, which may raise an error to stop the work.
    """
    sizes = count_class_people(classes, people)
    check()
    counted = None if matched is None else matched.people
    chances = None
    if people.with_several:
        members = Members.of_rows(classes, people)
        counted = people.least(sizes[classes.ids] if matched is None else matched.people)
        chances = np.zeros(people.count)
        if matched is None:
            np.maximum.at(chances, members.person, members.share)
        else:
            np.maximum.at(chances, people.of_row, matched.own_rows / matched.counts)
    check()

    def yield_identifiable() -> Iterator[tuple[str, _Identifiable]]:
        """Yield each confidential column's name and, as flags of rows, who is identifiable by it, alone or as a group.

        With it come flags of the people without a value, and the fewest different values that the people of a class
        hold.
        """
        # One person has all values of a class that is theirs alone; two have the same one.
        for index, name in enumerate(secrets):
            codes = secrets[name]
            if matched is None:
                lowest, highest = find_class_extremes(classes, codes)
                is_unique = sizes == 1
            else:
                lowest, highest, is_unique = matched.lowest[index], matched.highest[index], matched.people == 1
            check()
            unique, collective = is_unique & (highest >= 0), (lowest == highest) & (lowest >= 0) & ~is_unique
            del lowest, highest, is_unique
            if matched is None:
                unique, collective = unique[classes.ids], collective[classes.ids]
            missing = ~people.with_any(codes >= 0)
            check()
            fewest = _count_fewest_values(classes, codes, people)
            del codes
            yield name, _Identifiable(unique, collective, missing, fewest)
            check()

    return _build_measure(counted, chances, sizes, yield_identifiable(), classes, people.with_any)


def measure_all_rows(
    classes: Classes,
    secrets: Mapping[str, AnyInts],
    people: People,
    single: Matches | None = None,
    check: Check = lambda: None,
) -> Measure:
    """Return the identifiability figures against an intruder who knows all rows of a person and can link them.

    People are equivalent when they have as many rows of each class, and in the same order if ``people.in_order``.
    Equivalent people are collectively identifiable if they also have the same confidential value in equal rows, and
    none of them lacks it in any row.

    Parameters
    ----------
    classes
        Classes of rows with equal values (missing is a value of its own).
    secrets
        Codes of each confidential column, shape (rows,), -1 where missing.
    people
        The person of each row.
    single
        What the rows of people with a single row match among each other, where missing values match anything; else
        None. In people with several rows a missing value is always a value of its own. ``sizes`` and ``distinct_l`` of
        the result do not depend on it.
    check
        A function called between the parts, which may raise an error to stop the work.
    """
    sets = group_people_by_rows(classes, people, ordered=people.in_order)
    check()
    lone = np.flatnonzero(people.sizes == 1)
    matches = sets.size_of_record
    if single is not None:
        matches = matches.copy()
        matches[lone] = single.counts
    is_unique = matches == 1

    def yield_identifiable() -> Iterator[tuple[str, _Identifiable]]:
        """Yield each confidential column's name and who is identifiable by it, as flags of people."""
        for index, (name, codes) in enumerate(secrets.items()):
            yield name, of(index, codes)
            check()

    def of(index: int, codes: AnyInts) -> _Identifiable:
        """Return who is identifiable by one confidential column, as flags of people.

        ``codes`` are its codes, -1 where missing, and ``index`` is its position in ``secrets``.
        """
        valued = classes_of_codes([classes.ids, codes], people.rows)
        values = group_people_by_rows(valued, people, ordered=people.in_order).ids
        check()
        has_value, none = people.with_any(codes >= 0), people.with_any(codes < 0)
        low, high = find_class_extremes(sets, np.where(none, -1, values))
        lowest, highest = low[sets.ids], high[sets.ids]
        if single is not None:
            # Codes may be larger numbers than sets have.
            lowest, highest = lowest.astype(np.int64), highest.astype(np.int64)
            lowest[lone], highest[lone] = single.lowest[index], single.highest[index]
        collective = (lowest == highest) & (lowest >= 0) & ~is_unique
        return _Identifiable(is_unique & has_value, collective, ~has_value, count_fewest_distinct(sets, values))

    return _build_measure(matches, None, sets.sizes, yield_identifiable(), sets, np.asarray)


def _build_measure(
    counted: Ints | None,
    chances: Floats | None,
    sizes: Ints,
    results: Iterable[tuple[str, _Identifiable]],
    classes: Classes,
    anybody: Callable[[Bools], Bools],
) -> Measure:
    """Return the identifiability figures of a table, put together from the results of all confidential columns.

    Parameters
    ----------
    counted, chances, sizes
        Fields of `Measure` with the same names; ``counted`` is None where people are compared by ``classes`` alone.
    results
        The results by column name, consumed one by one, so that only one column's flags are in memory. Without any,
        only who is unique is stated.
    classes
        The classes of rows, or of people who are compared by all their rows.
    anybody
        Turns flags of what is in the classes, rows or people, into flags of people.
    """

    def counts(unique: Bools, collective: Bools, missing: Bools) -> Counts:
        """Return how many people are identifiable, by flags of what is in the classes (rows or people).

        Whoever is unique by one row is not counted as collective by another. ``missing`` flags people without a value.
        """
        first = anybody(unique)
        second = anybody(collective) & ~first
        uniquely, collectively = int(first.sum()), int(second.sum())
        return Counts(
            uniquely=uniquely,
            collectively=collectively,
            groups=count_flagged_classes(classes, collective),
            unidentifiable=len(first) - uniquely - collectively,
            no_value=int(missing.sum()),
        )

    unique = np.zeros(len(classes.ids), dtype=np.bool_)
    collective = np.zeros(len(classes.ids), dtype=np.bool_)
    missing = np.ones(len(classes.ids) if counted is None else len(counted), dtype=np.bool_)
    per_confidential, distinct = {}, {}
    for name, result in results:
        per_confidential[name] = counts(result.unique, result.collective, result.missing)
        distinct[name] = result.fewest
        unique |= result.unique
        collective |= result.collective
        missing &= result.missing
        del result
    whose_unique = anybody(unique)
    return Measure(
        classes_of_people=classes if counted is None else None,
        counted=counted,
        chances=chances,
        sizes=sizes,
        unique=whose_unique if distinct else _find_unique_people(classes, counted),
        collective=anybody(collective) & ~whose_unique,
        overall=counts(unique, collective, missing) if distinct else None,
        per_confidential=per_confidential,
        distinct_l=distinct,
    )


def _find_unique_people(classes: Classes, counted: Ints | None) -> Bools:
    """Return who matches nobody else, bool: by ``counted`` if it is given, else by the sizes of ``classes``."""
    return np.asarray((classes.sizes == 1)[classes.ids] if counted is None else counted == 1)


def _count_fewest_values(classes: Classes, codes: AnyInts, people: People) -> int:
    """Return the smallest number over all classes of distinct values that different people can hold, one value each.

    A class in which one person has the values A and B counts 1; with two people it counts 2. Missing is a value. 0
    without classes. ``codes`` has the value of each row.
    """
    if not people.with_several or not classes.count:
        return count_fewest_distinct(classes, codes)
    valued = classes_of_codes([classes.ids, codes], people.rows)
    of_value = np.zeros(valued.count, dtype=np.int64)
    of_value[valued.ids] = classes.ids
    distinct = np.bincount(of_value, minlength=classes.count)
    members = Members.of_rows(valued, people)
    # Only where a person holds two values of a class can there be fewer people than values.
    whose = classes_of_codes([of_value[members.of_class], members.person], len(members.of_class))
    twice = np.zeros(classes.count, dtype=np.bool_)
    twice[of_value[members.of_class[whose.size_of_record > 1]]] = True
    at = np.flatnonzero(twice[of_value[members.of_class]])
    if len(at):
        from scipy.sparse import csr_matrix  # late: SciPy takes longer to load than most commands to run
        from scipy.sparse.csgraph import maximum_bipartite_matching

        rows, columns = whose.ids[at], members.of_class[at]
        graph = csr_matrix((np.ones(len(at), dtype=np.int8), (rows, columns)), shape=(whose.count, valued.count))
        taken = maximum_bipartite_matching(graph, perm_type="row") >= 0
        distinct = np.where(twice, np.bincount(of_value[taken], minlength=classes.count), distinct)
    return int(distinct.min())
