"""All pages in their order; the module of a page is imported when the page is first needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import overload

from ppdm_desktop.ui.page import Context, Page, Pages
from ppdm_desktop.ui.work.library_loading import IMPORTING


def _welcome() -> type[Page]:
    """Import the page "Welcome" when it is first needed, and return its class."""
    from ppdm_desktop.ui.pages.welcome.page import WelcomePage

    return WelcomePage


def _open() -> type[Page]:
    """Import the page "Open" when it is first needed, and return its class."""
    from ppdm_desktop.ui.pages.open.page import OpenPage

    return OpenPage


def _columns() -> type[Page]:
    """Import the page "Columns" when it is first needed, and return its class."""
    from ppdm_desktop.ui.pages.columns.page import ColumnsPage

    return ColumnsPage


def _levels() -> type[Page]:
    """Import the page "Levels" when it is first needed, and return its class."""
    from ppdm_desktop.ui.pages.levels.page import LevelsPage

    return LevelsPage


def _risk() -> type[Page]:
    """Import the page "Risk" when it is first needed, and return its class."""
    from ppdm_desktop.ui.pages.risk.page import RiskPage

    return RiskPage


def _protect() -> type[Page]:
    """Import the page "Protect" when it is first needed, and return its class."""
    from ppdm_desktop.ui.pages.protect.page import ProtectPage

    return ProtectPage


def _compare() -> type[Page]:
    """Import the page "Compare" when it is first needed, and return its class."""
    from ppdm_desktop.ui.pages.compare.page import ComparePage

    return ComparePage


def _release() -> type[Page]:
    """Import the page "Release" when it is first needed, and return its class."""
    from ppdm_desktop.ui.pages.release.page import ReleasePage

    return ReleasePage


def _alone(load: Callable[[], type[Page]]) -> Callable[[], type[Page]]:
    """Return ``load`` under a lock, because pages are also imported in advance by another thread."""

    def alone() -> type[Page]:
        with IMPORTING:
            return load()

    return alone


_CLASSES: Mapping[str, Callable[[], type[Page]]] = {
    "welcome": _alone(_welcome),
    "open": _alone(_open),
    "columns": _alone(_columns),
    "levels": _alone(_levels),
    "risk": _alone(_risk),
    "protect": _alone(_protect),
    "compare": _alone(_compare),
    "release": _alone(_release),
}


class PageClasses(Sequence[type[Page]]):
    """Sequence of the page classes, each imported at its first use."""

    def __len__(self) -> int:
        """Return the number of pages."""
        return len(_CLASSES)

    @overload
    def __getitem__(self, index: int) -> type[Page]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[type[Page]]: ...

    def __getitem__(self, index: int | slice) -> type[Page] | Sequence[type[Page]]:
        """Return the class of a page, or of several pages for a slice."""
        classes = tuple(_CLASSES.values())
        return classes[index]() if isinstance(index, int) else tuple(page_class() for page_class in classes[index])


PAGES = PageClasses()


def build_pages(context: Context) -> Pages:
    """Return the pages in their order; each is created at its first use."""
    return Pages(context, _CLASSES)


def page_modules() -> tuple[Callable[[], object], ...]:
    """Return functions that import the page classes, for importing them in advance; no page is created."""
    return tuple(_CLASSES.values())
