"""The public texts for recipients, release note and data dictionary, built from a list of allowed fields.

Everything here comes from the released table, from parameters a method declares public and from banded usefulness.
Counts below the release type's smallest class are "fewer than".
"""

from __future__ import annotations

from ppdm_desktop.engine.report.public.columns import (
    AS_IN_SOURCE,
    BANDS,
    BROADER,
    DICTIONARY,
    DRAWN,
    EMPTY_CELL,
    FROM_ROWS,
    GROUPED,
    KINDS,
    LEFT_OUT,
    NO_MEAN,
    NO_TREATMENT,
    NONE_MISSING,
    RANGES,
    ROLE_CLASSES,
    SIGNS,
    PublicColumn,
    column_note,
    describe_public_codes,
    describe_public_values,
    dictionary_csv,
    mask_small_count,
    missing_code,
    note_from_rows,
    phrase_fewer_than,
    public_column,
    read_dictionary,
    signs_in,
    to_change_band,
)
from ppdm_desktop.engine.report.public.note import (
    PublicNote,
    PublicStep,
    build_public_note,
)

__all__ = [
    "AS_IN_SOURCE",
    "BANDS",
    "BROADER",
    "DICTIONARY",
    "DRAWN",
    "EMPTY_CELL",
    "FROM_ROWS",
    "GROUPED",
    "KINDS",
    "LEFT_OUT",
    "NONE_MISSING",
    "NO_MEAN",
    "NO_TREATMENT",
    "RANGES",
    "ROLE_CLASSES",
    "SIGNS",
    "PublicColumn",
    "PublicNote",
    "PublicStep",
    "build_public_note",
    "column_note",
    "describe_public_codes",
    "describe_public_values",
    "dictionary_csv",
    "mask_small_count",
    "missing_code",
    "note_from_rows",
    "phrase_fewer_than",
    "public_column",
    "read_dictionary",
    "signs_in",
    "to_change_band",
]
