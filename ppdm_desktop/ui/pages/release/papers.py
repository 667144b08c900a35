"""Card with the papers that officers, boards and auditors ask for: which are wanted, and what is left to fill in."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QCheckBox

from ppdm_desktop.engine.dossier.dossier import Paper
from ppdm_desktop.engine.dossier.forms import Form, all_forms
from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.release.work import papers_work
from ppdm_desktop.ui.widgets.basic import Text, clear_layout
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.failure import FailureStrip
from ppdm_desktop.ui.widgets.fold import Fold
from ppdm_desktop.ui.widgets.inputs import check_box
from ppdm_desktop.ui.widgets.layout import at_left, at_top, fill, hbox, stretched, vbox
from ppdm_desktop.ui.work.tasks import TaskOutcome

_JOB = "papers"


class PapersCard(Fold):
    """A tick for each form, with what it is for; after a release its papers are written, and can be opened."""

    def __init__(self, context: Context) -> None:
        super().__init__("fold_papers", card=True)
        self._context = context
        self._release: Path | None = None
        self.failure = FailureStrip(name="strip_papers_failed", disk=_("The release is written and stays as it is."))
        self.failure.clear()
        self.button_write = Button(_("Write the papers"), name="button_write_papers", icon="file")
        self.button_write.clicked.connect(self.write)
        self._rows, self._written = vbox(gap=8), vbox(gap=4)
        explained = Text(_("Figures are filled in. You answer the rest in the papers."), tone="text2", factor=0.95)
        fill(self.body, explained, self._rows, at_left(self.button_write), self.failure, self._written)
        self.ticks: dict[str, QCheckBox] = {}
        self._forms: dict[str, Form] = {}
        self._folder: str | None = None

    def show_forms(self, release: Path | None) -> None:
        """Show the forms, and offer to write their papers once there is a release."""
        if release != self._release:
            self._release = release
            clear_layout(self._written)
        if self._folder != self._context.session.forms_folder:
            self._folder = self._context.session.forms_folder
            self._fill_rows(Path(self._folder) if self._folder else None)
        chosen = [id for id in self._context.session.forms if id in self._forms]
        for id, tick in self.ticks.items():
            tick.setChecked(id in chosen)
        self.set_words(_("Papers"), _("{n} of {all} chosen", n=len(chosen), all=len(self._forms)))
        self.button_write.setVisible(release is not None)
        self.button_write.setEnabled(bool(chosen))

    def _fill_rows(self, folder: Path | None) -> None:
        """Show a row for each form; forms of one's own that cannot be read are named."""
        self.failure.clear()
        try:
            self._forms = all_forms(folder)
        except PpdmError as error:
            self.failure.set_error(error)
            self._forms = all_forms()
        clear_layout(self._rows)
        self.ticks.clear()
        for id, form in self._forms.items():
            tick = self.ticks[id] = check_box(name=f"check_paper_{id}", clicked=self._on_tick)
            tick.setAccessibleName(form.name)
            tick.setAccessibleDescription(form.purpose)
            name = Text(form.name, buddy=tick)
            words = vbox(name, Text(form.purpose, tone="text2", factor=0.9), gap=0)
            fill(self._rows, hbox(at_top(tick), stretched(words)))

    def _on_tick(self) -> None:
        self._context.session.forms = tuple(id for id, tick in self.ticks.items() if tick.isChecked())
        self._context.session.changed()

    def write(self) -> None:
        """Write the papers of the chosen forms beside the release."""
        forms = [self._forms[id] for id in self._context.session.forms if id in self._forms]
        if self._release is not None and forms and not self._context.runner.is_running(_JOB):
            self._context.runner.start(_JOB, papers_work(self._release, forms), self._on_written)

    def _on_written(self, outcome: TaskOutcome) -> None:
        self.failure.set_outcome(outcome)
        if outcome.ok:
            clear_layout(self._written)
            for path, paper in outcome.result:
                self._add_written(path, paper)
            self.set_open(True)

    def _add_written(self, path: Path, paper: Paper) -> None:
        """Add what is left to fill in of a paper, with a button that opens it."""
        is_internal = path.parent.parent != self._release
        copy = (
            lazy("Internal copy: {n} of {m} fields are for you")
            if is_internal
            else lazy("{n} of {m} fields are for you")
        )
        left = copy.said(n=paper.for_people, m=len(paper.fields))
        name = f"button_open_internal_{path.stem}" if is_internal else f"button_open_paper_{path.stem}"
        button = Button(_("Open"), name=name, link=True)
        button.setAccessibleName(f"{_('Open')}: {paper.form.name}")
        button.clicked.connect(partial(self._context.dialogs.open_document, path))
        words = vbox(Text(paper.form.name, semibold=True), Text(left, tone="text2", factor=0.95), gap=0)
        fill(self._written, hbox(stretched(words), button))
