"""Values and phrases that the texts of a release may state, and the search for others."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ppdm_desktop import __version__
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.candidate.model import column_notes, treatments, treatments_said
from ppdm_desktop.engine.release.candidate.one_row import people_stated, rows_stated
from ppdm_desktop.engine.release.candidate.public_settings import settings_said
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.measures.losses import losses_stated
from ppdm_desktop.engine.release.measures.rules import broken_rules_stated
from ppdm_desktop.engine.report import public
from ppdm_desktop.engine.report.html import (
    CONTENT_POLICY,
    DECIMALS,
    NOTE_TEMPLATE,
    audience,
    forms,
    not_reviewed,
    note_sentences,
    shown_day,
)
from ppdm_desktop.engine.report.public.analysis_kit import kit_sentences
from ppdm_desktop.engine.report.template_source import template_source
from ppdm_desktop.engine.wording.catalogue import SOURCE, language, numbers_of, speaking


def normal(text: str) -> str:
    """Return a text with each run of blanks as one blank."""
    return " ".join(text.split())


def tellable(allowed: frozenset[str], private_words: Sequence[str]) -> list[str]:
    """Return the private words that reveal something: without those that the release must contain anyway."""
    page = (template_source(NOTE_TEMPLATE), template_source("style.css"), CONTENT_POLICY)
    fixed = [*page, *note_sentences(), *kit_sentences()]
    names = "\n".join([*allowed, *fixed, *_phrases()]).casefold()
    held = held_in(names, private_words)
    return [word for word in private_words if word not in held]


def held_in(text: str, private_words: Sequence[str]) -> frozenset[str]:
    """Return the words that a case-folded text contains as whole words; the words need not be case-folded."""
    whole = set(re.findall(r"\w+", text))

    def is_held(folded: str) -> bool:
        """Return whether the text contains this word as a whole word."""
        if folded.isalnum():
            return folded in whole
        return folded in text and re.search(rf"(?<!\w){re.escape(folded)}(?!\w)", text) is not None

    return frozenset(word for word in private_words if is_held(word.casefold()))


def _phrases() -> list[str]:
    """Return the fixed phrases for audiences, forms, kinds, roles and headers."""
    return [
        *map(audience, RELEASE_TYPES),
        *forms(),
        *map(str, DECIMALS.values()),
        *map(str, public.KINDS.values()),
        *(kind.english for kind in public.KINDS.values()),
        *public.ROLE_CLASSES.values(),
        *public.DICTIONARY_HEADER,
    ]


def allowed_values(evidence: Evidence) -> frozenset[str]:
    """Return every figure and label that the release's texts may state, in the current language, in normal form.

    They are gathered from the written file, the recipe's declarations, the methods' public parameters and fixed
    phrases, and not from the rendered texts.
    """
    candidate = evidence.candidate
    prepared, k_min = candidate.prepared, candidate.prepared.type.k_min
    table = evidence.exported
    count = numbers_of(language()).count
    notes = set(column_notes(candidate).values())
    allowed = {
        __version__,
        evidence.data_name,
        audience(prepared.type.id),
        not_reviewed(),
        *forms(),
        *map(str, DECIMALS.values()),
        *map(count, (table.rows, len(table.columns), k_min)),
        *treatments_said(candidate).values(),
        *map(str, public.KINDS.values()),
        *_fixed_phrases(k_min),
        *notes,
        *_codes(evidence),
    }
    if evidence.written is not None:
        allowed |= {
            evidence.written.sha256,
            public.shown_count(evidence.written.guarded_cells, k_min),
        }
    day = prepared.recipe.operator.release_day
    statements = (
        shown_day(day) if day is not None else None,
        losses_stated(candidate),
        people_stated(candidate.released.persons, k_min),
        broken_rules_stated(candidate),
        rows_stated(prepared.reduced, k_min) if prepared.reduced is not None else None,
    )
    allowed |= {statement for statement in statements if statement is not None}
    if prepared.reduced is not None:
        allowed |= {public.note_from_rows(way, note) for way in public.FROM_ROWS for note in notes}
    for column in table.columns:
        released = evidence.candidate.released.column(column.name)
        allowed.add(settings_said(candidate, column.name))
        allowed |= {column.name, released.label or released.header, public.missing_code(column, k_min)}
    for step in candidate.steps:
        allowed |= {str(step.method.title), str(step.method.treatment), *step.settings.columns}
    return frozenset(normal(text) for text in allowed)


def _codes(evidence: Evidence) -> set[str]:
    """Return the allowed dictionary entries that are equal in every language."""
    prepared, k_min = evidence.candidate.prepared, evidence.candidate.prepared.type.k_min
    allowed = {
        *treatments(evidence.candidate).values(),
        *(kind.english for kind in public.KINDS.values()),
        *public.ROLE_CLASSES.values(),
    }
    with speaking(SOURCE):
        for column in evidence.exported.columns:
            section = prepared.complete.columns.get(column.name)
            bounds = section.bounds if section is not None else None
            allowed |= {public.missing_code(column, k_min), public.stated_values(column, bounds, k_min)}
            allowed.add(public.stated_codes(column, k_min))
    return allowed


def _fixed_phrases(k_min: int) -> set[str]:
    """Return the fixed phrases for bands, counts and treatments in the current language."""
    bands = {public.band(edge / 100) for edge in public.BANDS}
    phrases = (public.NO_TREATMENT, public.GROUPED, public.NONE_MISSING, public.NO_MEAN, public.EMPTY_CELL)
    return {
        *bands,
        public.band(0),
        public.band(1.0),
        public.band(None),
        public.fewer_than(k_min),
        public.shown_count(0, k_min),
        *map(str, phrases),
    }
