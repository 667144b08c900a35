"""Show and hide several parts of a card with one layout."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from PySide6.QtWidgets import QWidget

_P = ParamSpec("_P")
_Card = TypeVar("_Card", bound=QWidget)


def lay_out_once(show: Callable[Concatenate[_Card, _P], None]) -> Callable[Concatenate[_Card, _P], None]:
    """Return a method of a widget that lays out the widget's parts once, at its end.

    Otherwise each part that is shown lays out the whole page. A widget without a layout, or in such a method already,
    is shown as usual.
    """

    @wraps(show)
    def show_at_once(widget: _Card, /, *args: _P.args, **kwargs: _P.kwargs) -> None:
        """Call the method while the layout is switched off, then lay out once, also after an exception.

        Without a layout, or if it is off already, the method is just called.
        """
        layout = widget.layout()
        if layout is None or not layout.isEnabled():
            show(widget, *args, **kwargs)
            return
        layout.setEnabled(False)
        try:
            show(widget, *args, **kwargs)
        finally:
            layout.setEnabled(True)
            layout.invalidate()
            widget.updateGeometry()

    return show_at_once
