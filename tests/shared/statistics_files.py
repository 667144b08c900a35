"""Files of SPSS, Stata, SAS and Parquet, made by the libraries from known values, and one of SPSS made by hand.

No library of Python writes the data set of SAS. ``golden/known.sas7bdat.xz`` was written by the C library that
pyreadstat brings, by ``python tests/shared/statistics_files.py`` on Linux, where its functions can be called from
outside.
"""

from __future__ import annotations

import ctypes
import datetime as dt
import lzma
import struct
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyreadstat
from pyarrow import parquet

GOLDEN = Path(__file__).parents[1] / "golden" / "known.sas7bdat.xz"
LABELS = {1: "one", 2: "two", 3: "three", 9: "refused"}
DAYS = (dt.date(2020, 1, 31), dt.date(1880, 5, 5), None, dt.date(1999, 12, 1), dt.date(2000, 2, 29))
MOMENT = dt.datetime(2020, 1, 31, 12, 30, 15, 250000)


@dataclass(frozen=True)
class Known:
    """A file, and what has to be read from it.

    Attributes
    ----------
    columns
        The exact text of each cell.
    labels
        What its columns are labelled with, where they are.
    missing
        Marks of its own, by column.
    """

    data: bytes
    columns: Mapping[str, Sequence[str]]
    labels: Mapping[str, str]
    missing: Mapping[str, frozenset[str]]


def frame() -> pd.DataFrame:
    """The values that are written into every format."""
    return pd.DataFrame(
        {
            "amount": [1.5, 2.25, np.nan, -9.0, 0.1],
            "word": ["x", "", "Zoé", "y", " z"],
            "code": [1, 2, 3, 9, 1],
            "part": [1, 2, 3, 4, 7],
            "day": DAYS,
            "moment": [MOMENT, MOMENT, None, dt.datetime(1960, 1, 1), dt.datetime(1959, 12, 31, 23, 59, 59)],
        }
    )


ISO = ["2020-01-31", "1880-05-05", "", "1999-12-01", "2000-02-29"]
MOMENTS = ["2020-01-31T12:30:15.25", "2020-01-31T12:30:15.25", "", "1960-01-01T00:00:00", "1959-12-31T23:59:59"]
WORDS = ["x", "", "Zoé", "y", " z"]
NAMED = ["one", "two", "three", "refused", "one"]
PLAIN = {
    "amount": ["1.5", "2.25", "", "-9", "0.1"],
    "word": WORDS,
    "code": ["1", "2", "3", "9", "1"],
    "part": ["1", "2", "3", "4", "7"],
    "day": ISO,
    "moment": MOMENTS,
}
VARIABLES = {"amount": "What it costs", "code": "A question,\nasked twice"}
SAID = {"amount": "What it costs", "code": "A question, asked twice"}


def _written(suffix: str, write: Callable[..., Any], *values: Any, **options: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{suffix}"
        write(*values, str(path), **options)
        return path.read_bytes()


def spss(*, compress: bool, missing: bool = True) -> Known:
    """SPSS with labels of all values, of some, formats, notes and values that its owner calls missing."""
    data = _written(
        ".zsav" if compress else ".sav",
        pyreadstat.write_sav,
        frame(),
        compress=compress,
        file_label="Ward 7 of Saint Elsewhere",
        note=["collected by the night shift"],
        column_labels=VARIABLES,
        variable_value_labels={"code": LABELS, "part": {1: "first"}},
        missing_ranges={"code": [9], "amount": [{"lo": -99, "hi": -1}], "word": ["y"]} if missing else None,
        variable_format={"amount": "F8.2", "part": "N3"},
        variable_measure={"code": "ordinal"},
    )
    columns = {
        **PLAIN,
        "amount": ["1.50", "2.25", "", "-9.00", "0.10"],
        "code": NAMED,
        "part": ["001", "002", "003", "004", "007"],
    }
    marks = {"code": frozenset({"refused"}), "amount": frozenset({"-9.00"}), "word": frozenset({"y"})}
    return Known(data, columns, SAID, marks if missing else {})


def stata(version: int) -> Known:
    """Stata with labels of all values and of some, and letters of missing values where they can be written."""
    table = frame()
    table["answer"] = [1, 2, "a", 1, "b"]
    data = _written(
        ".dta",
        pyreadstat.write_dta,
        table if version >= 8 else table.drop(columns="answer"),
        version=version,
        file_label="Ward 7",
        column_labels=VARIABLES,
        variable_value_labels={"code": LABELS, "part": {1: "first"}, "answer": {1: "yes", 2: "no", "a": "refused"}},
        missing_user_values={"answer": ["a", "b"]},
        variable_format={"amount": "%8.2f", "part": "%03.0f"},
    )
    columns = {
        **PLAIN,
        "amount": ["1.50", "2.25", "", "-9.00", "0.10"],
        "code": NAMED,
        "part": ["001", "002", "003", "004", "007"],
        "answer": ["yes", "no", "refused", "yes", ".b"],
    }
    return Known(data, columns, SAID, {"answer": frozenset({"refused", ".b"})})


def transport(version: int) -> Known:
    """The transport file of SAS, whose formats name dates."""
    data = _written(
        ".xpt",
        pyreadstat.write_xport,
        frame(),
        file_format_version=version,
        table_name="WARD7",
        file_label="Ward 7",
        column_labels={**VARIABLES, "code": "A question, asked twice"},
    )
    return Known(data, PLAIN, SAID, {})


def arrow(**options: Any) -> Known:
    """Parquet with every type that is read."""
    table = pa.table(
        {
            "whole": pa.array([1, None, 2**62], pa.int64()),
            "small": pa.array([0, 255, 3], pa.uint8()),
            "single": pa.array([0.1, 2.0, float("nan")], pa.float32()),
            "double": pa.array([0.1, -1e-7, 1e20], pa.float64()),
            "half": pa.array(np.array([0.1, 2, 3], np.float16)),
            "amount": pa.array([Decimal("1.50"), None, Decimal("-2.25")], pa.decimal128(9, 2)),
            "word": ["a", "", "Zoé"],
            "long": pa.array([" x", None, "y"], pa.large_string()),
            "flag": [True, False, None],
            "day": pa.array([dt.date(2020, 1, 31), None, dt.date(1, 1, 1)]),
            "midnight": pa.array([dt.datetime(2020, 1, 31), None, dt.datetime(1959, 1, 1)], pa.timestamp("ms")),
            "moment": pa.array([MOMENT, dt.datetime(1959, 12, 31, 23, 59, 59, 999999), None], pa.timestamp("us")),
            "zoned": pa.array([dt.datetime(2020, 7, 1)] * 3, pa.timestamp("ms", "Europe/Berlin")),
            "time": pa.array([dt.time(1, 2, 3), dt.time(23, 59, 59, 5), None], pa.time64("us")),
            "class": pa.array(["x", "y", "x"]).dictionary_encode(),
            "nothing": pa.nulls(3),
        }
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.parquet"
        parquet.write_table(table, path, **options)
        data = path.read_bytes()
    columns = {
        "whole": ["1", "", "4611686018427387904"],
        "small": ["0", "255", "3"],
        "single": ["0.1", "2", ""],
        "double": ["0.1", "-0.0000001", "100000000000000000000"],
        "half": ["0.1", "2", "3"],
        "amount": ["1.50", "", "-2.25"],
        "word": ["a", "", "Zoé"],
        "long": [" x", "", "y"],
        "flag": ["True", "False", ""],
        "day": ["2020-01-31", "", "0001-01-01"],
        "midnight": ["2020-01-31", "", "1959-01-01"],
        "moment": ["2020-01-31T12:30:15.25", "1959-12-31T23:59:59.999999", ""],
        "zoned": ["2020-07-01T00:00:00Z"] * 3,
        "time": ["01:02:03", "23:59:59.000005", ""],
        "class": ["x", "y", "x"],
        "nothing": ["", "", ""],
    }
    return Known(data, columns, {}, {})


# --- SPSS by hand -----------------------------------------------------------------------


def spss_by_hand(*, claims: int | None = None, weight: int = 1, rows: int = 6) -> Known:
    """SPSS as its format is documented: three numbers with each way to call values missing, uncompressed.

    Parameters
    ----------
    claims
        How many rows the header claims; as many as there are when left out.
    weight
        Which of the columns weights the rows; 0 for none.
    rows
        How many rows there are.
    """
    lowest = -1.7976931348623155e308  # what stands for LOWEST: the one next to the most negative number
    columns = (
        ("GAPS", [7.0, 8.0, 9.0], 3, [1, 7, 2, 8, 9, 3], "F", 4, 0),
        ("RANGE", [lowest, -1.0], -2, [-5, -1, 0, 1.5, -0.5, 2], "F", 8, 1),
        ("BOTH", [90.0, 99.0, 5.0], -3, [5, 90, 95.5, 99, 100, 4], "F", 8, 2),
    )
    data = b"$FL2" + b"@(#) SPSS DATA FILE made by hand".ljust(60)
    data += struct.pack("<iiiii", 2, len(columns), 0, weight, rows if claims is None else claims)
    data += struct.pack("<d", 100.0) + b"01 Jan 20" + b"00:00:00" + b"Ward 7".ljust(64) + b"\0" * 3
    for name, missing, how, _, _, width, decimals in columns:
        format = 5 << 16 | width << 8 | decimals
        data += struct.pack("<iiiiii", 2, 0, 0, how, format, format) + name.encode().ljust(8)
        data += struct.pack(f"<{len(missing)}d", *missing)
    data += struct.pack("<ii", 6, 2) + b"first line".ljust(80) + b"second line".ljust(80)
    data += struct.pack("<ii", 999, 0)
    for row in range(rows):
        data += struct.pack("<3d", *(values[row % 6] for _, _, _, values, *_ in columns))
    shown = {
        "GAPS": ["1", "7", "2", "8", "9", "3"],
        "RANGE": ["-5.0", "-1.0", "0.0", "1.5", "-0.5", "2.0"],
        "BOTH": ["5.00", "90.00", "95.50", "99.00", "100.00", "4.00"],
    }
    missing_texts = {
        "GAPS": frozenset({"7", "8", "9"}),
        "RANGE": frozenset({"-5.0", "-1.0"}),
        "BOTH": frozenset({"90.00", "95.50", "99.00", "5.00"}),
    }
    return Known(data, shown, {}, missing_texts)


# --- the data set of SAS ----------------------------------------------------------------

SAS_COLUMNS = {
    "amount": ["1.50", "2.25", "", ".A"],
    "zip": ["01069", "10115", "00001", ""],
    "word": ["x", "", "Zoé", "y z"],
    "day": ["2020-01-31", "1880-05-05", "", "2000-02-29"],
    "moment": ["2020-01-31T12:30:15.25", "1960-01-01T00:00:00", "1959-12-31T23:59:59", ""],
    "clock": ["01:02:03", "26:30:00", "00:00:00", ""],
}


def sas_data_set() -> Known:
    """The data set of SAS, as it lies ready."""
    return Known(
        lzma.decompress(GOLDEN.read_bytes()), SAS_COLUMNS, {"amount": "What it costs"}, {"amount": frozenset({".A"})}
    )


def write_sas_data_set() -> bytes:
    """Write the data set of SAS by the C library inside pyreadstat."""
    library = ctypes.CDLL(pyreadstat._readstat_writer.__file__)
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double
    for name, gives, takes in (
        ("readstat_writer_init", pointer, []),
        ("readstat_set_data_writer", ctypes.c_int, [pointer, pointer]),
        ("readstat_add_variable", pointer, [pointer, text, ctypes.c_int, ctypes.c_size_t]),
        ("readstat_variable_set_format", None, [pointer, text]),
        ("readstat_variable_set_label", None, [pointer, text]),
        ("readstat_writer_set_file_label", ctypes.c_int, [pointer, text]),
        ("readstat_writer_set_file_timestamp", ctypes.c_int, [pointer, ctypes.c_long]),
        ("readstat_begin_writing_sas7bdat", ctypes.c_int, [pointer, pointer, ctypes.c_long]),
        ("readstat_begin_row", ctypes.c_int, [pointer]),
        ("readstat_insert_double_value", ctypes.c_int, [pointer, pointer, number]),
        ("readstat_insert_string_value", ctypes.c_int, [pointer, pointer, text]),
        ("readstat_insert_missing_value", ctypes.c_int, [pointer, pointer]),
        ("readstat_insert_tagged_missing_value", ctypes.c_int, [pointer, pointer, ctypes.c_char]),
        ("readstat_end_row", ctypes.c_int, [pointer]),
        ("readstat_end_writing", ctypes.c_int, [pointer]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = gives, takes
    written = bytearray()

    @ctypes.CFUNCTYPE(ctypes.c_ssize_t, pointer, ctypes.c_size_t, pointer)  # type: ignore[untyped-decorator]
    def take(data: int, size: int, _: object) -> int:
        written.extend(ctypes.string_at(data, size))
        return size

    writer = library.readstat_writer_init()
    library.readstat_set_data_writer(writer, ctypes.cast(take, pointer))
    library.readstat_writer_set_file_label(writer, b"Ward 7")
    library.readstat_writer_set_file_timestamp(writer, 1_580_000_000)
    numbers, words = 5, 0
    variables = {}
    formats = {
        "amount": b"F8.2",
        "zip": b"Z5.",
        "word": b"$8.",
        "day": b"DATE9.",
        "moment": b"DATETIME22.2",
        "clock": b"TIME8.",
    }
    for name, format in formats.items():
        kind = words if name == "word" else numbers
        variables[name] = library.readstat_add_variable(writer, name.encode(), kind, 8)
        library.readstat_variable_set_format(variables[name], format)
    library.readstat_variable_set_label(variables["amount"], b"What it costs")
    day = [21945.0, -29094.0, None, 14669.0]
    cells: dict[str, list[Any]] = {
        "amount": [1.5, 2.25, None, b"A"],
        "zip": [1069.0, 10115.0, 1.0, None],
        "word": ["x", "", "Zoé", "y z"],
        "day": day,
        "moment": [21945 * 86400 + 45015.25, 0.0, -1.0, None],
        "clock": [3723.0, 95400.0, 0.0, None],
    }
    assert library.readstat_begin_writing_sas7bdat(writer, None, 4) == 0
    for row in range(4):
        library.readstat_begin_row(writer)
        for name, values in cells.items():
            value, place = values[row], variables[name]
            if value is None:
                library.readstat_insert_missing_value(writer, place)
            elif isinstance(value, bytes):
                library.readstat_insert_tagged_missing_value(writer, place, value)
            elif isinstance(value, str):
                library.readstat_insert_string_value(writer, place, value.encode())
            else:
                library.readstat_insert_double_value(writer, place, value)
        assert library.readstat_end_row(writer) == 0
    assert library.readstat_end_writing(writer) == 0
    return bytes(written)


def all_known() -> dict[str, Known]:
    """Every file with known values, by what is special about it."""
    return {
        "spss": spss(compress=False),
        "spss compressed": spss(compress=True),
        "spss without missing": spss(compress=False, missing=False),
        "stata 8": stata(8),
        "stata 12": stata(12),
        "stata 14": stata(14),
        "stata 15": stata(15),
        "sas data set": sas_data_set(),
        "sas transport 5": transport(5),
        "sas transport 8": transport(8),
        "parquet": arrow(),
        "parquet in groups, old": arrow(row_group_size=2, version="1.0", compression="gzip", use_dictionary=False),
    }


if __name__ == "__main__":
    GOLDEN.write_bytes(lzma.compress(write_sas_data_set(), preset=9))
