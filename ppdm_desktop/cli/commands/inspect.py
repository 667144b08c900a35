"""``inspect``: print how a file was read and what each column seems to be, and write a first recipe."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ppdm_desktop.cli.columns_storage import add_columns_argument, provide_column_store
from ppdm_desktop.cli.console import Console, format_count, write_new
from ppdm_desktop.cli.plugins_option import add_plugins_argument, switch_on_all
from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.inspect import inspect_table, suggested_recipe_text
from ppdm_desktop.engine.table.reading import ImportLog, read_source
from ppdm_desktop.engine.table.reading.proposals import Proposal, propose_in_turn, propose_repairs, section_toml
from ppdm_desktop.engine.table.reading.redcap import read_redcap_dictionary
from ppdm_desktop.engine.table.reading.registry import all_readers, list_format_titles
from ppdm_desktop.engine.table.roles import STRONG, WEAK
from ppdm_desktop.engine.wording.catalogue import SOURCE, _, lazy, speak_language
from ppdm_desktop.engine.wording.texts import render, render_stored
from ppdm_desktop.engine.wording.values import Name, Names, Quoted, Term

_TAB = ("\\t", "tab", "TAB")
_SIGNS = {
    ",": lazy("Comma (,)"),
    ";": lazy("Semicolon (;)"),
    "\t": lazy("Tab"),
    "|": lazy("Vertical bar (|)"),
    "": lazy("Nothing (one column)"),
}
_MOST_UNREAD = 10
_ROLE_FORMATS = {STRONG: "{role}", WEAK: "{role}?"}
_UNDECIDED = "?"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command ``inspect`` to the parser."""
    formats = Term(", ".join(list_format_titles()))
    parser.add_argument(
        "input", type=Path, metavar="INPUT", help=_("the file with the data ({formats})", formats=formats)
    )
    parser.add_argument("--write-recipe", type=Path, metavar="R", help=_("save the suggestions as a recipe to confirm"))
    guess = parser.add_argument_group(_("instead of a guess"))
    guess.add_argument("--sheet", metavar="NAME", help=_("name of the sheet"))
    guess.add_argument("--encoding", metavar="NAME", help=_("text encoding, for example utf-8 or cp1252"))
    guess.add_argument("--delimiter", metavar="SIGN", help=_("sign between the columns, for example ';' or tab"))
    guess.add_argument("--decimal", choices=(".", ","), metavar="SIGN", help=_("decimal mark: . or ,"))
    guess.add_argument(
        "--header-row",
        type=int,
        metavar="N",
        help=_("row of the column names, from 1; 0 if the file has none"),
    )
    guess.add_argument(
        "--missing",
        action="append",
        metavar="TEXT",
        help=_('text that means "missing"; can be repeated'),
    )
    guess.add_argument(
        "--dictionary",
        type=Path,
        metavar="FILE",
        help=_("data dictionary of REDCap (CSV): labels, codes and identifiers of the columns"),
    )
    add_plugins_argument(parser)
    add_columns_argument(parser)
    parser.add_argument("--json", action="store_true", help=_("print one JSON document"))


def run(args: argparse.Namespace, console: Console) -> int:
    """Print how a file was read, possible corrections, and what each column seems to be; return the exit code 0.

    A column that seems to say which rows are one person's is printed, too. With ``--write-recipe`` a first recipe is
    written. Raise InputError for a negative header row, for a file that cannot be read, or if the recipe's file exists
    already.
    """
    if args.header_row is not None and args.header_row < 0:
        raise InputError("error.read.header-row", file=str(args.input), args={"row": args.header_row})
    options = InputSection(
        sheet=args.sheet,
        encoding=args.encoding,
        delimiter="\t" if args.delimiter in _TAB else args.delimiter,
        decimal=args.decimal,
        header_row=args.header_row,
        missing=tuple(args.missing) if args.missing else None,
        dictionary={} if args.dictionary is None else read_redcap_dictionary(args.dictionary),
    )
    named = switch_on_all(args, console)
    with provide_column_store(args.columns, args.input, console, judged=False) as store:
        reading = progress.part(0.0, 0.8).run(read_source, args.input, options, plugins=named, store=store)
        proposals = progress.part(0.8, 0.9).run(propose_repairs, reading)
        with speak_language(SOURCE):
            document = progress.part(0.9, 1.0).run(inspect_table, reading, proposals)
        if args.write_recipe is not None:
            read_again = partial(read_source, args.input, plugins=named, store=store)
            in_turn, repaired = progress.make_silent_progress().run(propose_in_turn, reading, read_again)
            write_new(args.write_recipe, suggested_recipe_text(reading, in_turn, repaired))
    console.document(document)
    account = reading.account
    console.warn(*account.warnings)
    _tell_reading(account, console)
    _tell_proposals(proposals, console)
    if document["person"] is not None:
        key = Term(f"person = {document['person']['column']!r}")
        console.lines(
            _translate_sentence(document["person"]),
            _("  in the recipe under [input]: {key}", key=key),
            "",
        )
    _tell_columns(document["columns"], console)
    if args.write_recipe is not None:
        console.lines(
            _("{name}: {value}", name=Term(_("Written")), value=Term(str(args.write_recipe))),
            _("Confirm the roles in it, then state who will receive the file."),
        )
    return 0


def _tell_columns(columns: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print a table of the columns: kind, numbers of different and missing values, suggested role, and why.

    A weak suggestion has a question mark; a question mark alone means that a person has to decide.
    """
    console.table(
        [
            [
                column["name"],
                column["kind"],
                format_count(column["distinct"]),
                format_count(column["missing"]),
                _ROLE_FORMATS[column["strength"]].format(role=column["role"]) if column["role"] else _UNDECIDED,
                _translate_sentence(column["reason"]),
            ]
            for column in columns
        ],
        [
            _("Column"),
            _("Kind"),
            _("Different values"),
            _("Missing"),
            _("Suggested role"),
            _("Why this is suggested"),
        ],
    )


def _translate_sentence(document: Mapping[str, Any]) -> str:
    """Return a sentence of the JSON document, which has it in English, in the current language."""
    return render_stored(document["id"], document["arguments"]).sentence


def _tell_reading(account: ImportLog, console: Console) -> None:
    """Print numbers of rows read and not read, the format, the header row, and texts that may mean missing.

    For the first ``_MOST_UNREAD`` unread rows the place and the reason are printed, for further ones only their number.
    """
    unread = account.rows_unread
    console.lines(
        _(
            "Read: {rows} {rows:row|rows}, {columns} {columns:column|columns}. Not read: {unread} {unread:row|rows}.",
            rows=account.rows_read,
            columns=account.columns_read,
            unread=len(unread),
        )
    )
    for row in unread[:_MOST_UNREAD]:
        console.lines(f"  {render(row.location.id, row.location.arguments).sentence}: {account.reason(row)}")
    if len(unread) > _MOST_UNREAD:
        more = len(unread) - _MOST_UNREAD
        console.lines("  " + _("and {n} more", n=more))
    _tell_format(account, console)
    if account.header_row:
        console.lines(_("Column names are in row {row:place}.", row=account.header_row))
    else:
        console.lines(f"{_('No column names in this file')}.")
    for mark in account.suggested_missing:
        console.lines(
            _(
                "{n} {n:cell contains|cells contain} {mark} (in {columns}). {n:It counts|They count} as a value until "
                "you say that {mark} means “missing”.",
                mark=Name(mark.mark),
                n=mark.cells,
                columns=Names.of(mark.columns),
            ),
            _("  If so, name it with --missing, or in the recipe under [input] missing."),
        )
    console.lines("")


def _tell_format(account: ImportLog, console: Console) -> None:
    """Print in which format a file was read, and for spreadsheets and text files how.

    For a spreadsheet file these are the sheet that was read and the names of the others; for a text file the encoding,
    the delimiter and the decimal mark; for any other file only the name of the format.
    """
    if account.sheet is not None:
        console.lines(_("{name}: {value}", name=Term(_("Sheet")), value=Name(account.sheet)))
        other_sheets = [name for name in account.sheets if name != account.sheet]
        if other_sheets:
            console.lines(_("Not read: {sheets}. Choose a sheet with --sheet NAME.", sheets=Names.of(other_sheets)))
    elif account.encoding is None:
        console.lines(_("{name}: {value}", name=Term(_("Format")), value=Term(all_readers()[account.format].title)))
    else:
        sign = (account.delimiter or "") if account.columns_read > 1 else ""
        console.lines(
            _(
                "Text encoding: {encoding}. Columns separated by: {sign}. Decimal mark: {decimal}.",
                encoding=Term(str(account.encoding)),
                sign=Term(_SIGNS[sign]) if sign in _SIGNS else Quoted(sign),
                decimal=Quoted(account.decimal),
            )
        )


def _tell_proposals(proposals: Sequence[Proposal], console: Console) -> None:
    """Print the possible corrections of a file, and the recipe lines that ask for each.

    Each is marked as clear or as the user's choice. Nothing is printed if there are none.
    """
    if not proposals:
        return
    console.lines(_("Possible corrections. None is made unless the recipe asks for it:"))
    for proposal in proposals:
        mark = _("clear") if proposal.clear else _("your choice")
        console.lines(f"  [{mark}] {render(proposal.note.id, proposal.note.arguments).sentence}")
        for choice in proposal.choices:
            keys = section_toml(proposal.column, choice.section)
            console.lines(f"    {render(choice.note.id, choice.note.arguments).sentence}:")
            console.lines(*(f"      {line}" for line in keys.splitlines()))
        console.lines(*(f"    {line}" for line in proposal.toml().splitlines()))
    console.lines("")
