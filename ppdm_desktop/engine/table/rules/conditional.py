"""Rules by which a text decides what another column can hold: which numbers, or whether it is filled at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar, Self

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.recipe.models import ValueRuleSection
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.generalised_texts import OR_MISSING
from ppdm_desktop.engine.table.rules.base import (
    LEAST_BY_CHANCE,
    LEAST_SHARE,
    ROUND_STEPS,
    Kind,
    Released,
    Survey,
    ValueRule,
)
from ppdm_desktop.engine.table.rules.pairs import (
    DATE_STEPS,
    EDGE_WIDTH,
    TEXT_KINDS,
    PairRule,
    find_possible_values,
    has_few_values,
    round_smallest_down,
)
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Name

_LEAST_PART = 0.01
"""Share of a text's rows that chance would put beyond an end at least, for the end to say something."""
_MANY_BEYOND = 0.1
"""Share of all rows beyond an end from which on few of a text's rows have to be near it."""


@dataclass(frozen=True)
class LimitsRule(ValueRule):
    """The numbers or dates of the second column have limits that depend on the text of the first.

    Examples: a studio has one room, and nobody with a master's degree is under 21.

    Attributes
    ----------
    limits
        For each text with limits the lowest and the highest number that its rows can have, of dates in days since 1970;
        infinite for no limit.
    """

    id: ClassVar[Kind] = "limits"
    limits: tuple[tuple[str, float, float], ...] = ()

    @property
    def title(self) -> Sentence:
        """The rule as a sentence."""
        first, second = map(Name, self.columns)
        return lazy("The limits of {second} depend on {first}", first=first, second=second)

    @property
    def text_column(self) -> str | None:
        """The name of the column on whose texts the limits depend."""
        return self.columns[0]

    @classmethod
    def find(cls, survey: Survey) -> Iterator[Self]:
        """Yield a rule for each nominal or ordinal column and each of numbers or dates, if some text has a limit.

        No row of the text is beyond a limit, and many would be by chance. Enough rows must be near it, or a tenth of
        all rows beyond it: so the highest salary of managers is no limit, but that of apprentices is. Columns of which
        one decides the other are left out: a pair rule says more.
        """
        measured = survey.measured("numeric") + survey.measured("date")
        numbers = [(column, np.sort(survey.numbers(column))) for column in measured]
        for text in (column for column in survey.table.columns if has_few_values(column)):
            rows = _sort_rows(text)
            for number, ordered in numbers:
                limits = _find_limits(text, rows, survey.numbers(number), ordered, survey.least, _steps_of(number))
                has_pair_rule = number.kind == "numeric" and limits and PairRule.with_number(survey, text, number)
                if limits and not has_pair_rule:
                    yield cls((text.name, number.name), limits=limits)

    @classmethod
    def written(cls, section: ValueRuleSection, survey: Survey) -> Self | None:
        """Return the rule of two columns with the limits of the file, or None where there are none."""
        text, number = (survey.table.column(name) for name in section.columns)
        if not has_few_values(text) or number.kind not in ("numeric", "date"):
            return None
        values = survey.numbers(number)
        limits = _find_limits(text, _sort_rows(text), values, np.sort(values), survey.least, _steps_of(number))
        return cls(section.columns, limits=limits) if limits else None

    def broken(self, released: Released) -> Bools:
        """Return which rows certainly have a number beyond the limits of their text, bool, shape (rows,).

        A generalised text allows all numbers between the lowest and the highest of the texts that it may stand for. A
        missing value breaks nothing.
        """
        source, column = (table.column(self.columns[0]) for table in (released.original, released.table))
        low, high = released.ends(self.columns[1])
        first, last = self.find_ends(source)
        possible = find_possible_values(source, column)
        first = np.append(np.where(possible, first, inf).min(axis=1, initial=inf), -inf)[column.category_codes]
        last = np.append(np.where(possible, last, -inf).max(axis=1, initial=-inf), inf)[column.category_codes]
        return np.asarray((high < first - 1e-9) | (low > last + 1e-9))

    def find_ends(self, text: Column) -> tuple[Floats, Floats]:
        """Return the lowest and the highest number of each category of the text's column, shape (categories,) each."""
        ends = {name: (low, high) for name, low, high in self.limits}
        pairs = np.array([ends.get(name, (-inf, inf)) for name in text.categories], dtype=np.float64).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]


def _sort_rows(text: Column) -> tuple[Ints, Ints]:
    """Return the rows that have a text, sorted by it, and where the rows of each category begin and end among them."""
    codes = np.asarray(text.category_codes, dtype=np.int64)
    rows = np.argsort(codes, kind="stable")[np.count_nonzero(codes < 0) :]
    return rows, np.searchsorted(codes[rows], np.arange(len(text.categories) + 1))


def _steps_of(column: Column) -> Sequence[float]:
    """Return the steps to which limits of a column are rounded, finest first; of dates in days."""
    return DATE_STEPS if column.kind == "date" else ROUND_STEPS


def _find_limits(
    text: Column,
    rows_and_starts: tuple[Ints, Ints],
    numbers: Floats,
    ordered: Floats,
    least: int,
    steps: Sequence[float],
) -> tuple[tuple[str, float, float], ...]:
    """Return each text with a limit, and its lowest and highest number, infinite where there is no limit.

    Parameters
    ----------
    text, rows_and_starts
        The column of texts, and what `_sort_rows` says of it.
    numbers, ordered
        The numbers of all rows, NaN where missing, and the same in rising order.
    least
        How many rows must be near a limit.
    steps
        Steps to which a limit is rounded.
    """
    rows, starts = rows_and_starts
    values, ordered = numbers[rows], ordered[~np.isnan(ordered)]
    used = np.flatnonzero(np.diff(starts))
    counts = np.add.reduceat(~np.isnan(values), starts[used], dtype=np.int64)
    smallest, largest = (extreme.reduceat(values, starts[used]) for extreme in (np.fmin, np.fmax))
    needed = np.maximum(2 * LEAST_BY_CHANCE, _LEAST_PART * counts)
    beyond = np.searchsorted(ordered, smallest), np.searchsorted(-ordered[::-1], -largest)
    near, share = EDGE_WIDTH * float(np.std(ordered)), counts / len(ordered)
    widths = [np.where(rows >= _MANY_BEYOND * len(ordered), inf, near) for rows in beyond]
    limits = []
    for at in np.flatnonzero((counts >= least) & (share * np.maximum(*beyond) >= needed)).tolist():
        of_text = values[starts[used[at]] : starts[used[at] + 1]]
        of_text = of_text[~np.isnan(of_text)]
        low = _find_limit(of_text, least, float(widths[0][at]), steps)
        high = 0.0 - _find_limit(-of_text, least, float(widths[1][at]), steps)
        low = low if share[at] * np.count_nonzero(ordered < low) >= needed[at] else -inf
        high = high if share[at] * np.count_nonzero(ordered > high) >= needed[at] else inf
        if low > -inf or high < inf:
            limits.append((text.categories[used[at]], low, high))
    return tuple(limits)


def _find_limit(values: Floats, least: int, width: float, steps: Sequence[float]) -> float:
    """Return the lowest value, rounded down until ``least`` values share it or are near it; -inf if none are near.

    Near is within ``width``; ``values`` are at least so many, in any order, and ``steps`` those to round to.
    """
    low = round_smallest_down(values, steps, least)
    return low if float(np.partition(values, least - 1)[least - 1]) - low <= width else -inf


@dataclass(frozen=True)
class FilledRule(ValueRule):
    """The second column is empty where the first has certain texts, or none.

    Example: the year of the licence is empty for those without a licence.

    Attributes
    ----------
    texts
        Texts of the first column beside which the second is empty; None stands for no text.
    """

    id: ClassVar[Kind] = "filled"
    texts: tuple[str | None, ...] = ()

    @property
    def title(self) -> Sentence:
        """The rule as a sentence."""
        first, second = map(Name, self.columns)
        if self.texts == (None,):
            return lazy("{second} is only filled where {first} is", first=first, second=second)
        return lazy("{second} is only filled for some values of {first}", first=first, second=second)

    @property
    def text_column(self) -> str | None:
        """The name of the column whose texts say where the second is empty; None if only its gaps do."""
        return None if self.texts == (None,) else self.columns[0]

    @classmethod
    def find(cls, survey: Survey) -> Iterator[Self]:
        """Yield for each column with gaps the columns that say where it must be empty.

        One of the two has nominal or ordinal texts; of two numbers or dates both gaps always stay together. A rule is
        left out if its rows are among those of another one for the same column; a rule on gaps alone does not replace
        one on texts.
        """
        states = {column.name: _list_states(column) for column in survey.table.columns}
        for second in survey.table.columns:
            if not 0 < np.count_nonzero(second.missing) < len(second.missing):
                continue
            others = [first for first in survey.table.columns if first is not second]
            others = [first for first in others if {first.kind, second.kind} & {*TEXT_KINDS}]
            rules = [cls._between(first, second, states[first.name]) for first in others]
            found = [(rule, rule._find_rows(first)) for rule, first in zip(rules, others, strict=True) if rule.texts]
            found.sort(key=lambda pair: pair[0].text_column is None)
            yield from (rule for at, (rule, _) in enumerate(found) if not _says_nothing_more(at, found))

    @classmethod
    def written(cls, section: ValueRuleSection, survey: Survey) -> Self | None:
        """Return the rule of two columns by the file's values, or None where the second is never empty by it."""
        first, second = (survey.table.column(name) for name in section.columns)
        rule = cls._between(first, second, _list_states(first))
        return rule if rule.texts else None

    @classmethod
    def _between(cls, first: Column, second: Column, states: Ints) -> Self:
        """Return the rule with all texts beside which the second column is empty though chance would fill it.

        One row in 1,000 may be filled. ``states`` has the number of each row's text, as `_list_states` gives it.
        """
        counts = np.bincount(states, minlength=2)
        filled = np.bincount(states[~second.missing], minlength=len(counts))
        expected = counts * np.count_nonzero(~second.missing) / max(len(states), 1)
        is_empty = (expected >= LEAST_BY_CHANCE) & (filled <= (1 - LEAST_SHARE) * counts)
        names = (None, *(first.categories if has_few_values(first) else ()))
        texts = tuple(name for name, is_one in zip(names, is_empty.tolist(), strict=False) if is_one)
        return cls((first.name, second.name), texts=texts)

    def _find_rows(self, first: Column) -> Bools:
        """Return which rows have one of the texts beside which the second column is empty, bool, shape (rows,)."""
        of_text = [text in self.texts for text in first.categories]
        return np.array([*of_text, None in self.texts], dtype=np.bool_)[np.asarray(first.category_codes)]

    def broken(self, released: Released) -> Bools:
        """Return which rows have a filled second value though it must be empty by the first; bool, shape (rows,).

        A generalised text breaks it only if none of the values that it may stand for allows a value, and none where it
        may stand for a missing value, too. A missing first value says nothing where the release has more of them than
        the source.
        """
        source, column = (table.column(self.columns[0]) for table in (released.original, released.table))
        second = released.table.column(self.columns[1])
        can_be_missing = [text in second.missing_texts or text.endswith(OR_MISSING) for text in second.texts]
        is_filled = ~np.array(can_be_missing, dtype=np.bool_)[second.codes]
        is_empty = np.array([text in self.texts for text in source.categories], dtype=np.bool_)
        must_be = ~(find_possible_values(source, column) & ~is_empty).any(axis=1)
        counts_gaps = np.mean(column.missing) <= np.mean(source.missing)
        must_be = np.append(must_be, None in self.texts and bool(counts_gaps))
        return np.asarray(is_filled & must_be[np.asarray(column.category_codes)])

    def counted(self, survey: Survey) -> Self:
        """Return the rule with the numbers of rows in which the second column must be empty, and in which it is."""
        rows = self._find_rows(survey.table.column(self.columns[0]))
        empty = rows & survey.table.column(self.columns[1]).missing
        return replace(self, holds_in=int(np.count_nonzero(empty)), of=int(np.count_nonzero(rows)))


def _says_nothing_more(at: int, found: Sequence[tuple[FilledRule, Bools]]) -> bool:
    """Return whether another rule has all rows of the rule at an index and more, or an earlier one the same rows.

    ``found`` has the rules for one column, those on texts first, and their rows. Rules on gaps alone do not have more
    rows than one on texts.
    """
    rule, rows = found[at]
    others = [more for other, more in found if rule.text_column is None or other.text_column is not None]
    return any((rows <= more).all() and (rows < more).any() for more in others) or any(
        (rows == more).all() for _, more in found[:at]
    )


def _list_states(column: Column) -> Ints:
    """Return a number for each row: 0 if the value is missing, else 1, or 1 + the text's code where there are few."""
    codes = np.asarray(column.category_codes, dtype=np.int64)
    return codes + 1 if has_few_values(column) else np.asarray((~column.missing).astype(np.int64))


def list_pattern_pairs(rules: Sequence[ValueRule]) -> list[tuple[str, ...]]:
    """Return the pairs of columns of which a value of one is bound to gaps or frequent numbers of the other."""
    return [
        rule.columns
        for rule in rules
        if isinstance(rule, FilledRule | LimitsRule) or (isinstance(rule, PairRule) and rule.ranges)
    ]


def list_bound_texts(rules: Sequence[ValueRule]) -> list[str]:
    """Return the columns of texts on which limits or gaps of another column depend, or that ranges of one determine."""
    of_texts = [rule.text_column for rule in rules if isinstance(rule, LimitsRule | FilledRule)]
    of_texts += [rule.columns[1] for rule in rules if isinstance(rule, PairRule) and rule.ranges]
    return [name for name in of_texts if name is not None]
