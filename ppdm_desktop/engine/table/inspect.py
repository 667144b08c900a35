"""What ``inspect`` says: how the file was understood, and what each column may be."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import tomli_w

from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.kinds import REASONS, guess_kind
from ppdm_desktop.engine.table.reading.import_log import ImportLog, Reading
from ppdm_desktop.engine.table.roles import suggest_role
from ppdm_desktop.engine.texts import render

MOST_FREQUENT = 3


def inspect_table(reading: Reading, language: str = "en") -> dict[str, Any]:
    """Return what was read, guessed and suggested, as plain data.

    The most frequent values are for the owner's own screen; they never go into a log.
    """
    return {
        "file": _file(reading.account, language),
        "columns": [_column(column, reading.account.decimal, language) for column in reading.table.columns],
    }


def _file(account: ImportLog, language: str) -> dict[str, Any]:
    facts = account.as_report()
    del facts["person_column"], facts["persons"]
    facts["header_row"] = account.header_row
    facts["sheets"] = list(account.sheets)
    facts["suggested_missing"] = [
        {"mark": each.mark, "cells": each.cells, "columns": list(each.columns)} for each in account.suggested_missing
    ]
    facts["warnings"] = []
    for remark in account.warnings:
        text = render(remark.id, remark.arguments, language)
        said = _said(remark.id, remark.arguments, language)
        facts["warnings"].append({**said, "remedy": text.remedy})
    return facts


def _column(column: Column, decimal: str, language: str) -> dict[str, Any]:
    why = REASONS.get(column.kind) or guess_kind(column, decimal).reason
    role = suggest_role(column)
    counts = np.bincount(column.codes, minlength=len(column.texts))
    missing = int(np.count_nonzero(column.missing))
    for code, text in enumerate(column.texts):
        if text in column.missing_texts:
            counts[code] = 0
    frequent = np.argsort(-counts, kind="stable")[:MOST_FREQUENT].tolist()
    return {
        "name": column.name,
        "header": column.header,
        "kind": column.kind,
        "kind_reason": _said(why, {}, language),
        "distinct": int(np.count_nonzero(counts)),
        "missing": missing,
        "most_frequent": [
            {"value": column.texts[code], "count": int(counts[code])} for code in frequent if counts[code]
        ],
        "role": role.role,
        "reason": _said(role.reason, role.arguments, language),
        "hint": role.hint,
    }


def _said(id: str, arguments: Mapping[str, object], language: str) -> dict[str, Any]:
    sentence = render(id, arguments, language).sentence if arguments else _sentence(id, language)
    return {"id": id, "arguments": dict(arguments), "sentence": sentence}


@lru_cache
def _sentence(id: str, language: str) -> str:
    """Return a text that has no places to fill; the same few are said of most columns."""
    return render(id, {}, language).sentence


# --- a first recipe ---------------------------------------------------------------------

_TYPES = [f'"{id}"' for id in RELEASE_TYPES]
_TOP = """\
# A first recipe, made from what was found in the file. Nothing in it is decided yet:
# a column counts only once the "#" before its lines is taken away, and a release needs a type.
"""
_RELEASE = f"""
[release]
# Who will get the file? {", ".join(_TYPES[:-1])} or {_TYPES[-1]}. Choose one:
# type = ""
"""
_STEPS = """
# How to protect it, for example by exchanging values that give a person away:
# [[steps]]
# method = "bayes-swap"
"""


def suggested_recipe_text(reading: Reading, language: str = "en") -> str:
    """Return the text of a first recipe.

    It can be loaded as it stands and decides nothing: roles are comments until somebody
    confirms them by taking the comment signs away.
    """
    options = reading.options
    stated: dict[str, Any] = {
        key: value
        for key in ("sheet", "encoding", "delimiter", "decimal", "header_row")
        if (value := getattr(options, key)) is not None
    }
    known = options.missing or ("",)
    parts = [_TOP, tomli_w.dumps({"recipe": 1}), "\n", tomli_w.dumps({"input": stated})]
    parts += [_missing_line(known)]
    if reading.account.suggested_missing:
        marks = dict.fromkeys((*known, *(each.mark for each in reading.account.suggested_missing)))
        parts += ["# These texts may mean that a value is missing. If they all do, this line instead:\n"]
        parts += ["#", _missing_line(tuple(marks))]
    parts += ["# The recipe then works with this very file only:\n"]
    parts += [_commented(f'sha256 = "{reading.account.sha256}"')]
    for column in reading.table.columns:
        parts += ["\n", _column_lines(column, language)]
    return "".join([*parts, _STEPS, _RELEASE])


def _column_lines(column: Column, language: str) -> str:
    role = suggest_role(column)
    because = render(role.reason, role.arguments, language).sentence
    why = f"suggested: {role.role}, because {because}"
    section = tomli_w.dumps({"columns": {column.name: {"role": role.role, "kind": column.kind}}})
    return f"# {why}\n" + _commented(section)


def _missing_line(marks: tuple[str, ...]) -> str:
    """Return the marks as one line of TOML."""
    written = (tomli_w.dumps({"x": mark}).removeprefix("x = ").strip() for mark in marks)
    return f"missing = [{', '.join(written)}]\n"


def _commented(text: str) -> str:
    """Return lines as comments; a name with a line break stays on one line in TOML."""
    return "".join(f"#{line}\n" for line in text.splitlines() if line.strip())
