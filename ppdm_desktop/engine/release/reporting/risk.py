"""The report's part on risk: classes of equal records before and after, and what they disclose."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, on_grid
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.identifiability.diversity import (
    ValueCounts,
    closeness_nominal,
    closeness_ordered,
    entropy_values,
)
from ppdm_desktop.engine.identifiability.measures import Measure
from ppdm_desktop.engine.identifiability.risk import RiskFigures, known_people, risk_figures
from ppdm_desktop.engine.identifiability.unique_sets import minimal_unique_sets
from ppdm_desktop.engine.release.gate.evidence import Evidence, is_quasi_regenerated
from ppdm_desktop.engine.release.measures.outside import assess_outside
from ppdm_desktop.engine.report import model
from ppdm_desktop.engine.result_cache import RESULTS, hash_arrays
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy, untranslated
from ppdm_desktop.engine.wording.values import Name

_DOING = "doing.risk"
_NO_POPULATION = lazy("needs a table of the whole population")
_NOTHING_CONFIDENTIAL = lazy("no confidential column is released")
_LEAST_DIVERSE = untranslated("exp(entropy) of the class of least diversity")


def compute_risk(evidence: Evidence) -> model.Risk:
    """Return the risk of the source table and of the written file (of the table in memory if the file is unreadable).

    The file's figures are marked as not applying (``applies`` False) where a quasi-identifier got noise, or where the
    file is readable and all its quasi-identifiers were generated. Both sides are without figures where rows are groups
    of people. Raises RecipeError or InputError if size, weights or table of the recipe's population do not fit the
    file.
    """
    candidate = evidence.candidate
    if candidate.prepared.rows_are_groups:
        not_counted = model.RiskSide(scope=model.RiskScopes(quasi_identifiers=None, released=None), applies=True)
        return model.Risk(before=not_counted, after=not_counted)
    rule = candidate.prepared.recipe.risk.missing
    k_min = candidate.prepared.type.k_min
    before = candidate.prepared.table
    # What was read back holds no ids; its rows stand in the order of the last step, which knows whose they are.
    after = evidence.judged.with_people(candidate.final.people) if evidence.fits else candidate.final
    progress.report(0.0, _DOING)
    noisy_quasi = any(
        protection.manner == "noise" and after.column(protection.column).role == "quasi-identifier"
        for step in candidate.steps
        for protection in step.result.protections
    )
    return model.Risk(
        before=model.RiskSide(
            scope=_add_table_figures(
                progress.part(0.0, 0.5).run(risk_scopes, before, rule, k_min), assess_outside(candidate.prepared)
            ),
            applies=True,
        ),
        after=model.RiskSide(
            scope=_add_table_figures(
                progress.part(0.5, 1.0).run(risk_scopes, after, rule, k_min),
                evidence.outside,
            ),
            applies=not noisy_quasi and not (evidence.fits and is_quasi_regenerated(evidence)),
        ),
    )


def _add_table_figures(scopes: model.RiskScopes, outside: model.OutsideEntry | None) -> model.RiskScopes:
    """Return the risk with two more figures, for an intruder who looks for somebody of the population.

    These are the largest and the mean risk of being found by the quasi-identifiers (journalist risk). The risk by more
    columns never gets them. They are known only if ``outside`` has counts from a table of the whole population;
    otherwise, and where there is no risk by the quasi-identifiers, the risk is returned unchanged.
    """
    if outside is None or outside.kmap is None or scopes.quasi_identifiers is None:
        return scopes
    figures = {name: Figure(getattr(outside.kmap, name)) for name in ("journalist_max", "journalist_mean")}
    return scopes.model_copy(update={"quasi_identifiers": scopes.quasi_identifiers.model_copy(update=figures)})


def risk_scopes(table: Table, rule: str, k_min: int) -> model.RiskScopes:
    """Return a table's risk by the quasi-identifiers alone, and by these with the columns of role "other".

    Without quasi-identifiers the first is None; without columns of role "other" the second has the figures of the
    first, and it is None if there is neither. Tables without a person column are answered from memory, if an equal one
    was measured before.

    Parameters
    ----------
    table
        Columns with their roles.
    rule
        How missing values match other values (recipe, ``[risk] missing``).
    k_min
        Smallest class the release type allows.
    """
    if table.people is not None:
        return _compute_risk_scopes(table, rule, k_min)
    # Candidates of one table have the same risk before; and a release that a step left as it was, afterwards, too.
    columns: list[Hashable] = []
    for column in table.with_role("quasi-identifier", "other", "confidential"):
        progress.check()
        columns.append((column.name, column.role, column.kind, hash_arrays(column.category_codes)))
    key = ("risk", rule, k_min, table.rows, tuple(columns))
    return RESULTS.report(key, lambda: _compute_risk_scopes(table, rule, k_min))


def _compute_risk_scopes(table: Table, rule: str, k_min: int) -> model.RiskScopes:
    """Return a table's risk by the quasi-identifiers, and by these with the columns of role "other", newly computed.

    The risk by a set of columns is None if the set is empty; the second set includes the first. ``rule`` says how
    missing values match, ``k_min`` is the smallest class the release type allows.
    """
    quasi, wide = table.with_role("quasi-identifier"), table.with_role("quasi-identifier", "other")
    confidential = table.with_role("confidential")
    blocks: list[model.RiskBlock | None] = []
    for columns, part in ((quasi, progress.part(0.0, 0.5)), (wide, progress.part(0.5, 1.0))):
        part.report(0.0, _DOING)
        if not columns:
            blocks.append(None)
            continue
        figures = part.run(risk_figures, columns, confidential, known_people(table), rule)
        part.report(0.3, _DOING)
        blocks.append(part.part(0.3, 1.0).run(risk_block, figures, columns, confidential, k_min))
    return model.RiskScopes(quasi_identifiers=blocks[0], released=blocks[1])


def risk_block(
    risk: RiskFigures, columns: Sequence[Column], confidential: Sequence[Column], k_min: int
) -> model.RiskBlock:
    """Return a table's risk by some columns, in the form of the report; figures that need the population are absent.

    The figures are those of the measure that limits apply to. Where somebody has several rows, those by one row of a
    person (``one_row``) and by all rows (``all_rows``) are added; else these two are None.

    Parameters
    ----------
    risk
        The risk figures.
    columns
        The columns that ``risk`` was computed by.
    confidential
        The confidential columns.
    k_min
        Smallest class the release type allows.
    """
    absent = Figure.absent(_NO_POPULATION)
    l_entropy, t_closeness = progress.part(0.0, 0.6).run(
        diversity_figures, risk.judged_classes, confidential, risk.people
    )
    progress.report(0.6, _DOING)
    sets = minimal_unique_sets(columns, risk.people, risk.missing_rule)
    one_row = all_rows = None
    if risk.unjudged is not None:
        several = risk.people.sizes > 1
        one_row, all_rows = (
            _measure_entry(measured, several, k_min, judges=measured is risk.judged)
            for measured in (risk.one_row, risk.all_rows)
        )
    return model.RiskBlock.copy_of(
        risk.judged,
        columns=list(risk.scope),
        records=risk.records,
        equivalence_classes=risk.judged.classes,
        class_sizes=[
            model.ClassSize(size=size, classes=classes, records=records)
            for size, classes, records in risk.class_sizes()
        ],
        unique=risk.unique_people,
        identifiable=risk.judged.per_confidential,
        share_over_threshold=risk.judged.share_below(k_min),
        journalist_max=absent,
        journalist_mean=absent,
        marketer=risk.judged.prosecutor_mean,
        l_distinct=min(risk.judged.distinct_l.values(), default=None),
        l_entropy=l_entropy,
        t_closeness=t_closeness,
        unique_sets=[list(name_set) for name_set in sets],
        rows=risk.rows if one_row is not None else None,
        one_row=one_row,
        all_rows=all_rows,
        households=risk.households,
    )


def _measure_entry(measure: Measure, several: Bools, k_min: int, *, judges: bool) -> model.MeasureEntry:
    """Return the risk figures of one measure (by one row, or by all rows of a person) in the form of the report.

    ``several`` says who has several rows, shape (people,), and is used to count the unique people among them; ``k_min``
    is the class size below which people are counted; ``judges`` says whether limits apply to this measure.
    """
    return model.MeasureEntry.copy_of(
        measure,
        judges=judges,
        equivalence_classes=measure.classes,
        unique=measure.unique_people,
        unique_with_several=int(np.count_nonzero(several & (measure.matches == 1))),
        below_k_min=measure.below(k_min),
        identifiable=measure.per_confidential,
        l_distinct=min(measure.distinct_l.values(), default=None),
    )


def _format_column_name(column: Column) -> Sentence:
    """Return the words "column NAME" for a note in the report."""
    return untranslated("column {column}", column=Name(column.name))


def diversity_figures(classes: Classes, confidential: Sequence[Column], people: People) -> tuple[Figure, Figure]:
    """Return the lowest entropy l-diversity and the largest t-closeness over classes and confidential columns.

    Diversity is exp(entropy), in values: two equally frequent ones give 2. Closeness is a distance from 0 to 1: the
    earth mover's for numbers and ordinal columns, else half the sum of differences of shares. Each figure has as a note
    the column where it was found, of equal ones the first. Both are absent without a confidential column or a class.
    """
    if not confidential or not classes.count:
        absent = Figure.absent(_NOTHING_CONFIDENTIAL)
        return absent, absent
    entropy, distance = [], []
    for index, column in enumerate(confidential):
        progress.report(index / len(confidential), _DOING)
        counts = ValueCounts.of_people(classes, column.category_codes, people)
        progress.check()
        entropy.append(float(entropy_values(counts).min()))
        progress.check()
        ordered = column.kind in ("numeric", "ordinal")
        distance.append(float((closeness_ordered(counts) if ordered else closeness_nominal(counts)).max()))
    least, most = int(np.argmin(on_grid(np.array(entropy)))), int(np.argmax(on_grid(np.array(distance))))
    ordered = confidential[most].kind in ("numeric", "ordinal")
    way = untranslated("half the sum of absolute differences of shares")
    if ordered:
        way = untranslated("earth mover, values in order")
    return (
        Figure(
            entropy[least],
            n=classes.count,
            unit="values",
            method=_LEAST_DIVERSE,
            note=_format_column_name(confidential[least]),
        ),
        Figure(
            min(distance[most], 1.0),
            n=classes.count,
            unit="distance, 0 to 1",
            method=untranslated("class farthest from the table: {way}", way=way),
            note=_format_column_name(confidential[most]),
        ),
    )
