"""The printable guide: eight chapters made from the help topics, the glossary, the tour, and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import zip_longest

from PySide6.QtGui import QImage

from delivery.booklet import Chapter, write_booklet
from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.report.setting_texts import format_value
from ppdm_desktop.engine.wording.catalogue import _, language, list_languages
from ppdm_desktop.engine.wording.help import PARTS, kind_of, topic_of
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.state.help_topics import Topic, find_topic, fold_words, glossary_rows, part_titles, topic_ids
from ppdm_desktop.ui.state.session import STEPS
from ppdm_desktop.ui.state.tour import STOPS

_WIDE, _STOP_WIDE = 60, 48  # per cent of the width


@dataclass(frozen=True)
class Shown:
    """What the guide shows of the running program.

    Attributes
    ----------
    version
        Version of the program in the pictures.
    said
        Text of each stop of the tour, by its id.
    pictures
        By name: ``stop.<id>``, ``page.<step>``, ``attacks``, ``gate``, ``record``, ``help`` and ``console``.
    commands
        Name and help of each command of the command line.
    """

    version: str
    said: Mapping[str, str]
    pictures: Mapping[str, QImage]
    commands: Sequence[tuple[str, str]]


def guide_title(version: str) -> str:
    """Return the title of the guide for a version."""
    return _("PPDM Desktop {version}: guide", version=Term(version))


def write_guide(settings: Shown) -> bytes:
    """Return the guide as a PDF, in the present language.

    Raises
    ------
    KeyError
        When a picture or a stop is missing.
    """
    under = _(
        "How to release a spreadsheet without exposing anyone in it. All pictures and figures show version {version} "
        "with fictional people.",
        version=Term(settings.version),
    )
    if not list_languages()[language()].reviewed:
        checked = _("This translation has not yet been checked by a data protection expert.")
        under = f"{under} {checked}"
    contents = _("Contents")
    chapters = guide_chapters(settings)
    used = set(re.findall(r'src="picture:([^"]+)"', "".join(chapter.body for chapter in chapters)))
    pictures = {name: settings.pictures[name] for name in sorted(used)}
    return write_booklet(guide_title(settings.version), under, contents, language(), chapters, pictures)


def guide_chapters(settings: Shown) -> list[Chapter]:
    """Return the eight chapters of the guide."""
    figures = _topics_html("figure", PARTS)
    checks = "".join(_check(find_topic(id)) for id in topic_ids() if kind_of(id) == "check")
    return [
        Chapter(_("1  Ten minutes with the sample"), _tour_chapter(settings)),
        Chapter(_("2  The seven steps"), _pages_chapter()),
        Chapter(_("3  Methods"), _methods_chapter()),
        Chapter(
            _("4  Figures and checks"),
            f"<h2>{_('Figures')}</h2>{_picture_html('stop.risk')}{figures}"
            f"<h2>{_('Checks before a release')}</h2>{_picture_html('gate')}{checks}",
        ),
        Chapter(_("5  Attacks"), f"{_picture_html('attacks')}{_topics_html('attack', PARTS)}"),
        Chapter(
            _("6  For the data protection officer"), f"{_picture_html('record')}{_all_parts_html('guide.officer')}"
        ),
        Chapter(_("7  Glossary"), f"{_picture_html('help')}{_glossary_chapter()}"),
        Chapter(_("8  Command line and settings"), _command_line_chapter(settings)),
    ]


# --- chapters -----------------------------------------------------------------------------------


def _tour_chapter(settings: Shown) -> str:
    """Return the HTML of the guided tour: a picture and its explanation for each stop."""
    intro = _("This is the guided tour of the Welcome page on paper. The figures were measured on the sample.")
    parts = [f"<p>{escape(intro)}</p>"]
    for number, stop in enumerate(STOPS, start=1):
        picture = f'<img src="picture:stop.{stop.id}" width="{_STOP_WIDE}">'
        said = f'<p style="font-size:13px">{escape(settings.said[stop.id])}</p>'
        parts.append(f"<h3>{number}. {escape(_title_of(stop.page))}</h3>")
        parts.append(f'<table><tr><td width="{_STOP_WIDE + 1}%">{picture}</td><td>{said}</td></tr></table>')
    return "".join(parts)


def _title_of(page: str) -> str:
    """Return the title of the help topic on a page."""
    return find_topic(topic_of("page", page)).title


def _pages_chapter() -> str:
    """Return the HTML of the chapter on the pages of the window."""
    return "".join(
        f"<h2>{escape(_title_of(page))}</h2>{_picture_html(topic_of('page', page))}"
        f"{_all_parts_html(topic_of('page', page))}"
        for page in ("welcome", *STEPS)
    )


def _methods_chapter() -> str:
    """Return the HTML of the chapter on all methods."""
    return _picture_html("stop.method") + "".join(_method(id) for id in topic_ids() if kind_of(id) == "method")


def _method(id: str) -> str:
    """Return the HTML on a method: its promises and limits as lists, its settings as a table."""
    topic, method = find_topic(id), all_methods()[id.partition(".")[2]]
    promises, limits = ("\n".join(f"- {sentence}" for sentence in said) for said in (method.promises, method.limits))
    head = (_("Setting"), _("What it does"), _("Default"))
    rows = [
        (
            str(parameter.label_text),
            " ".join(str(text) for text in (parameter.help, parameter.effect) if text is not None),
            format_value(parameter, parameter.default) or "–",
        )
        for parameter in method.parameters
    ]
    return (
        f"<h3>{escape(topic.title)}</h3>{html_of(topic.parts['what'])}"
        f"{html_of(promises, _('Promises'))}{html_of(limits, _('What it does not do'))}"
        f"{_table_html(head, rows) if rows else ''}{html_of(topic.parts['exact'], part_titles()['exact'], small=True)}"
    )


def _topics_html(kind: str, parts: Iterable[str]) -> str:
    """Return the HTML of all topics of one kind, with some of their parts."""
    wanted = tuple(parts)
    return "".join(_topic_html(find_topic(id), wanted) for id in topic_ids() if kind_of(id) == kind)


def _topic_html(topic: Topic, parts: Iterable[str]) -> str:
    """Return the HTML of a topic: its title, then some of its parts."""
    return f"<h3>{escape(topic.title)}</h3>{_parts_html(topic, parts)}"


def _check(topic: Topic) -> str:
    """Return the HTML on a check without the explanation of its states, which is the same for all checks."""
    said = " ".join(topic.parts[name] for name in ("what", "bad"))
    exact = html_of(topic.parts["exact"], part_titles()["exact"], small=True)
    return f"<h3>{escape(topic.title)}</h3>{html_of(said)}{exact}"


def _all_parts_html(id: str) -> str:
    """Return the HTML of all parts of a topic."""
    return _parts_html(find_topic(id), PARTS)


def _parts_html(topic: Topic, parts: Iterable[str]) -> str:
    """Return the HTML of some parts of a topic, each under its heading; parts without text are left out."""
    headings = part_titles()
    said = []
    for name in parts:
        text = topic.parts.get(name, "")
        if text:
            # What it is stands first and needs no heading.
            said.append(html_of(text, "" if name == "what" else headings[name], small=name == "exact"))
    return "".join(said)


def _glossary_chapter() -> str:
    """Return the HTML of the glossary in both directions."""
    rows = glossary_rows()
    mine = _("This program says")
    exact = _("Exact term")
    forth = sorted(set(rows), key=_by_letters)
    back = sorted({(expert, officer) for officer, expert in rows}, key=_by_letters)
    first = _("From this program’s words to exact terms")
    second = _("From exact terms to this program’s words")
    return (
        f"<h2>{escape(first)}</h2>{_table_html((mine, exact) * 2, _in_two(forth))}"
        f"<h2>{escape(second)}</h2>{_table_html((exact, mine) * 2, _in_two(back))}"
    )


def _by_letters(row: tuple[str, str]) -> tuple[str, ...]:
    """Return the key that sorts a glossary entry by its letters, without accents and case."""
    return (*fold_words(row[0]), *row)


def _in_two(rows: Sequence[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Return table rows arranged in two columns, to be read down the first and then down the second."""
    half = (len(rows) + 1) // 2
    return [(*left, *right) for left, right in zip_longest(rows[:half], rows[half:], fillvalue=("", ""))]


def _command_line_chapter(example: Shown) -> str:
    """Return the HTML of the chapter on the command line."""
    settings = _("Settings")
    head = (_("Command"), _("What it does"))
    return (
        f"<h2>{escape(find_topic('guide.command-line').title)}</h2>{_all_parts_html('guide.command-line')}"
        f"{_table_html(head, example.commands)}{_picture_html('console')}"
        f"<h2>{escape(settings)}</h2>{_topics_html('setting', PARTS)}"
        f"<h2>{escape(find_topic('guide.delivery').title)}</h2>{_all_parts_html('guide.delivery')}"
    )


def _table_html(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return an HTML table with a head."""
    top = "".join(f"<th>{escape(heading)}</th>" for heading in head)
    lines = "".join(f"<tr>{''.join(f'<td>{escape(each)}</td>' for each in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>"


def _picture_html(name: str) -> str:
    """Return the HTML of a picture by its name."""
    return f'<p><img src="picture:{name}" width="{_WIDE}"></p>'


# --- a topic's Markdown ---------------------------------------------------------------------------


def html_of(text: str, heading: str = "", *, small: bool = False) -> str:
    """Return the Markdown of a topic as HTML: headings, lists, paragraphs, bold and code.

    Parameters
    ----------
    heading
        Put in front of the first paragraph, or above a list.
    small
        Use small letters.
    """
    lead_words = escape(heading)
    lead = f"<b>{lead_words}:</b> " if heading else ""
    level, css = ("h5", ' class="term"') if small else ("h4", "")
    out: list[str] = []
    items: list[str] = []

    def close() -> None:
        if items:
            out.append(f"<ul>{''.join(items)}</ul>")
            items.clear()

    for line in filter(None, map(str.strip, text.splitlines())):
        item = re.match(r"(?:-|\d+\.) +(.*)", line)
        if lead and (item or line.startswith("###")):
            out.append(f"<{level}>{lead_words}:</{level}>")
            lead = ""
        if item:
            items.append(f"<li{css}>{_inline(item[1])}</li>")
            continue
        close()
        if line.startswith("### "):
            out.append(f"<h4>{_inline(line.removeprefix('### '))}</h4>")
        else:
            out.append(f"<p{css}>{lead}{_inline(line)}</p>")
            lead = ""
    close()
    return "".join(out)


def _inline(text: str) -> str:
    """Return text as HTML, with code in backquotes and bold text in double asterisks."""
    said = escape(text, quote=False)
    said = re.sub(r"`([^`]+)`", r"<code>\1</code>", said)
    return re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", said)
