"""Hierarchies of values: for each value ever more general texts, level by level, up to ``*``.

A hierarchy file has one line for each value: the value, then ever more general texts, and in the last field the same
text for all, usually ``*``. Fields are separated by semicolons, or by commas where the first line has no semicolon.
``HierarchyDraft`` is a hierarchy that a person is still editing.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.files.opening import HIERARCHY, read_file
from ppdm_desktop.engine.wording.values import Quoted, Reason, Term, Value

ANYTHING = "*"


@dataclass(frozen=True)
class Hierarchy:
    """The generalisation hierarchy of a column: the text of each value at each level.

    Attributes
    ----------
    generalised
        For each value, in file order, its texts at levels 1 to ``height``; at the last level all
        are equal.
    height
        Number of levels above the values.
    sha256
        Of the file's bytes; None when the hierarchy was not read from a file.
    """

    generalised: Mapping[str, tuple[str, ...]]
    height: int
    sha256: str | None = None

    def at(self, value: str, level: int) -> str:
        """Return the text that stands for a value at a level; level 0 is the value itself.

        Raises KeyError for an unknown value at any other level.
        """
        return value if level == 0 else self.generalised[value][level - 1]


def read_hierarchy(path: Path, column: str, *, within: Path | None = None) -> Hierarchy:
    """Return the hierarchy in a file of lines ``value;level 1;level 2;…``, with the SHA-256 of the file.

    Fields are separated by semicolons, or by commas where the first line has no semicolon, and may be in double quotes.
    Blanks belong to the texts; empty lines are passed over.

    Parameters
    ----------
    path
        UTF-8 text without a header, with or without a byte order mark.
    column
        The column it is for, named in errors.
    within
        The folder in which the file must lie; None allows any.

    Raises
    ------
    InputError
        When the file lies elsewhere, cannot be read, is not UTF-8, or is no hierarchy; the error names the file, and
        the line where one does not fit.
    """
    try:
        data = read_file(path, HIERARCHY, within=within)
    except OSError as error:
        reason = Reason.of(error)
        raise InputError("error.read.unreadable", file=str(path), column=column, args={"reason": reason}) from error
    except InputError as error:
        error.column = column
        raise
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("error.hierarchy.not-utf8", file=str(path), column=column) from error
    separator = ";" if ";" in text.partition("\n")[0] else ","
    try:
        rows = [
            (reader.line_num, tuple(line))
            for reader in [csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)]
            for line in reader
            if line
        ]
    except csv.Error as error:
        raise InputError("error.read.damaged", file=str(path), column=column) from error
    return _build_hierarchy(rows, str(path), column, hashlib.sha256(data).hexdigest())


def _build_hierarchy(lines: Sequence[tuple[int, tuple[str, ...]]], file: str, column: str, sha256: str) -> Hierarchy:
    """Return a hierarchy from a file's lines, each a pair of the line number and the line's fields.

    Raises InputError in these cases: there is no line, lines have different lengths or fewer than two fields, a value
    is repeated, a text has two parents, or the last field is not the same in all lines.
    """

    def refusal(id: str, line: int, **more: Value) -> InputError:
        """Return an InputError that names the hierarchy file, its column and a line; ``more`` fills its message."""
        # The line is one of the hierarchy's file, not a row of the table.
        return InputError(id, file=file, column=column, args={"line": line, **more})

    width = len(lines[0][1]) if lines else 0
    if width < 2:
        raise refusal("error.hierarchy.too-narrow", lines[0][0] if lines else 1)
    generalised: dict[str, tuple[str, ...]] = {}
    parent: list[dict[str, str]] = [{} for _ in range(width)]
    for line, (value, *texts) in lines:
        if len(texts) != width - 1:
            raise refusal("error.hierarchy.ragged", line, fields=len(texts) + 1, wanted=width)
        if value in generalised:
            raise refusal("error.hierarchy.twice", line, value=Quoted(value))
        generalised[value] = tuple(texts)
        for level in range(1, width - 1):
            child, above = texts[level - 1], texts[level]
            if parent[level].setdefault(child, above) != above:
                raise refusal(
                    "error.hierarchy.not-a-tree",
                    line,
                    value=Quoted(child),
                    one=Quoted(parent[level][child]),
                    other=Quoted(above),
                )
        if texts[-1] != next(iter(generalised.values()))[-1]:
            raise refusal(
                "error.hierarchy.no-top",
                line,
                one=Quoted(next(iter(generalised.values()))[-1]),
                other=Quoted(texts[-1]),
            )
    return Hierarchy(generalised, width - 1, sha256)


def unknown_values(hierarchy: Hierarchy, texts: Iterable[str]) -> list[str]:
    """Return the texts that are not among the hierarchy's values, in the order given."""
    return [text for text in texts if text not in hierarchy.generalised]


def check_digest(hierarchy: Hierarchy, wanted: str | None, path: Path, column: str) -> None:
    """Raise RecipeError when a hierarchy file has another SHA-256 than the recipe states.

    ``wanted`` is the SHA-256 of the recipe; None means that the recipe states none.

    Raises
    ------
    RecipeError
        When the two differ.
    """
    if wanted is not None and wanted != hierarchy.sha256:
        arguments: dict[str, Value] = {"expected": Term(wanted[:12]), "found": Term(str(hierarchy.sha256)[:12])}
        raise RecipeError("error.hierarchy.other-file", file=str(path), column=column, args=arguments)


Level = tuple[str, ...]


@dataclass(frozen=True)
class HierarchyDraft:
    """A hierarchy while it is edited; each edit returns a new draft in which equal texts have equal parents.

    Attributes
    ----------
    values
        The values, in the order in which they are shown.
    levels
        For each level from 1 on, the text of each value; at the last level all texts are equal.
    """

    values: tuple[str, ...]
    levels: tuple[Level, ...]

    @classmethod
    def of_values(cls, values: Sequence[str], levels: Sequence[Level] = ()) -> HierarchyDraft:
        """Return a hierarchy to be edited: values, the given levels, finest first, and a last level ``*`` above them.

        Each level has one text for each value.
        """
        return cls(tuple(values), (*levels, (ANYTHING,) * len(values)))

    @classmethod
    def of_hierarchy(cls, hierarchy: Hierarchy, values: Sequence[str]) -> HierarchyDraft:
        """Return a hierarchy in the form in which it can be edited, with the given values first.

        Parameters
        ----------
        hierarchy
            The hierarchy.
        values
            In the order in which they are shown. A value that the hierarchy lacks has the text of the last level at
            every level; values that occur only in the hierarchy follow at the end.
        """
        top = next(iter(hierarchy.generalised.values()))[-1]
        in_file = set(values)
        all_values = (*values, *(value for value in hierarchy.generalised if value not in in_file))
        paths = [hierarchy.generalised.get(value, (top,) * hierarchy.height) for value in all_values]
        return cls(all_values, tuple(zip(*paths, strict=True)))

    @property
    def height(self) -> int:
        """The number of levels above the values."""
        return len(self.levels)

    def at(self, level: int) -> Level:
        """Return the text of each value at a level; level 0 is the values themselves."""
        return self.values if level == 0 else self.levels[level - 1]

    def grouped(self, level: int, rows: Collection[int], name: str) -> HierarchyDraft:
        """Return the hierarchy in which some values form a group with the text ``name`` at a level.

        Example: Bonn and Köln become "NRW" at level 1. The group contains the values at the indices ``rows``, at least
        one, and all values that share their texts at the level below; if a group ``name`` exists at the level, they
        join it. The members' broader texts become those of the existing group, else those of the lowest index. Levels
        count from 1, and 0 means 1. For the last level a new level is added below it to hold the group.
        """
        level = max(level, 1)
        if level >= self.height:
            return self.with_level(self.height - 1).grouped(self.height, rows, name)
        finer, texts = self.at(level - 1), self.at(level)
        chosen = {finer[row] for row in rows}
        members = [row for row in range(len(self.values)) if finer[row] in chosen or texts[row] == name]
        first = next((row for row in members if texts[row] == name), min(rows))
        return self._replace_texts(level, dict.fromkeys(members, name), first)

    def ungrouped(self, level: int, rows: Collection[int]) -> HierarchyDraft:
        """Return the hierarchy in which the groups of some values at a level are split into those of the level below.

        ``rows`` are indices of the values; all members of their groups are affected: if Bonn and Köln are "NRW" at
        level 1, ungrouping Bonn gives both their own names there. At level 0 and at the last level nothing changes.
        """
        if not 0 < level < self.height:
            return self
        texts, finer = self.at(level), self.at(level - 1)
        split = {texts[row] for row in rows}
        return self._replace_texts(level, {row: finer[row] for row, text in enumerate(texts) if text in split})

    def with_level(self, below: int) -> HierarchyDraft:
        """Return the hierarchy with one more level right above level ``below``, which starts as a copy of it.

        Level 0 is the values; the last level stays the last.
        """
        below = min(below, self.height - 1)
        return HierarchyDraft(self.values, (*self.levels[:below], self.at(below), *self.levels[below:]))

    def without_level(self, level: int) -> HierarchyDraft:
        """Return the hierarchy without a level; unchanged for level 0 (the values) and the last level."""
        if not 0 < level < self.height:
            return self
        return HierarchyDraft(self.values, (*self.levels[: level - 1], *self.levels[level:]))

    def written(self) -> bytes:
        """Return the bytes of the hierarchy's file: UTF-8, a line for each value, fields separated by semicolons.

        A line ends with a line feed; a field with a semicolon, a double quote or a line break is in double quotes.
        """
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=";", lineterminator="\n").writerows(zip(self.values, *self.levels, strict=True))
        return text.getvalue().encode("utf-8")

    def _replace_texts(self, level: int, texts: dict[int, str], first: int | None = None) -> HierarchyDraft:
        """Return the hierarchy with new texts for some values at a level, counted from 1.

        Values that share a text afterwards get the broader texts of the first of them.

        Parameters
        ----------
        texts
            The new texts, by the value's index.
        first
            Index of a value whose broader texts these values take; None lets them keep their own.
        """
        levels = [list(level_texts) for level_texts in self.levels]
        for row, text in texts.items():
            levels[level - 1][row] = text
            if first is not None:
                for coarser in levels[level:]:
                    coarser[row] = coarser[first]
        for finer, coarser in pairwise(levels):
            parents: dict[str, str] = {}
            coarser[:] = [parents.setdefault(child, parent) for child, parent in zip(finer, coarser, strict=True)]
        return HierarchyDraft(self.values, tuple(map(tuple, levels)))
