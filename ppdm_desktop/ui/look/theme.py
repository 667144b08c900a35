"""Appearance of the window: colours, text size and style sheet, as on the system until the user chooses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import TypeVar

from PySide6.QtCore import QByteArray, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QFormLayout, QGridLayout, QLayout, QWidget
from shiboken6 import isValid

from ppdm_desktop.ui.look.tokens import DARK, LIGHT, Tokens

LEAST_SCALE, MOST_SCALE = 0.75, 3.0
_HIGHEST = "ÄÖÜ"
_Window = TypeVar("_Window", bound=QWidget)


def _count_parents(widget: QWidget) -> int:
    """Return how many widgets a widget is nested in; 0 for one without a parent."""
    parent = widget.parentWidget()
    return 0 if parent is None else 1 + _count_parents(parent)


def restyle(widget: QWidget, name: str, value: object) -> bool:
    """Set a property that the style sheet reads, and restyle the widget; return whether the value changed.

    If the property has this value already, nothing is done.
    """
    if widget.property(name) == value:
        return False
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    return True


class Theme(QObject):
    """Colours and sizes of the windows; widgets read them and follow the signal ``changed``."""

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._base_points = max(app.font().pointSizeF(), 9.0)
        self.scale = 1.0
        self.appearance = "system"
        self.tokens: Tokens = LIGHT
        self._followers: list[tuple[QObject, Callable[[], None]]] = []
        self._fonts: dict[tuple[float, bool], QFont] = {}
        self._above: dict[float, int] = {}
        self._pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}
        self._windows: list[QWidget] = []
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_system_changed)
        self._apply_theme()

    # --- choosing -----------------------------------------------------------------------

    def set_scale(self, scale: float) -> None:
        """Set and apply the text size, where 1 is 100 %; a value outside of 0.75 to 3 becomes the nearest end."""
        self.scale = min(max(scale, LEAST_SCALE), MOST_SCALE)
        self._apply_new()

    def set_appearance(self, appearance: str) -> None:
        """Use ``light`` or ``dark`` colours, or follow the ``system``; applied at once."""
        self.appearance = appearance
        self._apply_new()

    @property
    def is_dark(self) -> bool:
        """Whether the dark colours are in use."""
        return self.tokens is DARK

    def _on_system_changed(self, _scheme: Qt.ColorScheme) -> None:
        """Apply the desktop's new light or dark colours if the window follows them."""
        if self.appearance == "system":
            self._apply_new()

    # --- sizes --------------------------------------------------------------------------

    def px(self, at_100: float) -> int:
        """Return a length in whole pixels at the present text size; ``at_100`` is the length at 100 % (13 px text)."""
        return round(at_100 * self.h / 17)

    def _follow_text_size(self, item: QObject, set_lengths: Callable[[], None]) -> None:
        """Call ``set_lengths`` now and each time colours or text size change, as long as ``item`` lives."""
        self._followers.append((item, set_lengths))
        set_lengths()

    def space(
        self, layout: QLayout, left: float, top: float, right: float, bottom: float, gap: float | None = None
    ) -> None:
        """Give a layout margins and a gap in pixels at 100 % text size (13 px), which follow the text size.

        Without ``gap`` the distance between the layout's parts stays as it is.
        """
        margins = (left, top, right, bottom)
        self._follow_text_size(layout, lambda: layout.setContentsMargins(*map(self.px, margins)))
        if gap is not None:
            self.gap(layout, gap)

    def gap(self, layout: QLayout, gap: float) -> None:
        """Give a layout a gap in pixels at 100 % text size (13 px), which follows the text size; its margins stay."""
        self._follow_text_size(layout, lambda: layout.setSpacing(self.px(gap)))

    def gaps(self, grid: QGridLayout | QFormLayout, across: float, down: float) -> None:
        """Give a grid gaps (``across``, ``down``) in pixels at 100 % text size (13 px), which follow the text size."""
        self._follow_text_size(grid, lambda: grid.setHorizontalSpacing(self.px(across)))
        self._follow_text_size(grid, lambda: grid.setVerticalSpacing(self.px(down)))

    def bound(
        self,
        widget: QWidget,
        *,
        least_wide: float | None = None,
        most_wide: float | None = None,
        least_high: float | None = None,
    ) -> None:
        """Give a widget minimum and maximum sizes in pixels at 100 % text size (13 px), which follow the text size.

        Sizes that are None stay as they are.
        """

        def set_bounds() -> None:
            """Set the given sizes for the present text size."""
            if least_wide is not None:
                widget.setMinimumWidth(self.px(least_wide))
            if most_wide is not None:
                widget.setMaximumWidth(self.px(most_wide))
            if least_high is not None:
                widget.setMinimumHeight(self.px(least_high))

        self._follow_text_size(widget, set_bounds)

    def font(self, factor: float = 1.0, *, semibold: bool = False) -> QFont:
        """Return the interface font at the present text size times ``factor``.

        The font is never smaller than 8 points.
        """
        # Asked for by every label and every painted cell; the caller may change its copy.
        font = self._fonts.get((factor, semibold))
        if font is None:
            font = QFont(self._app.font())
            font.setPointSizeF(max(self._base_points * self.scale * factor, 8.0))
            font.setWeight(QFont.Weight.DemiBold if semibold else QFont.Weight.Normal)
            self._fonts[factor, semibold] = font
        return QFont(font)

    def compute_excess_height(self, factor: float = 1.0) -> int:
        """Return by how many pixels a capital with dots (Ä) exceeds a line of the interface font, at least 0.

        ``factor`` multiplies the font's size.
        """
        high = self._above.get(factor)
        if high is None:
            both = [QFontMetrics(self.font(factor, semibold=semibold)) for semibold in (False, True)]
            high = max(0, *(-metrics.tightBoundingRect(_HIGHEST).top() - metrics.ascent() for metrics in both))
            self._above[factor] = high
        return high

    def colour(self, token: str) -> QColor:
        """Return the present colour with this name in ``Tokens``, such as ``accent``."""
        return QColor(getattr(self.tokens, token))

    def icon(self, name: str, colour: str | None = None, size: int = 20) -> QIcon:
        """Return an icon by its name, drawn in a colour: a name in ``Tokens`` or ``#RRGGBB``; ``text2`` for None.

        ``size`` is in pixels at 100 % text size; a disabled button shows it in the colour ``control``.
        """
        icon = QIcon(self.pixmap(name, colour, size))
        icon.addPixmap(self.pixmap(name, "control", size), QIcon.Mode.Disabled)
        return icon

    def pixmap(self, name: str, colour: str | None = None, size: int = 20) -> QPixmap:
        """Return an icon by its name as a pixmap of ``size`` pixels at 100 % text size.

        ``colour`` is a name in ``Tokens`` or ``#RRGGBB``; ``text2`` for None.
        """
        wanted = colour or "text2"
        value = wanted if wanted.startswith("#") else getattr(self.tokens, wanted)
        ratio = self._app.devicePixelRatio()
        side = self.px(size)
        # A page has the same few icons many times, and drawing one from its SVG takes a millisecond.
        drawn = self._pixmaps.get((name, value, side, ratio))
        if drawn is None:
            drawn = self.draw_pixmap(QSize(side, side), lambda painter, box: paint_icon(painter, name, value, box))
            self._pixmaps[name, value, side, ratio] = drawn
        return QPixmap(drawn)

    def draw_pixmap(self, size: QSize, paint: Callable[[QPainter, QRectF], None]) -> QPixmap:
        """Return what a function paints into a rectangle of a size in pixels, as sharp as the screen, on no ground."""
        ratio = self._app.devicePixelRatio()
        pixmap = QPixmap(size * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        paint(painter, QRectF(QPointF(0, 0), size))
        painter.end()
        return pixmap

    # --- applying -----------------------------------------------------------------------

    def _choose_colours_and_size(self) -> tuple[Tokens, float]:
        """Return the dark or light colours, and the factor of the text size, as the user chose them.

        The colours are dark if the user chose dark, or left it to the system and the system is dark.
        """
        dark = self.appearance == "dark" or (
            self.appearance == "system" and QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        )
        return (DARK if dark else LIGHT), self.scale

    def _apply_new(self) -> None:
        """Apply the chosen colours and text size only if they differ from those in use.

        Styling many widgets takes seconds.
        """
        if self._choose_colours_and_size() != self._applied:
            self._apply_theme()

    def _apply_theme(self) -> None:
        """Apply the chosen colours, font and style sheet to application and windows, and send ``changed``.

        Lengths that follow the text size are set again; cached fonts and icons are dropped.
        """
        self._applied = self._choose_colours_and_size()
        self.tokens = self._applied[0]
        self._fonts.clear()
        self._above.clear()
        self._pixmaps.clear()
        font = self.font()
        # Asked for thousands of times while a table is laid out.
        self.h = QFontMetrics(font).height()
        # With the old sheet in force every widget would hand its new font on to all that it holds, one by one.
        self._take_sheet_off()
        self._app.setFont(font)
        self._app.setPalette(self._build_palette())
        self._put_sheet_on()
        self._repair_fonts()
        self._followers = [follower for follower in self._followers if isValid(follower[0])]
        for _, set_lengths in self._followers:
            set_lengths()
        self.changed.emit()

    def make_window(self, make: Callable[[], _Window]) -> _Window:
        """Return a window made by ``make``, with the style sheet set on the window, not on the application.

        The application's own style sheet is removed. With it, Qt would style a widget and its children again at each
        move into another widget, and building a page has many such moves. With the sheet on the window, each widget is
        styled once, when it enters the window.
        """
        self._app.setStyleSheet("")
        window = make()
        self._windows = [*self._existing_windows(), window]
        window.setStyleSheet(self._style_sheet())
        # Later, because what the window holds is still there when it says that it is gone.
        window.destroyed.connect(self._on_window_gone, Qt.ConnectionType.QueuedConnection)
        return window

    def _on_window_gone(self) -> None:
        """Forget closed windows; if no window is left, set the style sheet on the application."""
        self._windows = self._existing_windows()
        if not self._windows and not self._app.styleSheet():
            self._put_sheet_on()

    def _existing_windows(self) -> list[QWidget]:
        """Return the styled windows that still exist."""
        return [window for window in self._windows if isValid(window)]

    def _take_sheet_off(self) -> None:
        """Remove the style sheet from the application and all windows until ``_put_sheet_on``."""
        self._windows = self._existing_windows()
        self._app.setStyleSheet("")
        for window in self._windows:
            window.setStyleSheet("")

    def _put_sheet_on(self) -> None:
        """Set the style sheet on all windows of ``make_window``, or on the application if there is none."""
        wearers: Sequence[QApplication | QWidget] = self._windows or [self._app]
        for wearer in wearers:
            wearer.setStyleSheet(self._style_sheet())

    def _repair_fonts(self) -> None:
        """Give widgets with another font size the application's font again, unless they were given a font explicitly.

        Qt visits widgets in random order, and a widget visited before its parent inherits the parent's old font.
        """
        points, has_own_font = self._app.font().pointSizeF(), Qt.WidgetAttribute.WA_SetFont
        widgets = [widget for widget in self._app.allWidgets() if widget.font().pointSizeF() != points]
        # From the outermost on: each asks its parent.
        for widget in sorted(widgets, key=_count_parents):
            if not widget.testAttribute(has_own_font):
                widget.setFont(QFont())

    def _build_palette(self) -> QPalette:
        """Return Qt's palette with the theme's colours for windows, fields, buttons, selections, tooltips and links.

        Texts of disabled widgets have the pale colour ``text3``.
        """
        t, role = self.tokens, QPalette.ColorRole
        palette = QPalette()
        for which, value in (
            (role.Window, t.window),
            (role.WindowText, t.text),
            (role.Base, t.surface),
            (role.AlternateBase, t.sunken),
            (role.Text, t.text),
            (role.Button, t.surface),
            (role.ButtonText, t.text),
            (role.Highlight, t.accent),
            (role.HighlightedText, t.on_accent),
            (role.PlaceholderText, t.text3),
            (role.ToolTipBase, t.surface),
            (role.ToolTipText, t.text),
            (role.Link, t.link),
            (role.Mid, t.line),
        ):
            palette.setColor(which, QColor(value))
        for which in (role.Text, role.WindowText, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(t.text3))
        return palette

    def _style_sheet(self) -> str:
        """Return the style sheet in ``resources/looks/window.qss`` with the theme's colours and sizes filled in.

        There ``$name`` stands for a colour in ``Tokens``, or for an icon or size computed here, and ``12dp`` for 12
        pixels at 100 % text size (``12dp-1`` for one pixel less).
        """
        px = self.px
        values = {
            "down_arrow": icon_url("down-pale" if self.is_dark else "down-ink"),
            "tick": icon_url("tick-ink" if self.is_dark else "tick-white"),
            "radio_radius": f"{px(13) // 2 + 1}px",
            "radio_dot": f"{px(13) - 2 * px(4) + 2}px",
        }
        text = re.sub(
            r"(\d+)dp(?:-(\d+))?", lambda match: f"{px(int(match[1])) - int(match[2] or 0)}px", _sheet_template()
        )
        return re.sub(r"\$(\w+)", lambda match: values.get(match[1]) or str(getattr(self.tokens, match[1])), text)


_theme: Theme | None = None


def theme() -> Theme:
    """Return the application's theme, created at the first call; raise TypeError without a QApplication."""
    global _theme
    app = QApplication.instance()
    # Asked for by every widget and every painted cell.
    if _theme is not None and _theme._app is app:
        return _theme
    if not isinstance(app, QApplication):
        raise TypeError("the theme needs a QApplication")
    _theme = Theme(app)
    return _theme


def _icon_file(name: str) -> Traversable:
    """Return the SVG file of the icon with this name."""
    return resources.files("ppdm_desktop.resources") / "icons" / f"{name}.svg"


@lru_cache(maxsize=128)
def _icon_source(name: str) -> bytes:
    """Return the SVG source of an icon, read once."""
    return _icon_file(name).read_bytes()


def icon_url(name: str) -> str:
    """Return ``url("…/NAME.svg")``, the path of the icon with this name as style sheets need it."""
    return f'url("{str(_icon_file(name)).replace(chr(92), "/")}")'


def paint_icon(painter: QPainter, name: str, colour: str, box: QRectF) -> None:
    """Draw an icon by its name into a rectangle in a colour such as ``#1a2b3c``."""
    drawing = _icon_source(name).replace(b"currentColor", colour.encode())
    QSvgRenderer(QByteArray(drawing)).render(painter, box)


@cache
def _sheet_template() -> str:
    """Return the template of the window's style sheet, read once."""
    return (resources.files("ppdm_desktop.resources") / "looks" / "window.qss").read_text("utf-8")
