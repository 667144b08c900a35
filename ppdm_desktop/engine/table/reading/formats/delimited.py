"""The file format of delimited text, such as CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppdm_desktop.engine.table.reading.base import Reader, register

if TYPE_CHECKING:
    from ppdm_desktop.engine.recipe.models import InputSection
    from ppdm_desktop.engine.table.reading.raw import RawTable

_WHAT_ELSE = 10


@register
class DelimitedText(Reader):
    """Text with a sign between the columns, which is assumed for every file that no other format recognises."""

    id = "delimited"
    title = "CSV, TSV"
    order = 10
    suffixes = (".csv", ".tsv", ".txt")
    libraries = ("charset_normalizer",)
    honours = frozenset({"encoding", "delimiter", "decimal", "header_row"})

    def claims(self, head: bytes) -> int:
        """Return 10 for any file, the lowest of all formats, since delimited text has no signature."""
        return _WHAT_ELSE

    def read(self, data: bytes, options: InputSection) -> RawTable:
        """Return the cells of a file; encoding and delimiter are those of the options, or are guessed.

        Raises InputError as `read_delimited` does.
        """
        from ppdm_desktop.engine.table.reading.delimited import read_delimited

        return read_delimited(data, options)
