"""Texts and tables on one attacked person; no widgets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.release.attack_audit.attack_person import (
    AttackedPerson,
    AttackedRecord,
    PersonMatches,
)
from ppdm_desktop.engine.release.attack_audit.prepared_attack import RecordAttack
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People as Persons
from ppdm_desktop.engine.wording.catalogue import _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.values import Chance, Names, Number, Terms
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.state.number_texts import format_rounded_count, percent

MOST_PEOPLE = 200


# --- whom ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class People:
    """A prepared attack and the people who can be attacked, unique people first.

    Attributes
    ----------
    attack
        The attack, prepared for every person.
    order
        int64 (rows,), indices into ``attack.numbers``: all rows in the order of the list.
    persons
        Which person each row belongs to.
    """

    attack: RecordAttack
    order: Ints
    persons: Persons

    @classmethod
    def of(cls, attack: RecordAttack) -> People:
        """Return the people of an attack in the order of how many people share the values that the intruder knows.

        Unique people come first; of equally many, the order is that of the file.
        """
        order = np.argsort(attack.set_sizes, kind="stable").astype(np.int64)
        table = attack.candidate.prepared.table
        persons = table.persons if attack.candidate.persons.with_several else Persons.identity(table.rows)
        return cls(attack, order, persons)

    def matching(self, text: str) -> Ints:
        """Return the indices of the rows that match a typed text, in list order; all people for an empty text.

        A row matches if its number equals the text, or a value that the intruder knows contains it; case does not
        matter. A person with several matching rows is listed once, by the first of them.
        """
        wanted = text.strip().casefold()
        if not wanted:
            return self._keep_first_per_person(self.order)
        original = self.attack.candidate.prepared.original
        matches = np.zeros(len(self.attack.numbers), dtype=np.bool_)
        for name in self.attack.columns:
            column = original.column(name)
            matches |= np.array([wanted in text.casefold() for text in column.texts], dtype=np.bool_)[column.codes]
        if wanted.isdecimal():
            matches |= self.attack.numbers == int(wanted)
        return self._keep_first_per_person(self.order[matches[self.order]])

    def _keep_first_per_person(self, places: Ints) -> Ints:
        """Return the row indices ``places`` in their order, with only the first row of each person."""
        return places[np.sort(np.unique(self.persons.of_row[places], return_index=True)[1])]

    def rows(self, places: Ints) -> list[tuple[str, ...]]:
        """Return table cells for each row index.

        They are: row number, number of people with the same values in the columns that the intruder knows ("unique" for
        one), number of the person's rows, and these values. The number of rows is left out if nobody has several.
        """
        original = self.attack.candidate.prepared.original
        columns = [original.column(name) for name in self.attack.columns]
        sizes, whose = self.persons.sizes, self.persons.of_row
        return [
            (
                numbers_of(language()).place(int(self.attack.numbers[index])),
                _("unique")
                if self.attack.set_sizes[index] == 1
                else format_rounded_count(int(self.attack.set_sizes[index])),
                *((format_rounded_count(int(sizes[whose[index]])),) if self.persons.with_several else ()),
                *(value_of(column, index) for column in columns),
            )
            for index in places.tolist()
        ]

    def headers(self) -> tuple[str, ...]:
        """Return the headings of the list of people, in the order of the cells that ``rows`` returns."""
        several = (_("Rows"),) if self.persons.with_several else ()
        return (_("Row"), _("Same details"), *several, *self.attack.columns)


def value_of(column: Column, row: int) -> str:
    """Return the text of the cell of a column in this row (index) as displayed; a missing value is "∅ missing"."""
    text = column.text_at(row)
    return mark_empty_value("" if text in column.missing_texts else text)


def mark_empty_value(text: str) -> str:
    """Return a value as it is displayed: "∅ missing" for an empty text, any other text unchanged."""
    return text or _("∅ missing")


# --- what was found -----------------------------------------------------------------------


def describe_record_attack(attack: RecordAttack, attacked_record: AttackedRecord) -> tuple[str, str, str]:
    """Return severity, headline and explanation of what an intruder finds about one row of a person.

    The severity is ``note`` in the first of these cases, ``passed`` in the next three, and ``amber`` or ``note`` in the
    last. The explanation is "" if there is nothing to add.

    - No column that others may know is released, or no record is left.
    - Released records do not belong to individual people.
    - The row was left out of the release.
    - Records of other people are closer than the person's own.
    - The person's own record is among the closest, alone or with others.
    """
    if not attack.columns or not attacked_record.nearest:
        return "note", _nothing_to_find_by(), ""
    if attack.correspondence == "none":
        return (
            "passed",
            _("No released record belongs to this person, or to anyone."),
            _(
                "The records of a few selected people stand for everyone, and each appears several times. Details "
                "that others may know are broader or exchanged, so nobody is found by them. The guesses below could "
                "be made about any such person."
            ),
        )
    if attacked_record.removed:
        return "passed", _("This person’s record was left out of the release."), ""
    if not attacked_record.own_tied:
        return "passed", _describe_closer_records(attack, attacked_record), ""
    return _describe_hit(attack, attacked_record)


def _describe_closer_records(attack: RecordAttack, attacked_record: AttackedRecord) -> str:
    """Return a sentence on how many released records are closer to the row than the person's own record.

    If each record was made from a group of people, the own record is the closest one made from their group.
    """
    closer = attacked_record.farther or 0
    if attack.correspondence == "group":
        return _(
            "{n} released {n:record is|records are} closer than the closest one made from this person’s group of "
            "{size} people.",
            n=closer,
            size=attacked_record.group_size,
        )
    return _("{n} released {n:record is|records are} closer than this person’s own.", n=closer)


def _describe_hit(attack: RecordAttack, attacked_record: AttackedRecord) -> tuple[str, str, str]:
    """Return severity, headline and explanation if the person's own record is among the most similar records.

    The severity is ``amber`` if only the person's own record is most similar, or, for records made from groups of
    people, if the chance of naming the right person is at least 0.5; otherwise ``note``.
    """
    headline = _(
        "{n} records are equally close, and the right one is among them. Chance of choosing it: {chance}.",
        n=attacked_record.tied,
        chance=Chance(attacked_record.named),
    )
    if attack.correspondence == "group":
        explained = _(
            "{tied} released {tied:record is|records are} equally close, {own} of them made from this person’s group "
            "of {size} people. Nobody in the group can be distinguished from the others.",
            tied=attacked_record.tied,
            own=attacked_record.own_tied,
            size=attacked_record.group_size,
        )
        return "amber" if attacked_record.named >= 0.5 else "note", headline, explained
    if attacked_record.tied == attacked_record.own_tied:
        return (
            "amber",
            _("Found: the most similar record belongs to this person."),
            _("Its confidential value is this person’s only if the method left it unchanged."),
        )
    return "note", headline, ""


def _nothing_to_find_by() -> str:
    """Return a sentence for a release without a detail that others may know, or without any record."""
    return _("There is nothing by which this person could be found: no detail that others may know, or no record.")


@dataclass(frozen=True)
class Block:
    """Content of one card: headline, text and a table.

    Attributes
    ----------
    name
        The card's object name is ``card_<name>``, the table's ``table_<name>``.
    right
        Indices of the table columns that are aligned right.
    small
        Small print below the table.
    """

    name: str
    title: str
    caption: str
    headers: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    right: tuple[int, ...]
    small: str = ""


def build_record_blocks(attack: RecordAttack, attacked_record: AttackedRecord) -> list[Block]:
    """Return the contents of the cards on one row: similar records, then guesses, restored swaps and filtered noise.

    The last three are left out if the attack did not make them.
    """
    blocks = [near_block(attack, attacked_record)]
    if attacked_record.guesses:
        blocks.append(guess_block(attacked_record))
    if attacked_record.undone:
        blocks.append(undone_block(attacked_record))
    if attacked_record.filtered:
        blocks.append(filtered_block(attacked_record))
    return blocks


def near_block(attack: RecordAttack, attacked_record: AttackedRecord) -> Block:
    """Return the content of the card with the released records that are most similar to a row, nearest first.

    Each has its row in the release, its distance (Gower's, 0 to 1), whose it is, and its values of the confidential
    columns and of those that the intruder knows. Above stands what the intruder knows, below how many records are
    equally near.
    """
    numbers = numbers_of(language())
    rows: list[tuple[str, ...]] = []
    for near in attacked_record.nearest:
        if attack.correspondence == "none":
            whose = "–"
        elif near.group is not None:
            whose = _("group {n:place}, {size} {size:person|people}", n=near.group, size=near.group_size)
            whose = f"✓ {whose}" if near.own else whose
        else:
            whose = _("✓ this person’s") if near.own else _("another person’s")
        cells = (numbers.place(near.row), numbers.number(near.distance), whose)
        rows.append((*cells, *map(mark_empty_value, near.confidential), *map(mark_empty_value, near.values)))
    small = _(
        "{tied} {tied:record has|records have} the smallest distance. Gower’s distance: 0 means equal, "
        "1 means different in everything.",
        tied=attacked_record.tied,
    )
    details = "; ".join(f"{numbers.name(name)}: {mark_empty_value(text)}" for name, text in attacked_record.known)
    headers = (_("Row of the release"), _("Distance"), _("Whose"), *attack.confidential, *attack.columns)
    return Block(
        "nearest",
        _("Row {row:place}: the most similar released records", row=attacked_record.number),
        join_label(_("The intruder knows"), details) if details else "",
        headers,
        rows,
        right=(0, 1),
        small=small,
    )


MOST_DIGITS = 8


# --- guesses ------------------------------------------------------------------------------


def guess_block(attacked_record: AttackedRecord) -> Block:
    """Return the content of the card that compares the guess for each column with the true value.

    A table row has the column, the guessed value and its chance, value and chance without the person's record, the true
    value, and the result ("✓ right" or "× wrong"). A dash stands for what is not known.
    """
    rows: list[tuple[str, ...]] = []
    for guess in attacked_record.guesses:
        none = numbers_of(language()).none(cell=True)
        control = none, none
        if guess.control_value is not None and guess.control_chance is not None:
            control = (guess.control_value, percent(guess.control_chance))
        chance = percent(guess.chance)
        result = none if guess.truth_value is None else result_word(right=guess.right)
        rows.append((guess.column, guess.value, chance, *control, mark_empty_value(guess.truth), result))
    without = _("Without their record"), _("How likely"), _("True value"), _("Result")
    return Block(
        "guesses",
        _("What the intruder guesses"),
        describe_guesses(attacked_record),
        (_("Column"), _("Guess"), _("How likely"), *without),
        rows,
        right=(2, 4),
        small=_(
            "How likely: as the intruder estimates it by naive Bayes and the nearest records. Both are "
            "weighed by how well they work for other people. Numbers are guessed in bands."
        ),
    )


def result_word(*, right: bool) -> str:
    """Return the label "✓ right" or "× wrong" of a guess."""
    return _("✓ right") if right else _("× wrong")


def describe_guesses(attacked_record: AttackedRecord) -> str:
    """Return a sentence on the columns guessed right only because of the person's own record; "" if there are none.

    Those are the columns whose guess is right with the record, and wrong in the control without it. Columns without a
    control do not count.
    """
    gained = [
        guess.column
        for guess in attacked_record.guesses
        if guess.right and guess.control_value is not None and guess.control_value != guess.truth_value
    ]
    if not gained:
        return ""
    return _("Right only because of this person’s own record: {columns}.", columns=Names.of(gained))


def undone_block(attacked_record: AttackedRecord) -> Block:
    """Return the content of the card with values that anybody can restore from the release, beside the true values."""
    rows = [
        (
            undone.column,
            *map(mark_empty_value, (undone.shown, undone.value, undone.truth)),
            result_word(right=undone.right),
        )
        for undone in attacked_record.undone
    ]
    return Block(
        "undone",
        _("What anyone can undo"),
        "",
        (_("Column"), _("As released"), _("Undone"), _("True value"), _("Result")),
        rows,
        right=(1, 2, 3),
    )


# --- noise filtered out -------------------------------------------------------------------


def filtered_block(attacked_record: AttackedRecord) -> Block:
    """Return the content of the card with the person's noisy numbers, one table row for each column.

    A row has the released value, the guess from filtering the noise, the true value, the usual noise (its standard
    deviation), the error of the guess as a multiple of that, the share of people whose guess is as close, and whether
    the guess is closer than the released value. If a number is missing, guess, error, share and result are dashes.
    """
    rows: list[tuple[str, ...]] = []
    for number in attacked_record.filtered:
        released, truth, noise = (
            mark_empty_value(number.shown),
            mark_empty_value(number.truth),
            format_by_noise(number.noise, number.noise),
        )
        if number.guess is None or number.off is None or number.off_shown is None:
            none = numbers_of(language()).none(cell=True)
            rows.append((number.column, released, none, truth, noise, none, none, none))
            continue
        closer = _("✓ closer than released") if number.off < number.off_shown else _("× no closer than released")
        off, guess = _("{n} × the noise", n=Number(number.off)), format_by_noise(number.guess, number.noise)
        rows.append((number.column, released, guess, truth, noise, off, percent(number.as_near), closer))
    errors = _("Usual noise"), _("Guess is off by"), _("As close for"), _("Result")
    return Block(
        "filtered",
        _("What remains when the noise is filtered out"),
        "",
        (_("Column"), _("As released"), _("Guess"), _("True value"), *errors),
        rows,
        right=(1, 2, 3, 4, 5, 6),
        small=_(
            "Guess: the best linear estimate from all released columns and the known noise. Usual noise: its "
            "standard deviation. As close for: people whose guess is as close to their true number, or closer."
        ),
    )


def format_by_noise(value: float, noise: float) -> str:
    """Return a number as text, rounded to about a hundredth of its noise (standard deviation), with at most 8 decimals.

    With noise 10 it has one decimal, with noise 100 none; without noise (0) none either. A number that is not 0 is
    never rounded to 0.
    """
    digits = max(0, math.ceil(-math.log10(noise / 50))) if noise > 0 else 0
    step = Decimal(1).scaleb(-min(digits, MOST_DIGITS))
    numbers, rounded = numbers_of(language()), Decimal(repr(float(value))).quantize(step, rounding=ROUND_HALF_UP)
    return numbers.ticks([rounded])[0] if rounded or not value else numbers.number(value)


def best_row(attacked_person: AttackedPerson) -> int:
    """Return the index of the row by which an intruder most likely finds the person, the first one of equals."""
    chances = [record.found for record in attacked_person.records]
    return chances.index(max(chances))


def describe_person(attack: RecordAttack, attacked_person: AttackedPerson) -> tuple[str, str]:
    """Return (severity, text) on what an intruder finds by one row of the person, and by all rows together.

    The severity is ``amber`` if the person is found with certainty, ``note`` if possibly or if no column that others
    may know is released, otherwise ``passed``. What all rows together show counts for it only if they can be linked. If
    all rows were left out of the release, the text says only this.
    """
    if not attack.columns:
        return "note", _nothing_to_find_by()
    removed, rows = sum(record.removed for record in attacked_person.records), len(attacked_person.records)
    left_out = _("Left out of the release: {n} of this person’s {all} rows.", n=removed, all=rows)
    if removed == rows:
        return "passed", left_out
    by_one, sentence = _assess_best_row(attacked_person.records[best_row(attacked_person)])
    by_all, all = _assess_all_rows(attacked_person.together)
    sentences = [text for text in (sentence, all, left_out if removed else "") if text]
    judged = max(by_one, by_all if attacked_person.linked else 0.0)
    severity = "amber" if judged == 1 else "note" if judged else "passed"
    return severity, " ".join(sentences)


def _assess_best_row(best: AttackedRecord) -> tuple[float, str]:
    """Return the probability of identifying a person by the row that finds them best, and a sentence on it.

    With three equally close people, the person among them, it is a third. It is 0 if rows of other people are closer.
    """
    if not best.found:
        return 0.0, _("Anyone who knows one row of this person does not find them: other people’s rows are closer.")
    return best.found, _(
        "Anyone who knows row {row:place} finds {n} equally close {n:person|people}. This person is one of them, so "
        "the chance of being found is {share}.",
        row=int(best.number),
        n=int(best.tied_people),
        share=Chance(best.found),
    )


def _assess_all_rows(together: PersonMatches | None) -> tuple[float, str]:
    """Return the probability that all rows of a person together identify them, and a sentence on it.

    The probability is 1 divided by the number of people who fit all rows, or 0 if the person is not among these. (0,
    "") means that this was not tried.

    Parameters
    ----------
    together
        Result for all rows; None if they were not tried together.
    """
    if together is None:
        return 0.0, ""
    rows, fit = int(together.rows), int(together.fit)
    if not together.own:
        return 0.0, _("All {rows} rows together fit {fit} {fit:person|people}, but not this one.", rows=rows, fit=fit)
    return 1 / together.fit, _(
        "Anyone who can link all {rows} released rows is left with {fit} {fit:person|people}, this one among them.",
        rows=rows,
        fit=fit,
    )


def describe_matched_secrets(attacked_person: AttackedPerson) -> str:
    """Return a text on how many people who fit all rows show the person's true values in all of them, by column.

    It is empty if nobody fits all rows, if this was not tried, or without a confidential column.
    """
    together = attacked_person.together
    if together is None or not together.fit or not together.shown:
        return ""
    sentence = lazy("{n} of {all}")
    counts = tuple(join_label(name, sentence.format(n=int(n), all=int(together.fit))) for name, n in together.shown)
    return _(
        "Of the people who fit all rows, so many show this person’s true values in all of them: {counts}.",
        counts=Terms(counts),
    )


def rows_block(attack: RecordAttack, attacked_person: AttackedPerson) -> Block:
    """Return the content of the card with the result for each row of the person, in the order of the file.

    A table row has the row number, whose record is closest (or that the row was left out), how many people are equally
    close, the chance to be found, what was guessed right, and the values that the intruder knows. A dash stands for no
    result. Below stands how many people who fit all rows have the person's true values.
    """
    rows: list[tuple[str, ...]] = []
    numbers = numbers_of(language())
    for record in attacked_person.records:
        if record.removed:
            whose = _("▨ removed")
        else:
            whose = _("✓ this person’s") if record.own_tied else _("another person’s")
        right = ", ".join(guess.column for guess in record.guesses if guess.right)
        closest = (
            (format_rounded_count(record.tied_people), numbers.chance(record.found)) if record.nearest else ("–", "–")
        )
        cells = (numbers.place(int(record.number)), whose, *closest, right or "–")
        rows.append((*cells, *(mark_empty_value(text) for _name, text in record.known)))
    heads = _("Row"), _("Closest record"), _("People equally close"), _("Chance"), _("Guessed correctly")
    return Block(
        "person_rows",
        _("All {n} rows of this person", n=len(attacked_person.records)),
        _("Each line shows what an intruder finds who knows only this row. Select one to see it below."),
        (*heads, *attack.columns),
        rows,
        right=(0, 2, 3),
        small=describe_matched_secrets(attacked_person),
    )
