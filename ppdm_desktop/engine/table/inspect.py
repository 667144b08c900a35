"""What a file seems to contain: how it was read, and suggestions about each column, as data or as a first recipe.

Two suggestions go beyond what the values prove, so a person has to confirm them:

- the kind of a column: a postcode is written in digits and is no quantity, and the steps of a scale have an order;
- that no value of a column can lie below zero by its meaning, as with counts, ages and amounts. The column's name
  decides; without a telling name, only whole numbers that begin at 0 are taken for counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import tomli_w

from ppdm_desktop.engine import plugins, progress
from ppdm_desktop.engine.recipe.models import RepairSection
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.table.codes import guess_codes_answer
from ppdm_desktop.engine.table.column import Column, Table, to_floats
from ppdm_desktop.engine.table.column_names import interpret_column_name, is_in_list
from ppdm_desktop.engine.table.dates import guess_date_format
from ppdm_desktop.engine.table.kinds import REASONS, guess_kind, present_texts
from ppdm_desktop.engine.table.patterns import find_in
from ppdm_desktop.engine.table.person_ids import identify_people
from ppdm_desktop.engine.table.reading.import_log import ImportLog, Reading
from ppdm_desktop.engine.table.reading.proposals import Choice, Proposal, merge_repair_sections, section_toml
from ppdm_desktop.engine.table.roles import STRONG, RoleSuggestion, suggest_roles
from ppdm_desktop.engine.table.scales import LEAST_STEPS, MOST_STEPS, order_of_scale
from ppdm_desktop.engine.wording.catalogue import language
from ppdm_desktop.engine.wording.texts import Note, render
from ppdm_desktop.engine.wording.values import Name, Term, Value, as_data

LEAST_COUNTS = 3
"""Different whole numbers that are taken for counts at least: 0 and 1 alone mean no and yes."""


def lowest_number(column: Column) -> float | None:
    """Return the lowest number that occurs in a column; None where it is not numeric or all cells are missing."""
    if column.kind != "numeric" or column.style is None:
        return None
    values = to_floats(present_texts(column), column.style.decimal)
    return float(np.min(values)) if len(values) else None


def looks_not_negative(column: Column) -> bool:
    """Return whether to propose to the user that no value of a column can lie below zero by its meaning.

    The column must be numeric and have at least three different texts of numbers, none below zero. Its name must mean
    an amount, or the numbers must be written without decimals and begin at 0. Never where the name means something that
    can be negative, such as a balance.
    """
    lowest = lowest_number(column)
    if lowest is None or lowest < 0 or column.style is None:
        return False
    texts = present_texts(column)
    named = interpret_column_name(column.header, column.label)
    if named.signed or len(texts) < LEAST_COUNTS:
        return False
    return named.amount or (lowest == 0 and column.style.decimals == 0)


_HIGHEST_STEP = 7
_LEAST_IN_BATTERY = 3
_POSTCODE_DIGITS = (3, 7)
_ITEM = re.compile(r"[\W_]*(?:[0-9]{1,3}|[a-z]|\[[^\[\]]*\]|[-\u2013] [^-\u2013]*)\W*$", re.IGNORECASE)


@dataclass(frozen=True)
class KindSuggestion:
    """The suggested kind of a column.

    Attributes
    ----------
    kind
        ``numeric``, ``ordinal``, ``nominal``, ``date`` or ``text``.
    reason, arguments
        Id of the message that says why, and the values to fill into it.
    order
        The steps of a scale of words, lowest first; None for other columns.
    """

    kind: str
    reason: str
    arguments: Mapping[str, Value] = field(default_factory=dict)
    order: tuple[str, ...] | None = None


def suggest_kinds(table: Table, roles: Mapping[str, RoleSuggestion], decimal: str) -> dict[str, KindSuggestion]:
    """Return the suggested kind of each column, by the column's name.

    Parameters
    ----------
    table
        The table as it was read.
    roles
        The suggested role of each column; where a role needs a kind, this kind is suggested.
    decimal
        The file's decimal mark.
    """
    stems = Counter(_find_battery_stem(column) for column in table.columns if _find_digit_steps(column))
    batteries = frozenset(stem for stem, columns in stems.items() if columns >= _LEAST_IN_BATTERY)
    return {column.name: _suggest_kind(column, roles[column.name], decimal, batteries) for column in table.columns}


def _suggest_kind(
    column: Column, role: RoleSuggestion, decimal: str, batteries: frozenset[tuple[str, int]]
) -> KindSuggestion:
    """Return the suggested kind of a column, with its reason and, for a scale of words, the order of its values.

    A kind that the suggested role needs comes first. Otherwise known scales of words are ordinal, and so are answers in
    digits from 0 or 1 to at most 7 if the column is in ``batteries`` or its name means an answer. Postcodes are
    nominal. Other columns, identifiers, and columns to be left out keep the kind with which they were read.

    Parameters
    ----------
    batteries
        What the columns of one battery of questions with answers in digits share: name without item, and highest value.
    """
    if role.kind is None and role.role not in ("identifier", "left-out"):
        if (order := _find_scale_order(column)) is not None:
            ends = {"first": Term(order[0]), "last": Term(order[-1])}
            return KindSuggestion("ordinal", "reason.kind.scale", ends, order)
        if (steps := _find_digit_steps(column)) and (
            _find_battery_stem(column) in batteries or _asks_for_answer(column)
        ):
            ends = {"first": Term(steps[0]), "last": Term(steps[-1])}
            return KindSuggestion("ordinal", "reason.kind.scale", ends)
        if _is_postcode(column):
            return KindSuggestion("nominal", "reason.kind.postcodes")
    kind = role.kind or column.kind
    return KindSuggestion(kind, REASONS.get(kind) or guess_kind(column, decimal).reason)


def _find_scale_order(column: Column) -> tuple[str, ...] | None:
    """Return the texts of a column that form a known scale, such as never, often, lowest first; None for other columns.

    Ranges such as 18-24 and 25-34 form one, too. None also for a column that is not nominal, or has fewer than three or
    more than 15 different texts.
    """
    if column.kind != "nominal" or len(column.texts) > MOST_STEPS + len(column.missing_texts):
        return None
    return order_of_scale(present_texts(column))


def _find_digit_steps(column: Column) -> tuple[str, ...]:
    """Return the different values of a column that looks like a scale in digits, as texts, rising; else an empty tuple.

    Such a column is numeric and has at least three whole numbers that begin at 0 or 1 and end at 3 to 7; values between
    may be absent. The texts have no decimals: 1.0 gives "1".
    """
    if column.kind != "numeric" or column.has_fractions or len(column.texts) > MOST_STEPS + len(column.missing_texts):
        return ()
    values = column.counted_numbers()[0]
    if len(values) < LEAST_STEPS or values[0] not in (0, 1) or not LEAST_STEPS <= values[-1] <= _HIGHEST_STEP:
        return ()
    return tuple(f"{value:.0f}" for value in values)


def _find_battery_stem(column: Column) -> tuple[str, int]:
    """Return what columns of one battery of questions share: their name without the item, and the highest value.

    The item is a number, letter or bracket at the end: ``Q5_1`` and ``Q5_2`` share ``Q5``. In a column that is not
    numeric the value is 0.
    """
    return _ITEM.sub("", column.header), int(column.counted_numbers()[0][-1]) if column.kind == "numeric" else 0


def _asks_for_answer(column: Column) -> bool:
    """Return whether a word of a column's name or label means an answer or a question.

    False where the name or label also means an amount or a lasting trait of a person.
    """
    named = interpret_column_name(column.header, column.label)
    headers = [header for header in (column.header, column.label) if header]
    is_answer = any(is_in_list(header, name) for header in headers for name in ("answer", "question"))
    return is_answer and not (named.amount or named.lasting)


def _is_postcode(column: Column) -> bool:
    """Return whether a numeric column is named as a postcode and has whole numbers of three to seven digits only.

    False for columns of other kinds and without values.
    """
    if column.kind != "numeric" or column.has_fractions:
        return False
    if not any(is_in_list(header, "postcode") for header in (column.header, column.label) if header):
        return False
    values = column.counted_numbers()[0]
    low, high = _POSTCODE_DIGITS
    return bool(len(values)) and values[0] >= 10 ** (low - 1) and values[-1] < 10**high


MOST_FREQUENT = 3


def inspect_table(reading: Reading, proposals: Sequence[Proposal] = ()) -> dict[str, Any]:
    """Return as plain data how a file was read, with suggested roles and kinds and with proposed repairs.

    The keys are ``file``, ``proposals`` (a list, in the given order; no repair is made), ``person`` (None without a
    person column) and ``columns`` (a list, in file order). The most frequent values of each column are included for the
    owner's own screen; they never go into a log.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    roles = progress.part(0.0, 0.3).run(suggest_roles, reading.table)
    kinds = suggest_kinds(reading.table, roles, reading.account.decimal)
    columns = []
    # Every different text is searched for personal data, which takes longer than all the rest.
    parts = progress.part(0.3, 1.0).parts(*(1.0 + len(column.texts) for column in reading.table.columns))
    for column, part in zip(reading.table.columns, parts, strict=True):
        part.report(0.0, "doing.read")
        columns.append(part.run(_build_column_data, column, roles[column.name], kinds[column.name]))
    return {
        "file": _build_file_data(reading.account),
        "proposals": [_build_proposal_data(proposal) for proposal in proposals],
        "person": _build_person_data(reading, roles),
        "columns": columns,
    }


def _find_person_column(reading: Reading, roles: Mapping[str, RoleSuggestion]) -> str | None:
    """Return the name of the column that most probably holds person ids; None where no column repeats as person ids do.

    Among several, those with strong evidence come first, then those whose name means a key, then the first in the file.
    """
    suspects = [column.name for column in reading.table.columns if roles[column.name].repeats_like_people]
    named = {
        name: interpret_column_name(reading.table.column(name).header, reading.table.column(name).label)
        for name in suspects
    }
    return min(suspects, key=lambda name: (roles[name].strength != STRONG, not named[name].key), default=None)


def _build_person_data(reading: Reading, roles: Mapping[str, RoleSuggestion]) -> dict[str, Any] | None:
    """Return the proposed person column and its counts as plain data; None where no column is proposed.

    ``column`` is its name, ``rows`` and ``people`` are their numbers, ``several`` is the number of people with several
    rows, ``most`` the largest number of rows of one person, ``without_id`` the number of rows without an id. ``id``,
    ``arguments`` and ``sentence`` are the message that proposes the column.
    """
    name = _find_person_column(reading, roles)
    if name is None:
        return None
    people = identify_people(reading.table, (name,))
    arguments: dict[str, Value] = {
        "column": Name(name),
        "rows": people.rows,
        "people": people.count,
        "several": people.with_several,
        "most": people.most_rows,
    }
    return {
        **arguments,
        "column": name,
        "without_id": people.without_id,
        **_build_sentence_data("reason.person.repeats", arguments),
    }


def _build_proposal_data(proposal: Proposal) -> dict[str, Any]:
    """Return a proposed repair as plain data: its properties, its sentence, and the ways to answer it.

    ``examples`` are pairs of texts before and after, ``choices`` the ways to answer, each with its sentence and its
    part of the recipe; ``section`` has the lines of TOML that the repair adds to a recipe, and is empty where the user
    has to choose first.
    """
    return {
        "kind": proposal.kind,
        "column": proposal.column,
        "cells": proposal.cells,
        "clear": proposal.clear,
        "must_be_answered": proposal.must_be_answered,
        **_build_sentence_data(proposal.note.id, proposal.note.arguments),
        "examples": [list(example) for example in proposal.examples],
        "choices": [
            {
                **_build_sentence_data(choice.note.id, choice.note.arguments),
                "section": choice.section.model_dump(mode="json", exclude_none=True),
            }
            for choice in proposal.choices
        ],
        "section": proposal.toml(),
    }


def _build_file_data(account: ImportLog) -> dict[str, Any]:
    """Return how the file was read as plain data: what the report says about it, except about people.

    Added are the sheets, texts that may mean "missing", and the warnings, each with its wording and remedy.
    """
    facts = account.as_report()
    facts["sheets"] = list(account.sheets)
    facts["suggested_missing"] = [
        {"mark": suggestion.mark, "cells": suggestion.cells, "columns": list(suggestion.columns)}
        for suggestion in account.suggested_missing
    ]
    facts["warnings"] = []
    for remark in account.warnings:
        text = render(remark.id, remark.arguments)
        remark_data = _build_sentence_data(remark.id, remark.arguments)
        facts["warnings"].append({**remark_data, "remedy": text.remedy})
    return facts


def _build_column_data(column: Column, role: RoleSuggestion, kind: KindSuggestion) -> dict[str, Any]:
    """Return what is known and suggested about a column as plain data: kind and role with reasons, and its values.

    Of the values: the numbers of different values and of missing cells, the three most frequent with their counts,
    whether they are probably codes or numbers (None where that is no question), whether they repeat like people or are
    never negative, and how many cells hold personal data. Missing cells are not among the values.
    """
    counts = column.text_counts.copy()
    missing = int(np.count_nonzero(column.missing))
    for code, text in enumerate(column.texts):
        if text in column.missing_texts:
            counts[code] = 0
    frequent = np.argsort(-counts, kind="stable")[:MOST_FREQUENT].tolist()
    return {
        "name": column.name,
        "header": column.header,
        "kind": kind.kind,
        "kind_reason": _build_sentence_data(kind.reason, kind.arguments),
        "order": None if kind.order is None else list(kind.order),
        "distinct": int(np.count_nonzero(counts)),
        "missing": missing,
        "most_frequent": [
            {"value": column.texts[code], "count": int(counts[code])} for code in frequent if counts[code]
        ],
        "role": role.role,
        "strength": role.strength,
        "repeats_like_people": role.repeats_like_people,
        "not_negative": looks_not_negative(column),
        "codes": guess_codes_answer(column),
        "reason": _build_sentence_data(role.reason, role.arguments),
        "findings": _count_personal_data(column, counts.tolist()),
    }


def _count_personal_data(column: Column, counts: Sequence[int]) -> dict[str, int]:
    """Return how many cells of a column hold each kind of personal data, by the kind's id in alphabetical order.

    Kinds without a cell are left out. ``counts`` is the number of cells with each distinct text; texts with 0 are not
    searched. The result is empty for numbers and dates, which are not searched either.
    """
    if column.kind in ("numeric", "date"):
        return {}
    used = [(text, count) for text, count in zip(column.texts, counts, strict=True) if count]
    cells: Counter[str] = Counter()
    for index, findings in find_in([text for text, _ in used], "doing.read").items():
        cells.update(dict.fromkeys({finding.kind for finding in findings}, used[index][1]))
    return dict(sorted(cells.items()))


def _build_sentence_data(id: str, arguments: Mapping[str, Value]) -> dict[str, Any]:
    """Return a message as plain data: ``id``, ``arguments``, and ``sentence``, its wording in the current language."""
    sentence = render(id, arguments).sentence if arguments else _render_fixed_sentence(id, language())
    return {"id": id, "arguments": {name: as_data(value) for name, value in arguments.items()}, "sentence": sentence}


@lru_cache
def _render_fixed_sentence(id: str, language: str) -> str:
    """Return the wording of a message without arguments in the current language, cached.

    ``language`` must be the current language; it keeps the cached wordings of several languages apart.
    """
    return render(id, {}).sentence


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


def suggested_recipe_text(reading: Reading, proposals: Sequence[Proposal] = (), repaired: Reading | None = None) -> str:
    """Return the text of a first recipe for a file, in which every suggestion is a comment.

    The recipe can be loaded as it is and decides nothing: a person confirms a role or repair by removing the comment
    sign. Lines that begin with "# " are sentences; lines to be confirmed begin with "#" without a blank.

    Parameters
    ----------
    reading
        The file as it was read; the recipe states the options with which it was read.
    proposals
        The proposed repairs.
    repaired
        The file after all proposed repairs, from which roles and kinds are suggested; None without proposals.
    """
    repaired = repaired or reading
    options = reading.options
    stated: dict[str, Any] = {
        key: value
        for key in ("sheet", "encoding", "delimiter", "decimal", "header_row")
        if (value := getattr(options, key)) is not None
    }
    missing = options.missing or ("",)
    parts = [_TOP, tomli_w.dumps({"recipe": 1}), "\n"]
    if (owner := plugins.of_reader(reading.account.format)) is not None:
        parts += [tomli_w.dumps({"plugins": {"use": [owner.name]}}), "\n"]
    parts += [tomli_w.dumps({"input": stated})]
    parts += [_list_line("missing", missing)]
    described = {
        name: meaning.model_dump(mode="json", exclude_defaults=True)
        for name, meaning in options.dictionary.items()
        if name in reading.table
    }
    if reading.account.suggested_missing:
        marks = dict.fromkeys((*missing, *(suggestion.mark for suggestion in reading.account.suggested_missing)))
        parts += ["# These texts may mean that a value is missing. If they all do, this line instead:\n"]
        parts += ["#", _list_line("missing", tuple(marks))]
    roles = progress.make_silent_progress().run(suggest_roles, repaired.table)
    kinds = suggest_kinds(repaired.table, roles, repaired.account.decimal)
    if (person := _build_person_data(repaired, roles)) is not None:
        parts += [f"# {person['sentence']}\n", _comment_out_lines(tomli_w.dumps({"person": person["column"]}))]
    parts += ["# The recipe then works with this very file only:\n"]
    parts += [_comment_out_lines(f'sha256 = "{reading.account.sha256}"')]
    if described:
        parts += ["\n", tomli_w.dumps({"input": {"dictionary": described}})]
    parts += _proposals_lines(proposals)
    if repaired is not reading:
        parts += ["\n# Roles and kinds as they are once all corrections above are made.\n"]
    for column in repaired.table.columns:
        parts += ["\n", _column_lines(column, roles[column.name], kinds[column.name])]
    return "".join([*parts, _STEPS, _RELEASE])


def _proposals_lines(proposals: Sequence[Proposal]) -> Iterator[str]:
    """Yield the proposed repairs as comments of a recipe: sentences with their choices, then lines to be uncommented.

    The repairs of one column stand together, followed by one section of the recipe for all of them; each repair that is
    about rows, not about a column, is followed by lines of its own.
    """
    sections: dict[str, RepairSection] = {}
    for proposal in proposals:
        if proposal.column:
            sections[proposal.column] = merge_repair_sections(sections.get(proposal.column), proposal.first_section)
    for column in dict.fromkeys(proposal.column for proposal in proposals):
        for proposal in proposals:
            if proposal.column == column:
                yield f"\n# {'' if proposal.clear else 'your choice: '}{_format_on_one_line(proposal.note)}\n"
                yield from map(_choice_line, proposal.choices)
                yield (
                    ""
                    if column
                    else "# Rows by number need the line sha256 above.\n" + _comment_out_lines(proposal.toml())
                )
        if column:
            yield _comment_out_lines(section_toml(column, sections[column]))


def _choice_line(choice: Choice) -> str:
    """Return one way to answer a proposed repair as a comment line: its sentence, and the recipe's keys for it."""
    keys = section_toml("x", choice.section).splitlines()[1:]
    return f"# {_format_on_one_line(choice.note)}: {', '.join(filter(None, keys))}\n"


def _format_on_one_line(note: Note) -> str:
    """Return the sentence of a message in the current language, on one line."""
    return " ".join(render(note.id, note.arguments).sentence.split())


def _column_lines(column: Column, role: RoleSuggestion, kind: KindSuggestion) -> str:
    """Return lines that suggest a role and a kind for a column, all with "#": the reason, then commented-out TOML.

    For an ordinal column its order is added, and for a nominal one a line for each way of reading it as dates, if day
    and month are in doubt. Without a suggested role the line of the role is ``role = ""``, to be filled in.
    """
    because = render(role.reason, role.arguments).sentence
    steps = kind.order or column.order
    order = _list_line("order", steps) if kind.kind == "ordinal" and steps else ""
    orders = "".join(_order_lines(column))
    if role.role is None:
        section = tomli_w.dumps({"columns": {column.name: {"kind": kind.kind}}}).splitlines(keepends=True)
        choose = 'role = ""\n'
        lines = _comment_out_lines("".join([section[0], choose, *section[1:], order]))
        return f"# yours to decide: {because}\n{orders}{lines}"
    likely = "suggested" if role.strength == STRONG else "to be looked at"
    section_text = tomli_w.dumps({"columns": {column.name: {"role": role.role, "kind": kind.kind}}})
    return f"# {likely}: {role.role}. {because}\n{orders}{_comment_out_lines(section_text + order)}"


def _order_lines(column: Column) -> Iterator[str]:
    """Yield a comment line for each order of day and month by which a nominal column can be read as dates.

    Each line names the order and the recipe's keys for it. Nothing is yielded where the order is not in doubt.
    """
    for form in guess_date_format(present_texts(column)).orders if column.kind == "nominal" else ():
        by_day = form.pattern.index("%d") < form.pattern.index("%m")
        order = Note("reading.choice.day-first" if by_day else "reading.choice.month-first", {})
        yield f'# your choice: {_format_on_one_line(order)}: kind = "date", format = "{form.pattern}"\n'


def _list_line(key: str, texts: tuple[str, ...]) -> str:
    """Return a key with a list of texts as one line of TOML: ``order = ["low", "high"]``."""
    written = (tomli_w.dumps({"x": text}).removeprefix("x = ").strip() for text in texts)
    return f"{key} = [{', '.join(written)}]\n"


def _comment_out_lines(text: str) -> str:
    """Return each line of a text with "#" in front; blank lines are left out."""
    return "".join(f"#{line}\n" for line in text.splitlines() if line.strip())
