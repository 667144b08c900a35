"""One attacked person in words: whom to choose, what was found, and the rows of its tables. No widget here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.release.attack_audit.attacked_person import AttackedRecord
from ppdm_desktop.engine.release.attack_audit.prepared_attack import RecordAttack
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.values import Chance
from ppdm_desktop.ui.state.number_words import count

MOST_PEOPLE = 200


# --- whom ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class People:
    """A prepared attack, and its people in the order of the list: unique people first.

    Attributes
    ----------
    attack
        Prepared for any of them.
    order
        int64: their rows, as places among ``attack.numbers``; all rows of a person.
    whose
        Whose row each is, shape (rows,), and how many that person has; None where a row is a person.
    """

    attack: RecordAttack
    order: Ints
    whose: tuple[Ints, Ints] | None = None

    @classmethod
    def of(cls, attack: RecordAttack) -> People:
        """Put the people of an attack in order."""
        order = np.argsort(attack.alike, kind="stable").astype(np.int64)
        people = attack.candidate.prepared.table.people
        if people is None or attack.candidate.several is None:
            return cls(attack, order)
        return cls(attack, order, (people.of_row, people.sizes[people.of_row]))

    def matching(self, text: str) -> Ints:
        """Return the places of people with this text in their number or a known detail, in order.

        Of a person with several rows, the first of those that have it.
        """
        wanted = text.strip().casefold()
        if not wanted:
            return self._once(self.order)
        original = self.attack.candidate.prepared.original
        found = np.zeros(len(self.attack.numbers), dtype=np.bool_)
        for name in self.attack.columns:
            column = original.column(name)
            found |= np.array([wanted in each.casefold() for each in column.texts], dtype=np.bool_)[column.codes]
        if wanted.isdigit():
            found |= self.attack.numbers == int(wanted)
        return self._once(self.order[found[self.order]])

    def _once(self, places: Ints) -> Ints:
        """Return the first place of each person."""
        if self.whose is None:
            return places
        return places[np.sort(np.unique(self.whose[0][places], return_index=True)[1])]

    def rows(self, places: Ints) -> list[tuple[str, ...]]:
        """Return row number, how many have the same details, their rows where several, and these details."""
        original = self.attack.candidate.prepared.original
        columns = [original.column(name) for name in self.attack.columns]
        return [
            (
                numbers_of(language()).place(int(self.attack.numbers[place])),
                _("unique") if self.attack.alike[place] == 1 else count(int(self.attack.alike[place])),
                *((count(int(self.whose[1][place])),) if self.whose is not None else ()),
                *(value_of(column, place) for column in columns),
            )
            for place in places.tolist()
        ]

    def headers(self) -> tuple[str, ...]:
        """Return the headings of the list."""
        several = (_("Rows"),) if self.whose is not None else ()
        return (_("Row"), _("Same details"), *several, *self.attack.columns)


def value_of(column: Column, row: int) -> str:
    """Return what a column of the source shows in a row."""
    text = column.text_at(row)
    return shown("" if text in column.missing_texts else text)


def shown(text: str) -> str:
    """Return a value as it is shown; an empty one is missing."""
    return text or _("∅ missing")


# --- what was found -----------------------------------------------------------------------


def found_words(attack: RecordAttack, attacked_record: AttackedRecord) -> tuple[str, str, str]:
    """Return severity, headline and explanation of what an intruder finds."""
    if not attack.columns or not attacked_record.nearest:
        return (
            "note",
            _("There is nothing by which this person could be found."),
            _("No detail that others may know is released, or no record is left."),
        )
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
        return (
            "passed",
            _("This person’s record was left out of the release."),
            _("There is no record to be found. The guesses below come from other people’s records."),
        )
    if not attacked_record.own_tied:
        return "passed", _missed(attack, attacked_record), _farther(attack, attacked_record)
    return _hit(attack, attacked_record)


def _missed(attack: RecordAttack, attacked_record: AttackedRecord) -> str:
    if attack.correspondence == "group":
        return _("The most similar record comes from another group.")
    return _(
        "The most similar {n:record belongs to another person|records belong to other people}.", n=attacked_record.tied
    )


def _farther(attack: RecordAttack, attacked_record: AttackedRecord) -> str:
    closer = attacked_record.farther or 0
    if attack.correspondence == "group":
        return _(
            "{n} released {n:record is|records are} closer than the closest one made from this person’s group of "
            "{size} people.",
            n=closer,
            size=attacked_record.group_size,
        )
    return _("{n} released {n:record is|records are} closer than this person’s own.", n=closer)


def _hit(attack: RecordAttack, attacked_record: AttackedRecord) -> tuple[str, str, str]:
    chance = Chance(attacked_record.named)
    if attack.correspondence == "group":
        explained = _(
            "It was made from a group of {size} people. Nobody in the group can be distinguished from the others.",
            size=attacked_record.group_size,
        )
        headline = _(
            "The most similar record comes from this person’s group. Chance of naming the right person: {chance}.",
            chance=chance,
        )
        if attacked_record.tied > 1:
            headline = _(
                "Some of the most similar records come from this person’s group. Chance of naming the right person: "
                "{chance}.",
                chance=chance,
            )
            explained = _(
                "{tied} released records are equally close. {own} of them {own:was|were} made from this person’s group "
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
    headline = _(
        "{n} records are equally close, and the right one is among them. Chance of choosing it: {chance}.",
        n=attacked_record.tied,
        chance=chance,
    )
    return "note", headline, _("Nothing distinguishes them.")


def near_headers(attack: RecordAttack) -> tuple[str, ...]:
    """Return the headings of the nearest records."""
    return (
        _("Row of the release"),
        _("Distance"),
        _("Whose"),
        *attack.confidential,
        *attack.columns,
    )


def near_rows(attack: RecordAttack, attacked_record: AttackedRecord) -> list[tuple[str, ...]]:
    """Return the nearest records, each with whose it is."""
    rows: list[tuple[str, ...]] = []
    numbers = numbers_of(language())
    for near in attacked_record.nearest:
        if attack.correspondence == "none":
            whose = _("nobody’s")
        elif near.group is not None and near.own:
            whose = _("✓ their group {n:place}, {size} {size:person|people}", n=near.group, size=near.group_size)
        elif near.group is not None:
            whose = _("group {n:place}, {size} {size:person|people}", n=near.group, size=near.group_size)
        else:
            whose = _("✓ this person’s") if near.own else _("another person’s")
        rows.append(
            (
                numbers.place(near.row),
                numbers.number(near.distance),
                whose,
                *map(shown, near.confidential),
                *map(shown, near.values),
            )
        )
    return rows
