"""`pseudonymise`: replaces identifiers by codes, the same code for the same identifier."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.pseudonyms.codes import (
    JOINED_BY,
    LENGTHS,
    are_codes,
    codes_of,
    secret_of_key,
)
from ppdm_desktop.engine.methods.base.declaration import Method, register
from ppdm_desktop.engine.methods.base.parameters import NumberParameter, RecipientParameter, TextParameter
from ppdm_desktop.engine.methods.base.recipients import FINGERPRINT, FINGERPRINT_PARAMETER, RECIPIENT, recipient_secret
from ppdm_desktop.engine.methods.base.step import Guarantee, Recount, Settings, StepResult, Used
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.recipe.models import PSEUDONYM
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.person_ids import PERSON
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names

_DOING = "doing.candidate"


@register
class Pseudonymise(Method):
    """Replace identifiers by codes, so that the rows of a person can be linked but nobody is named.

    It protects nothing: anyone who has the secret, or knows a person by other details, can find the person (GDPR,
    article 4(5) and recital 26).
    """

    id = "pseudonymise"
    title = lazy("Replace names and numbers of people by codes")
    paper = lazy("NIST FIPS 198-1, The Keyed-Hash Message Authentication Code, 2008; GDPR, article 4(5)")
    summary = lazy(
        "Replaces each identifier by a code, always the same for the same person. The recipient "
        "can then link a person’s rows. The data stay personal data."
    )
    promises = (
        lazy("Equal identifiers get equal codes; different ones get different codes."),
        lazy("Without the secret, no code can be reversed, not even with a list of all identifiers."),
        lazy("The codes of one release, or of one recipient, match those of no other."),
    )
    limits = (
        lazy("It does not protect anyone’s details: a person whose rows can be linked is easier to find, not harder."),
        lazy("Data released with codes are pseudonymised and still personal data. They cannot be made public."),
        lazy("Anyone with the secret can find out whose code it is. Keep it away from the recipients of the release."),
        lazy("It must be the first step, and no step that generates artificial records may follow."),
    )
    several_rows = "rows"
    tells_rows_apart = True
    recipients_learn = lazy(
        "Codes stand in place of identifiers: the same code means the same person. This is personal data."
    )
    protects = "nothing"
    treatment = lazy("pseudonymisation (keyed codes)")
    kinds = frozenset({"numeric", "ordinal", "nominal", "date", "text"})
    roles = frozenset({"identifier"})
    public_parameters = frozenset({"length"})
    private_parameters = frozenset({RECIPIENT, FINGERPRINT})
    parameters = (
        NumberParameter(
            name="length",
            label=lazy("Length of a code"),
            help=lazy("How many characters each code has."),
            effect=lazy("16 characters are enough for ten million people. Choose more for more people."),
            default=16,
            only=LENGTHS,
            whole=True,
            advanced=True,
        ),
        RecipientParameter(
            name=RECIPIENT,
            label=lazy("Recipient"),
            help=lazy(
                "Who receives the file. With a secret kept for a recipient, a person has the same code "
                "in every file for this recipient."
            ),
            effect=lazy("If empty, the codes are for this release only and match no other."),
            default="",
            mark=FINGERPRINT,
        ),
        TextParameter(
            name="domain",
            label=lazy("What the identifier stands for"),
            help=lazy("Equal identifiers get equal codes in all columns where this text is the same."),
            effect=lazy(
                "If empty: person for columns that identify people, household for households, otherwise "
                "the name of the column."
            ),
            default="",
            advanced=True,
            names={"person": lazy("a person"), "household": lazy("a household")},
        ),
        FINGERPRINT_PARAMETER,
    )

    def default_columns(self, table: Table) -> tuple[str, ...]:
        """Return the name of the first column that identifies people; empty if there is none.

        If several columns together identify a person, the code in the first one stands for all of them.
        """
        return tuple(column.name for column in table.columns if column.identifies == PERSON)[:1]

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return no note; raise an error if ids of different people differ only in blanks at the ends or Unicode form.

        Such people would get the same code, and their rows would be linked. Columns that do not identify people are not
        checked.

        Raises
        ------
        InputError
            Naming the column and how many ids repeat another: 1 for "Li" and "Li " alone.
        """
        for name in settings.columns:
            column = table.column(name)
            if column.identifies != PERSON:
                continue
            _, ids = _find_ids(table, column)
            if similar := len(ids) - len({_normalise_identity(identity) for identity in ids}):
                raise InputError("error.pseudonymise.spellings", column=name, args={"ids": similar})
        return ()

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on the number of different codes that would replace ids, summed over the columns."""
        ids = (_find_ids(table, table.column(name))[1] for name in settings.columns)
        codes = sum(len(set(map(_normalise_identity, of_column))) for of_column in ids)
        return Note("note.pseudonymise.effect", {"columns": Names.of(settings.columns), "codes": codes})

    def _list_used_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        """Yield, if the recipe sets no domain, the domain of each column: what it identifies, or else its name.

        Equal identifiers get equal codes in all columns with the same domain. With a single column, its entry names no
        column. The entries are the same before and after a run.
        """
        if not settings.values["domain"]:
            for name in settings.columns:
                column = None if len(settings.columns) == 1 else name
                yield Used("domain", table.column(name).identifies or name, "program", column=column)

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with codes instead of identifiers.

        A code depends on the identifier, the domain, and the recipient's secret, or the run's key if no recipient is
        named. If several columns together identify people, the code stands for all of them (see `_find_ids`). Missing
        identifiers stay missing, and nobody counts as protected. ``check`` is not called: identifiers that differ only
        in blanks at the ends or Unicode form get the same code. The step's figures are, by column, the number of codes
        and the domain, then whether a recipient's secret was used. The fingerprint of a secret that is used for the
        first time is in the result's ``reached``.

        Raises
        ------
        InputError
            When a recipient is named but the secret was not opened, or two identifiers that differ in more than blanks
            at the ends and Unicode form have the same code.
        RecipeError
            When the secret that was opened is not the one recorded in the recipe.
        """
        kept, reached = recipient_secret(settings, streams)
        secret = secret_of_key(streams.key) if kept is None else kept
        length = int(settings.values["length"])
        made, detail = [], {}
        for index, name in enumerate(settings.columns):
            progress.report(index / len(settings.columns), _DOING)
            column = table.column(name)
            rows, ids = _find_ids(table, column)
            domain = str(settings.values["domain"]) or column.identifies or name
            codes = codes_of(secret, domain, ids, length)
            progress.check()
            if len(set(codes)) < len({_normalise_identity(identity) for identity in ids}):
                longer = next((allowed for allowed in LENGTHS if allowed > length), length)
                raise InputError("error.pseudonymise.collision", column=name, args={"length": longer})
            made.append(_replace_by_codes(column, rows, codes))
            detail[name] = {"codes": len(set(codes)), "domain": domain}
        progress.report(1.0, _DOING)
        whole = {"columns": detail, "kept_secret": kept is not None}
        return StepResult(table.replacing(*made), (), whole, reached=reached)

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether every identifier has exactly one code, and every code stands for one identifier.

        Identifiers that differ only in blanks at the ends or Unicode form are one, and missing ones must stay missing.
        ``worst`` is the number of rows for which this is not so, or all rows if a text is not a code, added over the
        columns. There are no proofs by privacy level.
        """
        wrong = 0
        for name in settings.columns:
            rows, ids = _find_ids(before, before.column(name))
            plain = {text: index for index, text in enumerate(dict.fromkeys(map(_normalise_identity, ids)))}
            draw = np.array([plain[_normalise_identity(text)] for text in ids], dtype=np.int64)
            draw = np.where(rows >= 0, draw[rows] if len(draw) else rows, -1)
            released_codes = after.column(name).category_codes.astype(np.int64)
            pairs = np.unique(np.column_stack([draw, released_codes]), axis=0)
            twice = _find_repeated_values(pairs[:, 0]) | _find_repeated_values(pairs[:, 1])
            bad = pairs[twice | ((pairs[:, 0] < 0) != (pairs[:, 1] < 0))]
            not_one = np.isin(draw, bad[:, 0]) if len(bad) else np.zeros(before.rows, dtype=np.bool_)
            wrong += before.rows if not are_codes(after.column(name).categories) else int(not_one.sum())
        return Recount(Guarantee("file+original", wrong == 0, before.rows, float(wrong)), ())


def _normalise_identity(text: str) -> str:
    """Return an identifier without surrounding blanks and in one Unicode form, so that equal names are equal texts."""
    return unicodedata.normalize("NFC", text.strip())


def _find_ids(table: Table, column: Column) -> tuple[Ints, Sequence[str]]:
    """Return for each row the index of its identifier (int64, -1 if missing), and the different identifiers as texts.

    If the column identifies people, an identifier consists of the texts of all such columns, joined by a control
    character, and is missing if any of them is. Otherwise it is the column's own text. The different identifiers are in
    the order of the columns' codes.
    """
    parts = [part for part in table.columns if part.identifies == PERSON] if column.identifies == PERSON else [column]
    missing = np.logical_or.reduce([part.missing for part in parts])
    rows = np.full(table.rows, -1, dtype=np.int64)
    here = np.flatnonzero(~missing)
    different, inverse = np.unique(
        np.column_stack([part.codes[here].astype(np.int64) for part in parts]), axis=0, return_inverse=True
    )
    rows[here] = inverse.reshape(-1)
    texts = [
        JOINED_BY.join(part.texts[code] for part, code in zip(parts, codes, strict=True))
        for codes in different.tolist()
    ]
    return rows, texts


def _replace_by_codes(column: Column, rows: Ints, codes: Sequence[str]) -> Column:
    """Return the column with codes as its values and the role of a pseudonym; missing identifiers stay missing.

    ``rows`` is the index in ``codes`` of each row's code, -1 if missing. The new values are sorted by text. All missing
    cells show one text: the empty one if the column has it or no missing text at all, else its first missing text.
    """
    texts = sorted(set(codes))
    code_of = {text: code for code, text in enumerate(texts)}
    code_index = np.array([code_of[code] for code in codes], dtype=np.int32)
    gone = "" if not column.missing_texts else min(column.missing_texts, key=lambda text: (text != "", text))
    released_codes = np.where(rows >= 0, code_index[rows] if len(code_index) else 0, len(texts)).astype(np.int32)
    missing = [gone] if bool((rows < 0).any()) else []
    return replace(
        Column(column.name, column.header, released_codes, (*texts, *missing)),
        missing_texts=frozenset({gone}) if missing else frozenset({""}),
        role=PSEUDONYM,
        identifies=column.identifies,
        label=column.label,
    )


def _find_repeated_values(values: Ints) -> np.ndarray:
    """Return for each value whether it occurs more than once, bool, shape (values,)."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse.reshape(-1)] > 1)
