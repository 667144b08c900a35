"""Check that people are counted and not rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.likely_visits import LikelyVisits, likely_visits
from ppdm_desktop.engine.release.disclosure.groups_of_people import combinations_of
from ppdm_desktop.engine.release.gate.base import LOOKS_AT_EVERY_VALUE, Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import READING_AND_ROLES, CheckResult, VerdictText
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.column_names import interpret_column_name, means_people_count
from ppdm_desktop.engine.table.likeness import SuspectedPeople, find_possible_person_ids, may_split_people
from ppdm_desktop.engine.table.people_as_columns import columns_like_people
from ppdm_desktop.engine.wording.values import Name, Names, Ratio


@register
class PeopleCounted(Check):
    """Each row is another person, or the person of each row is known."""

    id = "people-counted"
    title = "People counted"
    order = 90
    cause = READING_AND_ROLES
    fix_on = "open"
    direction = "at-least"
    figure_unit = "persons"
    reads_file = False
    weight = LOOKS_AT_EVERY_VALUE
    green = VerdictText.green("gate.people-counted.green")
    green_name = VerdictText.green("gate.people-counted.green-name")
    green_reduced = VerdictText.green("gate.people-counted.green-reduced")
    green_several = VerdictText.green("gate.people-counted.green-several")
    amber = VerdictText.amber("gate.people-counted.amber")
    amber_alike = VerdictText.amber("gate.people-counted.amber-alike")
    amber_even = VerdictText.amber("gate.people-counted.amber-even")
    amber_named = VerdictText.amber("gate.people-counted.amber-named")
    amber_regular = VerdictText.amber("gate.people-counted.amber-regular")
    amber_splits = VerdictText.amber("gate.people-counted.amber-splits")
    amber_weak = VerdictText.amber("gate.people-counted.amber-weak")
    amber_without_id = VerdictText.amber("gate.people-counted.amber-without-id")
    green_groups = VerdictText.green("gate.people-counted.green-groups")
    amber_count = VerdictText.amber("gate.people-counted.amber-count")
    red_count = VerdictText.red("gate.people-counted.red-count")
    amber_same_group = VerdictText.amber("gate.people-counted.amber-same-group")
    amber_few_combinations = VerdictText.amber("gate.people-counted.amber-few-combinations")
    red_few_combinations = VerdictText.red("gate.people-counted.red-few-combinations")
    red_same_group = VerdictText.red("gate.people-counted.red-same-group")
    red_person = VerdictText.red("gate.people-counted.red-person")
    red_alike = VerdictText.red("gate.people-counted.red-alike")
    red_columns = VerdictText.red("gate.people-counted.red-columns")
    red_named = VerdictText.red("gate.people-counted.red-named")
    red_once = VerdictText.red("gate.people-counted.red-once")
    red_regular = VerdictText.red("gate.people-counted.red-regular")
    red_splits = VerdictText.red("gate.people-counted.red-splits")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result of comparing the declared persons with columns that look like keys of people.

        The first of these that applies:

        - Red if each of several columns stands for a person.
        - If each row counts as a person, values of a column that looks like a person's key must not repeat
          (`_judge_rows`).
        - If persons are declared, another column that looks like a key, and in which several of them share a value as
          if they were parts of one person, is amber, or in a public release red if its name says that it is a key.
        - Amber for rows without a person's id.
        - Else green.
        """
        prepared = evidence.candidate.prepared
        input_section = prepared.complete.input
        if (names := _list_person_columns(evidence)) is not None:
            return self.verdict(self.red_columns, count=len(names), columns=Names.of(names))
        if input_section.person is None:
            return self._judge_rows(evidence, find_possible_person_ids(prepared.read))
        named = {input_section.household, *input_section.person}
        people = prepared.reduced or prepared.read.persons
        arguments: dict[str, Any] = {
            "rows": people.rows,
            "persons": people.count,
            "several": people.with_several,
            "most": people.most_rows,
        }
        figure = Figure(people.count, n=people.rows, unit="persons")
        # One row of each of them: what stays as it is with a person repeats in their own rows, and is nobody.
        for suspected_person in find_possible_person_ids(prepared.read.take(people.first_rows)):
            if (
                not suspected_person.strong
                or suspected_person.column in named
                or not may_split_people(people, prepared.read.column(suspected_person.column))
            ):
                continue
            text = self.red_splits if suspected_person.named and prepared.type.is_public else self.amber_splits
            result_arguments: dict[str, Any] = {
                "column": Name(suspected_person.column),
                "values": suspected_person.values,
                "people": people.count,
            }
            return self.verdict(text, figure, **result_arguments)
        if people.without_id:
            return self.verdict(self.amber_without_id, figure, without=people.without_id, **arguments)
        return self.verdict(self.green_several if prepared.reduced is None else self.green_reduced, figure, **arguments)

    def judge_groups(self, evidence: Evidence) -> CheckResult:
        """Return the result for rows that are groups: no column may be a person's key, and each group has one row.

        A key is red. A column of counts with a name that does not say so, more than a fifth of the rows with repeated
        groups, or less than a fifth of the possible combinations of values are red in a public release, else amber; the
        first of these found is stated. Else green.
        """
        prepared, counts = evidence.candidate.prepared, evidence.people_in_rows
        if keys := _person_keys(evidence):
            return self.verdict(self.red_person, columns=Names.of(keys))
        if counts.column and not means_people_count(prepared.original.column(counts.column).header):
            text = self.red_count if prepared.type.is_public else self.amber_count
            return self.verdict(text, column=Name(counts.column))
        released = [column for column in prepared.original.columns if column.name in evidence.judged]
        table = replace(prepared.original, columns=tuple(released))
        combinations, is_public = combinations_of(table, counts.column), prepared.type.is_public
        if combinations.are_often_repeated:
            text = self.red_same_group if is_public else self.amber_same_group
            return self.verdict(text, rows=combinations.repeated, all=combinations.rows)
        if combinations.are_few:
            text = self.red_few_combinations if is_public else self.amber_few_combinations
            return self.verdict(text, rows=combinations.present, all=combinations.possible)
        return self.verdict(self.green_groups)

    def _judge_rows(self, evidence: Evidence, suspects: tuple[SuspectedPeople, ...]) -> CheckResult:
        """Return the result for a file in which each row counts as a person, from signs that it does not.

        ``suspects`` are columns that look like keys of people, the strongest first. If the owner answered that each row
        is another person, only those count whose rows agree in lasting properties (such as year of birth), or without
        these those named as a key. The first that applies:

        - Red if the first column's rows agree in lasting properties, or without that answer if it is named as a key.
        - Repeated visits (`_judge_visits`), of which only groups of regular size go before a column. They may be red in
          a public release that is not a quota sample.
        - Without any sign it is green with that answer, else amber.
        - With that answer a column of names that is not released is green.
        - Else amber for the first column.
        """
        prepared = evidence.candidate.prepared
        input_section = prepared.complete.input
        if input_section.one_row_per_person:
            suspects = _find_contradicting_columns(suspects)
        contradicted = bool(suspects) and (
            suspects[0].lasting or (suspects[0].named and not input_section.one_row_per_person)
        )
        visits = None if contradicted else likely_visits(prepared.read)
        if visits is not None and (visits.size or not suspects):
            return self._judge_visits(visits, is_red=prepared.type.is_public and not input_section.quota)
        if not suspects:
            return self.verdict(self.green if input_section.one_row_per_person else self.amber)
        if input_section.one_row_per_person and not contradicted and _is_unreleased_name(evidence, suspects[0]):
            return self.verdict(self.green_name, **_describe_suspect(suspects[0]))
        return self._judge_suspect(suspects[0], contradicted=contradicted)

    def _judge_visits(self, visits: LikelyVisits, *, is_red: bool) -> CheckResult:
        """Return the result where rows look like repeated visits of people.

        It is amber, but red for the first of the signs if ``is_red``. The first sign found is stated: group sizes with
        a common divisor, then groups of nearly equal size, then columns that agree.
        """
        if visits.size:
            text = self.red_regular if is_red else self.amber_regular
            return self.verdict(text, size=visits.size, regular=visits.regular, classes=visits.classes)
        if visits.even:
            return self.verdict(self.amber_even, classes=visits.classes)
        return self.verdict(self.amber_alike, columns=Names.of(visits.agreeing))

    def _judge_suspect(self, worst: SuspectedPeople, *, contradicted: bool) -> CheckResult:
        """Return the result where a column looks like the number or name of people with several rows.

        Amber; red with ``contradicted``, if the column is strong evidence that people have several rows.
        """
        figure = Figure(worst.values, n=worst.rows, unit="persons")
        column_arguments = _describe_suspect(worst)
        if worst.agreement is not None:
            column_arguments |= {"beside": Name(worst.agreement.column), "share": Ratio(worst.agreement.share)}
        text = self.amber_named if worst.agreement is None else self.amber_weak
        if contradicted:
            text = self.red_alike if worst.agreement is not None else self.red_named
            text = self.red_once if worst.agreement is not None and worst.agreement.once else text
        return self.verdict(text, figure, **column_arguments)


def _describe_suspect(suspect: SuspectedPeople) -> dict[str, Any]:
    """Return the values for a sentence on a suspected column: its name, number of different values and of rows."""
    return {"column": Name(suspect.column), "values": suspect.values, "rows": suspect.rows}


def _find_contradicting_columns(suspects: tuple[SuspectedPeople, ...]) -> tuple[SuspectedPeople, ...]:
    """Return the suspected columns that count although the owner says that each row is another person.

    If there are columns whose rows agree in lasting properties (such as year of birth), these; else those with the name
    of a person's number. Places and measurements repeat, too: there the owner's answer stands.
    """
    lasting = tuple(suspect for suspect in suspects if suspect.lasting)
    return lasting or tuple(suspect for suspect in suspects if suspect.named)


def _is_unreleased_name(evidence: Evidence, suspect: SuspectedPeople) -> bool:
    """Return whether a column is not released and holds people's names, which two people may share.

    It holds names if none of its texts has a digit, and its header and label do not name a key (such as a number).
    """
    column = evidence.candidate.prepared.read.column(suspect.column)
    is_name = not interpret_column_name(column.header, column.label).key and not any(
        map(str.isdigit, "".join(column.texts))
    )
    return is_name and suspect.column not in evidence.candidate.released_names


def _list_person_columns(evidence: Evidence) -> Sequence[str] | None:
    """Return the names of the released columns that each stand for a person, as in wide tables; None if there are none.

    If only the recipe says that columns stand for persons, all released columns; None if the recipe denies it.
    """
    prepared, released = evidence.candidate.prepared, evidence.candidate.released_names
    answer = prepared.complete.input.columns_are_people
    if answer is False:
        return None
    names = [name for name in prepared.original.names if name in released]
    return columns_like_people(prepared.original, names) or (released if answer else None)


def _person_keys(evidence: Evidence) -> list[str]:
    """Return the names of columns that are a key of persons, each once; empty if there are none.

    Columns with the role of identifier come first, then keys by their name, except the column of people counts, then
    keys by how their values repeat. They need not be released.
    """
    prepared, counts = evidence.candidate.prepared, evidence.people_in_rows
    keys = [column.name for column in prepared.original.with_role("identifier")]
    keys += [column.name for column in prepared.original.columns if column.name != counts.column and _is_key(column)]
    keys += [suspect.column for suspect in find_possible_person_ids(prepared.read) if suspect.strong]
    return list(dict.fromkeys(keys))


def _is_key(column: Column) -> bool:
    """Return whether a column's name, or its label, says that its values stand for people.

    True for the number or code of a person ("patient id"), and for a single word that means a person ("patient") if the
    values are no numbers, which could be counts.
    """
    named = interpret_column_name(column.header, column.label)
    return named.person and (named.key or (named.people and column.kind != "numeric"))
