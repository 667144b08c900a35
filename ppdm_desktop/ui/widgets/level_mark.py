"""Privacy levels on screen: their words, and one to four filled bars of rising height."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication

from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, Level, LevelMap
from ppdm_desktop.ui.look.theme import theme

_BARS = 4


def _tr(text: str) -> str:
    return QCoreApplication.translate("Levels", text)


def level_words(name: str | int) -> str:
    """Return a level's name on screen."""
    known = {
        "normal": _tr("Basic"),
        "cautious": _tr("Cautious"),
        "extra-cautious": _tr("Extra cautious"),
        "paranoid": _tr("Paranoid"),
    }
    text = str(name)
    if text in known:
        return known[text]
    number = text.removeprefix("group ")
    if number.isdigit():
        return _tr("At least {n} alike").format(n=number)
    return text


def level_bars(level: Level, levels: LevelMap) -> int:
    """Return how many of the four bars are filled: the last default level that asks for no more."""
    places = {each.name: place for place, each in enumerate(DEFAULT_LEVELS, start=1)}
    if level.name in places:
        return places[level.name]
    named = [each for each in levels.named if each.name in places and each.demand.group <= level.demand.group]
    return places[named[-1].name] if named else 1


def paint_level(painter: QPainter, box: QRectF, filled: int) -> None:
    """Draw the bars into a box."""
    colour = QColor(theme().tokens.roles["privacy-level"])
    gap = max(box.width() * 0.06, 1.0)
    width = (box.width() - gap * (_BARS - 1)) / _BARS
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for place in range(_BARS):
        height = box.height() * (0.4 + 0.2 * place)
        bar = QRectF(box.left() + place * (width + gap), box.bottom() - height, width, height)
        painter.setPen(QPen(colour, 1.0))
        painter.setBrush(colour if place < filled else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), 1, 1)
    painter.restore()


def level_icon(filled: int) -> QIcon:
    """Return the bars as an icon in the present theme."""
    app = QApplication.instance()
    ratio = app.devicePixelRatio() if isinstance(app, QApplication) else 1.0
    wide, high = theme().px(18), theme().px(13)
    pixmap = QPixmap(QSize(wide, high) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    paint_level(painter, QRectF(0, 0, wide, high), filled)
    painter.end()
    return QIcon(pixmap)


def level_choices(levels: LevelMap, more: Sequence[str | int] = ()) -> list[tuple[str, str, int]]:
    """Return (key, words, filled bars) of the named levels, and of others in use."""
    choices = [(each.name, level_words(each.name), level_bars(each, levels)) for each in levels.named]
    for key in more:
        level = levels.find(str(key))
        if level is not None and all(str(key) != known for known, _, _ in choices):
            choices.append((str(key), level_words(str(key)), level_bars(level, levels)))
    return choices
