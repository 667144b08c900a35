"""Pens and symbols of series by their role, in the colours of the theme; common to plot and legend."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from ppdm_desktop.engine.report.scene.model import Role
from ppdm_desktop.ui.look.theme import theme


def curve_pen(role: Role) -> QPen:
    """Return the pen of a curve by its role: solid, dotted or dashed."""
    t = theme()
    colour = {"original": t.colour("text2"), "released": QColor(t.tokens.kinds[1])}.get(role, t.colour("accent"))
    styles = {"original": Qt.PenStyle.SolidLine, "released": Qt.PenStyle.DotLine}
    pen = QPen(colour, max(t.px(1.4 if role == "original" else 2), 1))
    pen.setStyle(styles.get(role, Qt.PenStyle.SolidLine if role == "frontier" else Qt.PenStyle.DashLine))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    pen.setCosmetic(True)
    return pen


def rule_pen(role: Role, *, level: bool = False) -> QPen:
    """Return the pen of a straight line across a drawing: dashed, dotted if ``level``, green for a proposal."""
    colour = theme().colour("passed" if role == "allowed" else "text")
    return QPen(colour, max(theme().px(1.3), 1), Qt.PenStyle.DotLine if level else Qt.PenStyle.DashLine)


def point_look(role: Role) -> tuple[str, QPen, QColor, float]:
    """Return the symbol of a point by its role: name, outline, fill colour, and size relative to other points."""
    t, ground = theme(), theme().colour("surface")
    symbol, pen, brush, factor = {
        "allowed": ("o", QPen(ground, 1), t.colour("passed"), 1.0),
        "reasons": ("d", QPen(ground, 1), t.colour("amber"), 1.3),
        "stopped": ("t1", QPen(t.colour("blocks"), max(t.px(1.8), 1)), ground, 1.0),
        "alarming": ("t1", QPen(ground, 1), t.colour("blocks"), 1.1),
        "released": ("o", QPen(ground, 1), t.colour("accent"), 1.0),
        "third": ("o", QPen(t.colour("accent"), max(t.px(1.8), 1)), ground, 1.0),
    }.get(role, ("s", QPen(t.colour("text2"), max(t.px(2), 1)), ground, 1.1))
    pen.setCosmetic(True)  # else as wide as the mark it is drawn round
    return symbol, pen, brush, factor
