"""``assess``: how identifiable the people in a file are, before any method (contract, section 5)."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.identifiability.risk import Counts, RiskFigures, table_risk
from ppdm_desktop.engine.release.candidate.model import Prepared


def assess(prepared: Prepared, risk: RiskFigures | None = None) -> dict[str, Any]:
    """Return the assessment of a prepared input as plain data, keys in the contract's order.

    Parameters
    ----------
    prepared
        The input, ready for its first step.
    risk
        ``table_risk`` of the prepared table by the recipe's rule, where it was counted already.

    Raises
    ------
    RecipeError
        When no column is a quasi-identifier.
    """
    table, rule = prepared.table, prepared.recipe.risk.missing
    risk = table_risk(table, rule) if risk is None else risk
    wide = table_risk(table, rule, all_released=True)
    ignored = [column.name for column in table.columns if column.role in (None, "left-out")]
    people = prepared.people
    counted = {} if people is None else {"rows": people.rows, "people": people.count}
    return {
        **counted,
        **assessed(risk),
        "all_released": {
            **_block(wide),
            "scope": list(wide.scope),
            "per_confidential": _per_column(wide),
        },
        "ignored_columns": ignored,
    }


def assessed(risk: RiskFigures) -> dict[str, Any]:
    """Return the part of an assessment that speaks of what a neighbour could know: all but the last two keys."""
    return {
        **_block(risk),
        "scope": list(risk.scope),
        "missing_rule": risk.missing_rule,
        "per_confidential": _per_column(risk),
    }


def _block(risk: RiskFigures) -> dict[str, Any]:
    overall = risk.overall
    return {
        "records": risk.records,
        "identifiable": overall.identifiable if overall else None,
        "uniquely_identifiable": overall.uniquely if overall else risk.alone,
        "collectively_identifiable": overall.collectively if overall else None,
        "collective_groups": overall.groups if overall else None,
        "unidentifiable": overall.unidentifiable if overall else None,
        "equivalence_classes": risk.classes.count,
        "k": risk.k,
        "risk": {
            "prosecutor_max": risk.prosecutor_max,
            "prosecutor_mean": risk.prosecutor_mean,
            "journalist_max": None,
            "journalist_mean": None,
            "marketer": risk.marketer,
        },
    }


def _per_column(risk: RiskFigures) -> dict[str, dict[str, int]]:
    return {name: counts_document(counts) for name, counts in risk.per_confidential.items()}


def counts_document(counts: Counts) -> dict[str, int]:
    """Return one column's counts under the names ``assess`` prints."""
    return {
        "identifiable": counts.identifiable,
        "uniquely_identifiable": counts.uniquely,
        "collectively_identifiable": counts.collectively,
        "collective_groups": counts.groups,
        "unidentifiable": counts.unidentifiable,
        "no_value": counts.no_value,
    }
