"""What the texts of a release may say, and finding in them what they may not."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from ppdm_desktop import __version__
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.candidate.iso20889 import shown_parameter, treatments
from ppdm_desktop.engine.release.candidate.one_row import people_told, rows_told
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.report import public
from ppdm_desktop.engine.report.html import DECIMALS, NOTE_TEMPLATE, audience, forms, template_source


def normal(text: str) -> str:
    """Return a text with each run of blanks as one."""
    return " ".join(text.split())


def tellable(allowed: frozenset[str], words: Sequence[str]) -> list[str]:
    """Return the words whose presence tells something: not those the release must hold anyway."""
    names = "\n".join([*allowed, template_source(NOTE_TEMPLATE), template_source("style.css"), *_phrases()]).casefold()
    return [word for word in words if not holds(names, word)]


def holds(text: str, word: str) -> bool:
    """Say whether a case-folded text holds a word on its own, not as part of a longer one."""
    folded = word.casefold()
    if folded not in text:
        return False
    return re.search(rf"(?<!\w){re.escape(folded)}(?!\w)", text) is not None


def _phrases() -> list[str]:
    return [
        *map(audience, RELEASE_TYPES),
        *forms(),
        *DECIMALS.values(),
        *public.KINDS.values(),
        *public.ROLE_CLASSES.values(),
        *public.DICTIONARY_HEADER,
    ]


def allowed_values(evidence: Evidence) -> frozenset[str]:
    """Return every figure and label that the release's texts may hold.

    Gathered anew from the exported file, the recipe's declarations, the methods' public
    parameters and fixed phrases; not from what was rendered.
    """
    candidate = evidence.candidate
    prepared, k_min = candidate.prepared, candidate.prepared.type.k_min
    table = evidence.exported
    counted = [table.rows, len(table.columns)]
    allowed = {
        __version__,
        evidence.data_name,
        audience(prepared.type.id),
        *forms(),
        *DECIMALS.values(),
        *map(str, counted),
        *treatments(candidate).values(),
        *public.KINDS.values(),
        *public.ROLE_CLASSES.values(),
        *_fixed_phrases(k_min),
    }
    if evidence.written is not None:
        allowed |= {
            hashlib.sha256(evidence.written.data).hexdigest(),
            public.shown_count(evidence.written.guarded_cells, k_min),
        }
    if (day := prepared.recipe.operator.release_day) is not None:
        allowed.add(day)
    if (whose := people_told(evidence.candidate.released.people, k_min)) is not None:
        allowed.add(whose)
    if prepared.reduced is not None:
        if (rows := rows_told(prepared.reduced, k_min)) is not None:
            allowed.add(rows)
        notes = public.COLUMN_NOTES
        allowed |= {public.note_from_rows(way, note) for way in public.FROM_ROWS for note in notes}
    for column in table.columns:
        section = prepared.complete.columns.get(column.name)
        bounds = section.bounds if section is not None else None
        released = evidence.candidate.released.column(column.name)
        allowed |= {column.name, released.header}
        allowed.add(public.missing_code(column, k_min))
        allowed.add(public.stated_values(column, bounds, k_min))
    for step in candidate.steps:
        allowed |= {step.method.title, step.method.treatment, *step.settings.columns}
        for name in step.method.public_parameters:
            if name in step.settings.values:
                allowed |= {name, shown_parameter(step.settings.values[name])}
    return frozenset(normal(text) for text in allowed)


def _fixed_phrases(k_min: int) -> set[str]:
    bands = {public.band(edge / 100) for edge in public.BANDS}
    return {
        *bands,
        public.band(0),
        public.band(1.0),
        public.band(None),
        public.fewer_than(k_min),
        "none",
        public.NO_TREATMENT,
        public.GROUPED,
        public.NONE_MISSING,
        public.EMPTY_CELL,
        public.AS_IN_SOURCE,
        *public.COLUMN_NOTES,
    }
