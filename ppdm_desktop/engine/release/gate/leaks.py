"""Checks that nothing of the computer, the source or the key got into the release folder."""

from __future__ import annotations

import csv
import hashlib
import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import PurePath

import numpy as np

from ppdm_desktop import __version__
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.release.candidate.iso20889 import shown_parameter, treatments
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import GREEN, RED, CheckResult, verdict
from ppdm_desktop.engine.report import public
from ppdm_desktop.engine.report.html import (
    AUDIENCES,
    DECIMALS,
    FORMS,
    NOTE_TEMPLATE,
    template_source,
)
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.writing import unguard, write_table

_NEUTRAL_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
_NEUTRAL_CREATED = b"2000-01-01T00:00:00Z"
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
_CREATED = re.compile(rb"<dcterms:(?:created|modified)[^>]*>([^<]*)<")
_DATA_PARTS = frozenset({"xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"})


# --- metadata ------------------------------------------------------------------------------


def metadata(evidence: Evidence) -> CheckResult:
    """Look for user, host, path, source name and times in every part that is not a data cell."""
    assert evidence.written is not None
    found = 0
    if evidence.written.format == "xlsx":
        found += _workbook_traces(evidence.written.data, evidence.surroundings.machine_words)
    words = _tellable(allowed_values(evidence), evidence.surroundings.machine_words)
    for text in (evidence.texts.note.decode("utf-8"), evidence.texts.dictionary.decode("utf-8")):
        found += sum(_holds(text.casefold(), word) for word in words)
        found += len(_TIME.findall(text))
    figure = Figure(found, unit="traces")
    return verdict("metadata", RED if found else GREEN, figure, 0, traces=found)


@cache
def _neutral_workbook() -> str:
    data = write_table(Table((), np.empty(0, dtype=np.int64)), "xlsx", silent()).data
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return "".join(package.read(name).decode("utf-8") for name in package.namelist()).casefold()


def _workbook_traces(data: bytes, words: Iterable[str]) -> int:
    found = 0
    neutral = _neutral_workbook()
    searched = [word.casefold() for word in words if word.casefold() not in neutral]
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        for info in package.infolist():
            found += info.date_time != _NEUTRAL_ZIP_TIME or bool(info.comment)
            content = package.read(info)
            found += sum(time != _NEUTRAL_CREATED for time in _CREATED.findall(content))
            if info.filename not in _DATA_PARTS:
                text = content.decode("utf-8", "replace").casefold()
                found += sum(word in text or word in info.filename.casefold() for word in searched)
        return found + bool(package.comment)


# --- the texts of the release ---------------------------------------------------------------


class _Texts(HTMLParser):
    """Splits a page into fixed texts, texts marked as values, and attributes."""

    _VOID = frozenset({"meta", "br", "hr", "link", "img"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.fixed: list[str] = []
        self.values: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.other: list[str] = []
        self._open: list[bool] = []
        self._value: list[str] | None = None
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag in self._VOID:
            return
        marked = ("class", "v") in attrs
        self._open.append(marked)
        if marked and self._value is None:
            self._value, self._depth = [], len(self._open)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.other.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._value is not None and len(self._open) == self._depth:
            self.values.append("".join(self._value))
            self._value = None
        if self._open:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._value is not None:
            self._value.append(data)
        else:
            self.fixed.append(data)

    def handle_comment(self, data: str) -> None:
        self.other.append(data)

    def handle_pi(self, data: str) -> None:
        self.other.append(data)

    def unknown_decl(self, data: str) -> None:
        self.other.append(data)


def _normal(text: str) -> str:
    return " ".join(text.split())


@cache
def _template_pieces() -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """Return the fixed texts and attributes that the template can produce."""
    source = template_source(NOTE_TEMPLATE).replace("{{ style }}", template_source("style.css"))
    marked = re.sub(r"{%.*?%}", "\x00", re.sub(r"{{.*?}}", "\x01", source), flags=re.DOTALL)
    parser = _Texts()
    parser.feed(marked)
    pieces = {_normal(piece) for text in parser.fixed for piece in text.split("\x00")}
    return frozenset(pieces), frozenset(parser.attributes)


def _is_fixed(text: str, pieces: frozenset[str]) -> bool:
    """Say whether a text is one of the template's pieces, or several of them in a row."""
    text = _normal(text)
    if text in pieces or not text:
        return True
    return any(piece and text.startswith(piece) and _is_fixed(text[len(piece) :], pieces) for piece in pieces)


def release_text(evidence: Evidence) -> CheckResult:
    """Read note and dictionary again and prove each figure and label in them to be allowed."""
    allowed = allowed_values(evidence)
    found = _strange_in_note(evidence, allowed) + _strange_in_dictionary(evidence, allowed)
    text = (evidence.texts.note + b"\n" + evidence.texts.dictionary).decode("utf-8").casefold()
    found += sum(_holds(text, word) for word in _tellable(allowed, evidence.surroundings.private_words))
    source = evidence.candidate.prepared.path
    own = PurePath(evidence.data_name).stem.casefold()
    typed = evidence.candidate.prepared.recipe.release.file_name is not None
    if typed and (own in source.stem.casefold() or source.stem.casefold() in own):
        found += 1
    figure = Figure(found, unit="texts")
    return verdict("release-text", RED if found else GREEN, figure, 0, texts=found)


def _tellable(allowed: frozenset[str], words: Sequence[str]) -> list[str]:
    """Return the words whose presence tells something: not those the release must hold anyway."""
    names = "\n".join([*allowed, template_source(NOTE_TEMPLATE), template_source("style.css"), *_phrases()]).casefold()
    return [word for word in words if not _holds(names, word)]


def _holds(text: str, word: str) -> bool:
    """Say whether a case-folded text holds a word on its own, not as part of a longer one."""
    folded = word.casefold()
    if folded not in text:
        return False
    return re.search(rf"(?<!\w){re.escape(folded)}(?!\w)", text) is not None


def _phrases() -> list[str]:
    return [
        *AUDIENCES.values(),
        *FORMS.values(),
        *DECIMALS.values(),
        *public.KINDS.values(),
        *public.ROLE_CLASSES.values(),
        *public.DICTIONARY_HEADER,
    ]


def _strange_in_note(evidence: Evidence, allowed: frozenset[str]) -> int:
    parser = _Texts()
    parser.feed(evidence.texts.note.decode("utf-8"))
    parser.close()
    pieces, attributes = _template_pieces()
    strange = sum(_normal(value) not in allowed for value in parser.values)
    strange += sum(not _is_fixed(text, pieces) for text in parser.fixed)
    strange += sum(attribute not in attributes for attribute in parser.attributes)
    return strange + len(parser.other)


def _strange_in_dictionary(evidence: Evidence, allowed: frozenset[str]) -> int:
    rows = list(csv.reader(io.StringIO(evidence.texts.dictionary.decode("utf-8"), newline="")))
    if not rows or tuple(rows[0]) != public.DICTIONARY_HEADER:
        return 1
    return sum(bool(cell) and _normal(unguard(cell)) not in allowed for row in rows[1:] for cell in row)


def allowed_values(evidence: Evidence) -> frozenset[str]:
    """Return every figure and label that the release's texts may hold.

    Gathered anew from the exported file, the recipe's declarations, the methods' public
    parameters and fixed phrases; not from what was rendered.
    """
    candidate = evidence.candidate
    prepared, k_min = candidate.prepared, candidate.prepared.type.k_min
    table = evidence.exported
    counted = [table.rows, len(table.columns)]
    allowed = {
        __version__,
        evidence.data_name,
        AUDIENCES[prepared.type.id],
        *FORMS.values(),
        *DECIMALS.values(),
        *map(str, counted),
        *treatments(candidate).values(),
        *public.KINDS.values(),
        *public.ROLE_CLASSES.values(),
        *_fixed_phrases(k_min),
    }
    if evidence.written is not None:
        allowed |= {
            hashlib.sha256(evidence.written.data).hexdigest(),
            public.shown_count(evidence.written.guarded_cells, k_min),
        }
    if (day := prepared.recipe.operator.release_day) is not None:
        allowed.add(day)
    for column in table.columns:
        section = prepared.complete.columns.get(column.name)
        bounds = section.bounds if section is not None else None
        released = evidence.candidate.released.column(column.name)
        allowed |= {column.name, released.header}
        allowed.add(public.missing_code(column, k_min))
        allowed.add(public.stated_values(column, bounds, k_min))
    for step in candidate.steps:
        allowed |= {step.method.title, step.method.treatment, *step.settings.columns}
        for name in step.method.public_parameters:
            if name in step.settings.values:
                allowed |= {name, shown_parameter(step.settings.values[name])}
    return frozenset(_normal(text) for text in allowed)


def _fixed_phrases(k_min: int) -> set[str]:
    bands = {public.band(edge / 100) for edge in public.BANDS}
    return {
        *bands,
        public.band(0),
        public.band(1.0),
        public.band(None),
        public.fewer_than(k_min),
        "none",
        public.NO_TREATMENT,
        public.GROUPED,
        public.NONE_MISSING,
        public.EMPTY_CELL,
        public.AS_IN_SOURCE,
        *public.COLUMN_NOTES,
    }
