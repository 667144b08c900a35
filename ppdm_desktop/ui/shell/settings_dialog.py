"""Looks and habits, applied at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.settings import Settings
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import Choice, WholeNumber

_WIDTH = 420  # px at 100 %


class SettingsDialog(QDialog):
    """Text size, appearance and copying."""

    def __init__(self, parent: QWidget, settings: Settings, apply: Callable[[Settings], None]) -> None:
        super().__init__(parent)
        self.setObjectName("dialog_settings")
        self.setWindowTitle(self.tr("Settings"))
        self._settings, self._apply = settings, apply
        self._form = QGridLayout()
        theme().space(self._form, 0, 0, 0, 0, 10)
        self._form.setColumnStretch(1, 1)
        self.choice_appearance = Choice(name="choice_appearance")
        self.choice_appearance.set_choices(
            [("system", self.tr("As the system")), ("light", self.tr("Light")), ("dark", self.tr("Dark"))],
            settings.appearance,
        )
        self.choice_appearance.picked.connect(self._changed)
        self._add(self.tr("&Appearance"), self.choice_appearance)
        self.spin_scale = WholeNumber(name="spin_scale")
        self.spin_scale.setRange(75, 300)
        self.spin_scale.setSingleStep(25)
        self.spin_scale.setSuffix(" %")
        self.spin_scale.setValue(round(100 * settings.scale))
        self.spin_scale.valueChanged.connect(self._changed)
        self._add(self.tr("&Text size"), self.spin_scale)
        self.check_copy = QCheckBox(self.tr("Allow copying cells of the original"))
        self.check_copy.setObjectName("check_copy_original")
        self.check_copy.setChecked(settings.copy_original)
        self.check_copy.toggled.connect(self._changed)
        self._form.addWidget(self.check_copy, self._form.rowCount(), 1)
        column = QVBoxLayout(self)
        theme().space(column, 20, 20, 20, 20, 14)
        column.addLayout(self._form)
        column.addWidget(Text(self.tr("The program remembers these, and no opened file."), tone="text2"))
        column.addStretch(1)
        close = Button(self.tr("Close"), name="button_close_settings")
        close.clicked.connect(self.accept)
        last = QHBoxLayout()
        last.addStretch(1)
        last.addWidget(close)
        column.addLayout(last)
        theme().changed.connect(self._fit)
        self._fit()

    def _add(self, words: str, control: QWidget) -> None:
        """Put a control below the others, with its words at the left."""
        label = Text(words, wrap=False)
        label.setBuddy(control)
        row = self._form.rowCount()
        self._form.addWidget(label, row, 0)
        self._form.addWidget(control, row, 1)

    def _fit(self) -> None:
        """Grow and shrink with the text."""
        self.setMinimumWidth(theme().px(_WIDTH))
        self.adjustSize()

    def _changed(self, *_: object) -> None:
        self._settings = replace(
            self._settings,
            appearance=self.choice_appearance.current,
            scale=self.spin_scale.value() / 100,
            copy_original=self.check_copy.isChecked(),
        )
        self._apply(self._settings)
