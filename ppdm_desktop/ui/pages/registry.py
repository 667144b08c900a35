"""The pages, in order; the only place that names them all."""

from __future__ import annotations

from ppdm_desktop.ui.page import Context, Page
from ppdm_desktop.ui.pages.columns.page import ColumnsPage
from ppdm_desktop.ui.pages.compare.page import ComparePage
from ppdm_desktop.ui.pages.levels.page import LevelsPage
from ppdm_desktop.ui.pages.open.page import OpenPage
from ppdm_desktop.ui.pages.protect.page import ProtectPage
from ppdm_desktop.ui.pages.release.page import ReleasePage
from ppdm_desktop.ui.pages.risk.page import RiskPage
from ppdm_desktop.ui.pages.welcome.page import WelcomePage

PAGES: tuple[type[Page], ...] = (
    WelcomePage,
    OpenPage,
    ColumnsPage,
    LevelsPage,
    RiskPage,
    ProtectPage,
    ComparePage,
    ReleasePage,
)


def build_pages(context: Context) -> dict[str, Page]:
    """Make every page, by step."""
    return {page.step: page(context) for page in PAGES}
