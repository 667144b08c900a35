"""Choice of the window's language; the owner of the settings provides the note on what the choice means."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import Choice
from ppdm_desktop.ui.widgets.layout import Flow, Panel, vbox


class LanguageSwitch(Panel):
    """The languages, a note on the choice, and a button to restart.

    Signals
    -------
    picked
        Emitted with the code of the chosen language, or ``system``.
    restart_wanted
        Emitted when the user wants to restart the program now.
    """

    picked = Signal(str)
    restart_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(name="language_switch", topic="setting.language")
        text = _("Language")
        self.choice = Choice(name="choice_language_welcome", label=text, picked=self.picked)
        self.button_restart = Button(_("Restart now"), name="button_restart_welcome", link=True)
        line = Flow(Text(text, tone="text2", factor=0.9, wrap=False), self.choice, self.button_restart)
        self._note = Text("", tone="text2", factor=0.85, name="label_language_switch")
        self._note.setAlignment(Qt.AlignmentFlag.AlignLeft)
        vbox(line, self._note, on=self, gap=4)
        self.button_restart.clicked.connect(self.restart_wanted)
        self.show_choice([], "", "", restart=False)

    def show_choice(self, choices: Sequence[tuple[str, str]], current: str, label: str, *, restart: bool) -> None:
        """Offer the languages (code, name) with ``current`` selected, and show the note ``label`` below.

        An empty note takes no space. ``restart`` says whether the button that restarts the program is visible.
        """
        self.choice.set_choices(list(choices), current)
        self._note.show_text(label)
        self.button_restart.setVisible(restart)
