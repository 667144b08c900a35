"""Which plug-ins are switched on: part of the settings, effective at the next start."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from ppdm_desktop import plugins
from ppdm_desktop.engine import plugins as known
from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.inputs import check_box
from ppdm_desktop.ui.widgets.layout import fill, vbox

_began: list[str] = []
"""Names of the plug-ins that were switched on when the program started."""


def began_with() -> frozenset[str]:
    """Return the names of plug-ins switched on when the program started, even if they were refused."""
    return frozenset(_began)


def switch_on(names: Collection[str]) -> None:
    """Load these plug-ins before there is a window; the settings show which were refused or are missing."""
    _began[:] = names
    for name in names:
        if not plugins.is_bundle():
            why_off(name)


def why_off(name: str) -> Note | None:
    """Load a plug-in; return the reason if it is not offered, otherwise None."""
    try:
        return plugins.why_refused(name)
    except PpdmError as error:
        return Note(error.id, error.arguments)


class PluginChoice(QWidget):
    """A check box for each installed plug-in, with its version and publisher.

    Signals
    -------
    changed
        The choice changed.
    """

    changed = Signal()

    def __init__(self, chosen: Collection[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plugin_choice")
        self.boxes: dict[str, QCheckBox] = {}
        self._began = began_with()
        column = vbox(Text(_("Add-on methods"), semibold=True), on=self, gap=6)
        installed = plugins.installed()
        self._gone = tuple(name for name in chosen if name not in {plugin.name for plugin in installed})
        if not installed:
            column.addWidget(Text(_no_plugin_words(), tone="text2"))
        for plugin in installed:
            box = check_box(
                plugin.name.replace("&", "&&"), name=f"check_plugin_{plugin.name}", checked=plugin.name in chosen
            )
            box.setProperty("topic", "setting.plugins")
            box.toggled.connect(self.changed)
            self.boxes[plugin.name] = box
            fill(column, box, Text(_version_words(plugin), tone="text2"))
            if plugin.name in chosen and known.find(plugin.name) is None and (why := why_off(plugin.name)) is not None:
                column.addWidget(Text(_("Not offered: {reason}", reason=why), tone="text2"))
        if installed:
            column.addWidget(Text(_("Their code runs with your rights. Switch on only what you trust."), tone="text2"))

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names of the plug-ins switched on, including those that are not installed at present."""
        return (*self._gone, *(name for name, box in self.boxes.items() if box.isChecked()))

    @property
    def is_later(self) -> bool:
        """Whether the choice differs from the one at the start of the program."""
        return set(self.chosen) != self._began


def _version_words(installed: plugins.Installed) -> str:
    """Return version and publisher of a plug-in, as a sentence."""
    return _(
        "Version {version} by {publisher}, not part of PPDM Desktop.",
        version=Term(installed.version),
        publisher=Term(installed.publisher or "?"),
    )


def _no_plugin_words() -> str:
    """Return why no plug-in is listed, as a sentence."""
    if plugins.is_bundle():
        return _("This copy of the program never loads any.")
    return _("None is installed.")
