"""A decorator that shows and hides several parts of a card with a single layout pass."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from PySide6.QtWidgets import QWidget

_P = ParamSpec("_P")
_Card = TypeVar("_Card", bound=QWidget)


def lay_out_once(show: Callable[Concatenate[_Card, _P], None]) -> Callable[Concatenate[_Card, _P], None]:
    """Return the given method of a widget, changed so that the widget's parts are arranged only once, at its end.

    Without this decorator, each part that is shown arranges the whole page. Inside another such method of the same
    widget, and for a widget without a layout, it runs unchanged.
    """

    @wraps(show)
    def show_at_once(widget: _Card, /, *args: _P.args, **kwargs: _P.kwargs) -> None:
        """Call the method while the layout is switched off, then arrange the parts once, also after an exception.

        Without a layout, or if the layout is off already, the method is just called.
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
