"""Progress, cancellation and early ending of long work, held in a context variable.

Working code calls ``check``, ``report``, ``each``, ``tell`` and ``finishing`` of this module. The caller that starts
the work provides a ``Progress`` by ``with Progress(...):`` or ``Progress(...).run(work)``. A new thread starts without
a ``Progress``, so it has to be passed to it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar, Token
from typing import ParamSpec, Self, TypeVar

from ppdm_desktop.engine.errors import Cancelled

Listener = Callable[[float, str], None]
FiguresListener = Callable[[str, Mapping[str, float]], None]
GiveWay = Callable[[], None]
T = TypeVar("T")
P = ParamSpec("P")

_AT_ONCE = 2_000


class Progress:
    """Passes the progress of work to a listener, and tells the work when to stop or to finish early.

    Parameters
    ----------
    listener
        Called with (fraction in 0..1, text id of what is being done); None for no listener.
    cancel
        Event that another thread sets to stop the work at the next check.
    figures
        Called with (text id of what is being done, figures by name) by work that has figures to be drawn while it
        runs; called in the working thread, so a window passes it on as a signal.
    finish
        Event that another thread sets to end a search at its next step with the best result so far.
    give_way
        Called at each check in the working thread. It may pause this thread for a short while, so that the window can
        respond to the user.
    """

    def __init__(
        self,
        listener: Listener | None = None,
        cancel: threading.Event | None = None,
        *,
        low: float = 0.0,
        high: float = 1.0,
        figures: FiguresListener | None = None,
        finish: threading.Event | None = None,
        give_way: GiveWay | None = None,
    ) -> None:
        """Create a progress that reports fractions from ``low`` to ``high``; missing events are created."""
        self._listener = listener
        self._cancel = cancel or threading.Event()
        self._low = low
        self._high = high
        self._figures = figures
        self._finish = finish or threading.Event()
        self._give_way = give_way
        self._tokens: list[Token[Progress]] = []

    def __enter__(self) -> Self:
        """Make this the progress of the current context and return it."""
        self._tokens.append(_current.set(self))
        return self

    def __exit__(self, *_error: object) -> None:
        """Make the progress before this one current again."""
        _current.reset(self._tokens.pop())

    def run(self, work: Callable[P, T], /, *arguments: P.args, **keywords: P.kwargs) -> T:
        """Call a function with this as the current progress, and return its result.

        Parameters
        ----------
        work
            The function to be called.
        *arguments, **keywords
            The arguments of the call.
        """
        with self:
            return work(*arguments, **keywords)

    def cancel(self) -> None:
        """Ask the work to stop: its next ``check`` raises ``Cancelled``."""
        self._cancel.set()

    def finish_early(self) -> None:
        """Ask a search to end with the best result found so far; work that is not a search ignores this."""
        self._finish.set()

    @property
    def finishing(self) -> bool:
        """Whether a search was asked to end with the best result so far."""
        return self._finish.is_set()

    def check(self) -> None:
        """Raise ``Cancelled`` if the work was asked to stop; otherwise call ``give_way``, if there is one."""
        if self._cancel.is_set():
            raise Cancelled
        if self._give_way is not None:
            self._give_way()

    def report(self, fraction: float, doing: str = "") -> None:
        """Call ``check``, which may raise ``Cancelled``, and tell the listener which fraction of the work is done.

        ``fraction`` is of this part of the work; one outside 0 to 1 becomes 0 or 1. The listener gets the fraction of
        the whole: 0.5 of a part from 0.2 to 0.4 is 0.3. ``doing`` is the text id of what is being done, "" for none.
        """
        self.check()
        if self._listener is not None:
            share = min(max(fraction, 0.0), 1.0)
            self._listener(self._low + share * (self._high - self._low), doing)

    def tell(self, doing: str, **figures: float) -> None:
        """Pass figures, by name, to the listener that draws them while the work runs; nothing happens without one.

        ``doing`` is the text id of what is being done.
        """
        if self._figures is not None:
            self._figures(doing, figures)

    def part(self, low: float, high: float) -> Progress:
        """Return a progress for a part of the work, from fraction ``low`` to ``high`` of this one.

        It is cancelled, or asked to finish early, together with this progress and calls the same listeners.
        """
        span = self._high - self._low
        return Progress(
            self._listener,
            self._cancel,
            low=self._low + low * span,
            high=self._low + high * span,
            figures=self._figures,
            finish=self._finish,
            give_way=self._give_way,
        )

    def parts(self, *weights: float) -> list[Progress]:
        """Return one progress for each of several consecutive pieces of work, in proportion to their weights.

        Together they cover this progress from 0 to 1: weights 1 and 3 give 0 to 0.25 and 0.25 to 1. If all weights are
        0, all of them stay at 0.

        Parameters
        ----------
        *weights
            How long each piece takes, in any common unit; 0 for a piece that is not done.
        """
        whole, done, pieces = sum(weights) or 1.0, 0.0, []
        for weight in weights:
            pieces.append(self.part(done / whole, (done + weight) / whole))
            done += weight
        return pieces


def make_silent_progress() -> Progress:
    """Return a progress without listener that nobody cancels."""
    return Progress()


_current: ContextVar[Progress] = ContextVar("progress", default=make_silent_progress())  # noqa: B039 - never cancelled


def check() -> None:
    """Raise ``Cancelled`` if the current work was asked to stop. Long work calls this at least every 200 ms."""
    _current.get().check()


def report(fraction: float, doing: str = "") -> None:
    """Report which fraction, 0 to 1, of the current part of the work is done; may raise ``Cancelled``.

    ``doing`` is the text id of what is being done.
    """
    _current.get().report(fraction, doing)


def each(items: Sequence[T], doing: str = "") -> Iterator[T]:
    """Yield the items of a list; after every two thousand items, and at the end, raise Cancelled if told to stop.

    If ``doing``, the text id of what is being done, is given, the share of items done is reported at the same moments.
    Of an empty list nothing is yielded, reported or checked.
    """
    for start in range(0, len(items), _AT_ONCE):
        yield from items[start : start + _AT_ONCE]
        if doing:
            report(min((start + _AT_ONCE) / len(items), 1.0), doing)
        check()


def tell(doing: str, **figures: float) -> None:
    """Pass figures, by name, to the current listener that draws them while the work runs; nothing happens without one.

    ``doing`` is the text id of what is being done.
    """
    _current.get().tell(doing, **figures)


def finishing() -> bool:
    """Return whether the current search was asked to end with the best result so far."""
    return _current.get().finishing


def part(low: float, high: float) -> Progress:
    """Return a progress for a part of the current work, from fraction ``low`` to ``high``."""
    return _current.get().part(low, high)


def parts(*weights: float) -> list[Progress]:
    """Return one progress for each of several consecutive pieces of the current work.

    ``weights`` are the pieces' durations in any common unit; 0 for a piece that is not done.
    """
    return _current.get().parts(*weights)
