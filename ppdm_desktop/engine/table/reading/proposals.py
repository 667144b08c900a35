"""Proposing repairs of a file, with counts and examples; no repair is made here."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Literal

import numpy as np
import tomli_w

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.recipe.models import InputSection, LeaveOutSection, RepairSection
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.column_names import interpret_column_name
from ppdm_desktop.engine.table.dates import guess_date_format
from ppdm_desktop.engine.table.kinds import is_grouped
from ppdm_desktop.engine.table.person_ids import find_spelling_variants
from ppdm_desktop.engine.table.reading.amounts import guess_amounts
from ppdm_desktop.engine.table.reading.date_forms import (
    ISO,
    DateGuess,
    are_midnights,
    guess_dates,
    is_unmarked,
    to_iso_dates,
    unify_iso_moments,
)
from ppdm_desktop.engine.table.reading.groups_as_dates import find_groups_behind_dates
from ppdm_desktop.engine.table.reading.import_log import Reading
from ppdm_desktop.engine.table.reading.missing_codes import missing_codes
from ppdm_desktop.engine.table.reading.near_types import ask_whether_missing, find_blocking_texts, find_no_answer_values
from ppdm_desktop.engine.table.reading.repairs import decode_stored_dates, read_texts
from ppdm_desktop.engine.table.reading.rows import LeaveOut
from ppdm_desktop.engine.table.reading.word_lists import date_words, fold_text
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Quoted, Term, Terms, Value

_MOST_EXAMPLES = 5
_MOST_TEXTS = 20_000
_MOST_WORDS = 1_000
_MOST_REST = 5
_MOST_TURNS = 8
_CENTURIES = (1930, 1900, 2000)
_DATE_DIGITS = (1, 7, 8, 12, 14)
_LEAST_DAYS = 5
_LEAST_GROUPED = 3
_LIFE = (5, 110)
"""Over so many years the dates of people's lives spread; identifiers of eight digits mostly spread over more."""
_TRUE = ("ja", "j", "yes", "y", "true", "wahr")
_FALSE = ("nein", "n", "no", "false", "falsch")
_LIST = re.compile(r"\[\n((?: {4}.*\n)+)\]")
_TRAILING = re.compile(r"[0-9][-\u2212]")

Section = RepairSection | LeaveOutSection


@dataclass(frozen=True)
class Choice:
    """One of several possible readings of the same cells, from which the user chooses.

    Attributes
    ----------
    note
        The reading as a sentence, with an example.
    section
        The lines that the recipe would get about the column.
    """

    note: Note
    section: RepairSection


@dataclass(frozen=True)
class Proposal:
    """A proposed repair of cells or rows.

    Attributes
    ----------
    kind
        ``amounts``, ``dates``, ``words``, ``missing`` or ``rows``.
    column
        Name of the column; "" for rows.
    cells
        Number of cells or rows.
    clear
        Whether each of its cells has exactly one reading, so that it may be accepted together with others.
    note
        The proposal as a sentence.
    examples
        Up to five pairs of a text and what it becomes.
    choices
        The possible readings, where there are several; then the user has to choose.
    section
        The lines that the recipe would get; None where there are choices.
    rows
        The row numbers, for a proposal about rows.
    must_be_answered
        Whether the user should answer it before doing anything else with the table.
    """

    kind: Literal["amounts", "dates", "words", "missing", "rows"]
    column: str
    cells: int
    clear: bool
    note: Note
    examples: tuple[tuple[str, str], ...] = ()
    choices: tuple[Choice, ...] = ()
    section: Section | None = None
    rows: tuple[int, ...] = field(default=())
    must_be_answered: bool = False

    @property
    def about(self) -> tuple[str, ...]:
        """The kind with the first row, or the kind with the column and the texts that would be missing or replaced."""
        if self.rows:
            return (self.kind, str(self.rows[0]))
        section = self.first_section
        return (self.kind, self.column, *(section.missing or ()), *(section.values or ()))

    @property
    def first_section(self) -> RepairSection:
        """The lines that the recipe would get about the column, for a proposal about cells.

        They are the proposal's own section, or that of the first choice where there are several readings.
        AssertionError for a proposal about rows.
        """
        section = self.section or self.choices[0].section
        assert isinstance(section, RepairSection)
        return section

    def toml(self) -> str:
        """Return the proposal as lines of a recipe; empty where the user has to choose first."""
        return "" if self.section is None else section_toml(self.column, self.section)

    def taken(self, options: InputSection, section: RepairSection | None = None) -> InputSection:
        """Return a copy of the reading options with this proposal accepted, merged with the column's earlier repairs.

        ``section`` is that of the chosen reading; None takes the proposal's own section or the first choice. For
        proposals that leave out rows ``section`` is ignored, and the rows are added to those left out.
        """
        if isinstance(self.section, LeaveOutSection):
            return options.model_copy(update={"leave_out": (*options.leave_out, self.section)})
        chosen = section or self.first_section
        before = options.repair.get(self.column)
        return options.model_copy(
            update={"repair": {**options.repair, self.column: merge_repair_sections(before, chosen)}}
        )

    def declined(self, options: InputSection) -> InputSection:
        """Return the reading options with the statement that the proposal's rows are records of people and stay."""
        return options.model_copy(update={"people": (*options.people, *self.rows)})


def section_toml(column: str, section: Section) -> str:
    """Return a repair of a column, or an order to leave out rows, as lines of TOML for a recipe.

    A list takes one line. ``column`` is not used for an order to leave out rows.
    """
    keys = section.model_dump(mode="json", exclude_none=True)
    is_repair = isinstance(section, RepairSection)
    text = tomli_w.dumps({"input": {"repair": {column: keys}} if is_repair else {"leave_out": [keys]}})
    return _LIST.sub(lambda match: f"[{', '.join(line.strip().rstrip(',') for line in match[1].splitlines())}]", text)


def accept_all_proposals(reading: Reading, proposals: Sequence[Proposal]) -> InputSection:
    """Return the reading options with all proposals accepted, and the file's SHA-256 in them.

    Of a proposal with choices the first one is taken. A recipe with this hash works with this very file only.
    """
    options = reading.options.model_copy(update={"sha256": reading.account.sha256})
    for proposal in proposals:
        options = proposal.taken(options)
    return options


def propose_in_turn(reading: Reading, read: Callable[[InputSection], Reading]) -> tuple[tuple[Proposal, ...], Reading]:
    """Return the proposals for a file, and the file as it is read with all of them accepted.

    They are made in up to eight turns, since some arise only when others are accepted: a code for no answer in a column
    of numbers, for example, is recognised once a line of labels is left out. Of several choices the first is accepted.

    Parameters
    ----------
    reading
        The file as it was read.
    read
        Reads the file again with other options.
    """
    proposals: tuple[Proposal, ...] = ()
    for _turn in range(_MOST_TURNS):
        proposed = {proposal.about for proposal in proposals}
        new = tuple(proposal for proposal in propose_repairs(reading) if proposal.about not in proposed)
        if not new:
            break
        proposals += new
        reading = read(accept_all_proposals(reading, new))
    return proposals, reading


def merge_repair_sections(before: RepairSection | None, added: RepairSection) -> RepairSection:
    """Return a column's repair with the keys of another one added; the added ones take precedence where both have them.

    Only the lists of missing texts, and the replaced words, are joined; of a word that both replace, the added text
    counts. ``before`` None gives ``added``. Raises ValueError if both contradict each other, such as amounts and dates.
    """
    if before is None:
        return added
    keys = {**before.model_dump(exclude_none=True), **added.model_dump(exclude_none=True)}
    if before.missing and added.missing:
        keys["missing"] = tuple(dict.fromkeys((*before.missing, *added.missing)))
    if before.values and added.values:
        keys["values"] = {**before.values, **added.values}
    return RepairSection.model_validate(keys)


def propose_repairs(reading: Reading) -> tuple[Proposal, ...]:
    """Return the repairs proposed for a table: first those of rows, then those of columns in file order.

    A column that is read or repaired as amounts or dates is proposed as such only in these cases: its numbers may be
    dates without marks, their mark may group thousands, some of its cells are texts and others stored numbers, or all
    its dates are at midnight. The first proposal of a column is about values whose labels say "no answer", if there are
    any. A column with more than 20,000 different texts is skipped.
    """
    proposals = [_propose_leave_out(row) for row in reading.account.rows_to_answer]
    for done, column in enumerate(reading.table.columns):
        progress.report(done / len(reading.table.columns), "doing.read")
        section = reading.options.repair.get(column.name, RepairSection())
        if len(column.texts) <= _MOST_TEXTS:
            proposals += [*_propose_no_answer(column), *_propose_for_column(reading, column, section)]
    return tuple(proposals)


def _propose_leave_out(leave: LeaveOut) -> Proposal:
    """Return the proposal to leave out some rows, with the evidence.

    It is clear, so that it may be accepted together with others, only for repeated column names.
    """
    section = LeaveOutSection(rows=leave.rows, reason=leave.reason)
    clear = leave.reason == "repeated-names"
    return Proposal(
        kind="rows",
        column="",
        cells=len(leave.rows),
        clear=clear,
        note=leave.evidence,
        section=section,
        rows=leave.rows,
        must_be_answered=leave.must_be_answered,
    )


def _propose_for_column(reading: Reading, column: Column, section: RepairSection) -> list[Proposal]:
    """Return the repairs proposed for a column, often none; ``section`` is the repair that the recipe has so far.

    If ids have several spellings, or groups such as 5-9 became dates, only that is proposed. Where ``section`` reads
    amounts or dates and some texts stay unread, only the five most frequent of these are proposed as missing. Otherwise
    one of these is:

    - to read amounts or dates, and to take as missing up to five texts that stay unread, the most frequent first;
    - to take codes and some texts as missing;
    - to use one spelling of words.
    """
    counts, typed = _count_cells(reading, column, section)
    if leading := _propose_id_spelling(reading, column, counts, section) or _propose_groups(column.name, counts, typed):
        return leading
    decimal, cells = reading.account.decimal, Counter(counts) + Counter(typed)
    thousands_first = _should_group_thousands(reading, column, counts, section)
    proposals: list[Proposal] = []
    rest: Mapping[str, int] = {}
    if _is_read(column, counts, typed, section) and not thousands_first:
        proposed = _propose_dates(column, counts, typed) if _may_be_dates(column, [*counts, *typed], section) else None
        if proposed is None:
            return _propose_missing_codes(column, missing_codes(column), cells)
        proposals, rest = [proposed[0]], proposed[1]
    elif not counts:
        return []
    elif section.amounts or section.dates or section.serials:
        rest = _count_unread_cells(column, counts, section, decimal)
    else:
        amounts = _propose_amounts(column.name, counts, typed, decimal, thousands_first=thousands_first)
        proposed = amounts or _propose_dates(column, counts, typed)
        if proposed is None:
            return _propose_missing_codes(
                column, [*find_blocking_texts(column, decimal), *missing_codes(column)], cells
            ) or _propose_one_spelling(column, counts, section)
        proposals, rest = [proposed[0]], proposed[1]
    unread = sorted(rest.items(), key=lambda item: (-item[1], item[0]))[:_MOST_REST]
    return [*proposals, *(_propose_missing_text(column.name, text, cells) for text, cells in unread)]


def _is_read(column: Column, counts: Mapping[str, int], typed: Mapping[str, int], section: RepairSection) -> bool:
    """Return whether a column needs no reading as dates or amounts, being dates or numbers already.

    Numbers in both text cells and cells stored as numbers may need one, unless the repair reads amounts. ``counts`` and
    ``typed`` are the numbers of text cells and of stored numbers or dates with each text.
    """
    return column.kind == "date" or (column.kind == "numeric" and bool(section.amounts or not counts or not typed))


def _should_group_thousands(
    reading: Reading, column: Column, counts: Mapping[str, int], section: RepairSection
) -> bool:
    """Return whether the mark in numbers such as 1.234 more probably groups thousands than begins decimals.

    All numbers with the mark, at least three, must have three digits behind it, and with decimals the file would have
    another decimal mark than its separator suggests, or some numbers would have three decimals and others none. False
    for dates and for columns that are read as amounts already. ``counts`` is the number of text cells with each text.
    """
    with_digits = [text for text in counts if any(map(str.isdigit, text))]
    marked = [text for text in with_digits if not text.lstrip("-").isdigit()]
    unusual = {";": ".", ",": ","}.get(reading.account.delimiter or "") == reading.account.decimal
    if section.amounts or column.kind == "date" or len(marked) < _LEAST_GROUPED:
        return False
    return all(map(is_grouped, marked)) and (unusual or len(marked) < len(with_digits))


def _count_unread_cells(
    column: Column, counts: Mapping[str, int], section: RepairSection, decimal: str
) -> dict[str, int]:
    """Return the texts that a repair to read amounts or dates leaves unread, with the number of their cells.

    Empty for a numeric or date column: all its cells are read. ``counts`` is the number of text cells with each text.
    """
    if column.kind in ("numeric", "date"):
        return {}
    read = read_texts(list(counts), section, decimal)
    return {text: counts[text] for text, value in zip(counts, read, strict=True) if value is None}


def _may_be_dates(column: Column, texts: Sequence[str], section: RepairSection) -> bool:
    """Return whether numbers may be dates without marks, or all texts end in midnight and no repair reads them."""
    return _are_long_numbers(column) or (not section.dates and are_midnights(texts))


def _are_long_numbers(column: Column) -> bool:
    """Return whether a column has only whole numbers of 1, 7, 8, 12 or 14 digits, as dates without marks may have.

    False for a column that is not numeric.
    """
    if column.kind != "numeric" or (column.style is not None and column.style.decimals):
        return False
    return all(len(text.lstrip("-")) in _DATE_DIGITS for text in column.texts if text not in column.missing_texts)


def _count_cells(reading: Reading, column: Column, section: RepairSection) -> tuple[dict[str, int], dict[str, int]]:
    """Return how many cells have each text, once for text cells and once for stored numbers or dates.

    A column that is not repaired, and all of whose texts are stored as numbers or dates, counts as text cells. Missing
    texts and lines below the names are left out. The cells are counted before repairs, except for words that
    ``section`` replaces.
    """
    source = reading.source.get(column.name)
    codes, texts, typed = (
        (column.codes, column.texts, frozenset[int]())
        if source is None
        else (source.codes, source.texts, frozenset(source.typed.tolist()))
    )
    name_lines = [row for leave in reading.account.rows_to_answer if leave.reason == "names" for row in leave.rows]
    if name_lines:
        codes = codes[~np.isin(reading.table.row_numbers, name_lines)]
    of_words: dict[str, int] = {}
    of_numbers: dict[str, int] = {}
    for code, number in enumerate(np.bincount(codes, minlength=len(texts)).tolist()):
        text = (section.values or {}).get(texts[code], texts[code])
        if number and text not in column.missing_texts:
            into = of_numbers if code in typed else of_words
            into[text] = into.get(text, 0) + int(number)
    return of_words, of_numbers


# --- amounts ----------------------------------------------------------------------------


def _propose_amounts(
    name: str, counts: Mapping[str, int], typed: Mapping[str, int], decimal: str, *, thousands_first: bool = False
) -> tuple[Proposal, Mapping[str, int]] | None:
    """Return the proposal to read a column as amounts, and the number of cells of each text that would stay unread.

    None where the column holds no amounts (see ``guess_amounts``), or no cell would change. With several currencies, or
    several readings of the same cells, the proposal is a question with choices, and the texts are those that the first
    reading leaves. It is also to be decided singly (not clear) where all texts are like "2-", which may be grades.

    Parameters
    ----------
    counts, typed
        Number of text cells, and of stored numbers or dates, with each text.
    decimal
        The file's decimal mark.
    thousands_first
        Whether the reading of 1.234 as a whole number is the first choice.
    """
    guess = guess_amounts(counts, decimal, thousands_first=thousands_first)
    if guess is None:
        return None
    changes = [
        {text: number for text, number in zip(counts, read, strict=True) if number is not None and number != text}
        for read in guess.read
    ]
    if not any(changes):
        return None
    rest = {text: counts[text] for text, number in zip(counts, guess.read[0], strict=True) if number is None}
    first = max(range(len(changes)), key=lambda choice: len(changes[choice]))
    cells = sum(counts[text] for text in changes[first])
    example = next(iter(changes[first].items()))
    stated: dict[str, Value] = {"column": Name(name), "cells": cells}
    stated |= {"before": Quoted(example[0]), "after": Quoted(example[1])}
    stated["typed"] = sum(typed.values())
    id = "reading.propose.amounts-beside" if typed else "reading.propose.amounts"
    examples = tuple(changes[first].items())[:_MOST_EXAMPLES]
    if guess.currencies:
        form = guess.forms[0]
        choices = tuple(
            Choice(
                Note("reading.choice.currency", {"sign": Term(sign)}),
                replace(form, strip=(sign,)).section(),
            )
            for sign in guess.currencies
        )
        stated["signs"] = Terms(tuple(guess.currencies))
        return Proposal(
            "amounts", name, cells, False, Note("reading.propose.currencies", stated), examples, choices
        ), rest
    if len(guess.forms) > 1:
        sample = _find_ambiguous_text(counts, guess.read)
        choices = tuple(
            Choice(
                Note(
                    "reading.choice.amount",
                    {"before": Quoted(sample), "after": Term(dict(zip(counts, read))[sample] or sample)},
                ),
                form.section(),
            )
            for form, read in zip(guess.forms, guess.read, strict=True)
        )
        stated["before"] = Quoted(sample)
        return Proposal(
            "amounts", name, cells, False, Note("reading.propose.amounts-unsure", stated), examples, choices
        ), rest
    grades = all(_TRAILING.fullmatch(text) for text in changes[first])
    section = guess.forms[0].section()
    return Proposal("amounts", name, cells, not grades, Note(id, stated), examples, (), section), rest


def _find_ambiguous_text(counts: Mapping[str, int], readings: Sequence[Sequence[str | None]]) -> str:
    """Return the first text that two of the readings understand as different numbers."""
    return next(text for text, numbers in zip(counts, zip(*readings), strict=True) if len(set(numbers)) > 1)


# --- dates ------------------------------------------------------------------------------


def _propose_dates(
    column: Column, counts: Mapping[str, int], typed: Mapping[str, int]
) -> tuple[Proposal, Mapping[str, int]] | None:
    """Return the proposal to read a column as dates, and the number of cells of each text that would stay unread.

    None where the texts are no dates, need no repair, or no cell would change. Where several readings are possible, the
    proposal is a question with choices, and the texts are those that the first choice leaves; for digits that may be no
    dates it is to be decided singly (not clear). ``counts`` and ``typed`` are the numbers of text cells, and of cells
    stored as numbers or dates, with each text.
    """
    name = column.name
    guess = guess_dates(Counter(counts) + Counter(typed))
    if guess is None or not _needs_repair(guess, counts, typed):
        return None
    choices = _date_choices(guess, list(counts))
    taken = choices[0] if choices else _date_section(guess, guess.forms, None, None)
    section = taken.section if isinstance(taken, Choice) else taken
    read = dict(zip(counts, read_texts(list(counts), section, "."), strict=True))
    rest = {text: counts[text] for text, day in read.items() if day is None}
    days = {text: day for text, day in read.items() if day is not None}
    stored = dict(zip(typed, decode_stored_dates(list(typed), section), strict=True))
    forms = unify_iso_moments([*days.values(), *stored.values()])
    written = dict(zip([*days, *stored], forms, strict=True))
    changed = {text: form for text, form in written.items() if form != text}
    if not changed:
        return None
    cells = sum((counts[text] if text in days else 0) + typed.get(text, 0) for text in changed)
    stated: dict[str, Value] = {"column": Name(name), "cells": cells}
    stated["parts"] = _describe_date_forms(guess, counts, typed, section, written)
    examples = tuple(changed.items())[:_MOST_EXAMPLES]
    if choices:
        return Proposal("dates", name, cells, False, _date_question(guess, stated), examples, choices), rest
    unmarked = any(map(is_unmarked, guess.forms))
    is_clear = not unmarked or _are_dates(column, [day for day in written.values() if day not in rest])
    note = Note("reading.propose.dates" if is_clear else "reading.propose.dates-digits", stated)
    return Proposal("dates", name, cells, is_clear, note, examples, (), section), rest


def _are_dates(column: Column, days: Sequence[str]) -> bool:
    """Return whether digits without marks are surely dates, by the column's name or because they span a life.

    They span one if there are at least five different days over 5 to 110 years.
    """
    named = interpret_column_name(column.header, column.label)
    name = fold_text(f"{column.header} {column.label}")
    if named.lasting or any(word in name for word in date_words("names")):
        return True
    years = {int(day[:4]) for day in days if not day.startswith("9999")}
    return len(set(days)) >= _LEAST_DAYS and _LIFE[0] <= max(years, default=0) - min(years, default=0) <= _LIFE[1]


def _date_question(guess: DateGuess, stated: Mapping[str, Value]) -> Note:
    """Return the question above the choices for a column of dates.

    It is about the order of day and month if that is in doubt, else about day numbers if there are some, else about the
    century of two-digit years. ``stated`` are values to fill into the sentence.
    """
    if (order := guess.order) is not None:
        asked = {"day": order.only_day, "month": order.only_month, "either": order.either}
        return Note("reading.propose.dates-order", {**stated, **asked})
    return Note("reading.propose.dates-serials" if guess.serials else "reading.propose.dates-century", stated)


def _needs_repair(guess: DateGuess, counts: Mapping[str, int], typed: Mapping[str, int]) -> bool:
    """Return whether dates have to be rewritten before the program understands them.

    True if there are day numbers, several patterns, two-digit years, midnights or an unusual pattern, or stored dates
    beside texts in another pattern than ISO. False for ISO dates alone, and for a single pattern with an unclear order
    of day and month, about which there is another question. ``counts`` and ``typed`` are the numbers of text cells, and
    of cells stored as numbers or dates, with each text.
    """
    if guess.serials or len(guess.forms) > 1 or guess.short_years or are_midnights([*counts, *typed]):
        return True
    if guess.forms == (ISO,):
        return False
    century = guess.newest or _CENTURIES[0]
    dates = [
        text for text, day in zip(counts, to_iso_dates(list(counts), guess.forms, century, None)) if day is not None
    ]
    native = guess_date_format(dates)
    return bool(typed) or (native.format is None and native.warning is None)


def _date_section(
    guess: DateGuess, forms: Sequence[str], century: int | None, serials: Literal["1900", "1904"] | None
) -> RepairSection:
    """Return the repair that reads dates in the given patterns, which are tried in this order.

    Two-digit years, if the guess has any, mean one of a hundred years: the last of these is the latest year written
    with four digits; without such a year the first of them is ``century``, such as 1930, which must then be given.
    ``serials`` is the system of day numbers, or None.
    """
    first = guess.newest - 99 if guess.newest is not None else century
    return RepairSection(dates=tuple(forms), century_from=first if guess.short_years else None, serials=serials)


def _list_century_starts(guess: DateGuess, texts: Sequence[str]) -> tuple[int | None, ...]:
    """Return the years from which two digits may be counted; first the one that brings the dates closest together.

    They are 1930, 1900 and 2000: counted from 1930, 99 is 1999 and 20 is 2020. ``(None,)`` where no year has two
    digits, or the latest year is known.
    """
    if not guess.short_years or guess.newest is not None:
        return (None,)

    def span(first: int) -> int:
        """Return over how many years the dates spread if two digits are counted from the year ``first``."""
        years = [int(day[:4]) for day in to_iso_dates(texts[:_MOST_WORDS], guess.forms, first, None) if day is not None]
        return max(years, default=0) - min(years, default=0)

    return tuple(sorted(_CENTURIES, key=span))


def _date_choices(guess: DateGuess, texts: Sequence[str]) -> tuple[Choice, ...]:
    """Return the possible readings of a column of dates; empty where only one is possible.

    They are all combinations of what is open, in this order: day before month, then month before day; the system of day
    numbers of 1900, then that of 1904; and the century of two-digit years, first the one that brings the dates closest
    together.
    """
    years = _list_century_starts(guess, texts)
    systems: tuple[Literal["1900", "1904"] | None, ...] = ("1900", "1904") if guess.serials else (None,)
    orders = [guess.forms]
    if guess.order is not None:
        by_day, by_month = guess.order.day_first, guess.order.month_first
        both = [form for form in guess.forms if form not in (by_day, by_month)]
        orders = [(*both, by_day), (*both, by_month)]
        if guess.order.only_day and guess.order.only_month:
            orders = [(*both, by_day, by_month), (*both, by_month, by_day)]
    if len(years) * len(systems) * len(orders) == 1:
        return ()
    choices = []
    for (position, forms), system, year in product(enumerate(orders), systems, years):
        parts: list[Note] = []
        if len(orders) > 1:
            parts.append(Note("reading.choice.month-first" if position else "reading.choice.day-first"))
        if system is not None:
            parts.append(Note("reading.choice.serials", {"system": Term(system)}))
        if year is not None:
            parts.append(Note("reading.choice.century", _build_year_arguments(year)))
        note = parts[0] if len(parts) == 1 else Note("reading.choice.both", {"parts": Terms(tuple(parts))})
        choices.append(Choice(note, _date_section(guess, forms, year, system)))
    return tuple(choices)


def _describe_date_forms(
    guess: DateGuess,
    counts: Mapping[str, int],
    typed: Mapping[str, int],
    section: RepairSection,
    written: Mapping[str, str],
) -> Terms:
    """Return a sentence for each way in which dates are written: its number of cells, with an example before and after.

    A cell counts for the first pattern that reads it. Stored dates have a sentence without example before the others,
    and day numbers have one after them.

    Parameters
    ----------
    counts, typed
        Number of text cells, and of stored numbers or dates, with each text.
    section
        The repair with the patterns.
    written
        What each text becomes.
    """
    parts: list[Note] = []
    if typed:
        parts.append(Note("reading.part.sheet-dates", {"count": sum(typed.values())}))
    left = dict(counts)
    for form in section.dates or ():
        read = dict(zip(left, to_iso_dates(list(left), (form,), section.century_from, None)))
        mine = [text for text, day in read.items() if day is not None]
        count = sum(left.pop(text) for text in mine)
        if not mine:
            continue
        stated: dict[str, Value] = {"count": count, "before": Quoted(mine[0]), "after": Term(written[mine[0]])}
        if "%y" in form and section.century_from is not None:
            stated |= _build_year_arguments(section.century_from)
            parts.append(Note("reading.part.short-years", stated))
        elif "%Z" in form:
            parts.append(Note("reading.part.zones", stated))
        else:
            parts.append(Note("reading.part.as-it-is" if written[mine[0]] == mine[0] else "reading.part.dates", stated))
    if guess.serials:
        parts.append(Note("reading.part.serials", {"count": guess.serials}))
    return Terms(tuple(parts))


def _build_year_arguments(first: int) -> dict[str, Value]:
    """Return the first and the last of a hundred years as values to fill into a sentence."""
    return {"first": Term(str(first)), "last": Term(str(first + 99))}


def _propose_groups(name: str, counts: Mapping[str, int], typed: Mapping[str, int]) -> list[Proposal]:
    """Return a question for each date that probably was a group of numbers, such as 5-9, before a spreadsheet read it.

    ``counts`` and ``typed`` are the numbers of text cells, and of stored dates, with each text. Often there is none.
    """
    cells = Counter(counts) + Counter(typed)
    proposals = []
    groups_of = find_groups_behind_dates(cells)
    total = sum(cells[date] for date in groups_of)
    for date, groups in groups_of.items():
        choices = tuple(
            Choice(
                Note("reading.choice.amount", {"before": Quoted(date), "after": Term(group)}),
                RepairSection(values={date: group}),
            )
            for group in groups
        )
        stated: dict[str, Value] = {"column": Name(name), "total": total, "cells": cells[date]}
        note = Note("reading.propose.group", {**stated, "before": Quoted(date), "after": Quoted(groups[0])})
        proposals.append(Proposal("words", name, cells[date], False, note, ((date, groups[0]),), choices))
    return proposals


# --- missing ----------------------------------------------------------------------------


def _propose_missing_codes(column: Column, texts: Sequence[str], counts: Mapping[str, int]) -> list[Proposal]:
    """Return the proposals to take some texts of a column as missing, one for each text, the most frequent first.

    Of equally frequent texts the alphabetical order counts. Left out are texts that ``counts`` (cells with each text)
    lacks, and those whose labels say "no answer", which are asked about anyway.
    """
    labelled = {text for text, _, _ in find_no_answer_values(column)}
    cells = {text: counts[text] for text in texts if text not in labelled and counts.get(text)}
    common = sorted(cells.items(), key=lambda item: (-item[1], item[0]))
    return [_propose_missing_text(column.name, text, number) for text, number in common]


# --- words ------------------------------------------------------------------------------


def _propose_missing_text(name: str, text: str, cells: int) -> Proposal:
    """Return the proposal to take one text of a column, which stands in ``cells`` cells, as missing.

    It is not clear: it has to be answered singly.
    """
    return Proposal(
        kind="missing",
        column=name,
        cells=cells,
        clear=False,
        note=Note("reading.propose.missing", {"column": Name(name), "cells": cells, "text": Quoted(text)}),
        section=RepairSection(missing=(text,)),
    )


def _propose_no_answer(column: Column) -> list[Proposal]:
    """Return the proposal to take values as missing whose labels say "no answer", in a list of none or one.

    It is about all these values together, and not clear: it has to be answered singly.
    """
    marks = find_no_answer_values(column)
    if not marks:
        return []
    section = RepairSection(missing=tuple(text for text, _, _ in marks))
    cells = sum(cells for _, _, cells in marks)
    return [Proposal("missing", column.name, cells, False, ask_whether_missing(column, marks), section=section)]


def _propose_one_spelling(column: Column, counts: Mapping[str, int], section: RepairSection) -> list[Proposal]:
    """Return the proposal to use one spelling for words of the same meaning, in a list of none or one.

    These are words for yes and no, a tick mark (x) beside empty cells, which become "yes" and "no", or words that
    differ only in capitals, in blanks at their ends or repeated, or in Unicode form. Of several spellings the most
    frequent is used. The proposal has to be answered singly (not clear). There is none for columns that are neither
    nominal nor ordinal, have more than 1,000 different texts, or whose values ``section`` replaces already. ``counts``
    is the number of cells with each text.
    """
    if column.kind not in ("nominal", "ordinal") or len(counts) > _MOST_WORDS or section.values:
        return []
    groups: dict[str, list[str]] = {}
    for text in counts:
        groups.setdefault(" ".join(unicodedata.normalize("NFC", text).casefold().split()), []).append(text)
    missing = int(np.count_nonzero(column.missing))
    yes_or_no = _group_yes_and_no(groups)
    values: dict[str, str] = {}
    if set(groups) == {"x"} and missing:
        values = {**dict.fromkeys(groups["x"], "yes"), "": "no"}
    for meant in () if values else (yes_or_no or groups).values():
        best = max(meant, key=lambda text: counts[text])
        values.update({text: best for text in meant if text != best})
    if not values:
        return []
    cells = sum(counts.get(text, 0) for text in values) + ("" in values) * missing
    id = "reading.propose.spelling" if yes_or_no is None and "" not in values else "reading.propose.yes-no"
    return [_propose_words(id, column.name, cells, values, {"cells": cells})]


def _propose_id_spelling(
    reading: Reading, column: Column, counts: Mapping[str, int], section: RepairSection
) -> list[Proposal]:
    """Return the proposal to treat person ids that differ only in spelling as one person, in a list of none or one.

    It is made for texts in a column that the recipe calls people or whose name means people or any number or code,
    unless ``section`` replaces values already. Each id gets its most frequent spelling. The proposal has to be answered
    singly (not clear).
    """
    named = interpret_column_name(column.header)
    points = column.name in (reading.options.person or ()) or named.key or named.people
    if not points or column.kind not in ("nominal", "text") or section.values:
        return []
    values = find_spelling_variants(counts)
    if not values:
        return []
    cells = sum(counts[text] for text in values)
    return [_propose_words("reading.propose.ids", column.name, cells, values, {"count": len(values)})]


def _propose_words(id: str, name: str, cells: int, values: dict[str, str], stated: Mapping[str, Value]) -> Proposal:
    """Return the proposal to replace texts in ``cells`` cells of a column, which has to be answered singly (not clear).

    ``values`` has the new text of each text, at least one. ``id`` is the sentence's, and ``stated`` what is filled into
    it besides the column's name and the first text before and after.
    """
    before, after = next(iter(values.items()))
    note = Note(id, {"column": Name(name), **stated, "before": Quoted(before), "after": Quoted(after)})
    examples = tuple(values.items())[:_MOST_EXAMPLES]
    return Proposal("words", name, cells, False, note, examples, (), RepairSection(values=values))


def _group_yes_and_no(groups: Mapping[str, list[str]]) -> dict[str, list[str]] | None:
    """Return the words of a column in two groups, "yes" and "no"; None where another word occurs.

    "yes", "Y", "x" and "no" give {"yes": ["yes", "Y", "x"], "no": ["no"]}; "no" may be empty. None, too, where no word
    means yes, where the only word is a tick mark, or if there are at most two spellings. ``groups`` has the spellings
    of each word, by the word in small letters.
    """
    meanings = set(groups)
    if not meanings or not meanings <= {*_TRUE, *_FALSE, "x"} or not meanings & {*_TRUE, *_FALSE}:
        return None
    yes = [text for key in groups if key in (*_TRUE, "x") for text in groups[key]]
    no = [text for key in groups if key in _FALSE for text in groups[key]]
    return {"yes": yes, "no": no} if yes and len(yes) + len(no) > 2 else None
