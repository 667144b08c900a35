"""Check that no column is released that works as a key of people, whatever its role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.disclosure.singled_out import MOSTLY_TRUE, compute_true_share, list_identifying_columns
from ppdm_desktop.engine.release.gate.base import LOOKS_AT_EVERY_VALUE, Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import WHO_IS_FOUND, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.full_names import full_names
from ppdm_desktop.engine.table.kinds import guess_kind, present_texts
from ppdm_desktop.engine.table.roles import STRONG, RoleSuggestion, suggest_roles
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names

NAMED_CELLS, NAMED_TEXTS = 0.05, 20
"""A column holds full names if at least 5 % of its cells do, or at least 20 different texts."""
FEWEST_NAMES, FEWEST_GIVEN_NAMES = 5, 3
"""Fewer full names, or given names in them, may be those of hospitals and streets."""


@register
class KeysReleased(Check):
    """No column whose name, form or structure is that of a key of people is released unchanged."""

    id = "keys-released"
    title = "Columns that work like a key"
    order = 117
    cause = WHO_IS_FOUND
    source = lazy("GDPR, article 4(1) (a name, an identification number, an online identifier)")
    fix_on = "columns"
    figure_unit = "columns"
    red_for = "public"
    weight = LOOKS_AT_EVERY_VALUE
    usual = Colours.of("gate.keys-released.green", "gate.keys-released.amber", "gate.keys-released.red")
    red_names = VerdictText.red("gate.keys-released.red-names")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for columns of full names, and for unchanged columns that look like identifiers.

        - Full names are red; within an organisation they are not looked for.
        - Columns that strongly look like identifiers by name and values are red in a public release, else amber;
          without any it is green.
        """
        type = evidence.candidate.prepared.type
        named = [] if type.is_internal else [column for column in evidence.judged.columns if _holds_full_names(column)]
        if named:
            figure = Figure(len(named), n=len(evidence.exported.columns), unit="columns")
            return self.verdict(self.red_names, figure, 0, columns=Names.of([column.name for column in named]))
        columns = [column for column in list_identifying_columns(evidence.disclosed) if column.name in evidence.judged]
        released = [column.name for column in columns if _is_true(evidence, column)]
        figure_of = len(evidence.exported.columns)
        suggested = roles_by_values(evidence) if released else {}
        key_columns = [
            name for name in released if suggested[name].role == "identifier" and suggested[name].strength == STRONG
        ]
        figure = Figure(len(key_columns), n=figure_of, unit="columns")
        if not key_columns:
            return self.verdict(self.usual.green, figure, 0)
        first = suggested[key_columns[0]]
        return self.verdict(
            self.usual.red if self.limits_of(evidence).red is not None else self.usual.amber,
            figure,
            0,
            columns=Names.of(key_columns),
            column=Name(key_columns[0]),
            why=Note(first.reason, first.arguments),
        )


def _is_true(evidence: Evidence, column: Column) -> bool:
    """Return whether more than 90 % of a column's cells show the source's value or are empty.

    False for a column of bins; True for any other column of synthetic rows.
    """
    if evidence.candidate.prepared.column_section(column.name).bins is not None:
        return False
    return not evidence.rows_correspond or compute_true_share(evidence.disclosed, column) > MOSTLY_TRUE


def roles_by_values(evidence: Evidence) -> Mapping[str, RoleSuggestion]:
    """Return the role that each source column's name and values suggest, by column name, whatever the recipe says.

    It is computed once for each source.
    """
    prepared = evidence.candidate.prepared
    progress.check()

    def infer_kind(column: Column) -> Column:
        """Return a column with the kind and number format that its texts suggest.

        Order, dates and bounds are dropped.
        """
        guess = guess_kind(column, prepared.account.decimal)
        return replace(column, kind=guess.kind, style=guess.style, order=None, date_format=None, bounds=None)

    if roles_by_values not in prepared.of_source:
        prepared.of_source[roles_by_values] = suggest_roles(prepared.original.mapped(infer_kind))
    suggestions: Mapping[str, RoleSuggestion] = prepared.of_source[roles_by_values]
    return suggestions


def _holds_full_names(column: Column) -> bool:
    """Return whether a column shows full names of people; False for numbers and dates.

    At least 5 texts must be full names, with at least 3 different given names; and there must be at least 20 such
    texts, or they must stand in at least 5 % of the cells.
    """
    if column.kind in ("numeric", "date"):
        return False
    named = full_names(present_texts(column))
    if len(named) < FEWEST_NAMES or len(set(named.values())) < FEWEST_GIVEN_NAMES:
        return False
    is_name = np.array([text in named for text in column.texts])
    return len(named) >= NAMED_TEXTS or float(is_name[column.codes].mean()) >= NAMED_CELLS
