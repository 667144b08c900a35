"""``inspect``: what was read, what each column seems to be, and a first recipe."""

from __future__ import annotations

import argparse
from pathlib import Path

from ppdm_desktop.cli.console import Console, count
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.inspect import inspect_table, suggested_recipe_text
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.texts import render

DESCRIPTION = "Read a file, say what was read and what was not, and suggest a role and kind for each column."


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("input", type=Path, metavar="INPUT", help="the spreadsheet")
    parser.add_argument("--write-recipe", type=Path, metavar="R", help="save the suggestions as a recipe to confirm")
    guess = parser.add_argument_group("instead of a guess")
    guess.add_argument("--sheet", help="name of the sheet")
    guess.add_argument("--encoding", help="e.g. utf-8, cp1252")
    guess.add_argument("--delimiter", help="character between the columns")
    guess.add_argument("--decimal", choices=(".", ","), help="decimal mark")
    guess.add_argument("--header-row", type=int, metavar="N", help="line of the column names, from 1")
    guess.add_argument("--missing", action="append", metavar="TEXT", help="text that means missing; may be repeated")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(given: argparse.Namespace, console: Console) -> int:
    """Read, print, and write the first recipe where asked."""
    if given.header_row is not None and given.header_row < 1:
        raise InputError("error.read.header-row", file=str(given.input), args={"row": given.header_row})
    options = InputSection(
        sheet=given.sheet,
        encoding=given.encoding,
        delimiter=given.delimiter,
        decimal=given.decimal,
        header_row=given.header_row,
        missing=tuple(given.missing) if given.missing else None,
    )
    reading = read_source(given.input, options, console.progress)
    found = inspect_table(reading)
    if given.write_recipe is not None:
        _write_new(given.write_recipe, suggested_recipe_text(reading))
    console.document(found)
    for note in reading.account.warnings:
        console.warn(note.id, note.arguments)
    account = reading.account
    console.lines(
        f"Read {count(account.rows_read)} rows and {account.columns_read} columns; "
        f"{count(len(account.rows_unread))} rows could not be read."
    )
    for unread in account.rows_unread[:10]:
        console.lines(f"  line {unread.line}: {account.reason(unread)}")
    console.table(
        [
            [
                each["name"],
                each["kind"],
                count(each["distinct"]),
                count(each["missing"]),
                each["role"],
                render(each["reason"]["id"], each["reason"]["arguments"]).sentence,
            ]
            for each in found["columns"]
        ],
        ["column", "kind", "distinct", "missing", "suggested role", "because"],
    )
    if given.write_recipe is not None:
        console.lines(f"Wrote {given.write_recipe}: confirm the roles in it, then say who will get the file.")
    return 0


def _write_new(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise InputError(
            "error.sample.not-written", file=str(path), args={"reason": error.strerror or "not writable"}
        ) from error
