"""Options of the release: recipient, folder, format, languages, name, key, and the files that will be written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import partial
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from ppdm_desktop.engine.recipe.models import OperatorSection, is_day
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.analysis_kit import fits_kit
from ppdm_desktop.engine.release.storage.atomic_folder import TEACHING
from ppdm_desktop.engine.release.writing.disk_and_memory import rights_note
from ppdm_desktop.engine.release.writing.export import RELEASE_FOLDER
from ppdm_desktop.engine.report.record_fields import RECORD_FIELDS
from ppdm_desktop.engine.samples.base import find_sample_file
from ppdm_desktop.engine.table.writing.registry import find_writer, release_formats
from ppdm_desktop.engine.wording.catalogue import Sentence, _, lazy, list_languages
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.theme import restyle
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.release.done import FilesCard
from ppdm_desktop.ui.pdf.renderers import pdf_renderers
from ppdm_desktop.ui.state.deadlines import propose_review_day
from ppdm_desktop.ui.state.finished_candidates import label_candidate
from ppdm_desktop.ui.state.gate_rows import internal_files, release_files, suggested_folder
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.buttons import Button, IconButton, Segments
from ppdm_desktop.ui.widgets.fold import Fold
from ppdm_desktop.ui.widgets.form.row import FormRow
from ppdm_desktop.ui.widgets.inputs import Choice, check_box, line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, add_parts, hbox, stretch_part, vbox
from ppdm_desktop.ui.widgets.release_type_card import can_sign, describe_agreement, describe_release_type
from ppdm_desktop.ui.widgets.scrolling import bring_in


def labelled_row(text: str, control: QWidget, button: QWidget | None = None, *, small: str = "") -> FormRow:
    """Return a form row: a label, below it a control, and to the right of the control a button if given.

    ``small`` is small print; "" for none.
    """
    row = FormRow(text, small)
    row.set_narrow(True)
    row.right.addLayout(hbox(stretch_part(control), *([] if button is None else [button])))
    row.label.setBuddy(control)
    control.setAccessibleName(text)
    return row


class WherePanel(QWidget):
    """Panel with the options of the release.

    Signals
    -------
    wants_type
        The user wants to change the recipient, which is done on Protection levels.
    """

    wants_type = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context, self._session = context, context.session
        self.card = Card(_("Where to write"))
        self.fold_record, self.fold_files, self.fold_languages = (
            Fold(name, card=True) for name in ("fold_record", "fold_files", "fold_languages")
        )
        self._candidate_text = Text("", tone="text2")
        self._agreement_text = Text("", tone="text2", factor=0.9, name="label_agreement")
        add_parts(self.card.body, self._candidate_text, self._build_recipient_row(), self._agreement_text)
        self._add_folder()
        formats = [(id, find_writer(id).title) for id in release_formats()]
        self.seg_format = Segments(formats, name="seg_format", chosen=partial(self._on_wish, "format"))
        self.seg_format.setProperty("topic", "setting.format")
        self.edit_operator = line_edit(
            name="edit_operator",
            hint=_("Name and role; stays with you"),
            topic="setting.released-by",
            finished=self._on_operator,
        )
        self._operator_note = Text("", tone="amber", factor=0.9, name="label_operator_missing")
        self.check_key = check_box(
            _("Keep the key in the folder “internal”"),
            name="check_keep_key",
            topic="setting.keep-key",
            clicked=lambda kept: self._session.decide(keep_key=kept),
        )
        self.check_four_eyes = check_box(
            _("A second person approves it"),
            name="check_four_eyes",
            topic="setting.four-eyes",
            toggled=partial(self._on_wish, "four_eyes"),
        )
        add_parts(
            self.card.body,
            labelled_row(_("Format"), self.seg_format),
            labelled_row(_("Released by"), self.edit_operator),
            self._operator_note,
            self.check_key,
            self.check_four_eyes,
        )
        self._show_operator_note("")
        self.record = RecordForm()
        self.record.entered.connect(self._on_record)
        self.fold_record.body.addWidget(self.record)
        self._add_files()
        self.combo_note_language = self._add_language("note_language", _("Note for the recipient in"))
        self.combo_report_language = self._add_language("report_language", _("Record and report in"))
        vbox(self.card, self.fold_record, self.fold_files, self.fold_languages, STRETCH, on=self, gap=12)

    def _add_files(self) -> None:
        """Fill the folded part on files: boxes for teaching copy and analysis kit, saving the recipe, lists of files.

        There is a list for each of the folders "release", teaching and "internal".
        """
        self._choices = QWidget()
        inside = vbox(on=self._choices)
        self.fold_files.body.addWidget(self._choices)
        self.check_teaching = check_box(
            _("Teaching copy, not for release"),
            name="check_teaching_copy",
            toggled=partial(self._on_wish, "teaching_copy"),
        )
        self._teaching_text = Text(
            _(
                "Written even if checks on protection are not passed, to show what a method does. It can reveal "
                "people: never pass it on."
            ),
            tone="text2",
            factor=0.9,
        )
        self.check_kit = check_box(
            _("Add an analysis kit for the noise"),
            name="check_analysis_kit",
            toggled=partial(self._on_wish, "analysis_kit"),
        )
        self._kit_text = Text("", tone="text2", factor=0.9, name="label_analysis_kit")
        self.button_recipe = Button(_("Save recipe…"), name="button_save_recipe", link=True)
        add_parts(inside, self.check_teaching, self._teaching_text, self.check_kit, self._kit_text, self.button_recipe)
        may = _("You may share this folder. It contains neither the key nor the report.")
        never = _("Keep this folder. Never send it to anyone.")
        self.tree_release = FilesCard("tree_release", "release/", "passed", "passed", may)
        self.tree_internal = FilesCard("tree_internal", "internal/", "lock", "blocks", never)
        self.tree_teaching = FilesCard(
            "tree_teaching",
            f"{TEACHING}/",
            "lock",
            "amber",
            _("For teaching inside your organisation only. Do not pass this folder on."),
        )
        add_parts(self.fold_files.body, self.tree_release, self.tree_teaching, self.tree_internal)

    def _build_recipient_row(self) -> FormRow:
        """Return the row that shows who will receive the file, with a link to where the recipient is changed."""
        self.combo_type = Choice(name="combo_release_type", label=_("Who will receive it"), letters=10)
        self.combo_type.set_choices([(id, describe_release_type(id)[0]) for id in RELEASE_TYPES])
        self.combo_type.setEnabled(False)
        change = Button(_("Change", "verb"), name="button_change_type", link=True, clicked=self.wants_type)
        change.setAccessibleName(join_label(change.text(), _("Who will receive it")))
        return labelled_row(_("Who will receive it"), self.combo_type, change)

    def _add_folder(self) -> None:
        """Add the row for the folder of the release, with a warning line below it."""
        self.edit_folder = line_edit(name="edit_folder", topic="setting.folder", finished=self._on_folder)
        label = _("Make the release folder in")
        browse = IconButton("folder", label, name="button_browse_folder", clicked=self._on_browse)
        browse.setProperty("topic", "setting.folder")
        self._folder_note = Text("", tone="amber", factor=0.9, name="label_place")
        add_parts(self.card.body, labelled_row(_("Folder"), self.edit_folder, browse), self._folder_note)
        self._folder_note.hide()
        self._folder = ""

    def _add_language(self, key: str, text: str) -> Choice:
        """Add a choice of the language of one document, and return the choice; each language is named in itself.

        Parameters
        ----------
        key
            The recipe's setting for this language, in which the user's choice is stored as a decision.
        text
            Label.
        """
        choice = Choice(name=f"combo_{key}", picked=partial(self._on_wish, key))
        choice.set_choices([(language.code, language.name) for language in list_languages().values()])
        self.fold_languages.body.addWidget(labelled_row(text, choice))
        return choice

    # --- showing ------------------------------------------------------------------------

    @property
    def folder(self) -> Path:
        """The folder as typed; the current folder if nothing is typed."""
        return Path(self.edit_folder.text().strip())

    def clear(self) -> None:
        """Clear folder, operator and release record, even a field that is being edited; other options stay as shown."""
        self.edit_folder.clear()
        self.edit_operator.clear()
        self.record.clear()

    def show_entry(self, entry: CandidateEntry, wished: Candidate) -> None:
        """Show the release's options as the recipe has them; a field that is being edited is not changed.

        Without a decision on the folder, a folder is suggested; without a review day, one is proposed in grey. The box
        for a teaching copy is visible only for an internal recipient, or if it is ticked.

        Parameters
        ----------
        entry
            The candidate.
        wished
            The same candidate with the present options, whose files are listed.

        Raises
        ------
        RecipeError
            If the data file cannot have the chosen name.
        """
        decisions = self._session.decisions
        recipe = decisions.recipe
        self._candidate_text.setText(label_candidate(entry))
        self.combo_type.set_current(recipe.release.type)
        folder = decisions.folder or (self._suggest_folder(decisions.path) if decisions.path is not None else "")
        for edit, text in ((self.edit_folder, folder), (self.edit_operator, recipe.operator.name or "")):
            _show_text(edit, text)
        self._warn_about_folder(folder)
        if not self._lacks_operator:
            self._show_operator_note("")
        self.seg_format.set_current(recipe.release.format)
        self.combo_note_language.set_current(recipe.release.note_language)
        self.combo_report_language.set_current(recipe.release.report_language)
        self.record.show_fields(recipe.operator, propose_review_day(recipe.release.type, date.today()))
        self.check_key.setChecked(decisions.keep_key)
        self.check_four_eyes.setChecked(recipe.release.four_eyes)
        self._offer_analysis_kit(wished)
        kept = dict.fromkeys(name for step in wished.steps for name in step.method.internal_names())
        self.tree_internal.show_files(internal_files(decisions.keep_key, pdf_renderers(), tuple(kept)))
        teaching = recipe.release.teaching_copy
        internal = recipe.release.type is not None and RELEASE_TYPES[recipe.release.type].is_internal
        self._agreement_text.setText(describe_agreement(recipe.release.agreement))
        self._agreement_text.setVisible(can_sign(recipe.release.type))
        self.check_teaching.setChecked(teaching)
        self.check_teaching.setVisible(internal or teaching)
        self._teaching_text.setVisible(internal or teaching)
        self.tree_release.setVisible(not teaching)
        self.tree_teaching.setVisible(teaching)
        (self.tree_teaching if teaching else self.tree_release).show_files(release_files(wished))
        self._show_folded_summaries(wished)

    def ask_for_operator(self) -> bool:
        """Say at the field "Released by" that a second person cannot approve without it, and give it the focus.

        Return whether that was so; nothing happens if the field is filled, or nobody else approves.
        """
        if self._lacks_operator:
            self._show_operator_note(render("error.approve.nobody").sentence)
            self.edit_operator.setFocus()
            bring_in(self._operator_note)
        return self._lacks_operator

    @property
    def _lacks_operator(self) -> bool:
        """Whether a second person is to approve the release, but nobody is named who makes it."""
        recipe = self._session.decisions.recipe
        return recipe.release.four_eyes and not (recipe.operator.name or "").strip()

    def _show_operator_note(self, text: str) -> None:
        """Show what is wrong with the field "Released by" below it; "" for nothing."""
        self._operator_note.setText(text)
        self._operator_note.setVisible(bool(text))
        self.edit_operator.setAccessibleDescription(text)
        restyle(self.edit_operator, "wrong", bool(text))

    def show_wishes(self, visible: bool) -> None:
        """Show the options of the release (True), or hide them after it was written (False)."""
        for card in (self.card, self.fold_record, self.fold_languages, self._choices):
            card.setVisible(visible)

    def _show_folded_summaries(self, wished: Candidate) -> None:
        """Show beside each folded part what is in it, such as "3 of 15 filled".

        The parts are the release record, the files and the languages; ``wished`` is the candidate with the options as
        they are set now.
        """
        recipe = self._session.decisions.recipe
        self.fold_record.set_label(_("For the release record"), self._describe_record())
        share, keep = len(release_files(wished)), len(self.tree_internal.files)
        self.fold_files.set_label(
            _("Papers and files"), _("{n} {n:file|files} to share, {keep} to keep", n=share, keep=keep)
        )
        names = {code: language.name for code, language in list_languages().items()}
        note, record = (
            names.get(code, code) for code in (recipe.release.note_language, recipe.release.report_language)
        )
        text = _("Note: {note}. Record: {record}.", note=Term(note), record=Term(record))
        self.fold_languages.set_label(_("Languages"), text)

    def _describe_record(self) -> str:
        """Return how many of all fields of the release record are filled, such as "3 of 15 filled".

        The name counts as one.
        """
        operator = self._session.decisions.recipe.operator
        filled = sum(getattr(operator, key) is not None for key in ("name", *FORM_FIELDS))
        return _("{n} of {all} filled", n=filled, all=len(FORM_FIELDS) + 1)

    def _warn_about_folder(self, folder: str) -> None:
        """Warn if other users of the computer may read the folder; "" removes the warning.

        A folder that was checked at the last call is not checked again. Only on Windows there can be a warning.
        """
        if folder == self._folder:
            return
        self._folder = folder
        note = rights_note(Path(folder).absolute()) if folder else None
        text = None if note is None else render(note.id, note.arguments)
        self._folder_note.setText(f"{text.sentence} {text.remedy}" if text is not None else "")
        self._folder_note.setVisible(text is not None)

    def _offer_analysis_kit(self, wished: Candidate) -> None:
        """Offer an analysis kit, with which recipients correct results for noise; hidden if there is no such noise.

        It is disabled if the kit cannot read the file's format, unless it is ticked already.
        """
        release, fits = wished.prepared.recipe.release, fits_kit(wished)
        self.check_kit.setVisible(fits)
        self._kit_text.setVisible(fits)
        readable = find_writer(release.format).read_by_kit
        self.check_kit.setEnabled(readable or release.analysis_kit)
        self.check_kit.setChecked(release.analysis_kit)
        text = _("The recipient gets the strength of the noise and a Python script that corrects results for it.")
        if not readable:
            text = _("Only a CSV file can have an analysis kit.")
        self._kit_text.setText(text)

    def _suggest_folder(self, source: Path) -> str:
        """Return the suggested path of the release folder for a source file, which does not exist yet.

        It is beside the source file, or in the user's documents if the source lies in the program's own folders or its
        folder is read-only. For ``data.csv`` it is ``data-release`` or, if that exists, ``data-release-2`` and so on. A
        teaching copy has another ending than "-release". No folder is created.
        """
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        program_folders = (find_sample_file("").parent, self._context.private_folder)
        teaching = self._session.decisions.recipe.release.teaching_copy
        suffix = f"-{TEACHING}" if teaching else RELEASE_FOLDER
        return str(suggested_folder(source, Path(documents), program_folders, suffix))

    # --- deciding -----------------------------------------------------------------------

    def _on_folder(self) -> None:
        """Store the typed folder as a decision; nothing if the field is empty."""
        if text := self.edit_folder.text().strip():
            self._session.decide(folder=text)

    def _on_browse(self) -> None:
        """Ask in which folder the release folder is to be created, and store the resulting path as a decision.

        The release folder keeps its present name. Nothing happens if the user cancels.
        """
        folder = self.folder
        path = self._context.dialogs.folder(self, _("Make the release folder in"), folder.parent)
        if path is not None:
            self._session.decide(folder=str(path / folder.name))

    def _on_wish(self, key: str, value: object) -> None:
        """Set the setting ``key`` of the release to ``value`` in the recipe, as a decision."""
        release = self._session.decisions.recipe.release.model_copy(update={key: value})
        self._session.decide_recipe(release=release)

    def _on_operator(self) -> None:
        """Store who releases the file as a decision; an empty field, or only blanks, removes the name."""
        self._on_record("name", self.edit_operator.text().strip() or None)

    def _on_record(self, key: str, value: object) -> None:
        """Store an entry of the release record under its key, as a decision; None removes the entry."""
        operator = self._session.decisions.recipe.operator.model_copy(update={key: value})
        self._session.decide_recipe(operator=operator)


def _show_text(edit: QLineEdit, text: str) -> None:
    """Show a text from its start in a field, unless the field is being edited."""
    if not edit.hasFocus() and edit.text() != text:
        edit.setText(text)
        edit.setCursorPosition(0)


FORM_FIELDS: Mapping[str, Sentence] = {
    **RECORD_FIELDS,
    "approver": lazy("Approved by"),
    "review_date": lazy("Review on"),
    "expires": lazy("Not to be used after"),
}
"""Labels of the fields of the recipe's ``[operator]``, by key."""
_DAYS = ("review_date", "expires")
_YES_OR_NO = "special_categories"
_ANSWERS: Mapping[str, bool | None] = {"": None, "yes": True, "no": False}


class RecordForm(Card):
    """Fields of the release record that only people can fill; an empty field is left as a line to fill in by hand.

    Signals
    -------
    entered
        (key of ``[operator]`` in the recipe, entered text; None if it was removed).
    """

    entered = Signal(str, object)

    def __init__(self) -> None:
        small = _("Only for your own folder. Each empty field is a line to fill in by hand.")
        super().__init__("", small, name="card_record")
        self.setProperty("card", False)
        self.setAccessibleName(_("For the release record"))
        self.body.setContentsMargins(0, 0, 0, 0)
        self._edits: dict[str, QLineEdit] = {}
        for key, field_title in FORM_FIELDS.items():
            self.body.addWidget(self._build_field_row(key, str(field_title)))

    def _build_field_row(self, key: str, text: str) -> FormRow:
        """Return the row of one field of the release record, with a text field or a choice.

        The field ``special_categories`` has the choice of yes, no and not stated; under a date field stands the form of
        dates.
        """
        if key == _YES_OR_NO:
            choices = [("", _("Not stated")), ("yes", _("Yes")), ("no", _("No"))]
            self._answer = Segments(choices, name=f"record_{key}", chosen=self._on_answer)
            return labelled_row(text, self._answer)
        self._edits[key] = line_edit(name=f"record_{key}", finished=partial(self._on_edited, key))
        small = _("YYYY-MM-DD; anything else is not kept.") if key in _DAYS else ""
        return labelled_row(text, self._edits[key], small=small)

    def clear(self) -> None:
        """Clear every field, even a field that is being edited, and set the yes-or-no question to "not stated"."""
        for edit in self._edits.values():
            edit.clear()
        self._answer.set_current("")

    def show_fields(self, operator: OperatorSection, review_day: str) -> None:
        """Show the entries of the release record that the recipe has; a field that is being edited is not changed.

        ``review_day`` is the proposed day of the review, shown until the user enters one.
        """
        self._edits["review_date"].setPlaceholderText(review_day)
        for key, edit in self._edits.items():
            _show_text(edit, getattr(operator, key) or "")
        answer_key = next(answer for answer, value in _ANSWERS.items() if value is operator.special_categories)
        self._answer.set_current(answer_key)

    def _on_edited(self, key: str) -> None:
        """Send ``entered`` with the typed entry, or None if it is empty or should be a date but is not."""
        text = self._edits[key].text().strip()
        self.entered.emit(key, text if text and (key not in _DAYS or is_day(text)) else None)

    def _on_answer(self, answer: str) -> None:
        """Send ``entered`` with the answer to the yes-or-no question: True, False, or None for "not stated"."""
        self.entered.emit(_YES_OR_NO, _ANSWERS[answer])
