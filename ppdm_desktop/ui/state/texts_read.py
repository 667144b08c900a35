"""Reading the texts that people wrote freely: which columns have them, and what there is to read (no Qt here)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.models import RELEASED_ROLES
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.gate.own_identifiers import OwnIdentifiers
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.free_texts import rarest_first, texts_digest
from ppdm_desktop.engine.table.numbers import NumberStyle
from ppdm_desktop.engine.table.patterns import PATTERNS, Finding, find_in
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.catalogue import say
from ppdm_desktop.engine.wording.texts import title
from ppdm_desktop.ui.state.session import Session


@dataclass(frozen=True, eq=False)
class TextsToRead:
    """All different texts of a column, those of fewest rows first.

    Attributes
    ----------
    column
        As read.
    places, rows
        Of each text its place in the column's texts, and in how many rows it stands.
    findings
        By place, what points to a person and where it stands; texts in which nothing was found are left out.
    kinds
        By place, what was found, in words; the file's own identifiers too.
    table
        In how many rows each stands, what was found in it, and the text itself, as they are shown.
    digest
        Of these texts, as the recipe keeps it.
    """

    column: Column
    places: Ints
    rows: Ints
    findings: Mapping[int, list[Finding]]
    kinds: Mapping[int, str]
    table: Table
    digest: str

    def __len__(self) -> int:
        """Return how many texts there are."""
        return len(self.places)


def has_texts_to_read(session: Session, name: str) -> bool:
    """Say whether a column that is to be released holds what people wrote freely."""
    section, facts = session.decisions.recipe.columns.get(name), session.facts.get(name)
    return section is not None and facts is not None and section.role in RELEASED_ROLES and section.kind in facts.free


def were_read(session: Session, name: str) -> bool:
    """Say whether someone read the texts that stand in the column now."""
    section, facts = session.decisions.recipe.columns.get(name), session.facts.get(name)
    return section is not None and facts is not None and section.texts_read == facts.texts_sha256 != ""


def reading_words(session: Session, name: str) -> tuple[str, str]:
    """Return severity and sentence of what is known of the reading of a column's texts."""
    section, facts = session.decisions.recipe.columns[name], session.facts[name]
    type = session.decisions.recipe.release.type
    if type is not None and RELEASE_TYPES[type].is_public:
        words = say(
            "columns", "A public release must not contain free text, whether you read it or not. Leave this column out."
        )
        return "amber", words
    if were_read(session, name):
        return "passed", say("columns", "You have read all of these texts ({n}).", n=facts.distinct)
    if section.texts_read is not None:
        return "amber", say("columns", "The texts have changed since you read them.")
    words = say(
        "columns",
        "This column has {n} different {n:free text|free texts}. No check can find every name in them. Read them, or "
        "leave the column out.",
        n=facts.distinct,
    )
    return "amber", words


def texts_to_read(reading: Reading, name: str, identifiers: tuple[str, ...]) -> Callable[[Progress], TextsToRead]:
    """Return the work of putting a column's texts in order, and of marking what points to a person.

    Parameters
    ----------
    reading
        The source.
    name
        The column.
    identifiers
        The columns that name people: what stands in them is looked for in the texts, too.
    """

    def work(progress: Progress) -> TextsToRead:
        column = reading.table.column(name)
        progress.report(0.0, "doing.read")
        places, rows = rarest_first(column)
        texts = [column.texts[place] for place in places.tolist()]
        found = find_in(texts, progress)
        findings = {int(places[each]): hits for each, hits in found.items()}
        progress.report(0.5, "doing.read")
        names = [reading.table.column(each) for each in identifiers]
        held = OwnIdentifiers(names, rows_correspond=True, progress=progress).held_in(column, progress).rows
        own = set(column.codes[held].tolist())
        marks = {code: {title(PATTERNS[hit.kind].title) for hit in hits} for code, hits in findings.items()}
        for place in own:
            marks.setdefault(place, set()).add(say("columns", "identifier of this file"))
        kinds = {place: ", ".join(sorted(found)) for place, found in marks.items()}
        shown = _table(texts, rows, [kinds.get(place, "") for place in places.tolist()])
        return TextsToRead(column, places, rows, findings, kinds, shown, texts_digest(column))

    return work


def _table(texts: Sequence[str], rows: Ints, found: Sequence[str]) -> Table:
    counts = Column.from_texts(
        say("columns", "Rows"), map(str, rows.tolist()), kind="numeric", style=NumberStyle(), missing_texts=frozenset()
    )
    kinds = Column.from_texts(say("columns", "Found"), found, missing_texts=frozenset())
    every = np.arange(len(texts), dtype=np.int32)
    title = say("columns", "Text")
    text = Column(title, title, every, tuple(texts), missing_texts=frozenset())
    return Table((counts, kinds, text), every.astype(np.int64) + 1)
