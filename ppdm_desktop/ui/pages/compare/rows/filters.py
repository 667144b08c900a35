"""Which rows are shown side by side, and buttons to the next and previous change."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.rows.words import states_in
from ppdm_desktop.ui.state.diff import EVERYTHING, KINDS, Diff
from ppdm_desktop.ui.state.level_names import level_words
from ppdm_desktop.ui.widgets.buttons import Button, Segments
from ppdm_desktop.ui.widgets.flow import Flow
from ppdm_desktop.ui.widgets.inputs import Choice

_MARKS_BELOW = 560
_WHERE_FOUND = ("coarser", "removed")  # offered only where there are some


class ChangeFilters(Flow):
    """Choice of the kind of change, column and level, with buttons to the next and previous change.

    Signals
    -------
    changed
        Another choice was made.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kinds = Segments(
            [(kind, kind) for kind in (EVERYTHING, *KINDS)],  # what they are called, `fit` says
            name="filter_changes",
            chosen=self.changed,
        )
        self._found: dict[str, int] = {}
        self.columns = self._choice("filter_column", _("Changes in column"), 14)
        self.levels = self._choice("filter_level", _("Protection level"), 12)
        self.button_previous = Button(_("Previous  Shift+F8"), name="button_previous_change", icon="up")
        self.button_next = Button(_("Next change  F8"), name="button_next_change", icon="down")
        for widget in (self.kinds, self.columns, self.levels, self.button_previous, self.button_next):
            self.add(widget)
        self.forget()

    def _choice(self, name: str, text: str, letters: int) -> Choice:
        """Return a choice for one of the filters."""
        return Choice(name=name, label=text, picked=self.changed, letters=letters)

    @property
    def kind(self) -> str:
        """The chosen kind of change, or the value for all rows."""
        return self.kinds.current

    @property
    def column(self) -> int | None:
        """Index of the column in which changes are looked for, None for all columns."""
        return int(self.columns.current) if self.columns.current else None

    @property
    def level(self) -> int | None:
        """Code of the level whose people are shown, None for all levels."""
        return int(self.levels.current) if self.levels.current else None

    # --- showing ------------------------------------------------------------------------

    def forget(self) -> None:
        """Offer only the choice of all rows."""
        self._found = {}
        self.kinds.set_current(EVERYTHING)
        self.columns.set_choices([("", _("Every column"))], "")
        self.levels.set_choices([("", _("Every level"))], "")
        self.levels.hide()
        self._name_buttons(groups=False)
        self.set_jumps(False)
        self.fit(self.width())

    def set_diff(self, diff: Diff) -> None:
        """Offer the kinds of change, columns and levels that occur in a comparison."""
        self._found = states_in(diff)
        if not self._found.get(self.kinds.current, 1) and self.kinds.current in _WHERE_FOUND:
            self.kinds.set_current(EVERYTHING)
        self.fit(self.width())
        self.kinds.setEnabled(diff.rows_correspond)
        keep = self.columns.current
        columns = [("", _("Every column")), *((str(n), name) for n, name in enumerate(diff.released.names))]
        self.columns.set_choices(columns, keep if keep and int(keep) < len(diff.released.names) else "")
        self.columns.setEnabled(diff.rows_correspond)
        levels = diff.levels.levels if diff.levels is not None else ()
        kept = self.levels.current
        choices = [
            ("", _("Every level")),
            *((str(n), level_words(level.name, diff.said)) for n, level in enumerate(levels)),
        ]
        self.levels.set_choices(choices, kept if kept and int(kept) < len(levels) else "")
        self.levels.setVisible(len(levels) > 1 and diff.rows_correspond)
        self._name_buttons(groups=diff.groups is not None)

    def _name_buttons(self, *, groups: bool) -> None:
        """Name the two buttons after groups or after single changes, as the rows correspond or not."""
        if groups:
            self.button_next.setText(_("Next group  F8"))
            said = _("{words}: to the group before", words=Term(self.button_previous.text()))
        else:
            self.button_next.setText(_("Next change  F8"))
            said = _("{words}: to the change before", words=Term(self.button_previous.text()))
        self.button_previous.setAccessibleName(said)

    def set_jumps(self, there: bool) -> None:
        """Enable the buttons to the next and previous change, or disable them."""
        for button in (self.button_next, self.button_previous):
            button.setEnabled(there)

    def fit(self, width: int) -> None:
        """Label the kinds with their counts, or only by their marks if the width in pixels is too small."""
        counts = self._found
        long = {
            EVERYTHING: _("All rows"),
            "any": _("Any change"),
            "changed": _("Another value: {n}", n=counts.get("changed", 0)),
            "hidden": _("Hidden: {n}", n=counts.get("hidden", 0)),
            "coarser": _("Broader: {n}", n=counts.get("coarser", 0)),
            "removed": _("Removed: {n}", n=counts.get("removed", 0)),
        }
        signs = {"changed": "≠", "hidden": "▨", "coarser": "≈", "removed": "×"}
        brief = {EVERYTHING: _("All"), "any": _("Any"), **signs}
        for key in _WHERE_FOUND:
            self.kinds.set_visible(key, bool(counts.get(key, 0)))
        for key, text in long.items():
            self.kinds.set_words(key, text)
        # A million rows have counts of many digits: what they need is measured.
        short = width < theme().px(_MARKS_BELOW) or width < self.kinds.sizeHint().width()
        for key, text in long.items():
            self.kinds.set_words(key, brief[key] if short else text)
            self.kinds.set_name(key, text)

    def minimumSizeHint(self) -> QSize:
        """Return the size without the labels of the kinds, which become marks where there is no room."""
        neighbours = (self.columns, self.levels, self.button_previous, self.button_next)
        wide = max(widget.minimumSizeHint().width() for widget in neighbours if not widget.isHidden())
        return QSize(wide, super().minimumSizeHint().height())
