"""A chain of sectors that leads back into itself is found before a reader follows it for ever."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from known_books import rows_of
from old_books import Book, xls

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading.base import read_with
from ppdm_desktop.engine.table.reading.registry import reader_of
from ppdm_desktop.engine.table.reading.workbook.compound import has_endless_chain

SOUND = xls(Book({"data": rows_of(*(f"text {n}" for n in range(400)))}))


def number(data: bytes, place: int) -> int:
    return int(struct.unpack_from("<I", data, place)[0])


def with_next(data: bytes, sector: int, next: int) -> bytes:
    """Return a compound file in whose table another sector follows this one."""
    place = (number(data, 76) + 1) * 512 + 4 * sector
    return data[:place] + struct.pack("<I", next) + data[place + 4 :]


def start_of_workbook(data: bytes) -> int:
    entry = data.index("Workbook".encode("utf-16-le"))
    return number(data, entry + 116)


def test_a_sound_file_has_none() -> None:
    assert not has_endless_chain(SOUND)


@pytest.mark.parametrize("part", ["directory", "workbook"])
def test_a_chain_that_leads_back_is_refused_in_words(part: str) -> None:
    first = number(SOUND, 48) if part == "directory" else start_of_workbook(SOUND)
    broken = with_next(SOUND, first, first)
    assert has_endless_chain(broken)
    with pytest.raises(InputError) as refused:
        read_with(reader_of(broken), broken, InputSection())
    assert refused.value.id == "error.read.broken-package"


def test_a_list_of_tables_that_leads_back_is_found() -> None:
    sector = number(SOUND, 48)
    place = (sector + 1) * 512 + 508
    looped = (
        SOUND[:68] + struct.pack("<II", sector, 1) + SOUND[76:place] + struct.pack("<I", sector) + SOUND[place + 4 :]
    )
    assert has_endless_chain(looped)


@given(st.binary(max_size=1500), st.integers(0, 511), st.binary(min_size=1, max_size=8))
def test_whatever_stands_there_it_ends(tail: bytes, place: int, over: bytes) -> None:
    damaged = bytearray(SOUND[:2048] + tail)
    damaged[place : place + len(over)] = over
    assert has_endless_chain(bytes(damaged)) in (True, False)
