"""Every format that is read, and which of them a file is of."""

from __future__ import annotations

from collections.abc import Collection

from ppdm_desktop.engine import plugins
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.base import HEAD, READERS, Reader
from ppdm_desktop.engine.table.reading.refusals import REFUSALS, Refusal


def all_readers() -> dict[str, Reader]:
    """Return every reader by id, in the order of lists."""
    return READERS.all()


def claims_on(head: bytes, named: Collection[str] = ()) -> list[tuple[int, Reader | Refusal]]:
    """Return who claims a file that begins so, the highest claim first, our own before those of plug-ins.

    Parameters
    ----------
    head
        The first bytes of the file.
    named
        Plug-ins whose readers are asked as well.
    """
    own, others = [], []
    for reader in all_readers().values():
        plugin = plugins.of_reader(reader.id)
        if plugin is None:
            own.append(reader)
        elif plugin.name in named:
            others.append(reader)
    every: list[Reader | Refusal] = [*REFUSALS, *own, *others]
    claims = [(each.claims(head), each) for each in every]
    return sorted((claim for claim in claims if claim[0]), key=lambda claim: claim[0], reverse=True)


def reader_of(data: bytes, named: Collection[str] = ()) -> Reader:
    """Say by content who reads a file.

    Parameters
    ----------
    data
        The whole file.
    named
        Plug-ins whose readers are asked as well.

    Raises
    ------
    InputError
        When it is empty, or something that is known and not read.
    """
    if not data:
        raise InputError("error.read.empty")
    _, found = claims_on(data[:HEAD], named)[0]
    if isinstance(found, Refusal):
        raise found.error()
    return found


def suffixes() -> tuple[str, ...]:
    """Return the usual endings of names of files that are read, in the order of lists."""
    return tuple(dict.fromkeys(suffix for reader in all_readers().values() for suffix in reader.suffixes))


def titles() -> tuple[str, ...]:
    """Return what people call the formats that are read, in the order of lists."""
    return tuple(reader.title for reader in all_readers().values())
