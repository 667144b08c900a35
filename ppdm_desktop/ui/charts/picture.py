"""A chart as a picture of its own: sentence title, legend, drawing and small print on light ground.

PNG is drawn at twice the size; SVG holds lines and text. Neither holds a name, a path or a date.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QSaveFile, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator, QSvgRenderer
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.report.scene.model import Scene
from ppdm_desktop.engine.report.scene.svg import as_file
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tokens import LIGHT

PNG, SVG = "png", "svg"
SHARPNESS = 2
_MARGIN, _GAP, _LEAST_WIDTH = 16, 8, 320
_WRAPPED = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)


@runtime_checkable
class PaintsPicture(Protocol):
    """A drawing that can be drawn whole, also where it scrolls on the screen."""

    def picture_size(self, width: int) -> QSize:
        """Return the size of the whole drawing at a width."""

    def paint_picture(self, painter: QPainter, box: QRect) -> None:
        """Draw all of it."""


@runtime_checkable
class ShowsScenes(Protocol):
    """A drawing of scenes, whose picture is written from them and not from the screen, zoomed or not."""

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """Return what is shown, from the left."""


@dataclass(frozen=True)
class Picture:
    """What goes into a picture, from above.

    Attributes
    ----------
    title
        The sentence that says what the chart shows.
    legends
        Widgets that explain the marks.
    chart
        The drawing; drawn whole where it knows how (``PaintsPicture``).
    small
        Unit, source and number.
    """

    title: str
    legends: Sequence[QWidget]
    chart: QWidget
    small: str

    def image(self) -> QImage:
        """Return the picture at twice its size on the screen."""
        if isinstance(self.chart, ShowsScenes):
            return self._image_of_scenes()
        with _light():
            parts = _Parts(self)
            image = QImage(parts.size * SHARPNESS, QImage.Format.Format_RGB32)
            image.setDevicePixelRatio(SHARPNESS)
            painter = QPainter(image)
            parts.paint(painter)
            painter.end()
        return image

    def png(self) -> bytes:
        """Return the picture as a PNG file."""
        return _bytes_of(self.image())

    def svg(self) -> bytes:
        """Return the picture as an SVG file of lines and text."""
        if isinstance(self.chart, ShowsScenes):
            return self._drawing_of_scenes()
        with _light():
            parts = _Parts(self)
            buffer = QBuffer()
            buffer.open(QIODevice.OpenModeFlag.WriteOnly)
            generator = QSvgGenerator()
            generator.setOutputDevice(buffer)
            generator.setSize(parts.size)
            generator.setViewBox(QRect(0, 0, parts.size.width(), parts.size.height()))
            screen = QGuiApplication.primaryScreen()
            generator.setResolution(round(screen.logicalDotsPerInchX()))
            generator.setTitle(self.title)
            generator.setDescription(self.small)
            painter = QPainter(generator)
            parts.paint(painter)
            painter.end()
            return bytes(buffer.data().data())

    def _drawing_of_scenes(self) -> bytes:
        assert isinstance(self.chart, ShowsScenes)
        family = theme().font().family()
        return as_file(self.title, self.chart.scenes, self.small, family).encode("utf-8")

    def _image_of_scenes(self) -> QImage:
        drawing = QSvgRenderer(QByteArray(self._drawing_of_scenes()))
        image = QImage(drawing.defaultSize() * SHARPNESS, QImage.Format.Format_RGB32)
        image.fill(QColor(LIGHT.surface))
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        drawing.render(painter)
        painter.end()
        image.setDevicePixelRatio(SHARPNESS)
        return image


class _Parts:
    """Where each part of a picture stands."""

    def __init__(self, picture: Picture) -> None:
        t, self._picture = theme(), picture
        chart = picture.chart
        self._wide = max(chart.width(), t.px(_LEAST_WIDTH))
        if isinstance(chart, PaintsPicture):
            self._chart = chart.picture_size(self._wide)
        else:
            # Just shown instead of its table, or squeezed: as high as it wants to be.
            self._chart = QSize(self._wide, max(chart.height(), chart.minimumSizeHint().height()))
            if chart.size() != self._chart:
                chart.resize(self._chart)
        self._wide = max(self._wide, self._chart.width())
        margin, gap = t.px(_MARGIN), t.px(_GAP)
        self._margin = margin
        self._title = self._height(picture.title, 1.0, semibold=True)
        self._small = self._height(picture.small, 0.85)
        self._legends: list[tuple[QWidget, int]] = []
        y = margin + self._title + gap
        for legend in picture.legends:
            self._legends.append((legend, y))
            y += legend.height() + gap
        self._chart_top = y
        self._small_top = y + self._chart.height() + gap
        self.size = QSize(self._wide + 2 * margin, self._small_top + self._small + margin)

    def _height(self, text: str, factor: float, *, semibold: bool = False) -> int:
        metrics = QFontMetrics(theme().font(factor, semibold=semibold))
        return metrics.boundingRect(QRect(0, 0, self._wide, 10_000), _WRAPPED, text).height() if text else 0

    def paint(self, painter: QPainter) -> None:
        t, picture, margin = theme(), self._picture, self._margin
        painter.fillRect(QRect(0, 0, self.size.width(), self.size.height()), QColor(LIGHT.surface))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(t.font(1.0, semibold=True))
        painter.setPen(QColor(LIGHT.text))
        painter.drawText(QRect(margin, margin, self._wide, self._title), _WRAPPED, picture.title)
        for legend, top in self._legends:
            _render(painter, legend, margin, top)
        if isinstance(picture.chart, PaintsPicture):
            at = QRect(margin, self._chart_top, self._chart.width(), self._chart.height())
            picture.chart.paint_picture(painter, at)
        else:
            _render(painter, picture.chart, margin, self._chart_top)
        painter.setFont(t.font(0.85))
        painter.setPen(QColor(LIGHT.text3))
        painter.drawText(QRect(margin, self._small_top, self._wide, self._small), _WRAPPED, picture.small)


def _render(painter: QPainter, widget: QWidget, left: int, top: int) -> None:
    painter.save()
    painter.translate(left, top)
    widget.render(painter, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)
    painter.restore()


@contextmanager
def _light() -> Iterator[None]:
    """Draw in the light colours: a picture goes into documents, whatever the window looks like."""
    kept = theme().tokens
    theme().tokens = LIGHT
    try:
        yield
    finally:
        theme().tokens = kept


def _bytes_of(image: QImage) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(buffer.data().data())


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all.

    Raises
    ------
    OSError
        With the system's words; nothing was written then, and a file of that name is as it was.
    """
    file = QSaveFile(str(path))
    if not file.open(QIODevice.OpenModeFlag.WriteOnly):
        raise OSError(file.errorString())
    if file.write(data) != len(data) or not file.commit():
        words = file.errorString()
        file.cancelWriting()
        raise OSError(words)
