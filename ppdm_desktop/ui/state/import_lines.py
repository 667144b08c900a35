"""Report on the reading of a file, as lines of (severity, sentence), and open questions (no widget here)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ppdm_desktop.engine.wording.catalogue import _, language, lazy
from ppdm_desktop.engine.wording.locales import locale_of
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Name, Names, Term, Terms
from ppdm_desktop.ui.state.session import Session

if TYPE_CHECKING:
    from ppdm_desktop.engine.recipe.models import ColumnSection, InputSection
    from ppdm_desktop.engine.table.reading import Reading
    from ppdm_desktop.engine.table.reading.import_log import ImportLog, ReadTwice

MOST_UNREAD = 500


@dataclass(frozen=True)
class ReportLine:
    """One line of the report "What was read": its severity and its sentence."""

    severity: str
    text: str


_TOPICS = {
    "person": "setting.person",
    "date": "page.columns",
    "decimal": "setting.decimal",
    "readings": "setting.readings",
    "header_row": "setting.header-row",
    "sheet": "setting.sheet",
    "columns_are_people": "setting.person",
}


@dataclass(frozen=True)
class Question:
    """A question on how the file should be read, with an example and possible answers.

    Attributes
    ----------
    key
        ``date`` (a column's format), ``decimal`` (the file's mark), ``readings`` (which of two readings of a column is
        right), ``header_row``, ``sheet``, ``columns_are_people`` or ``person`` (is each row another person).
    column
        The column concerned, or "".
    choices
        (value, label) of each answer, the present one first.
    """

    key: str
    column: str
    text: str
    choices: tuple[tuple[str, str], ...]

    @property
    def topic(self) -> str:
        """Id of the help topic on the reading option that the answer sets (for a date: on the page Columns)."""
        return _TOPICS[self.key]


@dataclass(frozen=True)
class Applied:
    """A correction of the file in use: what it concerns, its sentence, and the reading options that undo it."""

    about: tuple[str, str]
    text: str
    without: InputSection


def applied_repairs(reading: Reading, options: InputSection) -> tuple[Applied, ...]:
    """Return the corrections in the reading options, each with the options that undo it.

    They are in this order: rewritten cells, values made constant within a person, rows left out, and rows that the user
    said are people (not totals). A rewriting that was taken back, before the file is read again, is left out.
    """
    from ppdm_desktop.engine.recipe.models import row_spans

    lines = []

    def add(about: tuple[str, str], text: str, **without: object) -> None:
        """Add a correction that is undone by these values of reading options."""
        lines.append(Applied(about, text, options.model_copy(update=without)))

    for done in reading.account.repairs:
        other_repairs = {name: section for name, section in options.repair.items() if name != done.column}
        if len(other_repairs) == len(options.repair):
            continue  # taken back, and not read again yet
        sentence = lazy("{column}: {n} {n:cell was|cells were} rewritten.")
        if done.kind == "missing":
            sentence = lazy("{column} has its own texts that mean “missing”.")
        sentences = sentence.format(column=Name(done.column), n=done.cells)
        if done.unread:
            sentences += " " + _("{n} {n:cell|cells} could not be read.", n=done.unread)
        add((done.kind, done.column), sentences, repair=other_repairs)
    for name, repair in options.repair.items():
        if repair.within_person is not None:
            repairs = dict(options.repair)
            kept = repair.model_copy(update={"within_person": None})
            repairs[name] = kept
            if not kept.in_reading:
                del repairs[name]
            text = _("{column}: all rows of a person now have the same value.", column=Name(name))
            add(("within_person", name), text, repair=repairs)
    for index, section in enumerate(options.leave_out):
        other_sections = options.leave_out[:index] + options.leave_out[index + 1 :]
        first = str(row_spans(section.rows)[0][0]) if section.rows else str(section.found)
        add(("rows", first), _describe_left_out_rows(section.rows), leave_out=other_sections)
    for index, row in enumerate(options.people):
        other_rows = options.people[:index] + options.people[index + 1 :]
        text = _("You said that row {row} is a person.", row=Term(str(row)))
        add(("rows", str(row_spans([row])[0][0])), text, people=other_rows)
    return tuple(lines)


def _describe_left_out_rows(rows: Sequence[int | str] | None) -> str:
    """Return a sentence such as "Rows 12 and 40–57 are left out."; None or an empty list means all rows of a kind."""
    from ppdm_desktop.engine.recipe.models import row_spans

    if not rows:
        return _("All rows of this kind are left out.")
    spans = [f"{first}–{last}" if last > first else str(first) for first, last in row_spans(rows)]
    number = sum(last - first + 1 for first, last in row_spans(rows))
    return _("{n:Row|Rows} {rows} {n:is|are} left out.", n=number, rows=Terms(tuple(spans)))


def list_open_questions(session: Session) -> tuple[Question, ...]:
    """Return the questions on how to read the file that the user has not settled; empty without a file.

    Last comes the question whether columns stand for people, if they may; after a yes it stays, with the request to
    turn (transpose) the table. Questions on rows (``count_unanswered_rows``) and on who is a person
    (``person_question``) are not among them.
    """
    if session.reading is None:
        return ()
    every_question = list_reading_questions(session.reading, session.decisions.recipe.columns)
    open_questions = [question for question in every_question if (question.key, question.column) not in session.settled]
    return (*open_questions, *_people_question(session.reading, session.decisions.recipe.input))


def person_question(session: Session) -> Question | None:
    """Return the question whether each row is another person; None without a file, or once answered or settled.

    It is answered if the recipe says that each row is a person, which columns identify people, or that rows are groups.
    If a column looks like an id of people, it is offered as an answer.
    """
    if session.reading is None or ("person", "") in session.settled:
        return None
    input_section = session.decisions.recipe.input
    if input_section.one_row_per_person or input_section.person or input_section.rows == "groups":
        return None
    text = _("Is each row another person? If a person may have several rows, groups look too large.")
    yes, no = _("Yes, each is a person"), _("No, or not known")
    likely = [name for name in session.reading.table.names if session.facts[name].person]
    if not likely:
        return Question("person", "", text, (("yes", yes), ("no", no)))
    column = _("No, {column} shows whose row it is", column=Name(likely[0]))
    return Question("person", likely[0], text, (("yes", yes), ("column", column), ("no", no)))


def count_unanswered_rows(session: Session) -> int:
    """Return the number of rows that look like totals or repeated headings and wait for the user's answer."""
    rows_to_answer = session.reading.account.rows_to_answer if session.reading is not None else ()
    return sum(len(row.rows) for row in rows_to_answer if row.must_be_answered)


def _describe_number_columns(reading: Reading) -> str:
    """Return a sentence on how many columns were read as numbers, and that all others keep their exact text."""
    columns = reading.table.columns
    return _(
        "{n} of {every} {every:column was|columns were} read as numbers. Other columns keep their exact text.",
        n=sum(column.kind == "numeric" for column in columns),
        every=len(columns),
    )


def report_lines(reading: Reading) -> list[ReportLine]:
    """Return the lines of the report "What was read", each with its severity.

    In this order: rows and columns read; rows that the user left out; rows that could not be read, at most 500 of them
    (``MOST_UNREAD``) with the reason; how many columns are numbers; texts that may mean "missing"; other warnings.
    """
    account, lines = reading.account, list[ReportLine]()

    def add(severity: str, text: str) -> None:
        """Add a line to the report."""
        lines.append(ReportLine(severity, text))

    text = _(
        "{rows} {rows:row|rows} and {columns} {columns:column|columns} were read.",
        rows=account.rows_read,
        columns=account.columns_read,
    )
    add("passed", text)
    unread = account.rows_unread
    if left := account.rows_left_out:
        rows = Terms(tuple(str(row.row) for row in left))
        add("note", _("{n:Row|Rows} {rows} {n:is|are} left out.", n=len(left), rows=rows))
    if unread:
        add("amber", _("{n} {n:row|rows} could not be read and {n:is|are} not in the table:", n=len(unread)))
    for row in unread[:MOST_UNREAD]:
        add("amber", _("{name}: {value}", name=row.location, value=Term(account.reason(row))))
    if len(unread) > MOST_UNREAD:
        add("amber", _("… and {n} more. The report lists all of them.", n=len(unread) - MOST_UNREAD))
    add("note", _describe_number_columns(reading))
    for suggestion in account.suggested_missing:
        text = _(
            "{n} {n:cell contains|cells contain} {mark} (in {columns}). {n:It counts|They count} as a value until you "
            "say that {mark} means “missing”.",
            n=suggestion.cells,
            mark=Name(suggestion.mark),
            columns=Names.of(suggestion.columns),
        )
        add("amber", text)
    for remark in account.warnings:
        said = render(remark.id, remark.arguments)
        add("amber" if said.window else "note", " ".join(filter(None, (said.sentence, said.window))))
    return lines


def list_reading_questions(reading: Reading, sections: dict[str, ColumnSection]) -> list[Question]:
    """Return all questions that the reading of a file raises, also those that the user has settled.

    They concern a column's date format, the decimal mark, the row of headings, columns that can be read in two ways,
    and the sheet. Those on date format, decimal mark and two ways disappear once the recipe decides them; those on
    headings and sheet are asked again. The caller removes what was settled. The result is empty if nothing is doubtful.

    Parameters
    ----------
    reading
        The file as read with the recipe's options.
    sections
        The recipe's entries by column; a column with a date format there has no question about it.
    """
    asked: list[Question] = []
    for remark in reading.account.warnings:
        columns = remark.arguments.get("columns")
        if remark.id == "warning.read.date-order" and isinstance(columns, Names):
            for name in columns.texts:
                section = sections.get(name)
                if section is None or section.format is None:
                    asked += _date_question(reading, name)
        elif remark.id == "warning.read.decimal-ambiguous":
            asked += _decimal_question(reading)
        elif remark.id == "reason.header.unsure":
            row = str(remark.arguments["row"])
            choices = ((row, _("It contains the column names")), ("0", _("It is a data row")))
            asked.append(Question("header_row", "", render(remark.id, remark.arguments).sentence, choices))
    asked += [_reading_question(rereading) for rereading in reading.account.read_twice]
    rivals = [remark for remark in reading.account.warnings if remark.id == "warning.read.sheet-rival"]
    if rivals:
        sheets = [str(rivals[0].arguments["taken"]), *(str(remark.arguments["sheet"]) for remark in rivals)]
        text = " ".join(render(remark.id, remark.arguments).sentence for remark in rivals)
        asked.append(Question("sheet", "", text, tuple((name, name) for name in sheets)))
    return asked


def _people_question(reading: Reading, options: InputSection) -> tuple[Question, ...]:
    """Return the question whether columns stand for people, as a tuple of none or one.

    It is asked if number columns look like people. After a yes its text is the request to turn (transpose) the table;
    after a no the tuple is empty.
    """
    from ppdm_desktop.engine.table.people_as_columns import columns_like_people

    if options.columns_are_people is False:
        return ()
    columns = columns_like_people(reading.table, reading.table.names)
    if not columns and not options.columns_are_people:
        return ()
    text = _(
        "{n} columns of numbers beside dates have headers without a common word: {columns}. Do the columns stand "
        "for people?",
        n=len(columns),
        columns=Names.of(columns),
    )
    choices: tuple[tuple[str, str], ...] = (("no", _("No, each is a measurement")),)
    if options.columns_are_people:
        text = _("The columns stand for people. Turn the table first, so that each person has a row.")
    else:
        choices += (("yes", _("Yes, each is a person")),)
    return (Question("columns_are_people", "", text, choices),)


def unanswered_readings(session: Session) -> tuple[str, ...]:
    """Return the names of the columns with two possible readings of which the user has chosen none."""
    read_twice = session.reading.account.read_twice if session.reading is not None else ()
    return tuple(reading.column for reading in read_twice)


def _reading_question(read_twice: ReadTwice) -> Question:
    """Return the question which of two readings of a column is right, with the cell of one row as example."""
    label = _(
        "Column {column}, row {row:place}: what does the spreadsheet program show there? This concerns {n} "
        "{n:cell|cells}.",
        column=Name(read_twice.column),
        row=read_twice.row,
        n=read_twice.cells,
    )
    readings = (("first", read_twice.first), ("second", read_twice.second))
    choices = tuple((value, text or _("nothing: an empty cell")) for value, text in readings)
    return Question("readings", read_twice.column, label, choices)


def _date_question(reading: Reading, name: str) -> list[Question]:
    """Return the question whether day or month comes first in a column's dates, as a list of none or one.

    Its example is the first date that can be read in both ways, such as 3/4/2020; without one the list is empty. The
    answers are formats such as ``%d/%m/%Y``.
    """
    from ppdm_desktop.engine.table.kinds import present_texts

    column = reading.table.column(name)
    example = next((text for text in present_texts(column) if _is_ambiguous_date(text)), "")
    mark = next((sign for sign in "/-." if sign in example), "")
    if not mark:
        return []
    time = "" if " " not in example else " %H:%M:%S" if example.count(":") > 1 else " %H:%M"
    first, second = example.split(mark)[:2]
    months = locale_of(language()).months
    choices = (
        (f"%d{mark}%m{mark}%Y{time}", _format_day_of_month(int(first), months[int(second) - 1])),
        (f"%m{mark}%d{mark}%Y{time}", _format_day_of_month(int(second), months[int(first) - 1])),
    )
    label = _("Column {column}: which day is {example}?", column=Name(name), example=Name(example))
    return [Question("date", name, label, choices)]


def _format_day_of_month(day: int, month: str) -> str:
    """Return a day of a month as words, such as "3rd March"."""
    return _("{day:place} {month}", day=day, month=Term(month))


def _is_ambiguous_date(text: str) -> bool:
    """Return whether a date such as 3/4/2020 or 3-4-2020 gives another day if the month is read first.

    Its parts are separated by "/" or "-". False for 13/4/2020 (no month 13), for 3/3/2020 (the same day) and for other
    texts.
    """
    for mark in "/-":
        parts = text.split(mark)
        if len(parts) >= 3 and parts[0].isdecimal() and parts[1].isdecimal():
            return parts[0] != parts[1] and int(parts[0]) <= 12 and int(parts[1]) <= 12
    return False


def _decimal_question(reading: Reading) -> list[Question]:
    """Return the question which decimal mark the file has, as a list of none or one.

    It is asked about the first number column whose values have three decimals: "1,234" may mean 1.234 or 1234.
    """
    from ppdm_desktop.engine.table.kinds import present_texts

    mark = reading.account.decimal
    other_mark = "," if mark == "." else "."
    for column in reading.table.columns:
        if column.kind == "numeric" and column.style is not None and column.style.decimals == 3:
            example = next((text for text in present_texts(column) if mark in text), "")
            if example:
                low, high = example.split(mark)[0], _find_next_whole_number(example, mark)
                whole = int(example.replace(mark, ""))
                choices = (
                    (mark, _("between {low} and {high}", low=Term(low), high=Term(high))),
                    (other_mark, _("{n} (the mark separates thousands)", n=whole)),
                )
                label = _(
                    "Column {column}: which number is {example}?", column=Name(column.name), example=Name(example)
                )
                return [Question("decimal", column.name, label, choices)]
    return []


def _find_next_whole_number(text: str, mark: str) -> str:
    """Return the whole number after the integer part of a number, away from zero: "4" for "3.5", "-4" for "-3.5"."""
    whole = int(text.split(mark)[0])
    return str(whole - 1 if text.startswith("-") else whole + 1)


def encoding_choices(current: str | None) -> list[tuple[str, str]]:
    """Return (value, label) of the usual encodings; if ``current`` is another one, it comes first."""
    usual = [
        ("utf-8", "UTF-8"),
        ("cp1252", _("Western Windows (cp1252)")),
        ("cp1250", _("Central European Windows (cp1250)")),
        ("cp1251", _("Cyrillic Windows (cp1251)")),
        ("cp1253", _("Greek Windows (cp1253)")),
        ("cp1254", _("Turkish Windows (cp1254)")),
        ("iso-8859-15", _("Western, older (ISO 8859-15)")),
        ("cp437", _("DOS (cp437)")),
        ("utf-16", "UTF-16"),
        ("cp932", _("Japanese (cp932)")),
        ("gb18030", _("Chinese (GB 18030)")),
    ]
    if current is not None and all(current != key for key, _ in usual):
        usual.insert(0, (current, current))
    return usual


def delimiter_choices(current: str | None, account: ImportLog | None = None) -> list[tuple[str, str]]:
    """Return (value, label) of the usual delimiters, with "" for a file of one column.

    ``current`` and a sign proposed in the reading's log ``account`` come first if they are not among the usual ones.
    """
    usual = [
        (",", _("Comma (,)")),
        (";", _("Semicolon (;)")),
        ("\t", _("Tab")),
        ("|", _("Vertical bar (|)")),
        (" ", _("Space")),
        ("", _("Nothing (one column)")),
    ]
    notes = account.warnings if account is not None else ()
    proposed = [str(note.arguments["sign"]) for note in notes if note.id == "warning.read.one-column"]
    for sign in ([] if current is None else [current]) + proposed:
        if all(sign != key for key, _ in usual):
            usual.insert(0, (sign, sign))
    return usual
