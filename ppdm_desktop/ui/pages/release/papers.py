"""The forms of a release: a box for each, and buttons to open those that are written."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QCheckBox

from ppdm_desktop.engine.dossier.dossier import Paper
from ppdm_desktop.engine.dossier.forms import Form, all_forms
from ppdm_desktop.engine.dossier.papers import write_papers
from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.release.storage.atomic_folder import INTERNAL
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pdf.own_process import pdf_process
from ppdm_desktop.ui.pdf.renderers import pdf_renderers
from ppdm_desktop.ui.widgets.basic import FailureStrip, Text, clear_layout
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.fold import Fold
from ppdm_desktop.ui.widgets.inputs import check_box
from ppdm_desktop.ui.widgets.layout import Panel, add_parts, align_left, align_top, hbox, stretch_part, vbox
from ppdm_desktop.ui.work.tasks import TaskOutcome

_JOB = "papers"


class PapersPart(Panel):
    """A box for each form (document to fill in), and after a release the written forms with buttons to open them."""

    def __init__(self, context: Context, fold: Fold) -> None:
        super().__init__(name="part_papers")
        self._context, self._fold = context, fold
        fold.body.addWidget(self)
        self._release: Path | None = None
        self.failure = FailureStrip(name="strip_papers_failed", disk=_("The release is written and stays as it is."))
        self.button_write = Button(_("Write the papers"), name="button_write_papers", icon="file", clicked=self.write)
        self._rows, self._written = vbox(gap=8), vbox(gap=4)
        explained = Text(_("Figures are filled in. You answer the rest in the papers."), tone="text2", factor=0.95)
        vbox(explained, self._rows, align_left(self.button_write), self.failure, self._written, on=self, gap=6)
        self.ticks: dict[str, QCheckBox] = {}
        self._forms: dict[str, Form] = {}
        self._folder: str | None = None

    def show_forms(self, release: Path | None) -> None:
        """Show the forms (documents to fill in), ticked as stored in the session, and the button that writes them.

        ``release`` is the folder of the release, None before it is written; then the button is hidden. It is disabled
        if no form is ticked. Forms written for another release are no longer listed. The forms are read again if the
        folder of the organisation's forms changed.
        """
        if release != self._release:
            self._release = release
            clear_layout(self._written)
        if self._folder != self._context.session.forms_folder:
            self._folder = self._context.session.forms_folder
            self._fill_rows(Path(self._folder) if self._folder else None)
        chosen = [id for id in self._context.session.forms if id in self._forms]
        for id, tick in self.ticks.items():
            tick.setChecked(id in chosen)
        self.button_write.setVisible(release is not None)
        self.button_write.setEnabled(bool(chosen))

    def _fill_rows(self, folder: Path | None) -> None:
        """Show a row for each form of the program and each of the organisation's in ``folder`` (None: without these).

        If one of the organisation's forms cannot be read, this is shown, and only the program's forms are listed.
        """
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
            texts = vbox(name, Text(form.purpose, tone="text2", factor=0.9), gap=0)
            add_parts(self._rows, hbox(align_top(tick), stretch_part(texts)))

    def _on_tick(self) -> None:
        """Store in the session which forms are ticked, and notify it."""
        self._context.session.forms = tuple(id for id, tick in self.ticks.items() if tick.isChecked())
        self._context.session.changed()

    def write(self) -> None:
        """Write the ticked forms into the release in the background.

        Nothing happens without a release or ticked forms, or while forms are being written.
        """
        forms = [self._forms[id] for id in self._context.session.forms if id in self._forms]
        if self._release is not None and forms and not self._context.runner.is_running(_JOB):
            self._context.runner.start(
                _JOB, partial(write_papers_with_pdf, tuple(pdf_renderers()), self._release, forms), self._on_written
            )

    def _on_written(self, outcome: TaskOutcome) -> None:
        """List the written forms with a button that opens each, or show why they were not written.

        In both cases the part is unfolded. After a failure or a cancellation the list stays as it was.
        """
        self._fold.set_open(True)
        self.failure.set_outcome(outcome)
        if outcome.ok:
            clear_layout(self._written)
            for path, paper in outcome.result:
                self._add_written(path, paper)

    def _add_written(self, path: Path, paper: Paper) -> None:
        """Add a line on a written form with a button that opens it.

        The line has the file's path in the release folder and how many of the form's fields are left for people to
        fill, such as "papers/eu.docx: 4 of 20 fields are for you".
        """
        folder = path.parents[1]  # the release, which may have been moved by now, or what is internal in it
        file = path.relative_to(folder.parent if folder.name == INTERNAL else folder)
        left = _("{n} of {m} fields are for you", n=paper.for_people, m=len(paper.fields))
        button = Button(_("Open"), name=f"button_open_{'_'.join(file.with_suffix('').parts)}", link=True)
        button.setAccessibleName(f"{_('Open')}: {paper.form.name}")
        button.clicked.connect(partial(self._context.dialogs.open_document, path))
        texts = vbox(Text(paper.form.name, semibold=True), Text(f"{file}: {left}", tone="text2", factor=0.95), gap=0)
        add_parts(self._written, hbox(stretch_part(texts), button))


def write_papers_with_pdf(documents: Sequence[str], out: Path, forms: Sequence[Form]) -> list[tuple[Path, Paper]]:
    """Write forms for the release in the folder ``out``; return (path of the DOCX file, filled-in form) for each.

    A form that can name rows of the source is written twice, with these rows to the internal folder, and has two
    entries. If ``documents`` is not empty, the forms are written as PDF, too.
    """
    with pdf_process(documents) as renderers:
        return write_papers(out, forms, renderer=next(iter(renderers.values()), None))
