"""Turning a pandas frame into a table of exact texts, and a table into a frame; pandas is imported only when needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ppdm_desktop.engine.arrays import Codes
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.recipe.models import ROLES
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.dates import DateFormat, guess_date_format
from ppdm_desktop.engine.table.kinds import guess_kind, present_texts
from ppdm_desktop.engine.table.reading.names import make_unique_names
from ppdm_desktop.engine.wording.values import Names, Quoted, Term

if TYPE_CHECKING:
    import pandas as pd

FRAME = "DataFrame"
"""What messages call a table that came from no file."""
_WHOLE_BELOW = 2.0**53
_MISSING = ""


@dataclass(frozen=True, eq=False)
class _Cells:
    """The cells of one column of a frame as texts, with the kind and order that the frame's type implies.

    ``codes`` is int32, shape (rows,), into ``texts``; a missing cell has the empty text. ``kind`` is None where the
    texts have to decide.
    """

    codes: Codes
    texts: tuple[str, ...]
    kind: str | None = None
    order: tuple[str, ...] | None = None


def from_frame(frame: pd.DataFrame, roles: Mapping[str, str] | None = None) -> Table:
    """Return a table with the values of a pandas frame as exact texts.

    - Whole numbers are written by their digits, and so are the floats of a column in which all are whole and below
      2**53 in size; other floats are written by their shortest exact text. `_build_column` says which kind they get.
    - Texts are never taken for numbers. Booleans are written ``True`` and ``False``, points in time by ISO 8601 (only
      the day if all are at midnight).
    - An ordered categorical column becomes ordinal with its order, any other categorical column nominal.
    - ``None``, ``NaN``, ``NA``, ``NaT`` and the empty text are missing; a text such as "NA" is not.
    - Each level of the index that has a name becomes a column, before all others; other levels are left out.
    - A column name that occurs twice gets a number, as in a file.
    - Rows are numbered from 2, as in a file whose names stand in row 1.

    Parameters
    ----------
    frame
        One row for each record.
    roles
        Roles by column name; columns left out have None.

    Raises
    ------
    InputError
        When a column has another type (such as times with a zone, durations, or texts mixed with other values) or an
        infinite value (the error names it), the frame has no rows or columns, or ``frame`` is something else.
    RecipeError
        When a role or a column name in ``roles`` does not exist.
    """
    series = _list_frame_columns(frame)
    if not len(frame) or not series:
        raise InputError("error.frame.empty", file=FRAME)
    names = make_unique_names([label for label, _ in series])
    role_by_name = dict(roles or {})
    if unknown := [name for name in role_by_name if name not in names]:
        raise RecipeError("error.recipe.no-such-column", column=unknown[0], args={"columns": Names.of(names)})
    columns = []
    for name, (label, values) in zip(names, series, strict=True):
        role = role_by_name.get(name)
        if role is not None and role not in ROLES:
            raise RecipeError(
                "error.frame.role", column=name, args={"role": Quoted(role), "known": Term(", ".join(ROLES))}
            )
        columns.append(replace(_build_column(name, label, _read_cells(name, values)), role=role))
    # As the rows of the file that it would be: the names stand in row 1.
    return Table(tuple(columns), np.arange(2, len(frame) + 2, dtype=np.int64))


def _list_frame_columns(frame: pd.DataFrame) -> list[tuple[str, pd.Series]]:
    """Return the name and the values of each column of a frame, the levels of its index that have a name first.

    Names are texts, may repeat, and join the parts of a tuple by blanks. Raises InputError for anything but a frame.
    """
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise InputError("error.frame.no-frame", args={"type": Term(type(frame).__name__)})
    index = frame.index
    parts = [
        (str(name), index.get_level_values(level).to_series(index=frame.index))
        for level, name in enumerate(index.names)
        if name is not None
    ]
    data_columns = [(_format_label(label), frame.iloc[:, index]) for index, label in enumerate(frame.columns)]
    return [*parts, *data_columns]


def _format_label(label: object) -> str:
    """Return a frame's column label as text; the parts of a tuple are joined by blanks."""
    return " ".join(map(str, label)) if isinstance(label, tuple) else str(label)


def _build_column(name: str, header: str, cells: _Cells) -> Column:
    """Return a frame's cells as a column with its kind.

    The frame's type decides only for booleans and categories (nominal), ordered categories (ordinal) and texts: these
    become text if they have three words or more on average and mostly differ, else nominal, even if all are numbers or
    dates, as "01", "02". For whole numbers, floats and points in time the kind is guessed from their texts, as for a
    file (`guess_kind`): numeric or date, but nominal for two different whole numbers, such as 0 and 1, in 20 or more
    filled cells, and for a column without values.
    """
    column = Column(name=name, header=header, codes=cells.codes, texts=cells.texts, order=cells.order)
    guess = guess_kind(column)
    if cells.kind is None:
        return replace(column, kind=guess.kind, style=guess.style)
    if cells.kind == "text":  # what a frame keeps as text is no number, whatever its digits
        return replace(column, kind="text" if guess.kind == "text" else "nominal")
    return replace(column, kind=cells.kind)


def _read_cells(name: str, values: pd.Series) -> _Cells:
    """Return the cells of one column of a frame as texts, written according to the column's type.

    The type may be categorical, boolean, whole number, float, point in time or text.

    Raises
    ------
    InputError
        For any other type, for an infinite value, and for a value in a column of texts that is no text.
    """
    import pandas as pd

    kind = values.dtype
    if isinstance(kind, pd.CategoricalDtype):
        return _read_category_cells(name, values)
    if pd.api.types.is_bool_dtype(kind) and not pd.api.types.is_object_dtype(kind):
        return replace(
            _encode_distinct(values, lambda distinct: ["True" if value else "False" for value in distinct]),
            kind="nominal",
        )
    if pd.api.types.is_integer_dtype(kind):
        return _encode_distinct(values, lambda distinct: [str(int(value)) for value in distinct])
    if pd.api.types.is_float_dtype(kind):
        return _read_float_cells(name, values)
    if isinstance(kind, np.dtype) and kind.kind == "M":
        return _read_moment_cells(values)
    if pd.api.types.is_object_dtype(kind) or isinstance(kind, pd.StringDtype):
        return _read_text_cells(name, values)
    raise InputError("error.frame.type", file=FRAME, column=name, args={"type": Term(str(kind))})


def _encode_distinct(values: pd.Series, written: Any) -> _Cells:
    """Return the cells of a series, its distinct values turned into texts by ``written``; missing values become "".

    ``written`` is called once with the array of distinct values and returns one text for each.
    """
    import pandas as pd

    codes, distinct = pd.factorize(values, use_na_sentinel=True)
    return _build_cells(codes, tuple(written(distinct)))


def _build_cells(codes: np.ndarray, texts: tuple[str, ...]) -> _Cells:
    """Return cells from codes and texts, with equal texts merged into one; code -1 becomes the empty text.

    Codes [0, 1, 2, -1] with the texts ("a", "b", "a") give the texts ("a", "b", "") and the codes [0, 1, 0, 2]. The
    empty text is added only if a code is -1. Texts that no row uses stay.
    """
    index: dict[str, int] = {}
    to_code = np.array([index.setdefault(text, len(index)) for text in (*texts, _MISSING)], dtype=np.int32)
    if not (codes < 0).any() and _MISSING not in texts:
        del index[_MISSING]
    return _Cells(to_code[codes].astype(np.int32), tuple(index))


def _read_text_cells(name: str, values: pd.Series) -> _Cells:
    """Return the cells of a column of texts, missing values as the empty text.

    Raises InputError for a value that is no text.
    """
    present = values[values.notna()]
    strange = next((value for value in present if not isinstance(value, str)), None)
    if strange is not None:
        raise InputError("error.frame.type", file=FRAME, column=name, args={"type": Term(type(strange).__name__)})
    return replace(
        _encode_distinct(values.astype(object), lambda distinct: [str(value) for value in distinct]), kind="text"
    )


def _read_float_cells(name: str, values: pd.Series) -> _Cells:
    """Return the cells of a column of floats, NaN as missing.

    They are written as whole numbers where all are whole and below 2**53 in size, else by their shortest exact text.
    Raises InputError with the row of the first infinite value, where the first row of the frame is 2.
    """
    numbers = values.to_numpy(dtype=values.dtype if isinstance(values.dtype, np.dtype) else np.float64, na_value=np.nan)
    present = numbers[~np.isnan(numbers)]
    if np.isinf(present).any():
        row = int(np.flatnonzero(np.isinf(numbers))[0]) + 2
        raise InputError("error.frame.infinite", file=FRAME, column=name, row=row)
    whole = bool(np.all(present == np.floor(present)) and np.all(np.abs(present) < _WHOLE_BELOW))
    # Two floats that are equal are written alike: there is no negative nothing.
    distinct, codes = np.unique(numbers, return_inverse=True)
    codes = np.where(np.isnan(numbers), -1, codes.reshape(-1))
    texts = (str(int(number)) if whole else _format_shortest(number) for number in distinct if not np.isnan(number))
    return _build_cells(codes, tuple(texts))


def _format_shortest(number: np.floating[Any]) -> str:
    """Return the shortest text that reads back as the same float, without an exponent; zero has no sign."""
    return np.format_float_positional(number + 0.0, unique=True, trim="-")


def _read_moment_cells(values: pd.Series) -> _Cells:
    """Return the cells of a column of points in time as ISO 8601 texts, without a time where all are midnight.

    Otherwise all have a time in seconds, with a fraction if some point has one. NaT is missing.
    """
    moments = values.to_numpy()
    present = moments[~np.isnat(moments)]
    timed = bool((present != present.astype("datetime64[D]")).any())

    def written(distinct: Any) -> list[str]:
        """Return the ISO 8601 texts of points in time, such as "2020-05-01T12:00:00".

        All have a fraction of a second if some point has one, else none has.
        """
        moments = np.asarray(distinct)
        written_moments = moments.astype("datetime64[s]") if _is_whole_seconds(moments) else moments
        return [str(text) for text in np.datetime_as_string(written_moments)]

    if timed:
        return _encode_distinct(values, written)
    return _encode_distinct(
        values, lambda distinct: [str(text) for text in np.asarray(distinct).astype("datetime64[D]")]
    )


def _is_whole_seconds(moments: np.ndarray) -> bool:
    """Return whether all moments are whole seconds, so that writing them to the second loses nothing."""
    return bool((moments == moments.astype("datetime64[s]")).all())


def _read_category_cells(name: str, values: pd.Series) -> _Cells:
    """Return the cells of a categorical column: ordinal with its order if the categories are ordered, else nominal.

    The order has all categories, also those that no row has. Categories are written as a column of their type is.
    Raises InputError for categories of a type that cannot be read, and for an infinite one.
    """
    import pandas as pd

    categories = values.cat.categories
    cells = _read_cells(name, pd.Series(categories))
    texts = tuple(cells.texts[code] for code in cells.codes.tolist())
    coded = _build_cells(values.cat.codes.to_numpy().astype(np.int64), texts)
    if not values.cat.ordered:
        return replace(coded, kind="nominal")
    return replace(coded, kind="ordinal", order=texts)


# --- and back ---------------------------------------------------------------------------------


def to_frame(table: Table) -> pd.DataFrame:
    """Return a table as a pandas frame, each column typed by its kind; the index counts rows from 0.

    Numbers become ``Int64``, or ``Float64`` if they have decimals; ordinal columns become ordered categorical, dates
    ``datetime64[s]`` unless some text is no date or the format is not known, all others ``string``. Missing cells are
    ``NA``, ``NaT`` among dates, and so are texts that an ordinal column's order lacks.
    """
    import pandas as pd

    made = {series: _to_series(column) for series, column in enumerate(table.columns)}
    frame = pd.DataFrame(made, index=pd.RangeIndex(table.rows))
    frame.columns = pd.Index(list(table.names), dtype=object)
    return frame


def _to_series(column: Column) -> pd.Series:
    """Return a column as a pandas series: numbers, ordered categories, points in time or texts, according to its kind.

    A numeric column becomes whole numbers if it is written without decimals, else floats. A date column without a
    format that reads all its texts becomes a series of texts. Missing cells become missing values, as do texts that an
    ordinal column's order lacks.
    """
    import pandas as pd

    missing = column.missing
    if column.kind == "numeric":
        if column.style is None or column.style.decimals == 0:
            whole = np.where(missing, 0, column.scaled)
            return pd.Series(pd.arrays.IntegerArray(whole.astype(np.int64), missing.copy()))
        return pd.Series(pd.arrays.FloatingArray(np.where(missing, 0.0, column.numbers), missing.copy()))
    if column.kind == "ordinal":
        order = column.order if column.order and not column.labels_ordered else column.categories
        code_of = {text: code for code, text in enumerate(order)}
        to_code = np.array([code_of.get(text, -1) for text in column.texts], dtype=np.int64)
        codes = np.where(missing, -1, to_code[column.codes])
        return pd.Series(pd.Categorical.from_codes(codes.tolist(), categories=list(order), ordered=True))
    if column.kind == "date" and (moments := _read_moments(column)) is not None:
        return pd.Series(moments[column.codes])
    texts = np.array([None if text in column.missing_texts else text for text in column.texts], dtype=object)
    return pd.Series(texts[column.codes], dtype="string")


def _read_moments(column: Column) -> np.ndarray | None:
    """Return the point in time of each distinct text, datetime64[s], shape (texts,), NaT where missing; or None.

    None means that some text is no date, or that the column declares no date format and none can be guessed. Without
    any value all are NaT. Fractions of a second are cut off.
    """
    texts = present_texts(column)
    form = DateFormat.parse(column.date_format) if column.date_format else guess_date_format(texts).format
    if form is None:
        return None if texts else np.full(len(column.texts), np.datetime64("NaT"), dtype="datetime64[s]")
    moments = np.full(len(column.texts), np.datetime64("NaT"), dtype="datetime64[s]")
    for code, text in enumerate(column.texts):
        if text not in column.missing_texts:
            if (read := form.read(text)) is None:
                return None
            moments[code] = np.datetime64(read[0], "s")
    return moments
