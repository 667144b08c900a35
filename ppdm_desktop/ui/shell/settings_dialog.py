"""Dialog with the settings of the program, which are applied at once, and the choice of plug-ins."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QWidget

from ppdm_desktop import plugins
from ppdm_desktop.engine import plugins as plugin_registry
from ppdm_desktop.engine.errors import InputError, PpdmError
from ppdm_desktop.engine.release.storage.ledger import keeps_list, set_keeps_list
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.shell.language import describe_language, language_choices, needs_restart
from ppdm_desktop.ui.state.settings import Settings
from ppdm_desktop.ui.widgets.basic import FailureStrip, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import Choice, WholeNumber, check_box, line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, add_parts, hbox, stretch_part, vbox
from ppdm_desktop.ui.widgets.scrolling import Area

_began: list[str] = []
"""Names of the plug-ins that were switched on when the program started."""


def switch_on(names: Collection[str]) -> None:
    """Load these plug-ins before there is a window, and remember that they were to be loaded at the start.

    A plug-in that is refused or missing is left out; the settings show why. A bundled program loads none.
    """
    _began[:] = names
    for name in names:
        if not plugins.is_bundle():
            try_loading_plugin(name)


def try_loading_plugin(name: str) -> Note | None:
    """Load a plug-in by its name; return why it was refused or is not installed, None if it is loaded now."""
    try:
        return plugins.why_refused(name)
    except PpdmError as error:
        return Note(error.id, error.arguments)


class PluginChoice(QWidget):
    """A check box for each installed plug-in, with its version and publisher, or why none is listed.

    Parameters
    ----------
    chosen
        Names of the plug-ins that are ticked at first. Those not installed have no box and stay in ``chosen``.

    Signals
    -------
    changed
        Emitted when the user ticks or unticks a plug-in.
    """

    changed = Signal()

    def __init__(self, chosen: Collection[str]) -> None:
        """Create the boxes, and load the chosen plug-ins that are not loaded yet, which runs their code.

        Where a plug-in is refused, the reason is shown below its box.
        """
        super().__init__()
        self.setObjectName("plugin_choice")
        self.boxes: dict[str, QCheckBox] = {}
        self._began = frozenset(_began)
        column = vbox(Text(_("Add-on methods"), semibold=True), on=self, gap=6)
        installed = plugins.installed()
        self._gone = tuple(name for name in chosen if name not in {plugin.name for plugin in installed})
        if not installed:
            column.addWidget(Text(_explain_no_plugin(), tone="text2"))
        for plugin in installed:
            box = self.boxes[plugin.name] = check_box(
                plugin.name.replace("&", "&&"),
                name=f"check_plugin_{plugin.name}",
                topic="setting.plugins",
                checked=plugin.name in chosen,
                toggled=self.changed,
            )
            add_parts(column, box, Text(plugins.describe_plugin(plugin), tone="text2"))
            if (
                plugin.name in chosen
                and plugin_registry.find(plugin.name) is None
                and (why := try_loading_plugin(plugin.name)) is not None
            ):
                column.addWidget(Text(_("Not offered: {reason}", reason=why), tone="text2"))
        if installed:
            column.addWidget(Text(_("Their code runs with your rights. Switch on only what you trust."), tone="text2"))

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names of the plug-ins switched on, including those that are not installed at present."""
        return (*self._gone, *(name for name, box in self.boxes.items() if box.isChecked()))

    @property
    def needs_restart(self) -> bool:
        """Whether the choice differs from the one at the start of the program, so that it waits for a restart."""
        return set(self.chosen) != self._began


def _explain_no_plugin() -> str:
    """Return a sentence on why no plug-in is listed: none is installed, or a bundled program never loads any."""
    if plugins.is_bundle():
        return _("This copy of the program never loads any.")
    return _("None is installed.")


_WIDTH = 420  # px at 100 %
_MOST_OF_SCREEN = 0.9


class SettingsDialog(QDialog):
    """Settings: language, text size, appearance, copying, and plug-ins.

    Signals
    -------
    wants_restart
        Emitted when the program should restart now.
    help_wanted
        Emitted with the help topic of the focused setting when F1 was pressed.
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
        self.choice_language = Choice(name="choice_language", picked=self._apply_settings)
        self.choice_language.set_choices(language_choices(), settings.language)
        self._add_control(_("&Language"), self.choice_language, "setting.language")
        self.again = Strip()
        self.button_restart = Button(_("Restart now"), name="button_restart", clicked=self._on_restart)
        self.choice_appearance = Choice(name="choice_appearance", picked=self._apply_settings)
        self.choice_appearance.set_choices(
            [("system", _("As the system")), ("light", _("Light")), ("dark", _("Dark"))], settings.appearance
        )
        self._add_control(_("&Appearance"), self.choice_appearance, "setting.appearance")
        self.spin_scale = WholeNumber(name="spin_scale", bounds=(75, 300), value=round(100 * settings.scale))
        self.spin_scale.setSingleStep(25)
        self.spin_scale.setSuffix(numbers_of(language()).locale.percent.format(""))
        self.spin_scale.valueChanged.connect(self._apply_settings)
        self._add_control(_("&Text size"), self.spin_scale, "setting.text-size")
        self.check_copy = check_box(
            _("Allow copying cells of the original"),
            name="check_copy_original",
            topic="setting.copy-original",
            checked=settings.copy_original,
            toggled=self._apply_settings,
        )
        self._form.addWidget(self.check_copy, self._form.rowCount(), 0, 1, 2)
        self._add_list()
        self.edit_forms = line_edit(name="edit_forms_folder", hint=_("No folder"), finished=self._apply_settings)
        self.edit_forms.setText(settings.forms_folder)
        self._add_control(_("Folder with your own &forms"), self.edit_forms, "setting.forms-folder")
        # There may be many methods of others, and little room for a large text.
        inside = QWidget()
        inside.installEventFilter(self)
        column = self._inner = vbox(on=inside, margins=(20, 20, 20, 14), gap=14)
        self.plugins = PluginChoice(settings.plugins)
        self.plugins.changed.connect(self._apply_settings)
        kept = Text(_("This program does not remember which files you opened."), tone="text2")
        add_parts(column, self._form, self.plugins, self.failure, self.again, self.button_restart, kept, STRETCH)
        close = Button(_("Close"), name="button_close_settings", clicked=self.accept)
        last = self._last = hbox(STRETCH, close, margins=(20, 0, 20, 20), gap=0)
        self._area = Area(inside)
        vbox(stretch_part(self._area), last, on=self, gap=0)
        QShortcut(QKeySequence("F1"), self).activated.connect(self._on_help)
        theme().changed.connect(self._adapt_dialog_size)
        self._show_restart_notes()

    def _add_list(self) -> None:
        """Add the check box whether a list of releases is kept, and the strip that shows when this fails.

        The box is disabled in a window that has no file for such a list.
        """
        self.failure = FailureStrip(name="strip_settings_failed")
        self.failure.clear()
        self.check_list = check_box(
            _("Keep a list of releases: data set and recipient"),
            name="check_keep_list",
            topic="setting.keep-list",
            checked=self._ledger is not None and keeps_list(self._ledger),
            clicked=self._on_list,
        )
        self.check_list.setEnabled(self._ledger is not None)
        self._form.addWidget(self.check_list, self._form.rowCount(), 0, 1, 2)

    def _add_control(self, text: str, control: QWidget, topic: str) -> None:
        """Add a control below the others, with its label at the left and its help topic."""
        control.setProperty("topic", topic)
        label = Text(text, wrap=False, buddy=control)
        row = self._form.rowCount()
        self._form.addWidget(label, row, 0)
        self._form.addWidget(control, row, 1)

    def _adapt_dialog_size(self) -> None:
        """Make the dialog as large as its content, at most 90 % of the screen's height."""
        width, bar = self._wanted_width(), self._area.verticalScrollBar().sizeHint().width()
        self.setMinimumWidth(width)
        self._inner.invalidate()
        # A strip says a few pixels less than it takes until it is shown.
        inner = max(self._inner.totalHeightForWidth(width - bar), self._inner.minimumSize().height()) + theme().px(18)
        needed = inner + self._last.sizeHint().height()
        self.resize(width, min(needed, round(_MOST_OF_SCREEN * self.screen().availableGeometry().height())))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adapt the size when a part needs another width; return whether Qt should drop the event."""
        if event.type() == QEvent.Type.LayoutRequest and self._wanted_width() != self.minimumWidth():
            self._adapt_dialog_size()
        return super().eventFilter(watched, event)

    def _wanted_width(self) -> int:
        """Return the width in pixels that the dialog needs, with space for a scroll bar."""
        # What is set here takes the place of what the parts need; a bar at the side needs some, too.
        bar = self._area.verticalScrollBar().sizeHint().width()
        return max(theme().px(_WIDTH), self._inner.minimumSize().width() + bar)

    def _apply_settings(self, *_: object) -> None:
        """Read the settings from all controls, apply and save them, and show what waits for the next start."""
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
        self._show_restart_notes()

    def _show_restart_notes(self) -> None:
        """Show what takes effect only at the next start: a new language, other plug-ins.

        It is also shown if the translation is not reviewed. The button to restart is visible if anything waits for the
        restart.
        """
        text = describe_language(self._settings.language)
        if self.plugins.needs_restart:
            notice = _("This is used the next time the program starts.")
            text = text if notice in text else f"{text} {notice}".strip()
        self.again.set("note", text)
        self.again.setVisible(bool(text))
        self.button_restart.setVisible(needs_restart(self._settings.language) or self.plugins.needs_restart)
        self._adapt_dialog_size()

    def _on_list(self, on: bool) -> None:
        """Start to record data set and recipient of each release, or stop and delete those recorded.

        If that fails, show why and restore the tick. Nothing happens in a window that has no file for such a list.
        """
        if self._ledger is None:
            return
        self.failure.clear()
        try:
            set_keeps_list(self._ledger, on)
        except InputError as error:
            self.check_list.setChecked(not on)
            self.failure.set_error(error)

    def _on_help(self) -> None:
        """Send the help topic of the setting that has the focus; without focus, that of the language."""
        focus = self.focusWidget()
        self.help_wanted.emit(str(focus.property("topic") or "setting.language"))

    def _on_restart(self) -> None:
        """Close the dialog and send ``wants_restart``, so that the program is started again."""
        self.accept()
        self.wants_restart.emit()
