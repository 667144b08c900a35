"""What was read, as lines of (severity, sentence), and what only a person can decide (no widget here)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QLocale

from ppdm_desktop.engine.recipe.models import ColumnSection, InputSection, row_spans
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.table.reading.import_log import ImportLog
from ppdm_desktop.engine.texts import render
from ppdm_desktop.ui.state.number_words import count
from ppdm_desktop.ui.state.session import Session

MOST_UNREAD = 500
MOST_NAMED = 20


def _tr(text: str) -> str:
    return QCoreApplication.translate("ReportLines", text)


def rows_words(number: int) -> str:
    """Write a number of rows."""
    return _tr("1 row") if number == 1 else _tr("{n} rows").format(n=count(number))


def columns_words(number: int) -> str:
    """Write a number of columns."""
    return _tr("1 column") if number == 1 else _tr("{n} columns").format(n=count(number))


@dataclass(frozen=True)
class ReportLine:
    """One line of "What was read"."""

    severity: str
    words: str


@dataclass(frozen=True)
class Question:
    """A doubt with two readings of one example; a click decides.

    Attributes
    ----------
    key
        ``date`` (a column's format), ``decimal`` (the file's mark), ``header_row`` or ``sheet``.
    column
        The column it is about, or "".
    choices
        (value, words) of each reading, the one in force first.
    """

    key: str
    column: str
    words: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Applied:
    """A correction that is in force, what it is about (as ``Proposal.about``), and the reading options without it."""

    about: tuple[str, str]
    words: str
    without: InputSection


def applied_repairs(reading: Reading, options: InputSection) -> tuple[Applied, ...]:
    """Return the corrections that the reading options hold."""
    found = []
    for done in reading.account.repairs:
        others = {name: section for name, section in options.repair.items() if name != done.column}
        if len(others) == len(options.repair):
            continue  # taken back, and not read again yet
        words = {
            "amounts": _tr("{column}: {n} cells were rewritten as amounts."),
            "dates": _tr("{column}: {n} cells were rewritten as dates."),
            "words": _tr("{column}: {n} cells have another word."),
            "missing": _tr("{column}: texts that mean missing were named for this column."),
        }[done.kind].format(column=done.column, n=count(done.cells))
        if done.unread:
            words += " " + _tr("Not read: {n}.").format(n=count(done.unread))
        found.append(Applied((done.kind, done.column), words, options.model_copy(update={"repair": others})))
    for name, repair in options.repair.items():
        if repair.within_person is not None:
            repairs = dict(options.repair)
            kept = repair.model_copy(update={"within_person": None})
            repairs[name] = kept
            if not kept.in_reading:
                del repairs[name]
            said = _tr("{column}: the first value of each person holds in all their rows.")
            if repair.within_person == "most-frequent":
                said = _tr("{column}: the commonest value of each person holds in all their rows.")
            about = ("within_person", name)
            found.append(Applied(about, said.format(column=name), options.model_copy(update={"repair": repairs})))
    for place, section in enumerate(options.leave_out):
        left = options.model_copy(update={"leave_out": options.leave_out[:place] + options.leave_out[place + 1 :]})
        first = str(row_spans(section.rows)[0][0]) if section.rows else str(section.found)
        found.append(Applied(("rows", first), _left_out_words(section.rows), left))
    for place, row in enumerate(options.people):
        left = options.model_copy(update={"people": options.people[:place] + options.people[place + 1 :]})
        found.append(
            Applied(("rows", str(row_spans([row])[0][0])), _tr("Row {row} is a person.").format(row=row), left)
        )
    return tuple(found)


def _left_out_words(rows: Sequence[int | str] | None) -> str:
    if not rows:
        return _tr("Left out: whatever is found of this kind.")
    one = len(rows) == 1 and str(rows[0]).isdigit()
    words = _tr("Left out: row {rows}.") if one else _tr("Left out: rows {rows}.")
    return words.format(rows=", ".join(map(str, rows)))


def unanswered(session: Session) -> tuple[Question, ...]:
    """Return the doubts that nobody settled yet; rows that may be no people are told apart (`unanswered_rows`)."""
    if session.reading is None:
        return ()
    found = questions(session.reading, session.decisions.recipe.columns)
    return tuple(each for each in found if (each.key, each.column) not in session.settled)


def unanswered_rows(session: Session) -> int:
    """Return how many rows look like sums or repeated names, and nobody said what they are."""
    found = session.reading.account.rows_to_answer if session.reading is not None else ()
    return sum(len(each.rows) for each in found if each.must_be_answered)


def report_lines(reading: Reading) -> list[ReportLine]:
    """Return what was read, what was not, and what the owner must know."""
    account = reading.account
    lines = [
        ReportLine(
            "passed",
            _tr("{rows} and {columns} were read.").format(
                rows=rows_words(account.rows_read), columns=columns_words(account.columns_read)
            ),
        )
    ]
    unread = account.rows_unread
    left = account.rows_left_out
    if left:
        rows = ", ".join(str(each.row) for each in left[:MOST_NAMED]) + (" …" if len(left) > MOST_NAMED else "")
        lines.append(ReportLine("note", _tr("Left out, as you said: rows {rows}.").format(rows=rows)))
    if not unread:
        lines.append(ReportLine("passed", _tr("Every row was read.") if left else _tr("No row was left out.")))
    else:
        words = _tr("Could not be read, and not in the table: {rows}.").format(rows=rows_words(len(unread)))
        lines.append(ReportLine("amber", words))
        for row in unread[:MOST_UNREAD]:
            place = render(row.place.id, row.place.arguments).sentence
            lines.append(ReportLine("amber", f"{place[:1].upper()}{place[1:]}: {account.reason(row)}"))
        if len(unread) > MOST_UNREAD:
            words = _tr("… and {n} more; the report lists them all.").format(n=count(len(unread) - MOST_UNREAD))
            lines.append(ReportLine("amber", words))
    numeric = sum(column.kind == "numeric" for column in reading.table.columns)
    words = _tr("Columns read as numbers: {n}; nothing was rounded. All others stay as they are written.")
    lines.append(ReportLine("note", words.format(n=count(numeric))))
    for each in account.suggested_missing:
        words = (
            _tr("{n} cell holds “{mark}” (in {columns}). It counts as a value until you say it means missing.")
            if each.cells == 1
            else _tr("{n} cells hold “{mark}” (in {columns}). They count as values until you say they mean missing.")
        )
        lines.append(ReportLine("amber", words.format(n=count(each.cells), mark=each.mark, columns=_few(each.columns))))
    for remark in account.warnings:
        text = render(remark.id, remark.arguments)
        lines.append(
            ReportLine("amber" if text.window else "note", " ".join(filter(None, (text.sentence, text.window))))
        )
    return lines


def _few(names: tuple[str, ...]) -> str:
    return ", ".join(names[:4]) + (" …" if len(names) > 4 else "")


def questions(reading: Reading, sections: dict[str, ColumnSection]) -> list[Question]:
    """Return the doubts that nobody settled yet."""
    found: list[Question] = []
    for remark in reading.account.warnings:
        if remark.id == "warning.read.date-order":
            name = str(remark.arguments["column"])
            section = sections.get(name)
            if section is None or section.format is None:
                found += _date_question(reading, name)
        elif remark.id == "warning.read.decimal-ambiguous":
            found += _decimal_question(reading)
        elif remark.id == "reason.header.unsure":
            row = str(remark.arguments["row"])
            choices = ((row, _tr("It holds the names")), ("0", _tr("It is a record")))
            found.append(Question("header_row", "", render(remark.id, remark.arguments).sentence, choices))
    rivals = [remark for remark in reading.account.warnings if remark.id == "warning.read.sheet-rival"]
    if rivals:
        sheets = [str(rivals[0].arguments["taken"]), *(str(remark.arguments["sheet"]) for remark in rivals)]
        words = " ".join(render(remark.id, remark.arguments).sentence for remark in rivals)
        found.append(Question("sheet", "", words, tuple((name, name) for name in sheets)))
    return found


def _date_question(reading: Reading, name: str) -> list[Question]:
    column = reading.table.column(name)
    example = next((text for text in present_texts(column) if _day_and_month(text)), "")
    mark = next((sign for sign in "/-." if sign in example), "")
    if not mark:
        return []
    time = "" if " " not in example else " %H:%M:%S" if example.count(":") > 1 else " %H:%M"
    first, second = example.split(mark)[:2]
    months = [QLocale().monthName(int(part)) for part in (second, first)]
    choices = (
        (f"%d{mark}%m{mark}%Y{time}", f"{int(first)} {months[0]}"),
        (f"%m{mark}%d{mark}%Y{time}", f"{int(second)} {months[1]}"),
    )
    words = _tr("Column {column}: which day is {example}?").format(column=name, example=example)
    return [Question("date", name, words, choices)]


def _day_and_month(text: str) -> bool:
    """Say whether a text is a good example: both readings exist and differ."""
    for mark in "/-":
        parts = text.split(mark)
        if len(parts) >= 3 and parts[0].isdigit() and parts[1].isdigit():
            return parts[0] != parts[1] and int(parts[0]) <= 12 and int(parts[1]) <= 12
    return False


def _decimal_question(reading: Reading) -> list[Question]:
    mark = reading.account.decimal
    other = "," if mark == "." else "."
    for column in reading.table.columns:
        if column.kind == "numeric" and column.style is not None and column.style.decimals == 3:
            example = next((text for text in present_texts(column) if mark in text), "")
            if example:
                whole = QLocale().toString(int(example.replace(mark, "")))
                choices = (
                    (mark, _tr("between {a} and {b}").format(a=example.split(mark)[0], b=_next(example, mark))),
                    (other, _tr("{n} (the mark groups thousands)").format(n=whole)),
                )
                words = _tr("Column {column}: how much is {example}?").format(column=column.name, example=example)
                return [Question("decimal", column.name, words, choices)]
    return []


def _next(text: str, mark: str) -> str:
    whole = int(text.split(mark)[0])
    return str(whole - 1 if text.startswith("-") else whole + 1)


def hints(reading: Reading) -> dict[str, str]:
    """Return for each reading option why it is as it is."""
    account = reading.account
    said = {remark.id: remark.arguments for remark in account.warnings}
    decimals = any(
        column.style is not None and column.style.decimals > 0
        for column in reading.table.columns
        if column.kind == "numeric"
    )
    header = _tr("The column names stand here.")
    if account.header_row == 0:
        header = _tr("The columns are called Column 1, Column 2 and so on.")
    elif "warning.read.header-merged" in said:
        header = _tr("The names stand in several rows; they were joined.")
    elif "warning.read.header-holds-values" in said:
        header = _tr("Holds numbers or dates: is it a row of data?")
    elif account.header_row > 1:
        header = _tr("What stands above it is not read.")
    return {
        "sheet": (
            _tr("{n} sheets; one is read.").format(n=len(account.sheets))
            if len(account.sheets) > 1
            else _tr("The only sheet.")
        ),
        "encoding": _tr("Look at words with accents.")
        if "warning.read.encoding-guessed" in said
        else _tr("Every byte fits."),
        "delimiter": _tr("Gives {n} columns.").format(n=count(account.columns_read)),
        "decimal": _tr("Check a number you know.") if decimals else _tr("No decimals seen; the choice has no effect."),
        "header_row": header,
        "missing": missing_hint(reading),
    }


def missing_hint(reading: Reading) -> str:
    """Say which texts may mean "missing"."""
    found = reading.account.suggested_missing
    if not found:
        return _tr("Empty cells always count as missing.")
    first = found[0]
    places = _tr("1 column") if len(first.columns) == 1 else _tr("{n} columns").format(n=len(first.columns))
    times = _tr("once") if first.cells == 1 else _tr("{n} times").format(n=count(first.cells))
    return _tr("“{mark}” stands {times} in {places}. You decide.").format(mark=first.mark, times=times, places=places)


def size_words(size: int) -> str:
    """Write a file's size."""
    return QLocale().formattedDataSize(size)


def encoding_choices(current: str | None) -> list[tuple[str, str]]:
    """Return the usual encodings and the one in use."""
    usual = [
        ("utf-8", "UTF-8"),
        ("cp1252", _tr("Western Windows (cp1252)")),
        ("cp1250", _tr("Central European Windows (cp1250)")),
        ("cp1251", _tr("Cyrillic Windows (cp1251)")),
        ("cp1253", _tr("Greek Windows (cp1253)")),
        ("cp1254", _tr("Turkish Windows (cp1254)")),
        ("iso-8859-15", _tr("Western, older (ISO 8859-15)")),
        ("cp437", _tr("DOS (cp437)")),
        ("utf-16", "UTF-16"),
        ("cp932", _tr("Japanese (cp932)")),
        ("gb18030", _tr("Chinese (GB 18030)")),
    ]
    if current is not None and all(current != key for key, _ in usual):
        usual.insert(0, (current, current))
    return usual


def delimiter_choices(current: str | None, account: ImportLog | None = None) -> list[tuple[str, str]]:
    """Return the usual delimiters, the one in use, and one that the reading proposes."""
    usual = [
        (",", _tr("Comma ,")),
        (";", _tr("Semicolon ;")),
        ("\t", _tr("Tab")),
        ("|", _tr("Bar |")),
        (" ", _tr("Blank")),
        ("", _tr("Nothing: one column")),
    ]
    notes = account.warnings if account is not None else ()
    proposed = [str(note.arguments["sign"]) for note in notes if note.id == "warning.read.one-column"]
    for sign in ([] if current is None else [current]) + proposed:
        if all(sign != key for key, _ in usual):
            usual.insert(0, (sign, sign))
    return usual
