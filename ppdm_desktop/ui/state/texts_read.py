"""Free texts that only a small number of people share, which the user has to read before the release (no Qt here)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.recipe.models import RELEASED_ROLES
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES, ReleaseType
from ppdm_desktop.engine.release.gate.checks.free_text import MOST_READ
from ppdm_desktop.engine.release.gate.own_identifiers import SourceIdentifiers
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.free_texts import WRITTEN_KINDS, texts_digest
from ppdm_desktop.engine.table.free_texts import texts_to_read as rare_texts
from ppdm_desktop.engine.table.patterns import PATTERNS, Finding, find_in
from ppdm_desktop.engine.table.person_ids import identify_people
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.ui.state.session import Session


@dataclass(frozen=True, eq=False)
class TextsToRead:
    """The rare texts of a column: each is shared by fewer people than the release type's group limit.

    Attributes
    ----------
    column
        The column as read.
    places
        For each rare text, fewest people first, its index in the column's texts; shape (rare texts,).
    findings
        By that index, each detail that points to a person, with its position in the text; texts without any are left
        out.
    kinds
        By that index, the kinds of details found, in words; values of the file's identifiers count as well.
    table
        For display: number of people with the text, details found in it, and the text.
    digest
        Digest of these texts, as the recipe stores it.
    k_min
        The group limit: each text is shared by fewer people.
    """

    column: Column
    places: Ints
    findings: Mapping[int, list[Finding]]
    kinds: Mapping[int, str]
    table: Table
    digest: str
    k_min: int

    def __len__(self) -> int:
        """Return the number of rare texts."""
        return len(self.places)


def has_texts_to_read(session: Session, name: str) -> bool:
    """Return whether a column is released as text and has rare texts, which the user should read.

    They are shared by fewer people than the group limit, the smallest group that the release type allows, and have two
    words or more; single words count only where most texts are rare (`texts_to_read`).
    """
    section = session.decisions.recipe.columns.get(name)
    released = section is not None and section.role in RELEASED_ROLES and section.kind in WRITTEN_KINDS
    return released and _count_and_digest_texts(session, name)[0] > 0


def has_read_rare_texts(session: Session, name: str) -> bool:
    """Return whether the user confirmed having read a column's rare texts, and they have not changed since."""
    section = session.decisions.recipe.columns.get(name)
    return section is not None and section.texts_read == _count_and_digest_texts(session, name)[1]


def describe_texts_read(session: Session, name: str) -> tuple[str, str]:
    """Return (severity, sentence) on whether the user has read the rare texts of a column that has some.

    These are texts of two words or more that fewer people share than the release type's group limit; single words count
    only where most texts are rare. The severity is ``passed`` if the user confirmed having read them, and ``amber`` if
    not, or if the texts are others since then. In a public release more than 200 rare texts (``MOST_READ``) are always
    ``amber``.
    """
    section, type = session.decisions.recipe.columns[name], _release_type(session)
    number, _unused = _count_and_digest_texts(session, name)
    if type.is_public and number > MOST_READ:
        text = _(
            "Fewer than {k_min} people share {n} texts of this column. A public release may hold at most {most}. Leave "
            "the column out, or shorten its texts.",
            k_min=type.k_min,
            n=number,
            most=MOST_READ,
        )
        return "amber", text
    if has_read_rare_texts(session, name):
        return "passed", _("You have read all of these texts ({n}).", n=number)
    if section.texts_read is not None:
        return "amber", _("There are other texts to read than those you have read.")
    text = _(
        "Fewer than {k_min} people share {n} {n:text|texts} of this column. No check can find every name in them. Read "
        "them, or leave the column out.",
        k_min=type.k_min,
        n=number,
    )
    return "amber", text


def _release_type(session: Session) -> ReleaseType:
    """Return the chosen release type, or "research" while none is chosen."""
    return RELEASE_TYPES[session.decisions.recipe.release.type or "research"]


def _count_and_digest_texts(session: Session, name: str) -> tuple[int, str]:
    """Return the number of rare texts in a column (those the user should read), and a digest of them.

    They are (0, "") for numbers, an unknown column, or without a file. The result is kept until the columns that
    identify people or the group limit change.
    """
    reading, facts = session.reading, session.facts.get(name)
    if reading is None or facts is None or reading.table.column(name).kind == "numeric":
        return 0, ""
    k_min, person = _release_type(session).k_min, tuple(session.decisions.recipe.input.person or ())
    if (k_min, person) not in facts.to_read:
        column, places, _ = _find_rare_texts(reading, name, person, k_min)
        digest = texts_digest(column.texts[index] for index in places.tolist())
        facts.to_read[k_min, person] = len(places), digest
    return facts.to_read[k_min, person]


def _find_rare_texts(reading: Reading, name: str, person: Sequence[str], k_min: int) -> tuple[Column, Ints, Ints]:
    """Return a column as text, the indices of its rare texts, fewest people first, and how many people share each.

    Rare are texts of two words or more shared by fewer than ``k_min`` people, and single words where most texts are
    rare. Both arrays have shape (rare texts,). ``person`` are the columns that identify people; if empty, the table
    itself says who they are, usually one person for each row.
    """
    table = reading.table
    column = replace(table.column(name), kind="text")
    return column, *rare_texts(column, k_min, identify_people(table, person) if person else table.persons)


def make_rare_texts_work(session: Session, name: str) -> Callable[[], TextsToRead]:
    """Return the work that lists a column's rare texts and marks what points to a person in them.

    The texts that fewest people share come first. Values of the file's columns with the role ``identifier`` are
    searched for in the texts as well. The decisions are read now, so that the work can run in a thread. A file has
    to be open.
    """
    assert session.reading is not None
    reading, k_min = session.reading, _release_type(session).k_min
    person, identifiers = tuple(session.decisions.recipe.input.person or ()), tuple(session.with_role("identifier"))

    def work() -> TextsToRead:
        """Return the rare texts with the details in them that point to a person."""
        progress.report(0.0, "doing.read")
        column, places, people = _find_rare_texts(reading, name, person, k_min)
        texts = [column.texts[index] for index in places.tolist()]
        hits_of = find_in(texts)
        findings = {int(places[position]): hits for position, hits in hits_of.items()}
        progress.report(0.5, "doing.read")
        names = [reading.table.column(identifier) for identifier in identifiers]
        own_identifier_rows = SourceIdentifiers(names, rows_correspond=True).find_in_column(column).rows
        identifier_codes = set(column.codes[own_identifier_rows].tolist())
        marks = {code: {str(Note(PATTERNS[hit.kind].plural)) for hit in hits} for code, hits in findings.items()}
        for text_code in identifier_codes:
            marks.setdefault(text_code, set()).add(str(Note("pattern.own-identifier")))
        kinds = {code: ", ".join(sorted(mark)) for code, mark in marks.items()}
        table = _build_rare_text_table(texts, people, [kinds.get(index, "") for index in places.tolist()])
        return TextsToRead(column, places, findings, kinds, table, texts_digest(texts), k_min)

    return work


def _build_rare_text_table(texts: Sequence[str], people: Ints, findings: Sequence[str]) -> Table:
    """Return a table with one row for each rare text: how many people have it, what was found in it, and the text.

    ``findings`` names for each text what points to a person, such as an e-mail address; empty if nothing does.
    """
    counts = Column.from_texts(
        _("People"),
        map(str, people.tolist()),
        kind="numeric",
        style=NumberStyle(),
        missing_texts=frozenset(),
    )
    kinds = Column.from_texts(_("Found"), findings, missing_texts=frozenset())
    every = np.arange(len(texts), dtype=np.int32)
    title = _("Text")
    text = Column(title, title, every, tuple(texts), missing_texts=frozenset())
    return Table((counts, kinds, text), every.astype(np.int64) + 1)
