"""One attacked person in words: whom to choose, what was found, and the rows of its tables. No widget here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.release.attack_audit.attacked_person import AttackedRecord
from ppdm_desktop.engine.release.attack_audit.prepared_attack import RecordAttack
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.ui.pages.compare.audit.words import share_words
from ppdm_desktop.ui.state.number_words import count

MOST_PEOPLE = 200


def _tr(text: str) -> str:
    return QCoreApplication.translate("CompareAudit", text)


# --- whom ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class People:
    """An attack made ready, and its people in the order of the list: those alone first."""

    attack: RecordAttack
    order: Ints

    @classmethod
    def of(cls, attack: RecordAttack) -> People:
        """Put the people of an attack in order."""
        return cls(attack, np.argsort(attack.alike, kind="stable").astype(np.int64))

    def matching(self, text: str) -> Ints:
        """Return the places of people with this text in their number or a describing value, in order."""
        wanted = text.strip().casefold()
        if not wanted:
            return self.order
        original = self.attack.candidate.prepared.original
        found = np.zeros(len(self.attack.numbers), dtype=np.bool_)
        for name in self.attack.columns:
            column = original.column(name)
            found |= np.array([wanted in each.casefold() for each in column.texts], dtype=np.bool_)[column.codes]
        if wanted.isdigit():
            found |= self.attack.numbers == int(wanted)
        return self.order[found[self.order]]

    def rows(self, places: Ints) -> list[tuple[str, ...]]:
        """Return row number, how many look alike, and describing values of some people."""
        original = self.attack.candidate.prepared.original
        columns = [original.column(name) for name in self.attack.columns]
        return [
            (
                count(int(self.attack.numbers[place])),
                _tr("alone") if self.attack.alike[place] == 1 else count(int(self.attack.alike[place])),
                *(value_of(column, place) for column in columns),
            )
            for place in places.tolist()
        ]

    def headers(self) -> tuple[str, ...]:
        """Return the headings of the list."""
        return (_tr("Row"), _tr("Look alike"), *self.attack.columns)


def value_of(column: Column, row: int) -> str:
    """Return what a column of the source shows in a row."""
    text = column.texts[int(column.codes[row])]
    return shown("" if text in column.missing_texts else text)


def shown(text: str) -> str:
    """Return a value as it is shown; an empty one is missing."""
    return text or _tr("∅ missing")


# --- what was found -----------------------------------------------------------------------


def found_words(attack: RecordAttack, found: AttackedRecord) -> tuple[str, str, str]:
    """Return severity, headline and explanation of what an intruder finds."""
    if not attack.columns or not found.nearest:
        return (
            "note",
            _tr("There is nothing to find this person by."),
            _tr("No describing column is released, or no record is left."),
        )
    if attack.correspondence == "none":
        return (
            "passed",
            _tr("No released record is this person's, or anybody's."),
            _tr(
                "The records of a few chosen people stand for all, several times each, with describing values coarser "
                "or exchanged. So nobody is found by these; what follows is what anybody would guess of such a person."
            ),
        )
    if found.removed:
        return (
            "passed",
            _tr("This person's record was left out of the release."),
            _tr("There is none to be found. What follows is what others' records tell."),
        )
    if not found.own_tied:
        return "passed", _missed(attack, found), _farther(attack, found)
    return _hit(attack, found)


def _missed(attack: RecordAttack, found: AttackedRecord) -> str:
    if attack.correspondence == "group":
        return _tr("The nearest record comes from another group.")
    if found.tied == 1:
        return _tr("The nearest record is somebody else's.")
    return _tr("The {n} nearest records are other people's.").format(n=count(found.tied))


def _farther(attack: RecordAttack, found: AttackedRecord) -> str:
    nearer = count(found.farther or 0)
    if attack.correspondence == "group":
        words = _tr("{n} released records are nearer than the nearest one made from this person's group of {size}.")
        return words.format(n=nearer, size=count(found.group_size))
    return _tr("{n} released records are nearer than this person's own.").format(n=nearer)


def _hit(attack: RecordAttack, found: AttackedRecord) -> tuple[str, str, str]:
    chance = share_words(found.named)
    if attack.correspondence == "group":
        headline = _tr("The nearest record comes from this person's group; the person is named with {chance}.")
        if found.tied > 1:
            headline = _tr("Of the nearest records some come from this person's group, who is named with {chance}.")
        words = _tr(
            "{tied} released records are equally near, {own} of them made from this group of {size} people, who cannot "
            "be told apart."
        )
        if found.tied == 1:
            words = _tr("It was made from this group of {size} people, who cannot be told apart.")
        explained = words.format(tied=count(found.tied), own=count(found.own_tied), size=count(found.group_size))
        severity = "amber" if found.named >= 0.5 else "note"
        return severity, headline.format(chance=_tr("a chance of {share}").format(share=chance)), explained
    if found.tied == found.own_tied:
        return (
            "amber",
            _tr("The nearest record is this person's: found."),
            _tr("What it shows as a confidential value is this person's only as far as the method left it."),
        )
    headline = _tr("{n} records are equally near, and the right one is among them: a chance of {share}.")
    return "note", headline.format(n=count(found.tied), share=chance), _tr("Nothing tells them apart.")


def near_headers(attack: RecordAttack) -> tuple[str, ...]:
    """Return the headings of the nearest records."""
    return (_tr("Row of the release"), _tr("Distance"), _tr("Whose"), *attack.confidential, *attack.columns)


def near_rows(attack: RecordAttack, found: AttackedRecord) -> list[tuple[str, ...]]:
    """Return the nearest records, each with whose it is."""
    rows: list[tuple[str, ...]] = []
    for near in found.nearest:
        if attack.correspondence == "none":
            whose = _tr("nobody's")
        elif near.group is not None:
            words = _tr("✓ their group {n}, {size} people") if near.own else _tr("group {n}, {size} people")
            whose = words.format(n=near.group, size=near.group_size)
        else:
            whose = _tr("✓ this person's") if near.own else _tr("somebody else's")
        apart = f"{near.distance:.3f}" if near.distance else "0"
        rows.append((count(near.row), apart, whose, *map(shown, near.confidential), *map(shown, near.values)))
    return rows
