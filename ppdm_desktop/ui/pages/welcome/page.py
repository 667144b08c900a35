"""Page "Welcome": open a file, a sample or a project, or only check how identifiable a file is."""

from __future__ import annotations

from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.samples import Sample, all_samples, find_bundled_sample, find_sample
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import FilePath, Name, Term
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context, Page, may_lose_decisions
from ppdm_desktop.ui.pages.welcome.reading_options import ReadOtherwise
from ppdm_desktop.ui.state.deadlines import describe_due_releases
from ppdm_desktop.ui.state.import_lines import count_unanswered_rows, list_open_questions
from ppdm_desktop.ui.state.project import PROJECT_SUFFIX
from ppdm_desktop.ui.state.session import STEPS
from ppdm_desktop.ui.state.table_files import format_names, name_patterns
from ppdm_desktop.ui.widgets.basic import Card, FailureStrip, IconLabel, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.drop_zone import DropZone
from ppdm_desktop.ui.widgets.language_switch import LanguageSwitch
from ppdm_desktop.ui.widgets.layout import (
    STRETCH,
    Placed,
    SideBySide,
    add_parts,
    align_left,
    align_top,
    hbox,
    stretch_part,
    vbox,
    widget_of,
)
from ppdm_desktop.ui.work.tasks import TaskOutcome, Work

if TYPE_CHECKING:
    from ppdm_desktop.engine.recipe.models import InputSection
    from ppdm_desktop.ui.pages.welcome.top_up import TopUpDialog
    from ppdm_desktop.ui.state.reading import Opened, OriginalWanted

MOST_ROWS = 1_048_576
"""Most rows of a worksheet."""


class WelcomePage(Page):
    """Page that opens files, including those that other pages ask for."""

    step = "welcome"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._then = "open"
        self._wanted: OriginalWanted | None = None
        self._tried: tuple[Path, InputSection | None] | None = None
        self._top_up: TopUpDialog | None = None
        left, right = vbox(gap=12), vbox(gap=12)
        self._build_left(left)
        self._build_right(right)
        sides = SideBySide(below=780)
        sides.add(widget_of(left), 3)
        sides.add(widget_of(right), 2, top=True)
        self.outer.addWidget(sides, 1)

    # --- building -----------------------------------------------------------------------

    def _build_left(self, column: QVBoxLayout) -> None:
        """Build the left column: title, messages, area for a file, samples, projects, actions on earlier releases."""
        column.addWidget(Text(_("Share the data, not the people in it"), factor=1.85, semibold=True))
        column.addWidget(
            Text(
                _(
                    "Open a table about people. See who could be recognised, protect them, and keep a "
                    "record of what was done."
                ),
                tone="text2",
            )
        )
        self.failure = FailureStrip(name="strip_failure")
        self.otherwise = ReadOtherwise()
        self.otherwise.wanted.connect(self._on_otherwise)
        look = partial(self._open_second_look, _("Folder of the release"), approving=False)
        looked_at = Button(_("Looked at"), name="button_looked_at", clicked=look)
        self.due = Strip("amber", "", looked_at, name="strip_due")
        self._show_due_releases()
        add_parts(
            column, self.failure, self.due, self.otherwise, self._build_original(), stretch_part(self._build_zone())
        )
        column.addWidget(self._build_cards())
        column.addWidget(
            self._build_card(
                _("Add people to an earlier release, or take them out"),
                _(
                    "For releases made by condensation. You need the release folder and the new records, "
                    "but not the old original."
                ),
                Button(_("Change a release…"), name="button_top_up", clicked=self._on_top_up),
            )
        )
        look = partial(self._open_second_look, _("Folder of the release"), approving=True)
        approve = Button(_("Approve a release that waits…"), name="button_approve", link=True, clicked=look)
        forgets = Text(_("This program does not remember which files you opened."), factor=0.85, tone="text3")
        add_parts(column, align_left(approve), forgets, STRETCH)

    def _build_cards(self) -> SideBySide:
        """Return three cards side by side: open a project, try a sample, and only check a file."""
        cards = SideBySide(below=440)
        text, clicked = _("Larger samples"), self._on_larger_samples
        self._larger = Button(text, name="button_larger_samples", icon="down", clicked=clicked)
        for card in (
            self._build_card(
                _("Continue a project"),
                _(
                    "A project file (.ppdm) holds your decisions, but no data. You choose the original "
                    "again, and it is checked."
                ),
                Button(_("Open project…"), name="button_open_project", clicked=self._on_open_project),
            ),
            self._build_card(
                _("Try with a sample"),
                _sample_title(find_bundled_sample()),
                Button(_("Show me, 5 minutes"), name="button_tour", icon="next", clicked=self.tour_wanted),
                Button(_("Open sample"), name="button_open_sample", clicked=self._on_open_sample),
                self._larger,
            ),
            self._build_card(
                _("How identifiable is this file?"),
                _("Just check how many people in a file could be recognised. Nothing is changed or saved."),
                Button(_("Check a file…"), name="button_check_a_file", clicked=partial(self._choose_file, "columns")),
            ),
        ):
            cards.add(card)
        return cards

    def _build_card(self, title: str, label: str, *buttons: Button) -> Card:
        """Return a card with a title, a text (``label``) and buttons."""
        card = Card(title, label)
        add_parts(card.body, STRETCH, *map(align_left, buttons))
        return card

    def _build_zone(self) -> DropZone:
        """Return the area in which a file is dropped or chosen; it names the possible formats and most rows."""
        self.zone = DropZone(name="drop_zone")
        theme().bound(self.zone, least_high=230)
        self.zone.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)
        middle = Qt.AlignmentFlag.AlignHCenter
        body = self.zone.body
        text = _("Drop a spreadsheet or CSV file here")
        self._zone_text = Text(text, factor=1.15, semibold=True, name="label_drop_zone")
        self._zone_text.setAlignment(middle)
        add_parts(body, STRETCH, Placed(IconLabel("table", "accent", 42), 0, middle), self._zone_text)
        self.button_choose = Button(_("Choose a file…"), name="button_choose_file", icon="folder", primary=True)
        formats = Text(
            _("{formats}  ·  up to {most} rows per sheet, more in CSV", formats=Term(format_names()), most=MOST_ROWS),
            factor=0.9,
            tone="text2",
        )
        formats.setAlignment(middle)
        add_parts(body, Placed(self.button_choose, 0, middle), formats, STRETCH)
        self.zone.dropped.connect(self.dropped)
        self.button_choose.clicked.connect(self.on_primary)
        return self.zone

    def _build_original(self) -> Card:
        """Return the card that asks for the source file of a project, with expected and present hash.

        It is hidden at first.
        """
        self.panel_original = Card(_("Where is the original file of this project?"), name="panel_original")
        self._original_strip = Strip("amber", "")
        self._original_wanted = Text("", factor=0.9, tone="text2", name="label_hash_wanted")
        self._original_hash = Text("", factor=0.9, tone="text2", name="label_hash_found")
        for label in (self._original_wanted, self._original_hash):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        text = _("Choose the original…")
        choose = Button(text, name="button_choose_original", icon="folder", clicked=self._on_choose_original)
        drop = Button(_("Close"), name="button_close_original", link=True, clicked=self._on_close_original)
        texts = (self._original_strip, self._original_wanted, self._original_hash)
        add_parts(self.panel_original.body, *texts, hbox(choose, drop, STRETCH))
        self.panel_original.hide()
        return self.panel_original

    def _build_right(self, column: QVBoxLayout) -> None:
        """Build the right column: a card on the seven steps of work, the promises, and the choice of language."""
        steps = Card(_("Seven steps. You can go back at any time."))
        for number, title, text in (
            (1, _("Open"), _("Check that the table looks as you expect, and what could not be read.")),
            (
                2,
                _("Columns"),
                _("Say what each column could reveal. The suggestions are based on column names and values."),
            ),
            (3, _("Protection levels"), _("Some people need more protection than others. Say who, and how much.")),
            (4, _("Risk"), _("Who could be recognised in the original, and from which details.")),
            (5, _("Protect"), _("Versions that keep the most. Nothing is written yet.")),
            (6, _("Compare"), _("Which version protects enough, and what does it cost?")),
            (7, _("Release", "verb"), _("Pass the checks, write the release folder, keep the evidence.")),
        ):
            steps.body.addLayout(_build_numbered_step(number, title, text))
        column.addWidget(steps)
        promises = Card(_("What this program promises"))
        for icon, text in (
            ("privacy-level", _("It never changes the file you open.")),
            ("offline", _("It never connects to a network.")),
            ("passed", _("A release is written completely or not at all.")),
            ("lock", _("Nothing that could undo the protection is put into the release.")),
        ):
            promises.body.addLayout(hbox(align_top(IconLabel(icon, "text2", 18)), stretch_part(Text(text))))
        promises.body.addWidget(
            Text(
                _(
                    "It does not give legal advice: a low risk figure is a measurement, not a legal "
                    "opinion. It cannot protect you from malware on this computer."
                ),
                factor=0.85,
                tone="text3",
            )
        )
        self.language = LanguageSwitch()
        add_parts(column, promises, self.language)

    # --- the page -----------------------------------------------------------------------

    def title(self) -> str:
        """Return the title of the page."""
        return _("Welcome")

    def purpose(self) -> str:
        """Return the line below the title: which file is open, or that none is."""
        path = self.session.path
        return _("No file is open") if path is None else join_label(_("Open"), path.name)

    def file_opened(self) -> None:
        """Restore the area for a file, and forget the project whose source was asked for, because a file was opened.

        The dialog that changes an earlier release is deleted.
        """
        self._reset_zone()
        self._wanted = None
        if self._top_up is not None:
            self._top_up.close()
            self._top_up.deleteLater()
            self._top_up = None

    def reading_changed(self) -> None:
        """Do nothing, because this page shows nothing of the table."""

    def on_primary(self) -> None:
        """Ask for a file and open it."""
        self._choose_file("open")

    def dropped(self, paths: list[Path]) -> None:
        """Go to this page and open a dropped file.

        Several files, or anything that is not a file, are refused with a message.
        """
        from ppdm_desktop.ui.state.reading import pick_single_file

        path, refused = pick_single_file(paths)
        if path is None:
            self.go.emit("welcome")
            self._show_refusal(render(refused).sentence)
            return
        self.open_path(path)

    def open_path(self, path: Path, then: str = "open") -> None:
        """Read a file in the background, then go to the page ``then`` or the last before it that can be opened.

        For a project (.ppdm) the page where it was saved takes the place of ``then``: saved on Compare, it opens on
        Risk, because results are not saved. A file with open questions leads to "open". If decisions are unsaved, the
        user is asked first; nothing happens if the user keeps the present file.
        """
        # Here and not on the thread: libraries that two threads import at once may be seen half done.
        from ppdm_desktop.ui.state.reading import read_saved

        if not self._may_replace():
            return
        self._then = then
        if path.suffix.lower() == PROJECT_SUFFIX:
            self._start_reading(partial(read_saved, path))
        else:
            self._read_file(path, None)

    def _read_file(self, path: Path, options: InputSection | None) -> None:
        """Read a file in the background with these options (None: all guessed).

        File and options are remembered, so that the user can try other options after a failure.
        """
        from ppdm_desktop.ui.state.reading import read_file

        self._start_reading(partial(read_file, path, options))
        self._tried = (path, options)

    def _start_reading(self, work: Work) -> None:
        """Start ``work``, which reads a file, in the background, and go to this page, which says so.

        Messages on an earlier file are removed.
        """
        self.go.emit("welcome")
        self._reset_zone()
        self._zone_text.setText(_("Reading the file…"))
        self.context.runner.start("read", work, self._on_read)

    def _on_otherwise(self, path: Path, options: InputSection) -> None:
        """Read a file again with other options, unless the user keeps the file that is open."""
        if self._may_replace():
            self._read_file(path, options)

    # --- asking -------------------------------------------------------------------------

    def _choose_file(self, then: str) -> None:
        """Ask for a file and open it, then go to the page ``then``; nothing if the user cancels."""
        path = self.context.dialogs.open_file(self, _("Choose a file…"), name_patterns(PROJECT_SUFFIX))
        if path is not None:
            self.open_path(path, then)

    def _on_top_up(self) -> None:
        """Open the dialog that adds people to an earlier release or takes some out.

        It is created once and kept until another file is opened, because background work reports to it.
        """
        if self._top_up is None:
            from ppdm_desktop.ui.pages.welcome.top_up import TopUpDialog

            self._top_up = TopUpDialog(self, self.context)
        self._top_up.open()

    def _show_due_releases(self, decided: Path | None = None) -> None:
        """Show which releases are due for review or expired by the ledger (list of releases); nothing if none is.

        ``decided`` is the folder of a release that was just decided on; then all pages are refreshed.
        """
        self.due.set("amber", describe_due_releases(self.context.ledger, date.today()))
        if decided is not None:
            self.session.changed()

    def _open_second_look(self, title: str, *, approving: bool) -> None:
        """Ask for the folder of a release, and open the dialog of the second person on it; nothing if cancelled.

        Parameters
        ----------
        title
            Title of the question for the folder.
        approving
            Whether the release is to be approved; otherwise it is reviewed after some time.
        """
        from ppdm_desktop.ui.widgets.second_look import SecondLookDialog

        folder = self.context.dialogs.folder(self, title, Path.home())
        if folder is not None:
            dialog = SecondLookDialog(self, self.context, folder, approving=approving)
            dialog.decided.connect(self._show_due_releases)
            dialog.open()

    def _on_open_project(self) -> None:
        """Ask for a project and open it; nothing happens if the user cancels."""
        path = self.context.dialogs.open_file(self, _("Open project…"), f"*{PROJECT_SUFFIX}")
        if path is not None:
            self.open_path(path)

    def _on_open_sample(self) -> None:
        """Open the sample that comes with the program."""
        self.open_path(small_sample())

    def _on_larger_samples(self) -> None:
        """Open the menu of generated samples below the button."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setObjectName("menu_samples")
        for name, text in larger_samples():
            menu.addAction(text, partial(self._on_sample_chosen, name))
        menu.popup(self._larger.mapToGlobal(QPoint(0, self._larger.height())))

    def _on_sample_chosen(self, name: str) -> None:
        """Write the generated sample with this id into the session's folder and open it, in the background.

        Nothing happens if the user keeps the file that is open.
        """
        if not self._may_replace():
            return
        self._then = "open"
        self._start_reading(partial(write_and_read, name, self.context.private_folder))

    def _may_replace(self) -> bool:
        """Return whether another file may be opened in place of the present one.

        If decisions are unsaved, the user is asked and can save them first. False if the user declines or saving fails.
        True without unsaved decisions, and if the user opens without saving.
        """
        buttons = [("save", _("Save, then open")), ("open", _("Open without saving"))]
        return may_lose_decisions(self.context, self, self.save_project, _("Open another file?"), buttons)

    def _show_refusal(self, text: str) -> None:
        """Show in the area for a file, in the colour of refusals, why a file is refused, also for screen readers."""
        self.zone.set_state("refused")
        self._zone_text.set_tone("blocks")
        self._zone_text.setText(text)
        self._zone_text.setAccessibleName(text)

    def _reset_zone(self) -> None:
        """Restore the area for a file, and remove all questions and messages on an earlier attempt."""
        self.zone.set_state("")
        self._zone_text.set_tone("text")
        self._zone_text.setText(_("Drop a spreadsheet or CSV file here"))
        self._zone_text.setAccessibleName("")
        self.failure.clear()
        self.otherwise.hide()
        self._tried = None
        self.panel_original.hide()

    # --- results ------------------------------------------------------------------------

    def _on_read(self, outcome: TaskOutcome) -> None:
        """Start to work with the file that was read and go to a page, or show why it could not be read.

        The page is that of the project, "open" if questions on the file are open, else the wanted one, or the last
        before it that can be opened. If the source file of a project is missing or has changed, the user is asked for
        it. After a cancellation nothing is shown.
        """
        from ppdm_desktop.ui.state.reading import OriginalWanted, start_session

        tried = self._tried
        self._reset_zone()
        if not outcome.ok:
            if not outcome.cancelled:
                self.failure.set_outcome(outcome)
                if tried is not None and outcome.error is not None:
                    self.otherwise.offer(*tried, outcome.error)
                self.go.emit("welcome")
            return
        if isinstance(outcome.result, OriginalWanted):
            self._ask_original(outcome.result)
            return
        opened: Opened = outcome.result
        try:
            start_session(self.session, opened)
        except InputError as error:
            self.failure.set_error(error)
            return
        asked = count_unanswered_rows(self.session) or list_open_questions(self.session)
        then = opened.project.page if opened.project is not None else "open" if asked else self._then
        # Results are not saved: a project that was left later goes on where they are made again.
        way = STEPS[: STEPS.index(then) + 1] if then in STEPS else ()
        self.go.emit(next((step for step in reversed(way) if self.session.why_not(step) is None), "open"))

    def _ask_original(self, wanted: OriginalWanted) -> None:
        """Go to this page, and show there the card that asks for the missing or changed source file of a project.

        It has the expected hash and, of a changed file, the present one.
        """
        self._wanted = wanted
        name = wanted.tried.name
        if wanted.sha256 is None:
            text = _(
                "{name} is no longer in the folder {folder}.",
                name=Name(name),
                folder=FilePath(str(wanted.tried.parent)),
            )
        else:
            text = _("{name} is not the file this project was made for. Its content is different.", name=Name(name))
        self._original_strip.set("amber", text)
        self._original_wanted.setText(_("SHA-256 expected: {hash}", hash=Term(_format_hash(wanted.project.sha256))))
        self._original_hash.setText(
            _("SHA-256 found: {hash}", hash=Term(_format_hash(wanted.sha256))) if wanted.sha256 is not None else ""
        )
        self.panel_original.show()
        self.go.emit("welcome")

    def _on_choose_original(self) -> None:
        """Ask for the source file of the project, and open project and file.

        Nothing happens without such a project or if the user cancels.
        """
        from ppdm_desktop.ui.state.reading import read_saved

        if self._wanted is None:
            return
        path = self.context.dialogs.open_file(self, _("Choose the original…"), name_patterns())
        if path is None:
            return
        self._start_reading(partial(read_saved, self._wanted.project_path, path))

    def _on_close_original(self) -> None:
        """Hide the question for the source file of a project, and forget the project."""
        self._wanted = None
        self.panel_original.hide()


def _format_hash(digest: str) -> str:
    """Return a SHA-256 digest in groups of eight letters, so that it can wrap and be compared by eye."""
    return " ".join(digest[start : start + 8] for start in range(0, len(digest), 8))


def _build_numbered_step(number: int, title: str, text: str) -> QHBoxLayout:
    """Return a line with a number, a title, and a text below the title."""
    figure = Text(str(number), semibold=True, tone="accent", wrap=False)
    theme().bound(figure, least_wide=14)
    return hbox(
        align_top(figure), stretch_part(vbox(Text(title, semibold=True), Text(text, tone="text2"), gap=0)), gap=10
    )


def small_sample() -> Path:
    """Return the path of the sample file that comes with the program."""
    path = find_bundled_sample().file()
    assert path is not None
    return path


def larger_samples() -> list[tuple[str, str]]:
    """Return (id, label) of each sample that is generated on request."""
    return [(sample.id, _sample_title(sample)) for sample in all_samples().values() if sample.file() is None]


def write_and_read(id: str, folder: Path) -> Opened:
    """Write the generated sample ``id`` as ``<id>.csv`` into a folder, and return it as read."""
    from ppdm_desktop.ui.state.reading import read_file

    path = folder / f"{id}.csv"
    with path.open("wb") as file:
        for piece in find_sample(id).pieces({}):
            progress.check()
            file.write(piece)
    return read_file(path)


def _sample_title(sample: Sample) -> str:
    """Return the title of a sample with its usual number of rows."""
    return sample.title.format(n=sample.default_rows)
