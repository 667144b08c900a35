"""Reading a REDCap data dictionary: the columns' descriptions, their codes, and whether they identify people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.recipe.models import DictionarySection, InputSection
from ppdm_desktop.engine.table.reading.read import read_source

_HEADINGS = {
    "name": ("variable / field name", "field_name", "variable"),
    "type": ("field type", "field_type"),
    "label": ("field label", "field_label"),
    "choices": ("choices, calculations, or slider labels", "choices or calculations", "select_choices_or_calculations"),
    "identifier": ("identifier?", "identifier"),
}
"""What the file and the interface of REDCap call the columns of a dictionary."""
_CHOSEN = ("radio", "dropdown", "checkbox")
_YES_NO = {"yesno": {"1": "Yes", "0": "No"}, "truefalse": {"1": "True", "0": "False"}}
_TICKED = {"0": "Unchecked", "1": "Checked"}
_YES = ("y", "yes", "true", "1")
_TAG = re.compile(r"<[^<>]+>")


def read_redcap_dictionary(path: Path) -> dict[str, DictionarySection]:
    """Return what a data dictionary says about each column of an export, by the column's name.

    That is its label, the labels of its codes, and whether it identifies people.

    Parameters
    ----------
    path
        A CSV file as REDCap exports it, with a line for each field.

    Raises
    ------
    InputError
        When it cannot be read, or has no column of the fields' names or of their types.
    """
    table = read_source(path, InputSection(header_row=1)).table
    place_of = {column.header.strip().casefold(): column for column in table.columns}
    texts: dict[str, list[str]] = {}
    for key, headings in _HEADINGS.items():
        column = next((place_of[heading] for heading in headings if heading in place_of), None)
        texts[key] = [""] * table.rows if column is None else column.values()
        if column is None and key in ("name", "type"):
            raise InputError("error.read.no-dictionary", file=str(path))
    fields = ({key: texts[key][row].strip() for key in texts} for row in range(table.rows))
    return {name: section for field in fields for name, section in _build_sections(field)}


def _build_sections(field: Mapping[str, str]) -> Iterator[tuple[str, DictionarySection]]:
    """Yield the names of the columns that a field has in an export, with what the dictionary says about each.

    A field has one column; but one with boxes to tick has a column ``field___code`` for each box, with the codes 1 for
    ticked and 0 for not, and the label "field: box". The code is in small letters in the name, with "_" for "-": code
    -1 of ``drug`` has the column ``drug____1``. Only fields with choices, or with yes and no, have codes.
    """
    label = " ".join(_TAG.sub(" ", field["label"]).split())
    identifier = field["identifier"].casefold() in _YES
    kind = field["type"].casefold()
    codes = _YES_NO.get(kind) or (_parse_choices(field["choices"]) if kind in _CHOSEN else {})
    if kind != "checkbox":
        yield field["name"], DictionarySection(label=label, codes=codes, identifier=identifier)
        return
    for code, choice in codes.items():
        name = f"{field['name']}___{code.casefold().replace('-', '_')}"
        yield name, DictionarySection(label=f"{label}: {choice}", codes=_TICKED, identifier=identifier)


def _parse_choices(text: str) -> dict[str, str]:
    """Return the labels, without HTML tags, by their codes from a text such as ``1, Male | 2, Female``.

    Codes without a label are left out.
    """
    pairs = (choice.partition(",") for choice in text.split("|"))
    return {code.strip(): " ".join(_TAG.sub(" ", label).split()) for code, _, label in pairs if label.strip()}
