"""Reading and choosing the generalisation hierarchy of a column (no widget here)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.recipe.models import ColumnSection
from ppdm_desktop.engine.table.column_hierarchies import apply_hierarchies
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Name
from ppdm_desktop.ui.state.column_decisions import apply_sections
from ppdm_desktop.ui.state.session import Session

_LONGEST = 24
_LONG_WORD = re.compile(rf"\S{{{_LONGEST + 1},}}")


@dataclass(frozen=True)
class HierarchyFacts:
    """Facts about a generalisation hierarchy that fits its column.

    Attributes
    ----------
    file, sha256
        The hierarchy's file as the recipe names it, and its hash.
    counts
        Number of distinct texts at levels 0 (the column's values), 1, ... up to the last.
    example
        One value and its generalisations, level by level.
    """

    file: str
    sha256: str
    counts: tuple[int, ...]
    example: tuple[str, ...]


def should_offer_hierarchy(section: ColumnSection | None) -> bool:
    """Return whether the window offers a generalisation hierarchy (wider values for each value) for a column.

    It does for quasi-identifiers that are not free text, and for quasi-identifiers, confidential and other released
    columns that already have one. False for a column without a role.
    """
    if section is None or section.role not in ("quasi-identifier", "confidential", "other"):
        return False
    return section.hierarchy is not None or (section.role == "quasi-identifier" and section.kind != "text")


def explain_wrong_folder(path: Path, source: Path) -> str:
    """Return the message that a chosen file is not in the folder of the source, and that it can be copied there."""
    return _(
        "{file} is in another folder. Copy it into the folder of your file, {folder}, and choose it there.",
        file=Name(path.name),
        folder=Name(source.parent.name),
    )


def to_relative_path(path: Path, source: Path) -> str | None:
    """Return a file's path relative to the source's folder, such as "lists/age.csv"; None if the file is outside of it.

    Symbolic links are followed only if the path as written is outside. Recipes name files only in this way: they can be
    moved together with the source, and readers of a recipe see no folder of this computer.
    """
    pairs = [
        (os.path.abspath(path), os.path.abspath(source.parent)),
        (os.path.realpath(path), os.path.realpath(source.parent)),
    ]
    for file, folder in pairs:
        if Path(file).is_relative_to(folder):
            return Path(file).relative_to(folder).as_posix()
    return None


def look_at_hierarchy(session: Session, name: str, section: ColumnSection) -> Callable[[], HierarchyFacts]:
    """Return the work that reads a column's hierarchy file, applies it and returns facts about it.

    The work raises a PpdmError if the file does not fit the column. Raise ValueError without an open file.

    Parameters
    ----------
    session
        The session with the file.
    name
        The column.
    section
        The column's recipe entry, which names the hierarchy's file.
    """
    reading, source = session.reading, session.decisions.path
    if reading is None or source is None:
        raise ValueError("there is no column before a file is open")
    folder, top = source.parent, session.facts[name].top

    def work() -> HierarchyFacts:
        """Return facts about the hierarchy, after reading its file and applying it to the column."""
        progress.report(0.0, "doing.hierarchy")
        applied = apply_sections(reading, {name: section})
        progress.report(0.3, "doing.hierarchy")
        column = apply_hierarchies(applied, {name: section}, folder).column(name)
        hierarchy, texts = column.hierarchy, present_texts(column)
        assert hierarchy is not None
        assert hierarchy.sha256 is not None
        assert section.hierarchy is not None
        levels = range(hierarchy.height + 1)
        counts = []
        for level in levels:
            progress.report(0.5 + 0.5 * level / len(levels), "doing.hierarchy")
            counts.append(len({hierarchy.at(text, level) for text in texts}))
        example = next((text for text, _ in top if text in hierarchy.generalised), next(iter(hierarchy.generalised)))
        return HierarchyFacts(
            section.hierarchy,
            hierarchy.sha256,
            tuple(counts),
            tuple(hierarchy.at(example, level) for level in levels),
        )

    return work


def shorten_long_words(text: str) -> str:
    """Return a text in which words of more than 24 letters have only their first and last twelve, with "…" between."""
    half = _LONGEST // 2
    return _LONG_WORD.sub(lambda hit: f"{hit[0][:half]}…{hit[0][-half:]}", text)


def format_example(example: tuple[str, ...]) -> str:
    """Return a value and its generalisations as "value > wider > all"; texts of more than 24 letters are cut.

    A cut text has 23 letters and "…".
    """
    return " > ".join(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…" for text in example)
