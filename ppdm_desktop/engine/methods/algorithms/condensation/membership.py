"""Records in hashed form which people are counted in which groups, so that a person can be removed later.

Statistics do not say whom they describe. A mark is a keyed hash of a record's values: whoever has the record finds the
groups in which it is counted, and nobody can read a record from the marks. When a group is split, it is unknown which
part the record is in; it is counted in the family, which is all groups that came from one original group.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.methods.algorithms.digits.scaled import style_of
from ppdm_desktop.engine.table.column import Column, Table

_MARK_BYTES, _SALT_BYTES = 8, 16


@dataclass(frozen=True, eq=False)
class Membership:
    """Marks (keyed hashes) of the records that groups were made from, and where each record is counted.

    Attributes
    ----------
    salt
        Key of the hash.
    family
        int64, shape (groups,): the family of each group, 0 and up.
    marks
        A mark for each record, shape (records,).
    of
        int64, shape (records,): the family that each record is counted in.
    needs
        int64, shape (records,): the group size that each record asks for.
    """

    salt: bytes
    family: Ints
    marks: tuple[str, ...]
    of: Ints
    needs: Ints

    @classmethod
    def of_run(cls, table: Table, names: Sequence[str], family: Ints, of_group: Ints, needs: Ints) -> Membership:
        """Return the marks of the records of a run.

        A mark is a hash of a record's values, keyed by a salt that is derived from the families and demands.

        Parameters
        ----------
        table, names
            The records, and the columns that are marked.
        family
            int64, shape (records,): each record's family.
        of_group
            int64, shape (groups,): each group's family.
        needs
            The group size that each record asks for.
        """
        salt = hashlib.blake2b(family.tobytes() + needs.tobytes(), digest_size=_SALT_BYTES).digest()
        return cls(salt, of_group, marks_of(table, names, salt), family, needs)

    def places(self, marks: Sequence[str]) -> list[int | None]:
        """Return for each mark the index of a record with this mark, using each record once; None if none is left.

        Of several records with the mark, the one with the lowest index is taken first.
        """
        at: dict[str, list[int]] = {}
        for index in range(len(self.marks) - 1, -1, -1):
            at.setdefault(self.marks[index], []).append(index)
        return [indices.pop() if (indices := at.get(mark)) else None for mark in marks]

    def document(self) -> dict[str, Any]:
        """Return the membership as plain data (a dict of texts and lists) for the file of statistics.

        The keys are ``salt`` (hexadecimal digits), ``group_family`` (the family of each group; groups that were split
        from or merged with one another share one), and for each record ``marks`` (keyed hashes), ``family`` and
        ``needs`` (demanded group sizes). The method ``of_document`` reads them back.
        """
        return {
            "salt": self.salt.hex(),
            "group_family": self.family.tolist(),
            "marks": list(self.marks),
            "family": self.of.tolist(),
            "needs": self.needs.tolist(),
        }

    @classmethod
    def of_document(cls, document: Mapping[str, Any]) -> Membership:
        """Return the membership from the plain data that the method ``document`` returned.

        A family is the number that groups share which were split from or merged with one another.

        Raises
        ------
        KeyError, TypeError, ValueError
            When the data have a different form, or not as many marks as families and demands of records.
        """
        membership = cls(
            bytes.fromhex(document["salt"]),
            np.array(document["group_family"], dtype=np.int64),
            tuple(str(mark) for mark in document["marks"]),
            np.array(document["family"], dtype=np.int64),
            np.array(document["needs"], dtype=np.int64),
        )
        if not len(membership.marks) == len(membership.of) == len(membership.needs):
            raise ValueError("marks do not fit")
        return membership


def marks_of(table: Table, names: Sequence[str], salt: bytes) -> tuple[str, ...]:
    """Return a mark of 16 hexadecimal digits for each record, a hash of its values keyed by the ``salt``.

    Numbers are hashed by value and everything else by text; ``names`` are the columns, whose order makes no
    difference. Records with equal values get equal marks, which cannot be computed without the salt; without columns
    all marks are empty.
    """
    columns = [_format_values(table.column(name)) for name in sorted(names)]
    if not columns:
        return ("",) * table.rows
    lines = ("\x1f".join(row).encode("utf-8") for row in zip(*columns, strict=True))
    return tuple(hashlib.blake2b(line, key=salt, digest_size=_MARK_BYTES).hexdigest() for line in lines)


def _format_values(column: Column) -> list[str]:
    """Return each row's value as text: numbers by value, others as written; "" for a missing number.

    With the decimal sign "," the text "1,50" becomes "1.5".
    """
    if column.kind != "numeric":
        return column.values()
    numbers = column.scaled / 10.0 ** style_of(column).decimals
    gone = column.missing.tolist()
    return ["" if none else repr(number) for number, none in zip(numbers.tolist(), gone, strict=True)]
