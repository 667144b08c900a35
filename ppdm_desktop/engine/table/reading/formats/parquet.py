"""The file format Parquet."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError, lacks_memory
from ppdm_desktop.engine.table.reading.base import Reader, register
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names

if TYPE_CHECKING:
    from ppdm_desktop.engine.recipe.models import InputSection
    from ppdm_desktop.engine.table.reading.raw import RawTable

_MARK = b"PAR1"
_FORMAT_KEYS = frozenset((b"ARROW:schema",))


@register
class Parquet(Reader):
    """A table stored in columns, as programs of data analysis write it."""

    id = "parquet"
    title = "Parquet"
    order = 90
    suffixes = (".parquet",)
    extra = "statistics"
    honours = frozenset({"missing", "sha256"})
    libraries = ("pyarrow",)
    in_child = True

    def claims(self, head: bytes) -> int:
        """Return 95 for a file that begins with the signature of Parquet; else 0."""
        return 95 if head.startswith(_MARK) else 0

    def read(self, data: bytes, options: InputSection) -> RawTable:
        """Return the cells of a file, read column by column, with warnings on what is not kept.

        Not kept are time zones (points in time that have one become universal time) and metadata that others added.
        Rows are numbered from 2, as if names stood in row 1. Raises InputError for a damaged file, for one without
        rows, for columns of a type that cannot be read, and for an infinite number.
        """
        import numpy as np

        from ppdm_desktop.engine.table.reading.raw import RawTable
        from ppdm_desktop.engine.table.reading.statistics.arrow_texts import encode_arrow_column, refuse_unreadable

        # The library's usual memory pool reserves far more than it uses, which a cap on memory refuses.
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
        import pyarrow
        from pyarrow import parquet

        file = self._run_or_refuse(lambda: parquet.ParquetFile(pyarrow.BufferReader(data)))
        schema = self._run_or_refuse(lambda: file.schema_arrow)
        names = list(schema.names)
        refuse_unreadable(schema)
        if not names or not file.metadata.num_rows:
            raise InputError("error.read.header-only")
        # By place and not by name, which several columns may share.
        columns, zoned = [], []
        for index, name in enumerate(names):
            progress.report(index / len(names), "progress.read.rows")
            read = self._run_or_refuse(partial(self._read_one_column, file, index))
            columns.append(encode_arrow_column(name, read))
            if getattr(schema.field(index).type, "tz", None):
                zoned.append(name)
        rows = {len(codes) for codes, _, _ in columns}
        if rows != {file.metadata.num_rows}:
            raise InputError("error.read.damaged")
        return RawTable(
            headers=tuple(names),
            columns=tuple((codes, texts) for codes, texts, _ in columns),
            row_numbers=np.arange(2, file.metadata.num_rows + 2, dtype=np.int64),
            header_row=1,
            typed=tuple(typed for _, _, typed in columns),
            warnings=tuple(self._list_omission_notes(file, schema, zoned)),
            decimal=".",
        )

    def _read_one_column(self, file: Any, index: int) -> Any:
        """Return one column by its index (from 0), all row groups joined, as a chunked array of pyarrow.

        A column that is stored with a dictionary may still have one.
        """
        import pyarrow

        pieces = [
            file.reader.read_row_group(group, column_indices=[index], use_threads=False).column(0)
            for group in range(file.num_row_groups)
        ]
        return pyarrow.chunked_array([piece for chunked in pieces for piece in chunked.chunks], type=pieces[0].type)

    def _run_or_refuse(self, work: Callable[[], Any]) -> Any:
        """Return the result of ``work``; its errors, except lack of memory, become InputError (damaged file)."""
        try:
            return work()
        except Exception as error:
            if lacks_memory(error):
                raise
            raise InputError("error.read.damaged") from error

    def _list_omission_notes(self, file: Any, schema: Any, zoned: Sequence[str]) -> Iterator[Note]:
        """Yield up to two warnings on what is not kept: time zones of the columns ``zoned``, and metadata of the file.

        Metadata is what others added to the file or to its columns; keys that the format itself writes do not count.
        """
        if zoned:
            yield Note("warning.read.left-zones", {"columns": Names.of(zoned), "count": len(zoned)})
        kept = [*(schema.metadata or {}), *(key for field in schema for key in field.metadata or {})]
        if any(key not in _FORMAT_KEYS and not key.startswith(b"PARQUET:") for key in kept):
            yield Note("warning.read.left-metadata")
