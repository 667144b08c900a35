"""``inspect``: what was read, what each column seems to be, and a first recipe."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import tomli_w

from ppdm_desktop.cli.console import Console, count
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.inspect import inspect_table, suggested_recipe_text
from ppdm_desktop.engine.table.reading import ImportLog, read_source
from ppdm_desktop.engine.table.reading.proposals import Proposal, propose
from ppdm_desktop.engine.table.reading.registry import titles
from ppdm_desktop.engine.table.roles import STRONG, WEAK
from ppdm_desktop.engine.texts import render

_TAB = ("\\t", "tab", "TAB")
_SIGNS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "upright bar"}
_UNREAD_SHOWN = 10
_ROLE_SHOWN = {STRONG: "{role}", WEAK: "{role}?"}
_UNDECIDED = "?"
DESCRIPTION = "Read a file, say what was read and what was not, and suggest a role and kind for each column."


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("input", type=Path, metavar="INPUT", help=f"the spreadsheet ({', '.join(titles())})")
    parser.add_argument("--write-recipe", type=Path, metavar="R", help="save the suggestions as a recipe to confirm")
    guess = parser.add_argument_group("instead of a guess")
    guess.add_argument("--sheet", metavar="NAME", help="name of the sheet")
    guess.add_argument("--encoding", metavar="NAME", help="how letters are stored, e.g. utf-8, cp1252")
    guess.add_argument("--delimiter", metavar="SIGN", help="sign between the columns, e.g. ';' or tab")
    guess.add_argument("--decimal", choices=(".", ","), metavar="SIGN", help="decimal mark: . or ,")
    guess.add_argument(
        "--header-row", type=int, metavar="N", help="row of the column names, from 1; 0: the file has none"
    )
    guess.add_argument("--missing", action="append", metavar="TEXT", help="text that means missing; may be repeated")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(given: argparse.Namespace, console: Console) -> int:
    """Read, print, and write the first recipe where asked."""
    if given.header_row is not None and given.header_row < 0:
        raise InputError("error.read.header-row", file=str(given.input), args={"row": given.header_row})
    options = InputSection(
        sheet=given.sheet,
        encoding=given.encoding,
        delimiter="\t" if given.delimiter in _TAB else given.delimiter,
        decimal=given.decimal,
        row_numbers="source",
        header_row=given.header_row,
        missing=tuple(given.missing) if given.missing else None,
    )
    reading = read_source(given.input, options, console.progress)
    proposals = propose(reading, console.progress)
    found = inspect_table(reading, proposals, progress=console.progress)
    if given.write_recipe is not None:
        _write_new(given.write_recipe, suggested_recipe_text(reading, proposals))
    console.document(found)
    account = reading.account
    for note in account.warnings:
        console.warn(note.id, note.arguments)
    _tell_reading(account, console)
    _tell_proposals(proposals, console)
    if found["person"] is not None:
        console.lines(found["person"]["sentence"], f"  person = {found['person']['column']!r} under [input]", "")
    console.table(
        [
            [
                each["name"],
                each["kind"],
                count(each["distinct"]),
                count(each["missing"]),
                _ROLE_SHOWN[each["strength"]].format(role=each["role"]) if each["role"] else _UNDECIDED,
                each["reason"]["sentence"],
            ]
            for each in found["columns"]
        ],
        ["column", "kind", "distinct", "missing", "suggested role", "because"],
    )
    if given.write_recipe is not None:
        console.lines(f"Wrote {given.write_recipe}: confirm the roles in it, then say who will get the file.")
    return 0


def _tell_reading(account: ImportLog, console: Console) -> None:
    """Print what was read, how it was understood, what was not read and what may mean missing."""
    unread = account.rows_unread
    console.lines(
        f"Read {_number(account.rows_read, 'row')} and {_number(account.columns_read, 'column')}; "
        f"{_number(len(unread), 'row')} could not be read."
    )
    for row in unread[:_UNREAD_SHOWN]:
        console.lines(f"  {render(row.place.id, row.place.arguments).sentence}: {account.reason(row)}")
    if len(unread) > _UNREAD_SHOWN:
        console.lines(f"  and {count(len(unread) - _UNREAD_SHOWN)} more (--json has all of them)")
    if account.sheet is not None:
        others = [name for name in account.sheets if name != account.sheet]
        beside = f"; not read: {', '.join(others)} (--sheet NAME reads another)" if others else ""
        names = f"column names in row {account.header_row}" if account.header_row else "no column names"
        console.lines(f"Sheet {account.sheet}, {names}{beside}.")
    else:
        sign = account.delimiter
        between = f"{_SIGNS.get(sign, sign)} between columns" if sign and account.columns_read > 1 else "one column"
        console.lines(
            f"Text stored as {account.encoding}, {between}, decimal mark {account.decimal!r}, "
            + (f"column names in row {account.header_row}." if account.header_row else "no column names.")
        )
    for mark in account.suggested_missing:
        console.lines(
            f'"{mark.mark}" may mean that a value is missing ({_number(mark.cells, "cell")} of '
            f"{', '.join(mark.columns)}): if so, name it with --missing, or in the recipe under [input] missing."
        )
    console.lines("")


def _tell_proposals(proposals: Sequence[Proposal], console: Console) -> None:
    """Print what could be repaired, and how the recipe would say it."""
    if not proposals:
        return
    console.lines("What could be repaired; nothing is until the recipe says so:")
    for each in proposals:
        mark = "clear" if each.clear else "your choice"
        console.lines(f"  [{mark}] {render(each.said.id, each.said.arguments).sentence}")
        for choice in each.choices:
            keys = tomli_w.dumps(
                {"input": {"repair": {each.column: choice.section.model_dump(mode="json", exclude_none=True)}}}
            )
            console.lines(f"    {render(choice.words.id, choice.words.arguments).sentence}:")
            console.lines(*(f"      {line}" for line in keys.splitlines()))
        console.lines(*(f"    {line}" for line in each.toml().splitlines()))
    console.lines("")


def _number(amount: int, thing: str) -> str:
    return f"{count(amount)} {thing}" + ("" if amount == 1 else "s")


def _write_new(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise InputError(
            "error.sample.not-written", file=str(path), args={"reason": error.strerror or "not writable"}
        ) from error
