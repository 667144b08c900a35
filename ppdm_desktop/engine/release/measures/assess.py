"""How identifiable the people in a file are before any method (the command ``assess``; contract, section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools
from ppdm_desktop.engine.identifiability.groups_of_people import count_people
from ppdm_desktop.engine.identifiability.measures import Counts, Measure
from ppdm_desktop.engine.identifiability.risk import RiskFigures, table_risk
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.measures.outside import assess_outside
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Name, Ratio, Share


def assess(prepared: Prepared, risk: RiskFigures | None = None) -> dict[str, Any]:
    """Return how identifiable people are before any step, as plain data under the keys of the command ``assess``.

    It holds counts of people and rows, the figures for an intruder who knows the quasi-identifiers, the same figures
    under ``all_released`` for one who knows every released column, figures from outside data where there are any
    (``outside``), and the columns that were ignored. A table of the population also gives the journalist's risk, which
    is None otherwise. For rows that are groups of people it holds their sizes and the ignored columns alone.

    Parameters
    ----------
    prepared
        The input, ready for its first step.
    risk
        ``table_risk`` of the prepared table by the recipe's rule, if it was computed already; None to compute it.

    Raises
    ------
    RecipeError
        If no column is a quasi-identifier; not for rows that are groups of people, of which only sizes are returned.
    RecipeError, InputError
        If size, weights or table of the population do not fit the file.
    """
    if prepared.rows_are_groups:
        return _count_group_people(prepared)
    table, rule = prepared.table, prepared.recipe.risk.missing
    risk = table_risk(table, rule) if risk is None else risk
    figures = {**_count_people_by_rows(prepared, risk), **assess_risk(risk)}
    del risk  # what it holds of each row makes room for the other
    progress.report(0.5, "doing.risk")
    wide = table_risk(table, rule, all_released=True)
    outside = assess_outside(prepared)
    if outside is not None:
        figures["outside"] = outside.model_dump(mode="json")
        if outside.kmap is not None:
            figures["risk"] |= {key: getattr(outside.kmap, key) for key in ("journalist_max", "journalist_mean")}
    return {
        **figures,
        "all_released": {
            **_format_risk(wide),
            "scope": list(wide.scope),
            "per_confidential": _format_column_counts(wide),
        },
        "ignored_columns": _list_ignored_columns(prepared),
    }


def _list_ignored_columns(prepared: Prepared) -> list[str]:
    """Return the names of the columns without a role, or whose role is to be left out."""
    return [column.name for column in prepared.table.columns if column.role in (None, "left-out")]


def _count_group_people(prepared: Prepared) -> dict[str, Any]:
    """Return counts for rows that are groups of people: rows, people, fewest in one row, name of the counting column.

    The names of columns that were not looked at are listed, too; keys are those of ``assess``. If no column counts
    people, its name is None and each row counts as the recipe's least count, or as 0 without one.
    """
    counts = count_people(prepared.table, prepared.complete.input)
    return {
        "groups": prepared.table.rows,
        "people": counts.people,
        "smallest_group": int(counts.of_row.min(initial=counts.people)),
        "counted_by": counts.column or None,
        "ignored_columns": _list_ignored_columns(prepared),
    }


def describe_groups(figures: Mapping[str, Any]) -> str:
    """Return an assessment of rows that are groups of people as sentences; ``figures`` are those of `assess`.

    They state groups, people and the smallest group, or that no column counts the people of each row.
    """
    sentence = lazy("Each row is a group of people, so nobody can be looked for in it.")
    if figures["counted_by"] is None:
        return f"{sentence} {lazy('No column counts the people of each row.')}"
    counted = lazy(
        "{groups} {groups:group|groups} of {people} people by {column}. The smallest has {k}.",
        groups=figures["groups"],
        people=figures["people"],
        column=Name(figures["counted_by"]),
        k=figures["smallest_group"],
    )
    return f"{sentence} {counted}"


def describe_second_measure(figures: Mapping[str, Any]) -> list[str]:
    """Return sentences on the measure of risk that is not used for judging, and on households; empty without either.

    If one row of a person is used for judging, they state the figures by all rows, and the reverse. Those on households
    follow if there are households. ``figures`` are those of `assess`.
    """
    sentences = []
    if figures.get("judged_by") == "one_row":
        sentences += [
            lazy("The intruder knows one row of a person."),
            lazy(
                "If someone could link a person’s rows, {unique} of {several} people with several rows would be "
                "unique, {all} people in all.",
                unique=figures["all_rows"]["unique_with_several"],
                several=figures["with_several"],
                all=figures["all_rows"]["unique"],
            ),
        ]
    elif figures.get("judged_by") == "all_rows":
        sentences += [
            lazy("The intruder knows all rows of a person: the release allows them to be linked."),
            lazy(
                "For someone who knows one row, {found:full} would be unique.",
                found=Share(figures["one_row"]["unique"], figures["people"]),
            ),
        ]
    if (homes := figures.get("households")) is not None:
        sentences.append(
            lazy(
                "{unique} of {n} {n:household is|households are} unique. On average, at least one member of a "
                "household is found with a probability of {chance}. This figure has no limit.",
                n=homes["count"],
                unique=homes["unique"],
                chance=Ratio(homes["found_mean"]),
            )
        )
    return [str(sentence) for sentence in sentences]


def _count_people_by_rows(prepared: Prepared, risk: RiskFigures) -> dict[str, Any]:
    """Return the numbers of rows, of people and of people with several rows; empty if nobody named a person column.

    The most rows of one person and the number of rows without a person's id are among them. If people were reduced to
    one row each, only rows (before that) and people are counted. Figures on households are added if the table has a
    column of households.
    """
    people = prepared.reduced or prepared.table.people
    if people is None:
        return {}
    counted: dict[str, Any] = {"rows": people.rows, "people": people.count}
    if prepared.reduced is None:
        counted |= {
            "with_several": people.with_several,
            "most_rows": people.most_rows,
            "without_id": people.without_id,
        }
    if (homes := risk.households) is not None:
        counted["households"] = {
            "count": homes.count,
            "with_several": homes.with_several,
            "unique": homes.unique,
            "found_mean": homes.found_mean,
            "found_max": homes.found_max,
        }
    return counted


def assess_risk(risk: RiskFigures) -> dict[str, Any]:
    """Return the assessment of a table's risk under the keys of ``assess``, without those that need the whole input.

    If people have several rows, an intruder may know one row of a person or all. The figures are those of the measure
    that is used for judging, and both are listed.
    """
    return {
        **_format_risk(risk),
        **_format_measures(risk),
        "scope": list(risk.scope),
        "missing_rule": risk.missing_rule,
        "per_confidential": _format_column_counts(risk),
    }


def _format_risk(risk: RiskFigures) -> dict[str, Any]:
    """Return the risk figures under the keys of ``assess``.

    They are numbers of records, of identifiable people and of classes, the smallest class (``k``), and the risks by
    prosecutor, journalist and marketer, from 0 to 1. Without a confidential column, the figures that need one are None,
    and the uniquely identifiable are the people who are unique in the quasi-identifiers. The journalist's risk is None,
    because it needs a table of other people.
    """
    overall = risk.judged.overall
    return {
        "records": risk.records,
        "identifiable": overall.identifiable if overall else None,
        "uniquely_identifiable": overall.uniquely if overall else risk.unique_people,
        "collectively_identifiable": overall.collectively if overall else None,
        "collective_groups": overall.groups if overall else None,
        "unidentifiable": overall.unidentifiable if overall else None,
        "equivalence_classes": risk.judged.classes,
        "k": risk.k,
        "risk": {
            "prosecutor_max": risk.judged.prosecutor_max,
            "prosecutor_mean": risk.judged.prosecutor_mean,
            "journalist_max": None,
            "journalist_mean": None,
            "marketer": risk.judged.prosecutor_mean,
        },
    }


def _format_measures(risk: RiskFigures) -> dict[str, Any]:
    """Return the risk to someone who knows one row of a person, or all rows, and which of them is used for judging.

    Keys are those of ``assess``; empty if only one measure was computed.
    """
    if risk.unjudged is None:
        return {}
    several = risk.people.sizes > 1
    return {
        "judged_by": "all_rows" if risk.judged is risk.all_rows else "one_row",
        "one_row": _format_measure(risk.one_row, several),
        "all_rows": _format_measure(risk.all_rows, several),
    }


def _format_measure(measure: Measure, several: Bools) -> dict[str, Any]:
    """Return one measure's risk figures under the keys of ``assess``.

    Those who are unique and have several rows are counted separately. ``several`` marks the people with several rows,
    bool, shape (people,). Without a confidential column, collectively identifiable people are None, and the uniquely
    identifiable are the unique ones.
    """
    overall = measure.overall
    return {
        "unique": measure.unique_people,
        "unique_with_several": int(np.count_nonzero(several & (measure.matches == 1))),
        "uniquely_identifiable": overall.uniquely if overall else measure.unique_people,
        "collectively_identifiable": overall.collectively if overall else None,
        "collective_groups": overall.groups if overall else None,
        "equivalence_classes": measure.classes,
        "k": measure.k,
        "prosecutor_max": measure.prosecutor_max,
        "prosecutor_mean": measure.prosecutor_mean,
    }


def _format_column_counts(risk: RiskFigures) -> dict[str, dict[str, int]]:
    """Return the counts of each confidential column under the keys of ``assess``."""
    return {name: counts_document(counts) for name, counts in risk.judged.per_confidential.items()}


def counts_document(counts: Counts) -> dict[str, int]:
    """Return the counts of one confidential column under the keys of ``assess``: people and groups.

    People are identifiable (in all, uniquely, collectively), not identifiable, or without a value; groups are those
    that share one value.
    """
    return {
        "identifiable": counts.identifiable,
        "uniquely_identifiable": counts.uniquely,
        "collectively_identifiable": counts.collectively,
        "collective_groups": counts.groups,
        "unidentifiable": counts.unidentifiable,
        "no_value": counts.no_value,
    }
