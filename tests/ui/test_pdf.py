"""PDFs of certificate and report: read back as a reader would, on a machine without a screen or a font too."""

from __future__ import annotations

import getpass
import itertools
import multiprocessing
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QApplication
from report_cases import (
    WORDY,
    all_bytes,
    judged_candidate,
    objects,
    pages_of,
    stream_of,
    worst_report,
)

from ppdm_desktop.engine.release.writing.export import Evaluation
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.documents import PAGES
from ppdm_desktop.engine.report.html import Drawn, render_report
from ppdm_desktop.ui.pdf import own_process
from ppdm_desktop.ui.pdf import writer as pdf_writer
from ppdm_desktop.ui.pdf.html import paper_page
from ppdm_desktop.ui.pdf.letters import font_family, replace_missing_letters
from ppdm_desktop.ui.pdf.pages import Laid, split_into_pages
from ppdm_desktop.ui.pdf.writer import write_pdf

REPOSITORY = Path(__file__).resolve().parents[2]
HEAD = '<html><head><meta name="created" content="2026-11-21T10:58:03Z"><title>T</title></head><body>'


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    return judged_candidate(tmp_path_factory.mktemp("pdf"))


def squeezed(text: str) -> str:
    return re.sub(r"[\s\u200b\u00a0]+", "", text)


# --- what is read ------------------------------------------------------------------------


def test_the_record_is_a_page_to_read_and_a_page_to_sign(qapp: QApplication, judged: Evaluation) -> None:
    first, second = pages_of(write_pdf(render_certificate(judged.report).decode()))
    for words in ("Signature", "Responsible", judged.report.input.sha256, judged.report.recipe_sha256, "2 / 2"):
        assert squeezed(words) in second, words
        assert squeezed(words) not in first, words
    assert "Releaserecord" in first
    named = [check.id for check in judged.report.verdict.figures]
    assert [id for id in named if f"({id})" in first] == []
    assert [id for id in named if id in second] == named


def test_the_report_is_short_and_its_annex_has_the_rest(qapp: QApplication, judged: Evaluation) -> None:
    drawn = Drawn(judged.measures.marginals)
    pages = [render_report(judged.report, drawn, in_full=in_full).decode() for in_full in (False, True)]
    short, annex = (len(pages_of(write_pdf(page))) for page in pages)
    assert short <= 12
    assert short < annex


def content_of(data: bytes) -> bytes:
    return b"".join(stream_of(body) for body in objects(data).values() if b"/Length" in body)


def test_every_heading_and_cell_of_the_report_is_on_a_page(qapp: QApplication, judged: Evaluation) -> None:
    html = render_report(judged.report, Drawn(judged.measures.marginals), in_full=True).decode()
    pages = pages_of(write_pdf(html))
    assert len(pages) >= 4
    text = "".join(pages)
    headings = re.findall(r"(?s)<h[1-4][^>]*>(.*?)</h[1-4]>", html)
    cells = re.findall(r"(?s)<t[dh][^>]*>(.*?)</t[dh]>", html)
    captions = re.findall(r"(?s)<figcaption>(.*?)</figcaption>", html)
    svg = re.findall(r"<text [^>]*>([^<]*)</text>", html)
    assert len(headings) > 15
    assert len(cells) > 200
    assert len(svg) > 50
    for piece in (*headings, *cells, *captions, *svg):
        words = squeezed(unescape(re.sub("<[^>]*>", "", piece)))
        assert words in text or all(part in text for part in re.split(r"(?<=[,;.])", words)), words
    assert [page[-len(f"{n + 1}/{len(pages)}") :] for n, page in enumerate(pages)] == [
        f"{n + 1}/{len(pages)}" for n in range(len(pages))
    ]


def test_no_line_is_cut_and_nothing_is_lost(qapp: QApplication, judged: Evaluation) -> None:
    long = f"<p>{WORDY * 30}</p><table><tbody><tr><td>{WORDY * 20}</td><td>{WORDY * 25}</td></tr></tbody></table>"
    html = render_report(worst_report(judged.report), Drawn(judged.measures.marginals), in_full=True).decode()
    page = paper_page(html.replace("</main>", long + "</main>"))
    parts = pdf_writer.lay_out_sections(page, font_family() or "", 680.0)
    height = 940.0
    found = split_into_pages(parts, height)
    assert len(found) > 10
    for before, after in itertools.pairwise(found):
        assert before.bottom == after.top
    for each in found:
        head = each.head[1] - each.head[0] if each.head else 0.0
        assert 0 < each.bottom - each.top + head <= height + 0.01
    edges = [each.top for each in found[1:]]
    for top, bottom in lines_of(parts):
        assert not any(top + 0.5 < edge < bottom - 0.5 for edge in edges), (top, bottom)


def lines_of(parts: list[Laid]) -> list[tuple[float, float]]:
    lines = []
    for part in parts:
        block = part.document.begin()
        while block.isValid():
            top = part.top + part.document.documentLayout().blockBoundingRect(block).top()
            if block.length() > 1:
                laid = block.layout()
                rects = [laid.lineAt(n).naturalTextRect() for n in range(laid.lineCount())]
                lines += [(top + rect.top(), top + rect.bottom()) for rect in rects]
            block = block.next()
    return lines


def test_letters_that_no_font_has_are_written_by_number(qapp: QApplication) -> None:
    assert replace_missing_letters("Zoë \u2192 Łódź \u2265 5\u200b") == "Zoë \u2192 Łódź \u2265 5\u200b"
    private = "\U0010fffd"  # no font has it: it is set apart for nobody
    assert replace_missing_letters(f"a{private}b") == "a[U+10FFFD]b"
    page = pages_of(write_pdf(f"{HEAD}<p>a{private}b &amp; Zoë</p>"))[0]
    assert page.startswith("a[U+10FFFD]b&Zoë")


# --- what it is made of --------------------------------------------------------------------


def test_fonts_are_inside_and_charts_are_no_images(qapp: QApplication, judged: Evaluation) -> None:
    data = write_pdf(render_report(judged.report, Drawn(judged.measures.marginals), in_full=True).decode())
    found = objects(data)
    described = [body for body in found.values() if b"/Type /FontDescriptor" in body]
    assert described
    assert all(re.search(rb"/FontFile[23]? \d+ 0 R", body) for body in described)
    assert b"/Subtype /Image" not in data
    # The dark fill of bars, as vectors: #12588c.
    assert re.search(rb"0\.07\d+ 0\.34\d+ 0\.54\d+ scn", content_of(data))


def test_only_the_reports_time_is_in_it(qapp: QApplication, judged: Evaluation) -> None:
    html = render_certificate(judged.report).decode()
    data = write_pdf(html)
    assert re.findall(rb"/(?:CreationDate|ModDate) \(([^)]*)\)", data) == [b"D:20261121105803Z"] * 2
    whole = all_bytes(data)
    assert set(re.findall(rb'xmp:\w+Date="([^"]*)"', whole)) == {b"2026-11-21T10:58:03Z"}
    assert not re.findall(rb"D:(?!20261121105803Z)\d{8}", data)
    assert re.findall(rb"/Author \(([^)]*)\)", data) in ([], [b""])


def test_no_user_host_or_path_is_in_it(qapp: QApplication, judged: Evaluation) -> None:
    whole = all_bytes(write_pdf(render_report(judged.report, in_full=True).decode()))
    text = "".join(pages_of(write_pdf(render_report(judged.report, in_full=True).decode())))
    words = {getpass.getuser(), socket.gethostname(), str(Path.home()), str(REPOSITORY), os.getcwd()}
    for word in words:
        # A user called "root" is met in "square root"; a word counts with what surrounds such a name.
        for form in {word} if len(word) > 5 else {f"/{word}", f"({word})", f">{word}<"}:
            assert form.encode() not in whole, form
            assert form.encode("utf-16-be") not in whole, form
            assert form not in text


def beside_the_window(work: Callable[[], None]) -> None:
    """Do something in a thread, as the window's background work does."""
    worker = QThread()
    worker.run = work  # type: ignore[method-assign]
    worker.start()
    assert worker.wait(60_000)


def test_beside_the_window_nothing_of_qt_is_made(qapp: QApplication) -> None:
    # Connected in one thread while something is destroyed in the other, Qt and PySide wait for each other for ever.
    said = []

    def work() -> None:
        with pytest.raises(RuntimeError, match="own thread"):
            write_pdf(HEAD)
        said.append(True)

    beside_the_window(work)
    assert said == [True]


def test_a_page_that_cannot_be_made_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    with own_process.pdf_process(PAGES) as renderers:
        render = renderers["report.pdf"]
        with pytest.raises(ValueError, match="could not be made"):
            render(None)  # type: ignore[arg-type]
        assert render(HEAD).startswith(b"%PDF")


def test_a_process_that_dies_is_an_error_and_no_process_is_left() -> None:
    with own_process.pdf_process(PAGES) as renderers:
        assert renderers["report.pdf"](HEAD).startswith(b"%PDF")
        (process,) = multiprocessing.active_children()
        process.kill()
        process.join()
        for _ in range(2):
            with pytest.raises((EOFError, OSError)):
                renderers["report.pdf"](HEAD)
    assert multiprocessing.active_children() == []


def test_one_that_does_not_come_to_an_end_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with own_process.pdf_process(PAGES) as renderers:
        assert renderers["report.pdf"](HEAD).startswith(b"%PDF")
        monkeypatch.setattr(own_process, "_MOST_SECONDS", 0.0)
        monkeypatch.setattr(own_process, "_GRACE", 0.1)
        with pytest.raises(TimeoutError):
            renderers["report.pdf"](HEAD + "<p>x</p>" * 20_000)
        with pytest.raises((EOFError, OSError)):
            renderers["report.pdf"](HEAD)
    assert multiprocessing.active_children() == []


# --- where it works ------------------------------------------------------------------------

CODE = """
import sys
{before}
from ppdm_desktop.ui.pdf.renderers import pdf_renderers
found = pdf_renderers()
for name, write in found.items():
    sys.stdout.write(name + " " + write("<html><body><p>words</p></body></html>")[:8].decode() + "\\n")
sys.stdout.write(f"{{len(found)}}\\n")
"""
NO_QT = """
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Refuse())
"""


def run(before: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("QT_", "DISPLAY", "WAYLAND"))}
    return subprocess.run(
        [sys.executable, "-c", CODE.format(before=before)],
        capture_output=True, text=True, check=False, timeout=120, cwd=REPOSITORY, env={**kept, **environment},
    )  # fmt: skip


def test_it_works_without_a_screen() -> None:
    done = run()
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["certificate.pdf %PDF-1.4", "report.pdf %PDF-1.4", "2"]
    assert done.stderr == ""


def machines_of(tmp_path: Path) -> list[dict[str, str]]:
    """Return environments in which Qt finds no font, the system's fonts, and one font alone."""
    (tmp_path / "none.conf").write_text('<?xml version="1.0"?><fontconfig></fontconfig>', "utf-8")
    folder = tmp_path / "fonts"
    folder.mkdir()
    shutil.copy(REPOSITORY / "resources" / "fonts" / "PpdmSansMono-Regular.ttf", folder)
    places = f"<dir>{folder}</dir><cachedir>{tmp_path}/cache</cachedir>"
    (tmp_path / "one.conf").write_text(f'<?xml version="1.0"?><fontconfig>{places}</fontconfig>', "utf-8")
    return [{"FONTCONFIG_FILE": str(tmp_path / "none.conf")}, {}, {"FONTCONFIG_FILE": str(tmp_path / "one.conf")}]


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere fonts do not come from fontconfig")
def test_the_bytes_do_not_hang_on_installed_fonts(tmp_path: Path, judged: Evaluation) -> None:
    page = tmp_path / "report.html"
    page.write_bytes(render_report(judged.report, Drawn(judged.measures.marginals), in_full=True))
    code = (
        "import hashlib, pathlib, sys\n"
        "from ppdm_desktop.ui.pdf.renderers import pdf_renderers\n"
        f"page = pathlib.Path({str(page)!r}).read_text('utf-8')\n"
        "sys.stdout.write(hashlib.sha256(pdf_renderers()['report.pdf'](page)).hexdigest())\n"
        # The order of fonts in the file hangs on where they lie, seldom enough to be missed by comparing bytes.
        "mapped = pathlib.Path('/proc/self/maps').read_text('utf-8')\n"
        "sys.stdout.write(''.join(line for line in mapped.splitlines() if 'PpdmSans' in line))\n"
    )
    machines = machines_of(tmp_path)
    # Each Qt begins with another seed for its hashes, in whose order the fonts of a PDF would be written.
    seeds = [{"QT_HASH_SEED": "1"}, {}, {"QT_HASH_SEED": "7"}]
    found = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120, cwd=REPOSITORY,
            env={**os.environ, **machine, **seed},
        ).stdout
        for machine, seed in zip(machines, seeds, strict=True)
    }  # fmt: skip
    assert len(found) == 1
    assert "" not in found


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere fonts do not come from fontconfig")
def test_a_machine_without_any_font_makes_pdfs_too(tmp_path: Path) -> None:
    done = run(**machines_of(tmp_path)[0])
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["certificate.pdf %PDF-1.4", "report.pdf %PDF-1.4", "2"]


def test_without_qt_no_pdf_is_made() -> None:
    done = run(before=NO_QT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")


def test_without_the_plug_in_qt_is_not_started(tmp_path: Path) -> None:
    # Asked for a platform that is not there, Qt would end the whole process.
    hide = f"from PySide6.QtCore import QLibraryInfo\nQLibraryInfo.path = lambda place: {str(tmp_path)!r}"
    done = run(before=hide)
    assert (done.returncode, done.stdout) == (0, "0\n")


def test_letters_stay_apart_however_they_are_set(qapp: QApplication) -> None:
    words = "office,fluff,fjord,waffle,first"
    chart = f'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40"><text x="5" y="20">{words}</text></svg>'
    styled = [f"<{tag}>{words}</{tag}>" for tag in ("p", "h2", "b", "i", "code", "small", "strong", "th")]
    html = "".join(styled).replace("<th>", "<table><tr><th>").replace("</th>", "</th></tr></table>")
    title = HEAD.replace("<title>T<", f"<title>{words}<")
    page = pages_of(write_pdf(f"{title}{html}{chart}</body></html>"))[0]
    assert page.count(words) == len(styled) + 2, page
