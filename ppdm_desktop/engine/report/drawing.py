"""The small SVG drawings of the report: no script, no style sheet needed, no outside reference.

Each element carries its colour as an attribute, so that a drawing stands by itself in a PDF; a
page's style sheet may set others for a dark screen. Every drawing has a text alternative, and
figures stand beside colours: lightness alone tells the series apart on a black and white print.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from ppdm_desktop.engine.wording.catalogue import language, numbers_of
from ppdm_desktop.engine.wording.numbers import MINUS, End

WIDTH = 640
LEFT = 190
INK, SOFT, LINE, GROUND = "#1a2027", "#4d5864", "#7f8a96", "#ffffff"
LIGHT, MIDDLE, DARK = "#c9d0d7", "#6f8ca3", "#12588c"
ALARMING = "#b5551c"
"""People who need protection: a step of the palette of risks, as in the window, whose words name the colour."""
_EXACT = 1e-9
"""Sums of shares miss 0 and 1 by less."""
_LEAST = 0.001
"""What "less than 0.1%" is less than."""
_OTHER_END: dict[End, End] = {"": "", "low": "high", "high": "low"}
LETTERS = 26
"""Of a label at the left."""


_FILLS = {
    "before": (LIGHT, LINE), "third": (MIDDLE, MIDDLE), "after": (DARK, DARK), "guess": (GROUND, LINE),
    "alarming": (ALARMING, ALARMING),
}  # fmt: skip


def percent(share: float, end: End = "") -> str:
    """Return a share as a percentage, which is "0%" or "100%" only where this is exact.

    0.0496 gives "5%", 0.0004 "less than 0.1%", 0.9996 "more than 99.9%". ``end`` tells whether the share is the lower
    or the upper end of an interval, which is rounded outward: 0.0496 as a lower end gives "4%". A negative share closer
    to 0 than 0.1 % is written as the range from -0.1% to 0%, or as the ``end`` of this range. A value below -1 or above
    1 is written as a plain number.
    """
    numbers = numbers_of(language())
    if share < -1 or share > 1 + _EXACT:
        return numbers.number(share)
    if share >= 0:
        return numbers.percent(share, end)
    if share > -_LEAST:
        # Behind a minus sign "less than" would be read as further from 0.
        ends = MINUS + numbers.percent(_LEAST), numbers.percent(0)
        return {"low": ends[0], "high": ends[1]}.get(end) or numbers.locale.phrases.between.format(*ends)
    return MINUS + numbers.percent(-share, _OTHER_END[end])


def format_tick_texts(values: Sequence[float]) -> tuple[str, ...]:
    """Return the texts of axis ticks, in order, rounded to about a hundredth of their range.

    Ticks from 0 to 5 are rounded to two decimals, from 0 to 50 to one, from 0 to 500 to none. All then have as many
    decimals as the one that needs most: 0, 2.5 and 5 give "0.0", "2.5" and "5.0", but 0 and 5 give "0" and "5". If all
    ticks are equal, their size takes the place of the range. There must be at least one.
    """
    spread = max(values) - min(values) or max(map(abs, values)) or 1.0
    decimals = max(0, 2 - math.floor(math.log10(spread)))
    return numbers_of(language()).ticks([round(float(value), decimals) for value in values])


def shorten_text(text: str, most: int) -> str:
    """Return a text of at most ``most`` characters; a longer one ends with "…"."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def cut_name(name: str, most: int) -> str:
    """Return a name of at most ``most`` characters, with "…" in place of its middle where it is longer.

    "blood pressure at rest" becomes "bloo…rest" with ``most`` 10: long names often differ at their ends only, and
    spaces next to "…" are dropped.
    """
    if len(name) <= most:
        return name
    end = most // 2
    return f"{name[: most - end - 1].rstrip()}…{name[-end:].lstrip()}"


def draw_text_line(
    x: float, y: float, text: str, *, anchor: str = "start", soft: bool = False, size: int = 12
) -> Markup:
    """Return the SVG element of one line of text, escaped.

    ``anchor`` tells whether ``x`` is the start, middle or end of the line; ``soft`` makes the text paler.
    """
    kind, fill = ("soft", SOFT) if soft else ("ink", INK)
    template = '<text class="{}" x="{}" y="{}" text-anchor="{}" fill="{}" font-size="{}">{}</text>'
    return fill_svg(template, kind, x, y, anchor, fill, size, text)


def wrap_in_figure(parts: Sequence[Markup], height: float, title: str, described: str, caption: str) -> Markup:
    """Return drawn elements as an HTML figure with title, text alternative (``described``) and caption.

    The drawing is `WIDTH` (640) pixels wide and ``height`` pixels high. The title is repeated before the caption.
    """
    opening = '<figure><svg viewBox="0 0 {} {}" width="{}" height="{}" role="img"><title>{}</title><desc>{}</desc>'
    head = fill_svg(opening, WIDTH, height, WIDTH, height, title, described)
    foot = fill_svg("</svg><figcaption><strong>{}.</strong> {}</figcaption></figure>", title, caption)
    return Markup("").join([head, *parts, foot])


def draw_rect(tone: str, x: float, y: float, width: float, height: float) -> Markup:
    """Return a rectangle as an SVG element in the colours that a kind of bar (``tone``) has.

    ``tone`` is before, after, third, guess or alarming.
    """
    fill, stroke = _FILLS[tone]
    text = '<rect class="bar-{}" x="{}" y="{}" width="{}" height="{}" fill="{}" stroke="{}"/>'
    return fill_svg(text, tone, x, y, width, height, fill, stroke)


def draw_line(x1: float, y1: float, x2: float, y2: float, *, stroke: str = LINE, dashed: bool = False) -> Markup:
    """Return a straight line as an SVG element, grey unless another colour is given; ``dashed`` breaks it."""
    kind = {LINE: "axis", LIGHT: "grid"}.get(stroke, "mark")
    dash = Markup(' stroke-dasharray="4 3"') if dashed else Markup("")
    text = '<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}" stroke="{}"{}/>'
    return fill_svg(text, kind, x1, y1, x2, y2, stroke, dash)


def draw_backing_stroke(x1: float, y: float, x2: float, thick: int = 3) -> Markup:
    """Return a horizontal stroke in the background colour as an SVG element.

    It lies under a line that crosses a dark bar; ``thick`` is its width in pixels.
    """
    text = '<line class="ground" x1="{}" y1="{}" x2="{}" y2="{}" stroke="{}" stroke-width="{}"/>'
    return fill_svg(text, x1, y, x2, y, GROUND, thick)


def fill_svg(template: str, *values: str | float) -> Markup:
    """Return an SVG element from a template with places ``{}``: texts are escaped, numbers have at most one decimal."""
    return Markup(template).format(*(value if isinstance(value, str) else round_coordinate(value) for value in values))


def join_points(points: Iterable[tuple[float, float]]) -> str:
    """Return the points of an SVG path, such as "0 5 L10 7.5"."""
    return " L".join(f"{round_coordinate(x)} {round_coordinate(y)}" for x, y in points)


def round_coordinate(number: float) -> str:
    """Return a coordinate as text with one decimal, without ".0"."""
    return f"{number:.1f}".removesuffix(".0")
