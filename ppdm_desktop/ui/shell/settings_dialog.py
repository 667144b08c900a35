"""Dialog with the settings of the program, applied at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QGridLayout, QWidget

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.release.storage.ledger import keep_list, keeps_list
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.shell.language import is_later, language_choices, language_words
from ppdm_desktop.ui.shell.plugin_choice import PluginChoice
from ppdm_desktop.ui.state.settings import Settings
from ppdm_desktop.ui.widgets.basic import Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.failure import FailureStrip
from ppdm_desktop.ui.widgets.inputs import Choice, WholeNumber, check_box, line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, fill, hbox, stretched, vbox
from ppdm_desktop.ui.widgets.scrolling import Area

_WIDTH = 420  # px at 100 %
_MOST_OF_SCREEN = 0.9


class SettingsDialog(QDialog):
    """Settings: language, text size, appearance, copying, and plug-ins.

    Signals
    -------
    wants_restart
        The program is to restart now.
    help_wanted
        F1 was pressed: topic of the setting.
    """

    wants_restart = Signal()
    help_wanted = Signal(str)

    def __init__(
        self, parent: QWidget, settings: Settings, apply: Callable[[Settings], None], ledger: Path | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("dialog_settings")
        self.setWindowTitle(_("Settings"))
        self._settings, self._apply, self._ledger = settings, apply, ledger
        self._form = QGridLayout()
        theme().space(self._form, 0, 0, 0, 0, 10)
        self._form.setColumnStretch(1, 1)
        self.choice_language = Choice(name="choice_language", picked=self._changed)
        self.choice_language.set_choices(language_choices(), settings.language)
        self._add(_("&Language"), self.choice_language, "setting.language")
        self.again = Strip()
        self.button_restart = Button(_("Restart now"), name="button_restart", clicked=self._on_restart)
        self.choice_appearance = Choice(name="choice_appearance", picked=self._changed)
        self.choice_appearance.set_choices(
            [("system", _("Same as the system")), ("light", _("Light")), ("dark", _("Dark"))], settings.appearance
        )
        self._add(_("&Appearance"), self.choice_appearance, "setting.appearance")
        self.spin_scale = WholeNumber(name="spin_scale", bounds=(75, 300), value=round(100 * settings.scale))
        self.spin_scale.setSingleStep(25)
        self.spin_scale.setSuffix(numbers_of(language()).locale.percent.format(""))
        self.spin_scale.valueChanged.connect(self._changed)
        self._add(_("&Text size"), self.spin_scale, "setting.text-size")
        self.check_copy = check_box(_("Allow copying cells of the original"), name="check_copy_original")
        self.check_copy.setChecked(settings.copy_original)
        self.check_copy.toggled.connect(self._changed)
        self.check_copy.setProperty("topic", "setting.copy-original")
        self._form.addWidget(self.check_copy, self._form.rowCount(), 0, 1, 2)
        self._add_list()
        self.edit_forms = line_edit(name="edit_forms_folder", hint=_("No folder"))
        self.edit_forms.setText(settings.forms_folder)
        self.edit_forms.editingFinished.connect(self._changed)
        self._add(_("Folder with your own &forms"), self.edit_forms, "setting.forms-folder")
        # There may be many methods of others, and little room for a large text.
        inside = QWidget()
        inside.installEventFilter(self)
        column = self._inner = vbox(on=inside, margins=(20, 20, 20, 14), gap=14)
        self.plugins = PluginChoice(settings.plugins)
        self.plugins.changed.connect(self._changed)
        fill(column, self._form, self.plugins, self.failure, self.again, self.button_restart)
        column.addWidget(Text(_("The program remembers these settings, but not which files you opened."), tone="text2"))
        column.addStretch(1)
        close = Button(_("Close"), name="button_close_settings", clicked=self.accept)
        last = self._last = hbox(STRETCH, close, margins=(20, 0, 20, 20), gap=0)
        self._area = Area(inside)
        self._column = vbox(stretched(self._area), last, on=self, gap=0)
        asked = QShortcut(QKeySequence("F1"), self)
        asked.activated.connect(self._on_help)
        theme().changed.connect(self._fit)
        self._say_of_start()

    def _add_list(self) -> None:
        """Add whether a list of releases is kept, where this window keeps a ledger, and a strip for its failure."""
        self.failure = FailureStrip(name="strip_settings_failed", disk=_("Nothing was changed."))
        self.failure.clear()
        self.check_list = check_box(_("Keep a list of releases: data set and recipient"), name="check_keep_list")
        self.check_list.setChecked(self._ledger is not None and keeps_list(self._ledger))
        self.check_list.setEnabled(self._ledger is not None)
        self.check_list.clicked.connect(self._on_list)
        self.check_list.setProperty("topic", "setting.keep-list")
        self._form.addWidget(self.check_list, self._form.rowCount(), 0, 1, 2)

    def _add(self, text: str, control: QWidget, topic: str) -> None:
        """Add a control below the others, with its label at the left and its help topic."""
        control.setProperty("topic", topic)
        label = Text(text, wrap=False, buddy=control)
        row = self._form.rowCount()
        self._form.addWidget(label, row, 0)
        self._form.addWidget(control, row, 1)

    def _fit(self) -> None:
        """Adapt the size of the dialog to its text."""
        width, bar = self._wanted_width(), self._area.verticalScrollBar().sizeHint().width()
        self.setMinimumWidth(width)
        self._inner.invalidate()
        # A strip says a few pixels less than it takes until it is shown.
        inner = max(self._inner.totalHeightForWidth(width - bar), self._inner.minimumSize().height()) + theme().px(18)
        needed = inner + self._last.sizeHint().height()
        self.resize(width, min(needed, round(_MOST_OF_SCREEN * self.screen().availableGeometry().height())))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adapt the size when a part needs another size."""
        if event.type() == QEvent.Type.LayoutRequest and self._wanted_width() != self.minimumWidth():
            self._fit()
        return super().eventFilter(watched, event)

    def _wanted_width(self) -> int:
        """Return the width of the dialog in pixels, with space for a scroll bar."""
        # What is set here takes the place of what the parts need; a bar at the side needs some, too.
        bar = self._area.verticalScrollBar().sizeHint().width()
        return max(theme().px(_WIDTH), self._inner.minimumSize().width() + bar)

    def _changed(self, *_: object) -> None:
        """Apply the settings as soon as one is changed."""
        self._settings = replace(
            self._settings,
            appearance=self.choice_appearance.current,
            scale=self.spin_scale.value() / 100,
            copy_original=self.check_copy.isChecked(),
            language=self.choice_language.current,
            plugins=self.plugins.chosen,
            forms_folder=self.edit_forms.text().strip(),
        )
        self._apply(self._settings)
        self._say_of_start()

    def _say_of_start(self) -> None:
        """Show what takes effect at the next start: language, with who reviewed it, and plug-ins."""
        text = language_words(self._settings.language)
        if self.plugins.is_later:
            later = _("Add-on methods are loaded or left out the next time the program starts.")
            text = f"{text} {later}".strip()
        self.again.set("note", text)
        self.again.setVisible(bool(text))
        self.button_restart.setVisible(is_later(self._settings.language) or self.plugins.is_later)
        self._fit()

    def _on_list(self, on: bool) -> None:
        """Keep what was entered for each release on this computer from now on, or remove it."""
        if self._ledger is None:
            return
        self.failure.clear()
        try:
            keep_list(self._ledger, on)
        except InputError as error:
            self.check_list.setChecked(not on)
            self.failure.set_error(error)

    def _on_help(self) -> None:
        """Ask for help on the setting that has the focus."""
        focus = self.focusWidget()
        self.help_wanted.emit(str(focus.property("topic") or "setting.language"))

    def _on_restart(self) -> None:
        """Close the dialog and report that the program is to be started again."""
        self.accept()
        self.wants_restart.emit()
