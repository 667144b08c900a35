"""Convert an HTML page of the engine into HTML that Qt's text engine can lay out, with charts taken out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

CHART = "chart:"
_LONG = re.compile(r"[^\s-]{25,}")
_PIECE = 12
_SECTION = re.compile(r"(?=<h[23]\b)")
_DROPPED = frozenset({"html", "head", "meta", "body", "header", "main", "time", "data"})
"""Tags that are removed, with their content kept, because Qt does not know them or they have no effect."""
_HIDDEN = frozenset({"style", "title"})
_AS = {
    "dl": ('<table class="facts" width="100%" cellspacing="0">', "</table>"),
    "dt": ("<tr><th>", "</th>"),
    "dd": ("<td>", "</td></tr>"),
    "figure": ("<div>", "</div>"),
    "figcaption": ('<p class="caption">', "</p>"),
}


def _add_line_breaks(hit: re.Match[str]) -> str:
    """Return the matched word with an invisible optional line break after each twelve letters.

    With them a table with long names fits on the page.
    """
    word = hit[0]
    return "\u200b".join(word[index : index + _PIECE] for index in range(0, len(word), _PIECE))


@dataclass
class PaperPage:
    """An HTML page of the engine, prepared for layout by Qt.

    Attributes
    ----------
    sections
        HTML that Qt knows, cut before each ``h2`` and ``h3``; a chart is an image named ``chart:N``.
    charts
        The charts as SVG documents, in order.
    title
        Title of the document.
    language
        Language code of the document.
    named
        Content of the page's ``meta`` elements by name: ``created`` (UTC, ISO 8601) and ``most-pages``, the largest
        number of pages, if there is one.
    """

    sections: list[str] = field(default_factory=list)
    charts: list[str] = field(default_factory=list)
    title: str = ""
    language: str = ""
    named: dict[str, str] = field(default_factory=dict)


def paper_page(html: str) -> PaperPage:
    """Return an HTML page of the engine prepared for Qt: sections, charts as SVG, title, language and metadata."""
    parser = _Translator()
    parser.feed(html)
    parser.close()
    parser.page.sections = _SECTION.split("".join(parser.parts))
    return parser.page


class _Translator(HTMLParser):
    """HTML parser that rewrites a report for Qt: it adds optional line breaks and takes out title and charts."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.page = PaperPage()
        self.parts: list[str] = []
        self._chart: list[str] | None = None
        self._hidden = ""
        self._code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add an opening tag to the page: unchanged, rewritten for Qt, or dropped.

        Within an SVG it is added to the chart instead. Language and metadata of the page are stored separately.
        """
        written = self.get_starttag_text() or ""
        if self._chart is not None or tag == "svg":
            self._chart = [*(self._chart or []), written]
            return
        attributes = {name: value or "" for name, value in attrs}
        if tag == "html":
            self.page.language = attributes.get("lang", "")
        if tag == "meta":
            self.page.named[attributes.get("name", "")] = attributes.get("content", "")
        elif tag in _HIDDEN:
            self._hidden = tag
        elif tag == "code":
            self._code = True
            self.parts.append(written)
        elif tag in _AS:
            self.parts.append(_AS[tag][0])
        elif tag == "table":
            self.parts.append(f'<table class="{attributes.get("class", "")}" width="100%" cellspacing="0">')
        elif tag not in _DROPPED:
            self.parts.append(written)

    def handle_endtag(self, tag: str) -> None:
        """Add a closing tag to the page, rewritten or dropped like its opening tag.

        Within an SVG it is added to the chart; at the end of the SVG the page gets an image ``chart:N`` in its place,
        from 0.
        """
        if self._chart is not None:
            self._chart.append(f"</{tag}>")
            if tag == "svg":
                self.parts.append(f'<img src="{CHART}{len(self.page.charts)}">')
                self.page.charts.append("".join(self._chart))
                self._chart = None
        elif tag == self._hidden:
            self._hidden = ""
        elif tag in _AS:
            self.parts.append(_AS[tag][1])
        elif tag == "code":
            self._code = False
            self.parts.append("</code>")
        elif tag not in _DROPPED:
            self.parts.append(f"</{tag}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Treat a self-closing tag like an opening tag, or drop it if tags of its kind are dropped.

        Within an SVG it is added to the chart unchanged.
        """
        if self._chart is not None:
            self._chart.append(self.get_starttag_text() or "")
        elif tag not in _DROPPED:
            self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        """Add a text to the chart, the title or the page, depending on where it stands.

        Long words of the page outside ``code`` get possible line breaks; texts of styles are dropped. "Long" means 25
        or more letters without a blank or hyphen.
        """
        if self._chart is not None:
            self._chart.append(data)
        elif self._hidden == "title":
            self.page.title += data
        elif not self._hidden:
            self.parts.append(data if self._code else _LONG.sub(_add_line_breaks, data))

    def handle_entityref(self, name: str) -> None:
        """Add a named character reference unchanged."""
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Add a numeric character reference unchanged."""
        self.handle_data(f"&#{name};")
