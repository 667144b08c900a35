"""The values and phrases that the texts of a release may state, and the search for private words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ppdm_desktop import __version__
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.candidate.model import (
    column_notes,
    describe_treatments,
    list_treatment_terms,
    list_units,
    removal_notes,
)
from ppdm_desktop.engine.release.candidate.one_row import state_people_count, state_row_count
from ppdm_desktop.engine.release.candidate.public_settings import describe_settings
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.measures.losses import state_losses
from ppdm_desktop.engine.release.measures.rules import state_broken_rules, state_rules
from ppdm_desktop.engine.report.html import (
    CONTENT_POLICY,
    DECIMALS,
    NOTE_TEMPLATE,
    describe_missing_review,
    format_iso_day,
    list_note_formats,
    name_recipients,
    note_sentences,
)
from ppdm_desktop.engine.report.public import columns as public
from ppdm_desktop.engine.report.public.analysis_kit import kit_sentences
from ppdm_desktop.engine.report.template_source import template_source
from ppdm_desktop.engine.wording.catalogue import language, numbers_of


def normalise_blanks(text: str) -> str:
    """Return a text with each run of blanks replaced by one blank, and none at its ends."""
    return " ".join(text.split())


def select_revealing_words(allowed: frozenset[str], private_words: Sequence[str]) -> list[str]:
    """Return the private words that reveal something, in order: those that the release's fixed texts do not contain.

    Fixed texts are ``allowed``, the templates of note and kit, and fixed labels in the current language. They contain a
    word if it stands in them as a whole word, in upper or lower case: "Age" is contained in "Known by age", not in
    "page".
    """
    page = (template_source(NOTE_TEMPLATE), template_source("style.css"), CONTENT_POLICY)
    fixed = [*page, *note_sentences(), *kit_sentences()]
    names = "\n".join([*allowed, *fixed, *_list_label_phrases()]).casefold()
    contained = find_contained_words(names, private_words)
    return [word for word in private_words if word not in contained]


def find_contained_words(text: str, private_words: Sequence[str]) -> frozenset[str]:
    """Return the private words that a text contains as whole words, whatever the words' own case.

    ``text`` must be in lower case: "anna smith" contains "Anna" and "Anna Smith", but not "Ann". Words are returned as
    they are spelled in ``private_words``.
    """
    whole = set(re.findall(r"\w+", text))

    def is_contained(folded: str) -> bool:
        """Return whether the text contains this word as a whole word."""
        if folded.isalnum():
            return folded in whole
        return folded in text and re.search(rf"(?<!\w){re.escape(folded)}(?!\w)", text) is not None

    return frozenset(word for word in private_words if is_contained(word.casefold()))


def _list_label_phrases() -> list[str]:
    """Return the fixed phrases for recipients, file formats, decimal signs, kinds and roles, and the headings.

    The signs of the data dictionary and their meanings are among them. Phrases are in the current language; the
    headings of the data dictionary are the same in every language.
    """
    return [
        *map(name_recipients, RELEASE_TYPES),
        *list_note_formats(),
        *map(str, DECIMALS.values()),
        *_list_dictionary_phrases(),
        *public.DICTIONARY.values(),
    ]


def _list_dictionary_phrases() -> list[str]:
    """Return the data dictionary's phrases in the current language: kinds, roles, signs and what the signs mean."""
    return [
        *map(str, public.KINDS.values()),
        *map(str, public.ROLE_CLASSES.values()),
        *(text for _form, sign, meaning in public.SIGNS for text in (sign, str(meaning))),
    ]


def allowed_values(evidence: Evidence) -> frozenset[str]:
    """Return every figure and label that the release's texts may state, in the current language.

    They are gathered from the written file, the recipe, the methods' public parameters and fixed phrases, and not from
    the rendered texts. Runs of blanks in them are one blank. The file's hash and the number of its cells guarded
    against formulas are among them only once the file is written.
    """
    candidate = evidence.candidate
    prepared, k_min = candidate.prepared, candidate.prepared.type.k_min
    table = evidence.exported
    count = numbers_of(language()).count
    notes = {*column_notes(candidate).values(), *removal_notes(candidate)}
    allowed = {
        __version__,
        evidence.data_name,
        name_recipients(prepared.type.id),
        describe_missing_review(),
        *list_note_formats(),
        *map(str, DECIMALS.values()),
        *map(count, (table.rows, len(table.columns), k_min)),
        *describe_treatments(candidate).values(),
        *_list_dictionary_phrases(),
        *_list_count_phrases(k_min),
        *notes,
        *list_treatment_terms(candidate).values(),
        *list_units(candidate).values(),
        *state_rules(candidate).values(),
    }
    if evidence.written is not None:
        allowed |= {
            evidence.written.sha256,
            public.mask_small_count(evidence.written.guarded_cells, k_min),
        }
    day = prepared.recipe.operator.release_day
    statements = (
        format_iso_day(day) if day is not None else None,
        state_losses(candidate),
        state_people_count(candidate.released.persons, k_min),
        state_broken_rules(candidate),
        state_row_count(prepared.reduced, k_min) if prepared.reduced is not None else None,
    )
    allowed |= {statement for statement in statements if statement is not None}
    if prepared.reduced is not None:
        allowed |= {public.note_from_rows(way, note) for way in public.FROM_ROWS for note in notes}
    for column in table.columns:
        released = evidence.candidate.released.column(column.name)
        allowed |= {column.name, released.label or released.header}
        marks = public.missing_code(column, k_min)
        allowed |= {marks, *marks.split(public.SEPARATOR)}
        allowed |= {describe_settings(candidate, column.name), public.describe_public_codes(column, k_min)}
        allowed.add(public.describe_signs(prepared.original, released))
        allowed.add(public.describe_public_values(column, prepared.column_section(column.name).bounds, k_min))
    for step in candidate.steps:
        allowed |= {str(step.method.title), str(step.method.treatment), *step.settings.columns}
    return frozenset(normalise_blanks(text) for text in allowed)


def _list_count_phrases(k_min: int) -> set[str]:
    """Return the fixed phrases for bands of change, small counts and treatments in the current language.

    Examples are "changed by at most 5%", and for a ``k_min`` of 5 "fewer than 5".
    """
    bands = {public.to_change_band(edge / 100) for edge in public.BANDS}
    phrases = (public.NO_TREATMENT, public.GROUPED, public.NONE_MISSING, public.NO_MEAN, public.EMPTY_CELL)
    return {
        *bands,
        public.to_change_band(0),
        public.to_change_band(1.0),
        public.to_change_band(None),
        public.phrase_fewer_than(k_min),
        public.mask_small_count(0, k_min),
        *map(str, phrases),
        str(public.GENERALISED),
    }
