"""Check that the owner has read the released texts that fewer than k_min people share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.recipe.models import PSEUDONYM
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.gate.base import LOOKS_AT_EVERY_VALUE, Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import READING_AND_ROLES, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.free_texts import WRITTEN_KINDS, texts_digest, texts_to_read
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.values import AttachedData, Names

MOST_READ = 200
"""Largest number of rare texts in a public release: nobody reads every word of more."""


@register
class FreeText(Check):
    """Released texts of two or more words are shared by at least k_min people, or were all read by the owner."""

    id = "free-text"
    title = "Free text"
    order = 70
    cause = READING_AND_ROLES
    answered_by = (KnobKind.LEAVE_OUT,)
    fix_on = "columns"
    figure_unit = "columns"
    red_for = "public"
    weight = LOOKS_AT_EVERY_VALUE
    usual = Colours.of("gate.free-text.green", "gate.free-text.amber", "gate.free-text.red")
    green_read = VerdictText.green("gate.free-text.green-read")
    red_many = VerdictText.red("gate.free-text.red-many")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for columns with rare texts that the owner has not all read.

        Rare is a text, mostly of two words or more, that fewer than k_min people share (`_count_rare_texts`). Green if
        there are none or all were read. Unread ones are amber, or red in a public release, in which more than 200 rare
        texts in all are red even if read.
        """
        k_min, public = evidence.candidate.prepared.type.k_min, self.limits_of(evidence).red is not None
        listed, unread = _count_rare_texts(evidence)
        total = sum(listed.values())
        many = public and total > MOST_READ
        named = list(listed) if many else unread
        figure = Figure(len(named), n=len(evidence.exported.columns), unit="columns")
        texts_named = sum(listed[name] for name in named or listed)
        arguments: dict[str, Any] = {"columns": Names.of(named or list(listed)), "texts": texts_named, "k_min": k_min}
        if many:
            return self.verdict(self.red_many, figure, 0, most=MOST_READ, **arguments)
        if unread:
            to_read = AttachedData(_describe_texts_to_read(evidence.candidate.prepared, unread))
            return self.verdict(self.usual.red if public else self.usual.amber, figure, 0, to_read=to_read, **arguments)
        if listed:
            return self.verdict(self.green_read, figure, 0, **arguments)
        return self.verdict(self.usual.green, figure, 0, k_min=k_min)


def _count_rare_texts(evidence: Evidence) -> tuple[dict[str, int], list[str]]:
    """Return how many different rare texts each column has, and the columns where some were not read.

    Both are in file order; the owner has to read them. Columns of generated codes, and columns without rare texts, are
    left out. Rare is a text of two words or more that fewer than k_min people share in the source. Single words count
    as well if at least 20 texts, and as many as half of the filled cells, are rare; numbers and dates never. A text
    that a step made is counted by rows, and counts as unread; if the column has a hierarchy, it does not count.
    """
    listed, unread = {}, []
    for column in evidence.exported.columns:
        # Nobody wrote a code: that it names a person is another check's business.
        if column.name in evidence.code_columns:
            continue
        texts, was_read = _find_texts_to_read(column, evidence)
        if texts:
            listed[column.name] = len(texts)
        if texts and not was_read:
            unread.append(column.name)
    return listed, unread


def _describe_texts_to_read(prepared: Prepared, names: Sequence[str]) -> list[dict[str, object]]:
    """Return for each column with texts to read its ``column``, their number ``texts`` and their ``digest``.

    The texts are those of the source; columns without any are left out.
    """
    texts_by_name = {name: source_texts(prepared, name) for name in names}
    return [
        {"column": name, "texts": len(texts), "digest": texts_digest(texts)}
        for name, texts in texts_by_name.items()
        if texts
    ]


def _find_texts_to_read(column: Column, evidence: Evidence) -> tuple[set[str], bool]:
    """Return the released texts of a column that the owner must read, and whether they were read.

    A text must be read if fewer than k_min people share it and it has two words or more (for single words see
    `texts_to_read`). People are counted in the source, because a step may write one person's text in many rows. A text
    that is not in the source is counted by rows, and counts as unread, unless the column has a hierarchy, whose texts
    the owner gave. There are none for a column that is neither free text nor nominal in the source, unless codes
    replace it. If there are no such texts, the second part has no meaning.
    """
    prepared, every_row = evidence.candidate.prepared, People.identity(len(column))
    if column.name not in prepared.read:
        return _select_texts(column, texts_to_read(column, prepared.type.k_min, every_row)[0]), False
    source, section = prepared.read.column(column.name), prepared.column_section(column.name)
    if source.kind not in WRITTEN_KINDS and evidence.candidate.released.column(column.name).role != PSEUDONYM:
        return set(), False
    to_read = set(source_texts(prepared, column.name))
    new = set()
    # The texts of a hierarchy are a list that the owner gave.
    if section.hierarchy is None:
        readable_texts = texts_to_read(column, prepared.type.k_min, every_row)[0]
        new = _select_texts(column, readable_texts) - set(present_texts(source))
    released = (to_read & set(present_texts(column))) | new
    return released, not new and section.texts_read == texts_digest(to_read)


def source_texts(prepared: Prepared, name: str) -> list[str]:
    """Return the texts of a source column that the owner must read (`texts_to_read`), those of the fewest people first.

    They are shared by fewer than k_min people and mostly have two words or more. ``texts_read`` in a recipe is the
    digest of exactly these texts. Empty if the source has no such column, or one that is neither free text nor nominal.
    """
    if name not in prepared.read:
        return []
    source, people = prepared.read.column(name), prepared.reduced or prepared.read.persons
    places, _ = texts_to_read(source, prepared.type.k_min, people)
    return [source.texts[code] for code in places.tolist()]


def _select_texts(column: Column, places: Ints) -> set[str]:
    """Return the texts of a column that have these codes."""
    return {column.texts[code] for code in places.tolist()}
