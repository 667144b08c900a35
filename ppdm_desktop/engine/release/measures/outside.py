"""The people outside the file: what uniqueness in a table or a release says about the whole population.

The classes are those of all people of the source by their quasi-identifiers as the release shows them. Emptied cells
and rows left out are filled by the release's own rule for the column: otherwise the people who stand out most, whose
cells are emptied first, would be missing among the unique ones, and the probability would be too low.

All figures rest on the sizes of equivalence classes and on the odds of each person not to be drawn, o = (1 - p)/p: for
N people and n of them in the file p = n/N, for survey weights o = w - 1. A table of the whole population may be used
instead.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints, find_row_positions
from ppdm_desktop.engine.errors import InputError, PpdmError, RecipeError
from ppdm_desktop.engine.figure import Z_95, Figure
from ppdm_desktop.engine.files.opening import Refused, check_inside
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes
from ppdm_desktop.engine.recipe.models import ColumnSection, InputSection, PopulationSection
from ppdm_desktop.engine.release.candidate.model import Candidate, Prepared
from ppdm_desktop.engine.report import model
from ppdm_desktop.engine.table.column import Column, Table, to_floats
from ppdm_desktop.engine.table.dates import DateFormat
from ppdm_desktop.engine.table.kinds import apply_columns
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Name, Quoted, Value

# --- population ---------------------------------------------------------------------------

_DANKAR = 0.1  # up to this sampling fraction Dankar's rule takes Pitman's model
_SURE = 1 - 1e-9  # above it a share of a class counts as all of it


@dataclass(frozen=True)
class MatchChance:
    """The probability that a person who matches somebody unique in the file is that person, with its interval.

    Skinner & Elliot, A measure of disclosure risk for microdata, JRSS B 64(4), 2002. The variance was derived for this
    program: under Bernoulli sampling the error of ``expected`` has just this expectation, whatever the population is.

    Attributes
    ----------
    counts
        How many classes have one, two and three people.
    pairs, triples
        Sums over the classes of two of (o_a + o_b), and over those of three of 2(o_a·o_b + o_a·o_c + o_b·o_c).
    squares
        Sum over the classes of two of (o_a + o_b) squared.
    pair_odds, triple_odds
        Mean of the terms of ``pairs`` and ``triples``, by which Poisson's ends of a count are scaled.
    """

    counts: tuple[int, int, int]
    pairs: float
    triples: float
    squares: float
    pair_odds: float
    triple_odds: float

    @property
    def expected(self) -> float:
        """Expected number of people in the population who have the details of people unique in the file."""
        return self.counts[0] + self.pairs

    @property
    def value(self) -> float | None:
        """The probability; None if nobody is unique."""
        return self.counts[0] / self.expected if self.counts[0] else None

    @property
    def spread(self) -> float:
        """Half of the 95 % interval of ``expected``, by its estimated variance."""
        return Z_95 * math.sqrt(self.pairs + self.squares + self.triples)

    @cached_property
    def _pair_ends(self) -> tuple[float, float]:
        """Ends of the exact 95 % interval of ``pairs`` by Poisson's law."""
        low, high = poisson_interval(self.counts[1])
        return low * self.pair_odds, high * self.pair_odds

    @property
    def interval(self) -> tuple[float, float]:
        """Ends of the 95 % interval of the probability that a match with a person unique in the file is right.

        Somebody has to be unique.
        """
        unique, (least, most) = self.counts[0], self._pair_ends
        low = unique / max(self.expected + self.spread, unique + most)
        return low, unique / max(unique, min(self.expected - self.spread, unique + least))

    @property
    def unique_outside(self) -> tuple[float, float]:
        """Lowest and highest share of the unique people who are also unique in the population.

        Somebody has to be unique.
        """
        unique, (least, most) = self.counts[0], self._pair_ends
        mean_low = max(min(least, self.pairs - self.spread), 0.0) / unique
        mean_high = max(most, self.pairs + self.spread) / unique
        second_high = poisson_interval(self.counts[2])[1] * self.triple_odds / unique
        low = min(max(1 - mean_high, 0.0), 1.0)
        return low, 1 - mean_low**2 / (mean_low + second_high) if mean_low else 1.0


def match_chance(classes: Classes, odds: Floats | float) -> MatchChance:
    """Return the probability that a match with somebody unique in the file is right, with what its interval needs.

    It is computed from the classes of one, two and three people and the odds of the people in them; its ``value`` is
    None if nobody is unique.

    Parameters
    ----------
    classes
        Classes of people with equal details.
    odds
        Each person's odds not to be in the file, (1 - p) / p for a chance p to be drawn; shape (people,), or one number
        for all. 0 if everybody is in the file.
    """
    of_person = np.broadcast_to(np.asarray(odds, dtype=np.float64), classes.ids.shape)
    total = np.bincount(classes.ids, of_person, minlength=classes.count)
    squared = np.bincount(classes.ids, of_person**2, minlength=classes.count)
    of_pair = total[classes.sizes == 2]
    # 2(ab + ac + bc) = (a + b + c)² - a² - b² - c²
    of_triple = (total**2 - squared)[classes.sizes == 3]
    mean = float(of_person.mean()) if len(of_person) else 0.0
    return MatchChance(
        counts=(int((classes.sizes == 1).sum()), len(of_pair), len(of_triple)),
        pairs=float(of_pair.sum()),
        triples=float(of_triple.sum()),
        squares=float((of_pair**2).sum()),
        pair_odds=float(of_pair.mean()) if len(of_pair) else 2 * mean,
        triple_odds=float(of_triple.mean()) if len(of_triple) else 6 * mean**2,
    )


def poisson_interval(count: int) -> tuple[float, float]:
    """Return the ends of the exact 95 % interval of a Poisson mean, given one observed count; the lower is 0 for 0."""
    from scipy.special import chdtri  # late: SciPy takes longer to load than most commands to run

    low = float(chdtri(2 * count, 0.975)) / 2 if count else 0.0
    return low, float(chdtri(2 * count + 2, 0.025)) / 2


# --- for experts: models, and the risk of a person by weights ---------------------------------


def modelled_uniques(sizes: Ints, population: int) -> dict[str, float]:
    """Return estimates of the share of the unique people who are unique in the population, from 0 to 1, by model.

    The models are ``zayatz``, ``pitman`` and ``dankar``, which is Pitman's if at most 10 % of the population are in the
    file, else Zayatz's. Somebody has to be unique.

    Parameters
    ----------
    sizes
        Number of people in each class of the file.
    population
        Number of people the file was drawn from.
    """
    size, count = np.unique(sizes, return_counts=True)
    people, unique = int(sizes.sum()), int(count[0])
    zayatz = unique * people / population / float((count * _compute_chance_of_one(size, people, population)).sum())
    outside = pitman_uniques(size, count, population)
    share = {"zayatz": min(zayatz, 1.0), "pitman": min(outside * people / population / unique, 1.0)}
    return {**share, "dankar": share["pitman" if people / population <= _DANKAR else "zayatz"]}


def _compute_chance_of_one(size: Ints, people: int, population: int) -> Floats:
    """Return the probability that a population class of each size has exactly one of the people drawn.

    It is hypergeometric: ``people`` are drawn from ``population``. The result has the shape of ``size``, and is 0.0
    where that is impossible.
    """
    from scipy.special import gammaln

    rest = population - size
    possible = rest >= people - 1
    left = np.where(possible, rest - people + 1, 0)
    logarithm = (
        np.log(size)
        + gammaln(rest + 1)
        - gammaln(people)
        - gammaln(left + 1)
        - (gammaln(population + 1) - gammaln(people + 1) - gammaln(population - people + 1))
    )
    return np.where(possible, np.exp(logarithm), 0.0)


def pitman_uniques(size: Ints, count: Ints, population: int) -> float:
    """Return the expected number of unique people in the population by the Ewens-Pitman law, fitted to the file.

    The fit is by maximum likelihood. The number may be larger than that of the unique people in the file.

    Parameters
    ----------
    size, count
        Each class size of the file, and how many classes have it.
    population
        Number of people the file was drawn from.
    """
    from scipy.optimize import minimize
    from scipy.special import expit, gammaln

    classes, people = int(count.sum()), int((size * count).sum())

    def loss(parameters: Floats) -> float:
        """Return the negative log-likelihood; ``parameters`` are the logarithm of theta and the logit of alpha."""
        theta, alpha = math.exp(parameters[0]), float(np.clip(expit(parameters[1]), 1e-9, 1 - 1e-9))
        new = (classes - 1) * math.log(alpha) + gammaln(theta / alpha + classes) - gammaln(theta / alpha + 1)
        drawn = gammaln(theta + people) - gammaln(theta + 1)
        return -float(new - drawn + (count * (gammaln(size - alpha) - gammaln(1 - alpha))).sum())

    start = np.array([math.log(max(classes, 2)), 0.0])
    best = minimize(loss, start, method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-8, "maxiter": 2_000}).x
    theta, alpha = math.exp(best[0]), float(expit(best[1]))
    return math.exp(gammaln(theta + 1) - gammaln(theta + alpha) + alpha * math.log(population))


def individual_risk(sizes: Ints, weights: Floats) -> Floats:
    """Return the risk of a person in each class by Benedetti & Franconi, as sdcMicro approximates it, shape (classes,).

    It is 1 / size if the class seems to be complete in the file.

    Parameters
    ----------
    sizes, weights
        Number of people in each class, and the sum of their weights; both of shape (classes,).
    """
    share = np.minimum(sizes / weights, _SURE)
    ratio, logarithm = share / (1 - share), -np.log(share)
    risk = np.where(sizes == 2, ratio - ratio**2 * logarithm, share / (sizes - (1 - share)))
    return np.where(sizes / weights > _SURE, 1 / sizes, np.where(sizes == 1, ratio * logarithm, risk))


# --- with a table of the whole population -----------------------------------------------------


def map_risk(in_file: Ints, in_table: Ints, people: Ints) -> dict[str, float]:
    """Return the risk by a table of the whole population (k-map), if the intruder does not know who is in the file.

    ``journalist_max`` is the largest 1/F, where F people of the table have the details of a class, ``journalist_mean``
    its mean over classes and ``marketer`` over people; ``presence`` is the largest share of a class's people in the
    table who are in the file.

    Parameters
    ----------
    in_file, in_table
        For each class the number of people in the file and in the table who fit it, shape (classes,).
    people
        Released people who show the class, shape (classes,); more may fit it if it has emptied cells.
    """
    chance = 1 / in_table
    return {
        "journalist_max": float(chance.max()),
        "journalist_mean": float(chance.mean()),
        "marketer": float((people * chance).sum() / people.sum()),
        "presence": float((in_file / in_table).max()),
    }


# --- outside ------------------------------------------------------------------------------

# --- population table ---------------------------------------------------------------------


def population_table(prepared: Prepared, name: str) -> Table:
    """Return the quasi-identifiers of all people from a file in the source's folder; it is read once for a source.

    Columns are in the order of the source and are read with the kinds and date formats of the source.

    Raises
    ------
    InputError, RecipeError
        If the file is outside the folder, cannot be read, or lacks a quasi-identifier of the source.
    """
    path = prepared.path.parent / name
    key = ("population", name)
    if key not in prepared.of_source:
        columns = prepared.table.with_role("quasi-identifier")
        sections = {}
        for column in columns:
            section = prepared.complete.columns[column.name]
            sections[column.name] = ColumnSection(role=section.role, kind=section.kind, format=section.format)
        try:
            check_inside(path, prepared.path.parent)
            reading = read_source(path, InputSection())
            table = apply_columns(reading.table, sections, reading.account.decimal)
        except Refused as refused:
            raise InputError(refused.id, file=str(path)) from refused
        except PpdmError as error:
            error.file = error.file or str(path)
            raise
        prepared.of_source[key] = Table(tuple(table.column(column.name) for column in columns), table.row_numbers)
    table = prepared.of_source[key]
    assert isinstance(table, Table)
    return table


@dataclass(frozen=True, eq=False)
class Recoding:
    """How a release shows the values of one column.

    Attributes
    ----------
    original, released
        The column in the source, and as released.
    rule
        The category shown for each category of the source, -1 for one whose cells are all emptied.
    """

    original: Column
    released: Column
    rule: Ints

    @cached_property
    def filled(self) -> Ints:
        """The rule, with a separate code for each category that is nowhere shown; shape (categories,)."""
        extra_codes = len(self.released.categories) + np.arange(len(self.rule))
        return np.where(self.rule < 0, extra_codes, self.rule)

    @property
    def no_category(self) -> int:
        """The code for values that nobody of the source shows."""
        return len(self.released.categories) + len(self.rule)

    def codes_of(self, column: Column) -> Ints:
        """Return the codes of a table of all people as the release would show them, -1 where missing, shape (rows,).

        A value of the source is shown as the release shows it. Where the release shows all values as they are, any
        other value belongs to nobody of the file. Else one in the hierarchy of the column is shown as the first of its
        generalised values that the release has, and a number or date between two of the source that are shown alike is
        shown like them. Other numbers, dates and values of the hierarchy belong to nobody of the file, so that people
        of the file never seem safer than they are.

        Raises
        ------
        InputError
            If it is not defined how the release would show some values, such as a name that the source and its
            hierarchy lack.
        """
        keys = _list_category_keys(self.original)
        code_of = dict(zip(keys, self.filled.tolist(), strict=True))
        codes, missing = [], []
        for key, text in zip(_list_category_keys(column), column.categories, strict=True):
            code = code_of[key] if key in code_of else self._encode_new_value(key, text, keys)
            missing += [text] if code is None else []
            codes.append(self.no_category if code is None else code)
        if missing:
            arguments: dict[str, Value] = {"count": len(missing), "value": Quoted(missing[0])}
            raise InputError("error.population.no-values", column=column.name, args=arguments)
        return np.append(np.array(codes, dtype=np.int64), -1)[column.category_codes]

    def _encode_new_value(self, key: _Key, text: str, keys: list[_Key]) -> int | None:
        """Return the code of a value that the source does not have; None if it is not defined how it would be shown.

        The code is that of the first generalised value of it in the column's hierarchy that the release has, or that of
        the two values next to it, if they are shown alike. It is `no_category` if no person of the file can be shown
        like it, as where values are shown as they are.

        Parameters
        ----------
        key, text
            The value as a number, date or text, and as a text.
        keys
            The values of the source in the form of ``key``.
        """
        categories = self.released.categories
        if all(
            self.original.categories[index] == categories[code] for index, code in enumerate(self.rule) if code >= 0
        ):
            return self.no_category  # values are shown as they are
        hierarchy = self.original.hierarchy
        if hierarchy is not None and text in hierarchy.generalised:
            general_texts = [general for general in hierarchy.generalised[text] if general in categories]
            return categories.index(general_texts[0]) if general_texts else self.no_category
        if self.original.kind not in ("numeric", "date"):
            return None
        above = bisect_left(keys, key)
        is_between = 0 < above < len(keys) and self.filled[above - 1] == self.filled[above]
        return int(self.filled[above]) if is_between else self.no_category


_Key = float | str | datetime


def _list_category_keys(column: Column) -> list[_Key]:
    """Return each category of a column as a number, a date or a text, in order, so that equal values have equal keys.

    In a numeric column each key is a number. In a date column it is the date and time, without a fraction of a second,
    where the column's format reads the text. All other keys are the texts themselves.
    """
    if column.kind == "numeric":
        return [*to_floats(column.categories, column.style.decimal if column.style else ".").tolist()]
    form = DateFormat.parse(column.date_format) if column.kind == "date" and column.date_format else None
    dates = [None if form is None else form.read(text) for text in column.categories]
    return [text if date is None else date[0] for text, date in zip(column.categories, dates, strict=True)]


# --- outside ------------------------------------------------------------------------------

NONE_UNIQUE = lazy("nobody is unique")
NOT_RANDOM = lazy("the people were not drawn at random")
_ARTIFICIAL = lazy("the released rows are artificial")
_NO_DETAILS = lazy("no released column counts as known to others")
_SEVERAL = lazy("the rows of a person differ in their details")


@dataclass(frozen=True, eq=False)
class ReleasedDetails:
    """The quasi-identifiers of all people of the source as the release shows them.

    Attributes
    ----------
    codes
        For each column shape (people,); emptied cells filled by the rule of the column, -1 where missing in the source.
    emptied
        For each column the people whose cell the release empties, shape (people,).
    released
        People whose row is released, shape (people,).
    rules
        For each column how its values are shown; None if equal values are shown differently from group to group.
    """

    codes: list[Ints]
    emptied: list[Bools]
    released: Bools
    rules: list[Recoding | None]

    @property
    def people(self) -> int:
        """Number of people in the source."""
        return len(self.released)

    @property
    def is_complete(self) -> Bools:
        """People who are released without an emptied cell, bool, shape (people,)."""
        return np.asarray(self.released & ~np.logical_or.reduce(self.emptied))


def assess_outside(
    prepared: Prepared, candidate: Candidate | None = None, released: Table | None = None
) -> model.OutsideEntry | None:
    """Return what being unique in the file means in the population, as an entry of the report.

    None if the recipe does not say what the population is, or if rows are groups of people. The probability that a
    match with a unique person is right (``theta``) is absent, with a reason, if the quasi-identifiers shown say nothing
    of others, if everybody is in the file, if no unique person is released with all cells, or if there is neither a
    usable table of the population nor a random sample from a population of known size.

    Parameters
    ----------
    prepared
        The source with its recipe.
    candidate, released
        The release, and its columns in the order of ``final`` with drawn numbers as their bins; None to judge the
        source.

    Raises
    ------
    RecipeError, InputError
        If size, weights or table of the population do not fit the file.
    """
    section = prepared.recipe.population
    if section is None or prepared.rows_are_groups:
        return None
    details = _list_released_details(prepared, candidate, released)
    table = None if section.table is None else population_table(prepared, section.table)
    size, odds = _compute_population_size_and_odds(prepared, section, table)
    nothing = model.OutsideEntry(
        who=section.who,
        size=size,
        drawn=section.drawn,
        by_table=table is not None,
        theta=Figure.absent(details if isinstance(details, Sentence) else NOT_RANDOM),
        f=[],
        left_out=0,
        kmap=None,
        expert=None,
    )
    if isinstance(details, Sentence) or section.drawn == "everybody":
        return nothing
    classes = classes_of_codes(details.codes, details.people)
    unique = classes.size_of_record == 1
    chance = match_chance(classes, 0.0 if odds is None else odds)
    left_out = int((unique & ~details.is_complete).sum())
    counted = nothing.model_copy(update={"f": list(chance.counts), "left_out": left_out})
    if table is not None and None not in details.rules:
        kmap, theta = _compute_table_risk(details, table)
        return counted.model_copy(update={"kmap": kmap, "theta": theta})
    if odds is None:
        return counted.model_copy(update={"f": []})
    if left_out == chance.counts[0]:
        return counted.model_copy(update={"theta": Figure.absent(NONE_UNIQUE)})
    low, high = chance.interval
    theta = Figure(chance.value, low=low, high=high, n=chance.counts[0], unit="share")
    return counted.model_copy(
        update={"theta": theta, "expert": _build_expert_entry(classes, chance, odds, size or details.people)}
    )


# --- the details as they are shown ----------------------------------------------------------------


def _list_released_details(
    prepared: Prepared, candidate: Candidate | None, released_table: Table | None
) -> ReleasedDetails | Sentence:
    """Return the details of all people of the source as they are shown, or a sentence why they say nothing of others.

    They are codes by column, which cells are emptied, who is released, and each column's rule. Without a candidate or a
    released table they are those of the source. The sentence is returned

    - where released rows are no source rows, and without quasi-identifiers,
    - if the quasi-identifiers differ between rows of a person,
    - if a step changed them at random or by groups,
    - if equal values are shown differently while rows are left out or cells emptied.
    """
    source = prepared.table
    if candidate is not None and not candidate.rows_correspond:
        return _ARTIFICIAL
    table = source if candidate is None or released_table is None else released_table
    rows = find_row_positions(source.row_numbers, table.row_numbers)
    first, released = source.persons.first_rows, np.zeros(source.rows, dtype=np.bool_)
    released[rows] = True
    details = ReleasedDetails([], [], released[first], [])
    for column in table.with_role("quasi-identifier"):
        progress.check()
        original = prepared.original.column(column.name)
        if source.persons.varying(original.category_codes):
            return _SEVERAL
        if candidate is not None and not _shows_disjoint_sets(candidate, source.column(column.name).take(rows), column):
            return lazy("{column} is changed at random or by groups", column=Name(column.name))
        codes, emptied, rule = _find_released_codes(original, column, rows)
        if rule is None and (emptied.any() or not released.all()):
            return lazy("{column} is shown by groups, and some of its values are left out", column=Name(column.name))
        details.codes.append(codes[first])
        details.emptied.append(emptied[first])
        details.rules.append(rule)
    return details if details.codes else _NO_DETAILS


def _shows_disjoint_sets(candidate: Candidate, source: Column, after: Column) -> bool:
    """Return whether every step that changed a column shows disjoint sets of its values.

    If no step is known to have changed it, as in a file made elsewhere, it must be the column of the source.
    """
    name = source.name
    changing = [
        step
        for step in candidate.steps
        if name in step.settings.columns
        and _has_different_values(step.before.column(name), step.result.table.column(name))
    ]
    if changing:
        return all(step.method.shows_disjoint_sets(step.settings) for step in changing)
    return not _has_different_values(source, after)


def _has_different_values(before: Column, after: Column) -> bool:
    """Return whether two versions of a column differ in some row; True if their lengths differ."""
    if before is after or len(before) != len(after):
        return before is not after
    old, new, _ = merged_categories(before, after)
    return bool((old != new).any())


def _find_released_codes(original: Column, released: Column, rows: Ints) -> tuple[Ints, Bools, Recoding | None]:
    """Return each source row's code by the column's rule, whether its cell is emptied, and the rule.

    Codes are the indices of the categories of ``released``. Emptied and unreleased cells are filled by the rule; values
    shown nowhere get codes of their own. Missing values have -1. If equal values are shown differently, as by groups,
    there is no rule (None); then emptied and unreleased cells have -1, too.

    Parameters
    ----------
    original
        The column of the source, without bins.
    released
        The same column as released, shape (rows,).
    rows
        The index in the source of each released row.
    """
    true, codes = original.category_codes, released.category_codes
    rule = np.full(len(original.categories), -1, dtype=np.int64)
    is_shown = (true[rows] >= 0) & (codes >= 0)
    rule[true[rows][is_shown]] = codes[is_shown]
    emptied = np.zeros(len(true), dtype=np.bool_)
    emptied[rows] = (true[rows] >= 0) & (codes < 0)
    if (rule[true[rows][is_shown]] != codes[is_shown]).any():
        by_group = np.full(len(true), -1, dtype=np.int64)
        by_group[rows] = codes
        return by_group, emptied, None
    recoding = Recoding(original, released, rule)
    return np.where(true < 0, -1, np.append(recoding.filled, -1)[true]), emptied, recoding


# --- sizes, and figures ---------------------------------------------------------------------------


def _compute_population_size_and_odds(
    prepared: Prepared, section: PopulationSection, table: Table | None
) -> tuple[int | None, Floats | float | None]:
    """Return the number of people in the population, and each person's odds not to be drawn; None for what is unknown.

    The size is the recipe's; else the sum of the weights, rounded up, if there is a weight column; else the rows of the
    table; else the people of the file if everybody is in it. Odds are a weight minus 1, as an array of shape (people,),
    if there is a weight column, else size / people - 1 for all; None unless people were drawn at random from a
    population of known size.

    Raises
    ------
    RecipeError
        If the population is smaller than the file, or larger although everybody is in the file, or if a weight is not
        valid.
    """
    people, size = prepared.table.persons.count, section.size
    if section.weight is not None:
        weights = _read_weights(prepared, section.weight)
        size = size or int(np.ceil(weights.sum() - 1e-9))
    elif table is not None:
        size = size or table.rows
    elif section.drawn == "everybody":
        size = size or people
    if size is not None and size < people:
        raise RecipeError("error.population.too-few", args={"all": size, "people": people})
    if size is not None and size > people and section.drawn == "everybody":
        raise RecipeError("error.population.too-many", args={"all": size, "people": people})
    if section.drawn != "random" or size is None:
        return size, None
    return size, size / people - 1 if section.weight is None else weights - 1


def _read_weights(prepared: Prepared, name: str) -> Floats:
    """Return how many people each person of the source stands for, shape (people,), from their first rows.

    Raises RecipeError for a column that is not numeric, or has a weight that is missing or below 1.
    """
    column = prepared.original.column(name)
    if column.kind != "numeric":
        raise RecipeError("error.population.weight", column=name)
    weights = column.numbers[prepared.table.persons.first_rows]
    if not (weights >= 1).all():  # a missing weight is no number, and none of 1 or more
        raise RecipeError("error.population.weight", column=name)
    return weights


def _build_expert_entry(classes: Classes, chance: MatchChance, odds: Floats | float, size: int) -> model.ExpertEntry:
    """Return what is known of the people unique in the file beyond it, for the report.

    It has bounds and three models' estimates of the share of them who are unique in the population, too, and their mean
    individual risk. Somebody has to be unique. ``chance`` is the match chance computed from the same classes and odds,
    ``odds`` are each person's odds not to be drawn (weight - 1), shape (people,), or one number for all, and ``size``
    is the number of people in the population.
    """
    low, high = chance.unique_outside
    weights = np.broadcast_to(np.asarray(odds) + 1.0, classes.ids.shape)
    of_class = np.bincount(classes.ids, weights, minlength=classes.count).astype(np.float64)
    individual = individual_risk(classes.sizes, of_class)[classes.sizes == 1].mean()
    return model.ExpertEntry(low=low, high=high, individual=float(individual), **modelled_uniques(classes.sizes, size))


def _compute_table_risk(details: ReleasedDetails, table: Table) -> tuple[model.MapEntry, Figure]:
    """Return the risk by a table of the population, and the probability that a match with a unique person is right.

    The probability is an absent figure if nobody who is released with all cells is unique.

    Raises
    ------
    RecipeError, InputError
        If the table lacks people of the file, or if it is not defined how the release would show some of its values.
    """
    rules = [rule for rule in details.rules if rule is not None]
    codes = [
        np.concatenate([code, rule.codes_of(table.column(rule.original.name))])
        for code, rule in zip(details.codes, rules, strict=True)
    ]
    pattern = np.zeros(details.people, dtype=np.int64)
    for bit, emptied in enumerate(details.emptied):
        pattern |= emptied.astype(np.int64) << bit
    counts: list[tuple[Ints, Ints, Ints]] = []
    for hidden in np.unique(pattern[details.released]).tolist():
        progress.check()
        kept = [code for bit, code in enumerate(codes) if not hidden >> bit & 1]
        classes = classes_of_codes(kept, len(codes[0]))
        in_file = np.bincount(classes.ids[: details.people], minlength=classes.count)
        showing = classes.ids[: details.people][details.released & (pattern == hidden)]
        people = np.bincount(showing, minlength=classes.count)
        has_people = people > 0
        counts.append((in_file[has_people], (classes.sizes - in_file)[has_people], people[has_people]))
    in_file, in_table, people = (np.concatenate(parts) for parts in zip(*counts, strict=True))
    missing = np.flatnonzero(in_table < in_file)
    if len(missing):
        worst = missing[0]
        arguments = {"all": int(in_table[worst]), "people": int(in_file[worst])}
        raise RecipeError("error.population.not-everybody", args=arguments)
    unique = counts[0][0] == 1 if details.is_complete.any() else np.zeros(0, dtype=np.bool_)
    theta = Figure.absent(NONE_UNIQUE)
    if unique.any():
        value = float(unique.sum() / counts[0][1][unique].sum())
        theta = Figure(value, low=value, high=value, n=int(unique.sum()), unit="share")
    return model.MapEntry(**map_risk(in_file, in_table, people)), theta
