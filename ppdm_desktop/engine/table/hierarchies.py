"""Hierarchies of values: from each value, level by level, to more general texts and at last to ``*``.

A file has one line for each value, fields separated by semicolons, or by commas where its first line has no semicolon:
the value, then ever more general texts, in the last field the same text for all, usually ``*``.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
        Of the file's bytes; None when the hierarchy was inferred.
    """

    generalised: Mapping[str, tuple[str, ...]]
    height: int
    sha256: str | None = None

    def at(self, value: str, level: int) -> str:
        """Return the text that stands for a value at a level; level 0 is the value itself."""
        return value if level == 0 else self.generalised[value][level - 1]


def read_hierarchy(path: Path, column: str, *, within: Path | None = None) -> Hierarchy:
    """Return the hierarchy in a file of lines ``value;level 1;level 2;…``.

    Parameters
    ----------
    path
        UTF-8 text, fields separated by semicolons or commas, no header.
    column
        The column it is for, named in errors.
    within
        The folder that it has to lie in, where a recipe names it.

    Raises
    ------
    InputError
        When the file cannot be read, is not UTF-8, or is no hierarchy; names file and line.
    """
    try:
        data = read_file(path, HIERARCHY, within=within)
    except OSError as error:
        reason = Reason.of(error)
        raise InputError(
            "error.hierarchy.unreadable", file=str(path), column=column, args={"reason": reason}
        ) from error
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
        raise InputError(
            "error.hierarchy.unreadable", file=str(path), column=column, args={"reason": Reason(str(error))}
        ) from error
    return _checked(rows, str(path), column, hashlib.sha256(data).hexdigest())


def _checked(lines: Sequence[tuple[int, tuple[str, ...]]], file: str, column: str, sha256: str) -> Hierarchy:
    """Return a hierarchy from the file's lines.

    Refuse lines of unequal length, repeated values and texts with two parents.
    """

    def refusal(id: str, line: int, **more: Value) -> InputError:
        """Return an InputError that names the hierarchy file, its column and a line."""
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

    Raises
    ------
    RecipeError
        When the recipe gives another SHA-256.
    """
    if wanted is not None and wanted != hierarchy.sha256:
        arguments: dict[str, Value] = {"expected": Term(wanted[:12]), "found": Term(str(hierarchy.sha256)[:12])}
        raise RecipeError("error.hierarchy.other-file", file=str(path), column=column, args=arguments)
