"""Make the printable guide: walk through the program on its sample without a screen, and write what was seen.

Run it with the Python of the project's .venv, or as ``python3 packaging/dev.py guide --language en``.
The pictures are made of the program as it is. The file goes to resources/guide, which is not committed: the bundle
makes both guides itself.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
os.environ["QT_QPA_PLATFORM"] = "offscreen"
if os.name == "nt":
    # Without a screen Qt has no fonts there but those it is shown.
    os.environ["QT_QPA_FONTDIR"] = str(ROOT / "resources" / "fonts")
for place in (ROOT, ROOT / "tests" / "shared"):
    sys.path.insert(0, str(place))

from delivery.guide import Shown, write_guide  # noqa: E402
from PySide6.QtCore import QPoint, QRect, Qt  # noqa: E402
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter  # noqa: E402
from ui_support import FakeDialogs, Person  # noqa: E402

from ppdm_desktop import __version__  # noqa: E402
from ppdm_desktop.cli.commands import COMMANDS  # noqa: E402
from ppdm_desktop.cli.main import run  # noqa: E402
from ppdm_desktop.engine.randomness import Key  # noqa: E402
from ppdm_desktop.engine.samples import find_bundled_sample  # noqa: E402
from ppdm_desktop.engine.wording.catalogue import language, list_languages, set_language  # noqa: E402
from ppdm_desktop.ui.app import build_application, build_window  # noqa: E402
from ppdm_desktop.ui.look.fonts import set_window_font  # noqa: E402
from ppdm_desktop.ui.state.settings import Settings  # noqa: E402
from tests.ui.screenshots_tour import guide_pictures  # noqa: E402

FOLDER = ROOT / "resources" / "guide"
_WIDTH, _HEIGHT = 1280, 800


def main(arguments: Sequence[str]) -> int:
    """Write the guide in a language and print its size; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--language", choices=tuple(list_languages()), default="en")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder to write into")
    given = parser.parse_args(arguments)
    app = build_application()
    app.setCursorFlashTime(0)
    set_window_font(app, 10)
    set_language(given.language)
    # Two runs show the same figures, so that two bundles of one commit are the same.
    with mock.patch.object(Key, "fresh", return_value=Key(hashlib.sha256(b"guide").digest(), "system")):
        data = write_guide(look(given.language))
    given.out.mkdir(parents=True, exist_ok=True)
    file = given.out / f"ppdm-desktop-{given.language}.pdf"
    file.write_bytes(data)
    print(f"{file}: {len(data) / 1e6:.1f} MB")
    return 0


def look(language: str) -> Shown:
    """Return pictures and facts of a walk through the program."""
    with tempfile.TemporaryDirectory(prefix="ppdm-guide-") as place:
        dialogs = FakeDialogs()
        window = build_window(dialogs, Settings(appearance="light", language=language), Path(place))
        window.resize(_WIDTH, _HEIGHT)
        window.show()
        person = Person(window, dialogs)
        person.patience = 1_800.0  # a slow machine makes a guide, too
        try:
            said, pictures = guide_pictures(person)
        finally:
            window.runner.stop_all()
            window.close()
    pictures["console"] = of_text(console("inspect", str(find_bundled_sample().file())))
    commands = [(f"ppdm-desktop {each.name}", str(each.help)) for each in COMMANDS]
    return Shown(__version__, said, {name: framed(each) for name, each in pictures.items()}, commands)


def console(*words: str) -> str:
    """Return the output of a command, below the command itself."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        run(["--language", language(), *words])
    called = " ".join(("ppdm-desktop", *(Path(word).name if os.sep in word else word for word in words)))
    return f"$ {called}\n{out.getvalue()}"


def of_text(text: str) -> QImage:
    """Return a text as a picture of a console."""
    lines = text.expandtabs().splitlines()[:40]
    font = QFont("DejaVu Sans Mono", 10)
    metrics = QFontMetrics(font)
    wide = max(metrics.horizontalAdvance(line) for line in lines) + 40
    image = QImage(wide, len(lines) * metrics.lineSpacing() + 40, QImage.Format.Format_RGB32)
    image.fill(QColor("#1a2027"))
    painter = QPainter(image)
    painter.setFont(font)
    painter.setPen(QColor("#eef2f6"))
    for number, line in enumerate(lines):
        painter.drawText(QPoint(20, 20 + metrics.ascent() + number * metrics.lineSpacing()), line)
    painter.end()
    return image


def framed(image: QImage) -> QImage:
    """Return a picture with a thin frame, so that its edge is visible on white paper."""
    done = image.convertToFormat(QImage.Format.Format_RGB32)
    painter = QPainter(done)
    painter.setPen(QColor("#9aa5b1"))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(QRect(0, 0, done.width() - 1, done.height() - 1))
    painter.end()
    return done


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
