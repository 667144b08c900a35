"""Reading the source by its recipe and the released file by its own format, with columns matched by name.

Released columns are converted to the description of the source's columns, so that values can be compared. Programs
write the same value in many ways: another decimal mark, seventeen digits, an exponent, ``NA`` for a missing value.
Equal values get the source's own text. Values that do not fit the source's kind (a range for a number, a wider
region) are kept as categories, and ranges are sorted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.pseudonyms.codes import are_codes
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.recipe.models import PSEUDONYM, RELEASED_ROLES, ColumnSection, InputSection, Recipe
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare
from ppdm_desktop.engine.table.bins import bin_column, find_bins
from ppdm_desktop.engine.table.column import Column, NumberStyle, decimals_of, is_number, to_decimal
from ppdm_desktop.engine.table.dates import DateFormat, guess_date_format
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.ranges import range_ends
from ppdm_desktop.engine.table.reading import Reading, read_source
from ppdm_desktop.engine.table.reading.memory_source import Source, path_of
from ppdm_desktop.engine.table.reading.near_types import NEARLY
from ppdm_desktop.engine.table.writing.guard import unguard
from ppdm_desktop.engine.wording.texts import Note, describe_role
from ppdm_desktop.engine.wording.values import Name, Names, Term, Terms, Value

# --- columns ------------------------------------------------------------------------------

GAPS = frozenset({"NA", "<NA>", "N/A", "#N/A", "NaN", "nan", "NULL", "Null", "null", "None", "NaT"})
"""What other tools write for a missing value."""
_NUMBER = re.compile(r"[-+]?[0-9]*(?:[.,][0-9]*)?(?:[eE][-+]?[0-9]+)?")
_EXACT_DIGITS, _MOST_ZEROS = 15, 300
_MANY = 65_536


@dataclass(frozen=True, eq=False)
class ComparableColumn:
    """A released column converted for comparison, and what had to be assumed.

    Attributes
    ----------
    column
        The column with the source's kind and role; kind ``nominal`` (or ``ordinal`` for ranges) where its values do not
        fit the source's kind.
    gaps
        Texts taken for missing values though the source's recipe does not declare them.
    is_other_kind
        Whether the values do not fit the source's kind.
    """

    column: Column
    gaps: tuple[str, ...]
    is_other_kind: bool


def add_source_metadata(source: Column, column: Column, decimal: str) -> ComparableColumn:
    """Return a released column with name, label, role and, if its texts fit, kind of the source's column.

    Numbers and dates that fit are rewritten as the source writes them, and equal values get the source's own text. A
    mark against formulas (an apostrophe) is removed from a text that the source has without it. Usual marks for a
    missing value, such as "NA", count as missing if the source does not have them as texts, and are listed in ``gaps``.
    Where the texts do not fit a numeric, ordinal or date column of the source, the kind is ``ordinal`` for ranges,
    which are sorted, else ``nominal``, and ``is_other_kind`` is True.

    Parameters
    ----------
    source
        The source's column, with kind and role.
    column
        The column as read from the released file.
    decimal
        Decimal mark of the released file.
    """
    source_texts = frozenset(source.texts)
    column = _remove_formula_guard(column, source_texts)
    gaps = tuple(text for text in present_texts(column) if text in GAPS and text not in source_texts)
    missing = source.missing_texts | frozenset(gaps)
    plain = replace(
        column,
        name=source.name,
        header=source.header,
        label=source.label,
        role=source.role,
        missing_texts=missing,
        kind="nominal",
        style=None,
    )
    texts = present_texts(plain)
    fit = {"numeric": _to_number_column, "ordinal": _to_ordered_column, "date": _to_date_column}.get(
        source.kind, _to_source_kind
    )
    made = fit(source, plain, texts, decimal)
    return ComparableColumn(_sort_ranges(plain, source.kind) if made is None else made, gaps, made is None)


def _sort_ranges(column: Column, kind: str) -> Column:
    """Return a column of ranges as an ordinal column, sorted by the numbers in them; any other column unchanged.

    Any text with digits counts as a range, such as "30-40", "< 18" or "45". The column is unchanged if a text has no
    digits, without texts, or if ``kind``, the source's, is neither numeric, ordinal nor date.
    """
    ranges = [(range_ends(text), text) for text in present_texts(column)]
    ends = sorted((range_end, text) for range_end, text in ranges if range_end is not None)
    if kind not in ("numeric", "ordinal", "date") or not ranges or len(ends) < len(ranges):
        return column
    return replace(column, kind="ordinal", order=tuple(text for _, text in ends))


def _remove_formula_guard(column: Column, texts: frozenset[str]) -> Column:
    """Return a column without the apostrophe that keeps spreadsheets from reading a cell as a formula.

    It is removed only where the text without it is one of ``texts``, the source's texts, and the text with it is not.
    """
    bare = [text if text in texts or unguard(text) not in texts else unguard(text) for text in column.texts]
    return column if tuple(bare) == column.texts else replace(column, texts=tuple(bare))


def _replace_texts(column: Column, new: Mapping[str, str]) -> Column:
    """Return a column with some texts replaced; texts that become equal share a code.

    ``new`` has the new text by the old one; texts that are not in it stay.
    """
    code_of_text: dict[str, int] = {}
    into = [code_of_text.setdefault(new.get(text, text), len(code_of_text)) for text in column.texts]
    codes = np.array(into, dtype=np.int32)[column.codes] if into else column.codes
    return replace(column, codes=codes, texts=tuple(code_of_text))


def _to_source_kind(source: Column, column: Column, texts: Sequence[str], decimal: str) -> Column:
    """Return the released column with the source's kind and order; texts and decimal mark are not used."""
    return replace(column, kind=source.kind, order=source.order)


def _to_number_column(source: Column, column: Column, texts: Sequence[str], decimal: str) -> Column | None:
    """Return the released column as numbers, equal values in the source's spelling; None where a text is no number.

    Other values are in plain digits with the source's decimal mark. The column's step (unit of the last digit) becomes
    finer where released numbers have more decimals than the source's. ``texts`` are the column's texts without missing
    values, ``decimal`` is the file's decimal mark.
    """
    style = source.style or NumberStyle()
    plain = number_texts(texts, decimal, style.decimal)
    if plain is None:
        return None
    source_texts = frozenset(source.texts)
    if not source_texts.issuperset(plain.values()):
        by_value: dict[Decimal, str] = {}
        for text in present_texts(source):
            by_value.setdefault(to_decimal(text, style.decimal), text)
        plain = {
            text: new if new in source_texts else by_value.get(to_decimal(new, style.decimal), new)
            for text, new in plain.items()
        }
    decimals = max((decimals_of(new, style.decimal) for new in plain.values()), default=0)
    if decimals > style.decimals:
        style = NumberStyle(style.decimal, decimals, Decimal(1).scaleb(-decimals))
    return replace(_replace_texts(column, plain), kind="numeric", style=style, bounds=source.bounds)


def number_texts(texts: Sequence[str], decimal: str, wanted: str) -> dict[str, str] | None:
    """Return each number text in plain digits with the decimal mark ``wanted``, by text; None if a text is no number.

    The result has an entry for every text. Blanks at the ends are ignored. Decimals beyond 15 significant digits are
    rounded, the precision of a 64-bit float; from 10^15 on a text is no number. Texts that already have the wanted form
    are left as they are. ``decimal`` is the decimal mark of ``texts``.
    """
    rewritten: dict[str, str] = {}
    for index, text in enumerate(texts):
        if index % _MANY == 0:
            progress.check()
        if decimal == wanted and is_number(text, decimal):
            rewritten[text] = text
            continue
        new = _plain_digits(text.strip(), decimal)
        if new is None:
            return None
        rewritten[text] = new.replace(".", wanted)
    return rewritten


def _plain_digits(text: str, decimal: str) -> str | None:
    """Return a number such as "1,5e2" in plain digits with a decimal point ("150"); None where the text is no number.

    Decimals beyond 15 significant digits are rounded; from 10^15 on a text is no number. Neither is a text with an
    exponent beyond 300 or -300, one with blanks, or one with the other mark (comma or point) than ``decimal``.
    """
    if _NUMBER.fullmatch(text) is None or ("." if decimal == "," else ",") in text:
        return None
    try:
        value = Decimal(text.replace(decimal, "."))
    except InvalidOperation:
        return None
    if abs(value.adjusted()) > _MOST_ZEROS:  # its plain digits might not fit into the memory
        return None
    if len(value.as_tuple().digits) > _EXACT_DIGITS:
        value = Decimal(f"{float(value):.{_EXACT_DIGITS}g}")
    written = f"{value:f}"
    if "." in written and ("e" in text.lower() or len(text) > _EXACT_DIGITS):
        written = written.rstrip("0").rstrip(".")
    return written if is_number(written) else None


def _to_ordered_column(source: Column, column: Column, texts: Sequence[str], decimal: str) -> Column | None:
    """Return the released column with the source's order of categories; None if the source lacks one of its texts.

    ``texts`` are the column's texts without missing values; ``decimal`` is not used.
    """
    order = source.order or source.categories
    if not set(texts) <= set(order):
        return None
    return replace(column, kind="ordinal", order=order)


def _to_date_column(source: Column, column: Column, texts: Sequence[str], decimal: str) -> Column | None:
    """Return the released column as dates in the source's format, or None where a text is no date.

    If some text is not in this format, all are read in the one other format that fits them, and rewritten; None if
    several fit. The order is by time. None too where the source has no date format. ``texts`` are the column's texts
    without missing values; ``decimal`` is not used.
    """
    source_format = DateFormat.parse(source.date_format) if source.date_format is not None else None
    if source_format is None:
        return None
    moments = {text: source_format.read(text) for text in texts}
    if not all(moments.values()):
        form = guess_date_format(texts).format
        moments = {text: form.read(text) for text in texts} if form is not None else moments
        if not all(moments.values()):
            return None
        source_dates = {source_format.read(text): text for text in present_texts(source)}
        new = {
            text: source_dates.get(moment) or _format_moment(moment, source_format) for text, moment in moments.items()
        }
        column = _replace_texts(column, new)
        moments = {text: source_format.read(text) for text in new.values()}
        if not all(moments.values()):
            return None
    ranked = sorted(moments, key=lambda text: (moments[text], text))
    return replace(column, kind="date", order=tuple(ranked), date_format=source_format.pattern)


def _format_moment(moment: tuple[object, str] | None, form: DateFormat) -> str:
    """Return the date and time of a moment, (date and time, digits of a fraction of a second), as text in a format.

    The fraction is left out. The moment must not be None.
    """
    assert moment is not None
    return f"{moment[0]:{form.pattern}}"


# --- opening ------------------------------------------------------------------------------

_NO_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True, eq=False)
class Opened:
    """The source and the released file, read.

    Attributes
    ----------
    prepared
        The source, described by the recipe.
    reading
        The released file as read, with the source's column names.
    judged
        The released columns with values mapped to the source's, as categories where the source has bins; columns in
        source order, rows in file order.
    written
        The same columns as in the file; they differ from ``judged`` where numbers were drawn inside bins.
    notes
        Notes on assumptions made in reading.
    coded
        Columns with codes in place of identifiers, as the recipe's steps would write them.
    """

    prepared: Prepared
    reading: Reading
    judged: tuple[Column, ...]
    written: tuple[Column, ...]
    notes: tuple[Note, ...]
    coded: tuple[Column, ...] = ()


def open_both(original: Source, released: Source, recipe: Recipe, key: str | None) -> Opened:
    """Return the source and another program's file made of it, both read.

    Columns come back twice: with values mapped to the source's, and as in the file. A column whose name has the letters
    and digits of one source column is taken for it. Where the file shows numbers that the recipe would put into bins,
    the numbers are compared, and the source comes back without these bins. Notes state both, columns left out, texts
    taken for missing values, columns whose values do not fit the source's kind, and warnings of reading.

    Parameters
    ----------
    original, released
        The two files; opened read-only.
    recipe
        Describes the source's columns.
    key
        Column that is used only to match rows; None where rows are matched otherwise.

    Raises
    ------
    InputError, RecipeError
        When a file cannot be read, or the released file has a column that the recipe does not release, or none that it
        does.
    """
    prepared = progress.part(0.0, 0.45).run(prepare, original, recipe)
    marks = prepared.complete.input.missing
    reading = progress.part(0.45, 0.9).run(
        read_source, released, InputSection(missing=marks), plugins=recipe.plugins.use
    )
    reading, renamed = _rename_like_source(prepared, reading)
    # What its columns are the source says; cells that do not fit are reported below.
    notes = [note for note in reading.account.warnings if note.id not in NEARLY]
    if renamed:
        notes.append(Note("note.compare.renamed", {"columns": Terms(tuple(f"{old} = {new}" for old, new in renamed))}))
    names = _released_names(prepared, reading, key, str(path_of(released)))
    shown_numbers = [name for name in names if _has_unbinned_numbers(prepared, reading, name)]
    if shown_numbers:
        # The file shows the numbers themselves: they are compared, not the bins the recipe would have made.
        prepared = progress.part(0.9, 0.95).run(prepare, original, _remove_bins(recipe, prepared, shown_numbers))
        notes.append(Note("note.compare.numbers-not-bins", {"columns": Names.of(shown_numbers)}))
    judged, written = [], []
    decimal = reading.account.decimal
    for name in names:
        released_column = reading.table.column(name)
        matched = add_source_metadata(prepared.table.column(name), released_column, decimal)
        plain = matched
        if matched.is_other_kind and _has_bins(prepared, name):
            plain = add_source_metadata(prepared.original.column(name), released_column, decimal)
            matched = (
                plain
                if plain.is_other_kind
                else ComparableColumn(_bin_column(prepared, plain.column), plain.gaps, False)
            )
        judged.append(matched.column)
        written.append(plain.column)
        notes += _column_notes(name, prepared.original.column(name).kind, plain)
    missing = [column.name for column in prepared.table.with_role(*RELEASED_ROLES) if column.name not in names]
    if missing:
        notes.append(Note("note.compare.left-out", {"columns": Names.of(missing)}))
    return Opened(
        prepared, reading, tuple(judged), tuple(written), tuple(notes), tuple(_yield_code_columns(prepared, reading))
    )


def _column_notes(name: str, kind: str, comparable: ComparableColumn) -> list[Note]:
    """Return up to two notes on a released column: texts taken as missing, and values not of the source's kind.

    ``kind`` is the source's kind.
    """
    notes = []
    if comparable.gaps:
        notes.append(Note("note.compare.gaps", {"column": Name(name), "marks": Names.of(comparable.gaps)}))
    if comparable.is_other_kind:
        notes.append(Note("note.compare.other-kind", {"column": Name(name), "kind": Term(kind)}))
    return notes


def _rename_like_source(prepared: Prepared, reading: Reading) -> tuple[Reading, list[tuple[str, str]]]:
    """Return the released file with the source's column names where letters and digits agree, and the pairs renamed.

    Upper and lower case are alike: "Birth_Year" becomes the source's "birth year". Pairs are (name in the file, name in
    the source). A name is changed only where exactly one unused source name fits.
    """
    source_names, there = prepared.original.names, reading.table.names
    free = [name for name in source_names if name not in there]
    loose: dict[str, list[str]] = {}
    for name in free:
        loose.setdefault(_reduce_name(name), []).append(name)
    taken: dict[str, str] = {}
    for name in there:
        fits = loose.get(_reduce_name(name), []) if name not in source_names else []
        if len(fits) == 1 and fits[0] not in taken.values():
            taken[name] = fits[0]
    if not taken:
        return reading, []
    table = reading.table.mapped(lambda column: replace(column, name=taken.get(column.name, column.name)))
    return replace(reading, table=table), list(taken.items())


def _reduce_name(name: str) -> str:
    """Return a name reduced to its letters and digits, case-folded."""
    return _NO_LETTER.sub("", name).casefold()


def _released_names(prepared: Prepared, reading: Reading, key: str | None, file: str) -> list[str]:
    """Return the names of the released columns, in source order.

    The key is among them only if its role in the source is a released one. Codes in place of identifiers are never
    among them.

    Parameters
    ----------
    prepared, reading
        The source, and the released file as read.
    key
        Column that is used only to match rows and may have any role; None for none.
    file
        Name of the released file, for errors.

    Raises
    ------
    InputError
        When a column of the file is not in the source or has a role there that is not released (codes in place of
        identifiers are accepted); when no column is left.
    """
    original = prepared.original
    for name in reading.table.names:
        if name not in original:
            arguments: dict[str, Value] = {"columns": Names.of(original.names)}
            raise InputError("error.compare.unknown-column", file=file, column=name, args=arguments)
        role = original.column(name).role
        if role in RELEASED_ROLES or name == key:
            continue
        if name in _list_coded_identifiers(prepared) and are_codes(present_texts(reading.table.column(name))):
            continue
        if role == "identifier":
            raise InputError("error.compare.identifier", file=file, column=name)
        raise InputError("error.compare.role", file=file, column=name, args={"role": describe_role(role)})
    names = [column.name for column in original.with_role(*RELEASED_ROLES) if column.name in reading.table]
    if not names:
        wanted = Names.of([column.name for column in original.with_role(*RELEASED_ROLES)])
        raise InputError("error.compare.nothing", file=file, args={"columns": wanted})
    return names


def _list_coded_identifiers(prepared: Prepared) -> frozenset[str]:
    """Return the names of the identifiers that an enabled step of the recipe replaces by codes."""
    coded_names: set[str] = set()
    for section in prepared.recipe.steps:
        method = find_method(section.method)
        if section.enabled and method.tells_rows_apart:
            coded_names.update(method.read_step_settings(prepared.table, section).columns)
    return frozenset(coded_names)


def _yield_code_columns(prepared: Prepared, reading: Reading) -> Iterator[Column]:
    """Yield the released file's columns that hold codes in place of identifiers, with the role of a code."""
    for name in _list_coded_identifiers(prepared) & frozenset(reading.table.names):
        yield replace(reading.table.column(name), role=PSEUDONYM, identifies=prepared.table.column(name).identifies)


def _find_section(prepared: Prepared, name: str) -> ColumnSection | None:
    """Return the recipe's section on a column, else the section ``*`` for all columns; None where there is neither."""
    columns = prepared.recipe.columns
    return columns.get(name, columns.get("*"))


def _has_bins(prepared: Prepared, name: str) -> bool:
    """Return whether the recipe puts a column into bins; False for a column without a section."""
    section = _find_section(prepared, name)
    return section is not None and section.bins is not None


def _has_unbinned_numbers(prepared: Prepared, reading: Reading, name: str) -> bool:
    """Return whether all of the file's values in a column are numbers, though the recipe would release bins of them.

    False also where a single value is no number, such as "90+", for a column without bins or without values, one whose
    bins are released as numbers drawn inside them, and one whose texts are all names of its bins.
    """
    section = _find_section(prepared, name)
    if section is None or section.bins is None or section.bins.release == "draw":
        return False
    texts: Sequence[str] = present_texts(reading.table.column(name))
    labels = prepared.table.column(name).texts
    return (
        bool(texts) and not set(texts) <= set(labels) and number_texts(texts, reading.account.decimal, ".") is not None
    )


def _remove_bins(recipe: Recipe, prepared: Prepared, names: Sequence[str]) -> Recipe:
    """Return the recipe without the bins of the columns ``names``.

    Each column must have a section or be covered by the section ``*``; in the second case it gets a section of its own.
    """
    columns = dict(recipe.columns)
    for name in names:
        section = _find_section(prepared, name)
        assert section is not None
        columns[name] = section.model_copy(update={"bins": None})
    return recipe.model_copy(update={"columns": columns})


def _bin_column(prepared: Prepared, column: Column) -> Column:
    """Return a column of numbers put into the bins that the recipe has for the source's column of this name.

    The edges are those computed from the source's values.
    """
    section = _find_section(prepared, column.name)
    assert section is not None
    assert section.bins is not None
    return bin_column(column, find_bins(prepared.original.column(column.name), section.bins, prepared.original))
