"""What the suggestion rules and the patterns make of files whose truth is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from role_corpus import role_files
from unseen_files import Planted, PlantedText, Truth, UnseenFile

from ppdm_desktop.engine.recipe.models import RELEASED_ROLES, InputSection
from ppdm_desktop.engine.release.gate.own_identifiers import SourceIdentifiers
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.patterns import find_in
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.table.roles import STRONG, RoleSuggestion, suggest_roles

FOUND_BY_FORM = (Planted.EMAIL, Planted.PHONE, Planted.IBAN, Planted.NATIONAL_ID)
"""What is planted and told by its form alone; names and a file's own keys are found by the file's own columns."""
_ROLE_OF = {
    Truth.IDENTIFIER: "identifier",
    Truth.KNOWN: "quasi-identifier",
    Truth.CONFIDENTIAL: "confidential",
    Truth.NEITHER: "other",
}


@dataclass
class RoleFigures:
    """Counts over one file or several.

    Attributes
    ----------
    keys
        Columns that stand for people.
    keys_suggested
        Those suggested as something that is released, as "file: column".
    keys_left
        Those that "Confirm the clear ones" does not take out, as "file: column".
    suggested
        How often a column of each truth was given which role and strength.
    planted, found
        Identifying texts inside cells by kind, and those of them that findings cover.
    missed
        The texts of which the form was not told.
    cells, alarms
        Cells of text columns in which nothing is planted, and those of them with a finding.
    """

    keys: int = 0
    keys_suggested: list[str] = field(default_factory=list)
    keys_left: list[str] = field(default_factory=list)
    suggested: Counter[tuple[Truth, str | None, str]] = field(default_factory=Counter)
    planted: Counter[Planted] = field(default_factory=Counter)
    found: Counter[Planted] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    cells: int = 0
    alarms: list[str] = field(default_factory=list)

    def key(self, name: str, suggestion: RoleSuggestion) -> None:
        """Count a column that stands for people."""
        self.keys += 1
        if suggestion.role in RELEASED_ROLES:
            self.keys_suggested.append(name)
        if (suggestion.role, suggestion.strength) != ("identifier", STRONG):
            self.keys_left.append(name)

    def recall(self, kind: Planted) -> float:
        """Share of the planted texts of a kind that are found."""
        return self.found[kind] / self.planted[kind]

    @property
    def alarm_rate(self) -> float:
        """False alarms per 1,000 cells."""
        return 1000 * len(self.alarms) / max(self.cells, 1)

    def agreement(self, truth: Truth) -> Counter[str]:
        """How the columns of a truth were met: agreed, left to the person, or contradicted, by strength."""
        counts: Counter[str] = Counter()
        for (each, role, strength), number in self.suggested.items():
            if each is truth:
                met = role == _ROLE_OF.get(truth)
                word = "agreed" if met else "left open" if role is None else "contradicted"
                counts[word if role is None else f"{word}, {strength}"] += number
        return counts


def look_inside(
    table: Table,
    columns: Iterable[str],
    planted: Iterable[PlantedText],
    figures: RoleFigures,
    own: SourceIdentifiers | None = None,
) -> None:
    """Count what is found inside the cells of columns, and what is found where nothing stands.

    A file's own keys are found where its ``own`` identifiers are looked for, as the gate does.
    """
    by_column: dict[str, dict[int, list[PlantedText]]] = {}
    for each in planted:
        by_column.setdefault(each.column, {}).setdefault(each.row, []).append(each)
    for name in columns:
        column, there = table.column(name), by_column.get(name, {})
        findings = find_in(column.texts)
        held_own = own.find_in_column(column).rows if own is not None else None
        for row, (code, missing) in enumerate(zip(column.codes.tolist(), column.missing.tolist(), strict=True)):
            text, told = column.texts[code], findings.get(code, [])
            for each in there.get(row, []):
                start = text.index(each.text)
                held = any(one.start <= start and start + len(each.text) <= one.end for one in told)
                if each.kind not in FOUND_BY_FORM and held_own is not None:
                    held |= bool(held_own[row])
                figures.planted[each.kind] += 1
                figures.found[each.kind] += held
                if not held and each.kind in FOUND_BY_FORM:
                    figures.missed.append(f"{each.kind}: {text}")
            if row not in there and not missing:
                figures.cells += 1
                if told:
                    figures.alarms.append(f"{name}: {[(one.kind, text[one.start : one.end]) for one in told]}")


def meet(file: UnseenFile, figures: RoleFigures) -> Mapping[str, RoleSuggestion]:
    """Add one unseen file to the figures; returns what was suggested."""
    table = read_source(file.path, InputSection()).table
    if table.names != tuple(column.name for column in file.columns) or table.rows != len(file.rows):
        raise ValueError(f"{file.name} was not read as it was written")
    found = suggest_roles(table)
    for column in file.columns:
        suggestion = found[column.name]
        figures.suggested[column.truth, suggestion.role, suggestion.strength] += 1
        if column.person_key:
            figures.key(f"{file.name}: {column.name}", suggestion)
    texts = [column.name for column in file.columns if column.truth is not Truth.IDENTIFIER]
    words = [name for name in texts if table.column(name).kind != "numeric"]
    keys = [table.column(column.name) for column in file.columns if column.truth is Truth.IDENTIFIER]
    look_inside(table, words, file.planted, figures, SourceIdentifiers(keys, rows_correspond=True))
    return found


def meet_keys(figures: RoleFigures) -> int:
    """Add the files that each have one key of people to the figures; returns how many files there are."""
    files = list(role_files())
    for each in files:
        figures.key(each.name, suggest_roles(each.table)[each.key])
    return len(files)


def alarms_in(path: Path) -> RoleFigures:
    """Count what is found in the text cells of a file in which nothing identifying stands."""
    table = read_source(path, InputSection()).table
    figures = RoleFigures()
    look_inside(table, [column.name for column in table.columns if column.kind != "numeric"], (), figures)
    return figures
