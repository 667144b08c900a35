"""Welcome: drop or choose a file, try the sample, open a project, check how identifiable a file is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.texts import render
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context, Page
from ppdm_desktop.ui.pages.welcome.reading_options import ReadOtherwise
from ppdm_desktop.ui.pages.welcome.samples import larger_samples, small_sample, small_sample_words, write_and_read
from ppdm_desktop.ui.pages.welcome.top_up import TopUpDialog
from ppdm_desktop.ui.state.import_lines import unanswered, unanswered_rows
from ppdm_desktop.ui.state.project import PROJECT_SUFFIX
from ppdm_desktop.ui.state.reading import (
    Opened,
    OriginalWanted,
    begin,
    one_file,
    read_file,
    read_saved,
)
from ppdm_desktop.ui.state.saved import is_unsaved
from ppdm_desktop.ui.state.session import STEPS
from ppdm_desktop.ui.state.table_files import format_names, name_patterns
from ppdm_desktop.ui.widgets.basic import Card, IconLabel, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.drop_zone import DropZone
from ppdm_desktop.ui.widgets.failure import FailureStrip
from ppdm_desktop.ui.widgets.side_by_side import SideBySide
from ppdm_desktop.ui.work.tasks import TaskOutcome, Work


class WelcomePage(Page):
    """Where every file comes in, from whichever page it was asked for."""

    step = "welcome"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._then = "open"
        self._wanted: OriginalWanted | None = None
        self._tried: tuple[Path, InputSection] | None = None
        self._top_up: TopUpDialog | None = None
        left, right = QWidget(), QWidget()
        self._build_left(QVBoxLayout(left))
        self._build_right(QVBoxLayout(right))
        for side in (left, right):
            layout = side.layout()
            assert layout is not None
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(theme().px(12))
        sides = SideBySide(below=780)
        sides.add(left, 3)
        sides.add(right, 2, top=True)
        self.outer.addWidget(sides, 1)

    # --- building -----------------------------------------------------------------------

    def _build_left(self, column: QVBoxLayout) -> None:
        column.addWidget(Text(self.tr("Hand over the data, not the people in it"), factor=1.85, semibold=True))
        column.addWidget(
            Text(self.tr("Open a table of people. See who stands out, protect them, keep the proof."), tone="text2")
        )
        self.failure = FailureStrip(
            name="strip_failure", disk=self.tr("the file is untouched; what was open before is still open.")
        )
        column.addWidget(self.failure)
        self.otherwise = ReadOtherwise()
        self.otherwise.wanted.connect(self._on_otherwise)
        column.addWidget(self.otherwise)
        column.addWidget(self._build_original())
        column.addWidget(self._build_zone(), 1)
        cards = SideBySide(below=440)
        for card in (
            self._card(
                self.tr("Continue a project"),
                self.tr("Your decisions are in the .ppdm file; the data is asked for again and checked."),
                Button(self.tr("Open project…"), name="button_open_project"),
            ),
            self._card(
                self.tr("Try with a sample"),
                small_sample_words(),
                Button(self.tr("Open sample"), name="button_open_sample"),
                Button(self.tr("Larger samples"), name="button_larger_samples", icon="down"),
            ),
            self._card(
                self.tr("How identifiable is this file?"),
                self.tr("Only look: how many people a file singles out. Nothing is run or written."),
                Button(self.tr("Check a file…"), name="button_check_a_file"),
            ),
        ):
            cards.add(card)
        column.addWidget(cards)
        column.addWidget(
            self._card(
                self.tr("Add new records to a release made earlier"),
                self.tr("For releases by condensation: new people join, the old original is not needed."),
                Button(self.tr("Add records…"), name="button_top_up"),
            )
        )
        column.addWidget(Text(self.tr("Opened files are not remembered by this program."), factor=0.85, tone="text3"))
        column.addStretch(1)

    def _card(self, title: str, words: str, *buttons: Button) -> Card:
        card = Card(title, words)
        card.body.addStretch(1)
        slots = {
            "button_open_project": self._on_open_project,
            "button_open_sample": self._on_open_sample,
            "button_larger_samples": self._on_larger_samples,
            "button_check_a_file": self._on_check_a_file,
            "button_top_up": self._on_top_up,
        }
        for button in buttons:
            card.body.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            button.clicked.connect(slots[button.objectName()])
        return card

    def _build_zone(self) -> DropZone:
        self.zone = DropZone(name="drop_zone")
        self.zone.setMinimumHeight(theme().px(230))
        self.zone.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)
        middle = Qt.AlignmentFlag.AlignHCenter
        body = self.zone.body
        body.addStretch(1)
        body.addWidget(IconLabel("table", "accent", 42), 0, middle)
        self._zone_words = Text(self.tr("Drop a spreadsheet or CSV file here"), factor=1.15, semibold=True)
        self._zone_words.setAlignment(middle)
        self._zone_words.setObjectName("label_drop_zone")
        body.addWidget(self._zone_words)
        self.button_choose = Button(self.tr("Choose a file…"), name="button_choose_file", icon="folder", primary=True)
        body.addWidget(self.button_choose, 0, middle)
        formats = Text(
            self.tr("{formats}  ·  up to 1,048,576 rows per sheet, more in CSV").format(formats=format_names()),
            factor=0.9,
            tone="text2",
        )
        formats.setAlignment(middle)
        body.addWidget(formats)
        body.addStretch(1)
        self.zone.dropped.connect(self.dropped)
        self.button_choose.clicked.connect(self.on_primary)
        return self.zone

    def _build_original(self) -> Card:
        """Make the card that asks for a project's original."""
        self.panel_original = Card(self.tr("Where is the original of this project?"))
        self.panel_original.setObjectName("panel_original")
        self._original_strip = Strip("amber", "")
        self._original_wanted = Text("", factor=0.9, tone="text2")
        self._original_wanted.setObjectName("label_hash_wanted")
        self._original_found = Text("", factor=0.9, tone="text2")
        self._original_found.setObjectName("label_hash_found")
        for label in (self._original_wanted, self._original_found):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout()
        choose = Button(self.tr("Choose the original…"), name="button_choose_original", icon="folder")
        drop = Button(self.tr("Close"), name="button_close_original", link=True)
        row.addWidget(choose)
        row.addWidget(drop)
        row.addStretch(1)
        for widget in (self._original_strip, self._original_wanted, self._original_found):
            self.panel_original.body.addWidget(widget)
        self.panel_original.body.addLayout(row)
        choose.clicked.connect(self._on_choose_original)
        drop.clicked.connect(self._on_close_original)
        self.panel_original.hide()
        return self.panel_original

    def _build_right(self, column: QVBoxLayout) -> None:
        steps = Card(self.tr("Seven steps, back and forth as you like"))
        for number, title, words in (
            (1, self.tr("Open"), self.tr("the spreadsheet; it is only read, never changed")),
            (2, self.tr("Columns"), self.tr("say what each column could reveal")),
            (3, self.tr("Protection levels"), self.tr("who needs more protection than others")),
            (4, self.tr("Risk"), self.tr("see who stands out, and by which values")),
            (5, self.tr("Protect"), self.tr("run methods in the background")),
            (6, self.tr("Compare"), self.tr("what changed, what still works, what an attacker could do")),
            (7, self.tr("Release"), self.tr("pass the checks, hand over one folder, keep the proof")),
        ):
            steps.body.addLayout(_numbered(number, title, words))
        column.addWidget(steps)
        promises = Card(self.tr("What this program promises"))
        for icon, words in (
            ("privacy-level", self.tr("It never changes the file you open.")),
            ("offline", self.tr("It never uses a network.")),
            ("passed", self.tr("A release appears complete, or not at all.")),
            ("lock", self.tr("What undoes a release never goes into it.")),
        ):
            row = QHBoxLayout()
            row.addWidget(IconLabel(icon, "text2", 18), 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(Text(words), 1)
            promises.body.addLayout(row)
        promises.body.addWidget(
            Text(
                self.tr(
                    "It cannot promise that a low figure is a legal finding, nor protect against malware on this "
                    "computer."
                ),
                factor=0.85,
                tone="text3",
            )
        )
        column.addWidget(promises)

    # --- the page -----------------------------------------------------------------------

    def title(self) -> str:
        """Return the title."""
        return self.tr("Welcome")

    def purpose(self) -> str:
        """Return what is open."""
        path = self.session.decisions.path
        return self.tr("No file is open") if path is None else self.tr("Open: {name}").format(name=path.name)

    def file_opened(self) -> None:
        """Forget what was refused, what was asked for, and the dialog of an earlier release."""
        self._rest()
        self._wanted = None
        if self._top_up is not None:
            self._top_up.close()
            self._top_up.deleteLater()
            self._top_up = None

    def reading_changed(self) -> None:
        """Nothing here is of one reading."""

    def on_primary(self) -> None:
        """Ask for a file and read it."""
        self._choose("open")

    def dropped(self, paths: list[Path]) -> None:
        """Take one dropped file; refuse several files and folders in words."""
        self.go.emit("welcome")
        path, refused = one_file(paths)
        if path is None:
            self._refuse(render(refused).sentence)
            return
        self.open_path(path)

    def open_path(self, path: Path, then: str = "open") -> None:
        """Read a file, or open a project by its suffix, in the background."""
        if not self._may_replace():
            return
        self._then = then
        if path.suffix.lower() != PROJECT_SUFFIX:
            self._read(path, InputSection())
            return
        self._start(path.name, read_saved(path))

    def _read(self, path: Path, options: InputSection) -> None:
        self._start(path.name, read_file(path, options))
        self._tried = (path, options)

    def _start(self, name: str, work: Work) -> None:
        """Begin to read, and say so."""
        self._rest()
        self._zone_words.setText(self.tr("Reading {name}…").format(name=name))
        self.context.runner.start("read", work, self._on_read)

    def _on_otherwise(self, path: Path, options: InputSection) -> None:
        if self._may_replace():
            self._read(path, options)

    # --- asking -------------------------------------------------------------------------

    def _choose(self, then: str) -> None:
        patterns = name_patterns(PROJECT_SUFFIX)
        filters = self.tr("Tables and projects ({patterns});;All files (*)").format(patterns=patterns)
        path = self.context.dialogs.open_file(self, self.tr("Open a spreadsheet"), filters)
        if path is not None:
            self.open_path(Path(path), then)

    def _on_check_a_file(self) -> None:
        self._choose("columns")

    def _on_top_up(self) -> None:
        """Open the dialog; it is kept, because background work gives its results to it."""
        if self._top_up is None:
            self._top_up = TopUpDialog(self, self.context)
        self._top_up.open()

    def _on_open_project(self) -> None:
        path = self.context.dialogs.open_file(self, self.tr("Open a project"), self.tr("Projects (*.ppdm)"))
        if path is not None:
            self.open_path(Path(path))

    def _on_open_sample(self) -> None:
        self.open_path(small_sample())

    def _on_larger_samples(self) -> None:
        """Offer the samples that are drawn, below the button."""
        button = self.sender()
        assert isinstance(button, QWidget)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setObjectName("menu_samples")
        for name, words in larger_samples():
            action = QAction(words, menu)
            action.setData(name)
            menu.addAction(action)
        menu.triggered.connect(self._on_sample_chosen)
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    def _on_sample_chosen(self, action: QAction) -> None:
        if not self._may_replace():
            return
        name = str(action.data())
        self._then = "open"
        self._start(f"{name}.csv", write_and_read(name, self.context.private_folder))

    def _may_replace(self) -> bool:
        """Ask before decisions that are not saved give way to another file."""
        if not is_unsaved(self.session):
            return True
        answer = self.context.dialogs.ask(
            self,
            self.tr("Open another file?"),
            self.tr("The decisions of the open file are not saved and would be lost. The file itself is untouched."),
            [("stay", self.tr("Keep the open file")), ("open", self.tr("Open the other"))],
            "stay",
        )
        return answer == "open"

    def _refuse(self, words: str) -> None:
        self.zone.set_refused(True)
        self._zone_words.set_tone("blocks")
        self._zone_words.setText(words)
        self._zone_words.setAccessibleName(words)

    def _rest(self) -> None:
        self.zone.set_refused(False)
        self._zone_words.set_tone("text")
        self._zone_words.setText(self.tr("Drop a spreadsheet or CSV file here"))
        self._zone_words.setAccessibleName("")
        self.failure.clear()
        self.otherwise.hide()
        self._tried = None
        self.panel_original.hide()

    # --- results ------------------------------------------------------------------------

    def _on_read(self, outcome: TaskOutcome) -> None:
        tried = self._tried
        self._rest()
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
            begin(self.session, opened)
        except InputError as error:
            self.failure.set_error(error)
            return
        asked = unanswered_rows(self.session) or unanswered(self.session)
        then = opened.project.page if opened.project is not None else "open" if asked else self._then
        # Results are not saved: a project that was left later goes on where they are made again.
        way = STEPS[: STEPS.index(then) + 1] if then in STEPS else ()
        self.go.emit(next((step for step in reversed(way) if self.session.why_not(step) is None), "open"))

    def _ask_original(self, wanted: OriginalWanted) -> None:
        self._wanted = wanted
        name = wanted.tried.name
        if wanted.found is None:
            words = self.tr("“{name}” is not where it was ({folder}).").format(name=name, folder=wanted.tried.parent)
        else:
            words = self.tr("“{name}” is not the file this project was made for: its content is different.").format(
                name=name
            )
        self._original_strip.set("amber", words)
        self._original_wanted.setText(self.tr("SHA-256 wanted: {hash}").format(hash=_hash(wanted.project.sha256)))
        found = _hash(wanted.found) if wanted.found is not None else self.tr("no such file")
        self._original_found.setText(self.tr("SHA-256 found: {hash}").format(hash=found))
        self.panel_original.show()
        self.go.emit("welcome")

    def _on_choose_original(self) -> None:
        if self._wanted is None:
            return
        title = self.tr("Choose the original “{name}”").format(name=self._wanted.project.path.name)
        path = self.context.dialogs.open_file(self, title, self.tr("All files (*)"))
        if path is None:
            return
        self._start(Path(path).name, read_saved(self._wanted.project_path, Path(path)))

    def _on_close_original(self) -> None:
        self._wanted = None
        self.panel_original.hide()


def _hash(digest: str) -> str:
    """Write a SHA-256 in groups, so that it can break into lines and be compared by eye."""
    return " ".join(digest[start : start + 8] for start in range(0, len(digest), 8))


def _numbered(number: int, title: str, words: str) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(theme().px(10))
    figure = Text(str(number), semibold=True, tone="accent", wrap=False)
    figure.setMinimumWidth(theme().px(14))
    texts = QVBoxLayout()
    texts.setSpacing(0)
    texts.addWidget(Text(title, semibold=True))
    texts.addWidget(Text(words, tone="text2"))
    row.addWidget(figure, 0, Qt.AlignmentFlag.AlignTop)
    row.addLayout(texts, 1)
    return row
