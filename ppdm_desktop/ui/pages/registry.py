"""All pages in their order; the module of a page is imported when the page is first needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module

from ppdm_desktop.ui.page import Context, Page, Pages
from ppdm_desktop.ui.state.session import STEPS
from ppdm_desktop.ui.work.library_loading import IMPORTING


def _import_page_class(step: str) -> type[Page]:
    """Import a page's module and return its class, such as ``RiskPage`` of ``pages/risk/page.py`` for page ``risk``.

    A lock protects the import, because another thread imports pages in advance.
    """
    with IMPORTING:
        page_class: type[Page] = getattr(
            import_module(f"ppdm_desktop.ui.pages.{step}.page"), f"{step.capitalize()}Page"
        )
        return page_class


_CLASSES: Mapping[str, Callable[[], type[Page]]] = {
    step: partial(_import_page_class, step) for step in ("welcome", *STEPS)
}


def build_pages(context: Context) -> Pages:
    """Return all pages by id in their order, starting with Welcome; each page is created at its first use."""
    return Pages(context, _CLASSES)


def page_modules() -> tuple[Callable[[], type[Page]], ...]:
    """Return functions that import a page's class each, so that all can be imported in advance without a page."""
    return tuple(_CLASSES.values())
