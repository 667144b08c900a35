"""Where the release goes: who gets it, folder, format, name, key, and what will lie there."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.samples.base import resource
from ppdm_desktop.engine.table.writing import find_writer, release_formats
from ppdm_desktop.engine.wording.catalogue import say
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.release.done import FilesCard
from ppdm_desktop.ui.pdf.renderers import pdf_renderers
from ppdm_desktop.ui.state.finished_candidates import label
from ppdm_desktop.ui.state.gate_rows import internal_files, release_files, suggested_folder
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.buttons import Button, IconButton, Segments
from ppdm_desktop.ui.widgets.form.row import FormRow
from ppdm_desktop.ui.widgets.inputs import Choice
from ppdm_desktop.ui.widgets.release_type_card import type_words


class WherePanel(QWidget):
    """The owner's wishes for the folder.

    Signals
    -------
    wants_type
        Another recipient is wanted; that is asked on Protection levels.
    """

    wants_type = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context, self._session = context, context.session
        column = QVBoxLayout(self)
        theme().space(column, 0, 0, 0, 0, 12)
        self.card = Card(say("release", "Where to write the release"))
        self._candidate_words = Text("", tone="text2")
        self.card.body.addWidget(self._candidate_words)
        self._add_type()
        self._add_folder()
        self.seg_format = Segments([(id, find_writer(id).title) for id in release_formats()], name="seg_format")
        self.seg_format.chosen.connect(self._on_format)
        self._add_row(say("release", "Format"), self.seg_format)
        self.edit_operator = QLineEdit()
        self.edit_operator.setObjectName("edit_operator")
        self.edit_operator.setPlaceholderText(say("release", "Name and role; only for your own folder"))
        self.edit_operator.editingFinished.connect(self._on_operator)
        self._add_row(say("release", "Released by"), self.edit_operator)
        self.check_key = QCheckBox(say("release", "Keep the key in the folder “internal”"))
        self.check_key.setObjectName("check_keep_key")
        self.check_key.clicked.connect(self._on_keep_key)
        self.card.body.addWidget(self.check_key)
        self.card.body.addWidget(
            Text(
                say("release", "With the key, this release can be checked byte for byte later."),
                tone="text2",
                factor=0.9,
            )
        )
        self.button_recipe = Button(say("release", "Save recipe…"), name="button_save_recipe", link=True)
        self.button_recipe.setToolTip(
            say("release", "With the recipe and the key, the command line makes the same release")
        )
        self.card.body.addWidget(self.button_recipe)
        column.addWidget(self.card)
        may = say("release", "You may share this folder. It contains neither the key nor the report.")
        never = say("release", "Keep this folder. Never send it to anyone.")
        self.tree_release = FilesCard("tree_release", "release/", "passed", "passed", may)
        self.tree_internal = FilesCard("tree_internal", "internal/", "lock", "blocks", never)
        column.addWidget(self.tree_release)
        column.addWidget(self.tree_internal)
        column.addStretch(1)

    def _add_type(self) -> None:
        self.combo_type = Choice(name="combo_release_type", words=say("release", "Who will receive it"))
        self.combo_type.set_choices([(id, type_words(id)[0]) for id in RELEASE_TYPES])
        self.combo_type.setMinimumContentsLength(10)
        self.combo_type.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.combo_type.setEnabled(False)
        change = Button(say("release", "Change"), name="button_change_type", link=True)
        change.setAccessibleName(say("release", "Change who will receive the file"))
        change.clicked.connect(self.wants_type)
        self._add_row(say("release", "Who will receive it"), self.combo_type, change)

    def _add_folder(self) -> None:
        self.edit_folder = QLineEdit()
        self.edit_folder.setObjectName("edit_folder")
        self.edit_folder.editingFinished.connect(self._on_folder)
        browse = IconButton(
            "folder", say("release", "Choose where the release folder is made"), name="button_browse_folder"
        )
        browse.clicked.connect(self._on_browse)
        self._add_row(say("release", "Folder"), self.edit_folder, browse)

    def _add_row(self, words: str, control: QWidget, beside: QWidget | None = None) -> None:
        row = FormRow(words, "")
        row.small.hide()
        row.set_narrow(True)
        line = QHBoxLayout()
        line.addWidget(control, 1)
        if beside is not None:
            line.addWidget(beside)
        row.right.addLayout(line)
        row.label.setBuddy(control)
        control.setAccessibleName(words)
        self.card.body.addWidget(row)

    # --- showing ------------------------------------------------------------------------

    @property
    def folder(self) -> Path:
        """The folder as it stands in the field."""
        return Path(self.edit_folder.text().strip())

    def clear(self) -> None:
        """Empty the fields, also one that is being typed in."""
        self.edit_folder.clear()
        self.edit_operator.clear()

    def show_entry(self, entry: CandidateEntry, wished: Candidate) -> None:
        """Show a candidate and the decisions; a field that is being typed in is left alone.

        Raises
        ------
        RecipeError
            When the data file's name cannot be used.
        """
        decisions = self._session.decisions
        recipe = decisions.recipe
        self._candidate_words.setText(label(entry))
        self.combo_type.set_current(recipe.release.type)
        folder = decisions.folder or (self._suggested(decisions.path) if decisions.path is not None else "")
        for edit, text in ((self.edit_folder, folder), (self.edit_operator, recipe.operator.name or "")):
            if not edit.hasFocus() and edit.text() != text:
                edit.setText(text)
                edit.setCursorPosition(0)
        self.seg_format.set_current(recipe.release.format)
        self.check_key.setChecked(decisions.keep_key)
        self.tree_internal.show_files(internal_files(decisions.keep_key, pdf_renderers()))
        self.tree_release.show_files(release_files(wished))

    def _suggested(self, source: Path) -> str:
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        return str(suggested_folder(source, Path(documents), (resource("").parent, self._context.private_folder)))

    # --- deciding -----------------------------------------------------------------------

    def _on_folder(self) -> None:
        if text := self.edit_folder.text().strip():
            self._session.decide(say("release", "Choose the folder"), folder=text)

    def _on_browse(self) -> None:
        shown = self.folder
        found = self._context.dialogs.folder(self, say("release", "Make the release folder in"), shown.parent)
        if found is not None:
            self._session.decide(say("release", "Choose the folder"), folder=str(found / shown.name))

    def _on_format(self, format: str) -> None:
        release = self._session.decisions.recipe.release.model_copy(update={"format": format})
        self._session.decide_recipe(say("release", "Choose the format"), release=release)

    def _on_operator(self) -> None:
        name = self.edit_operator.text().strip() or None
        operator = self._session.decisions.recipe.operator
        if name != operator.name:
            self._session.decide_recipe(
                say("release", "Set who releases"), operator=operator.model_copy(update={"name": name})
            )

    def _on_keep_key(self, on: bool) -> None:
        self._session.decide(
            say("release", "Keep the key") if on else say("release", "Do not keep the key"), keep_key=on
        )
