"""Writes papers as DOCX and reads them back: values are in locked content controls, questions for people in open ones.

Equal papers give equal bytes. The file contains no author, no time and no path.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from ppdm_desktop.engine.dossier.blocks import lines_of
from ppdm_desktop.engine.dossier.dossier import Paper, PaperField
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import PAPER, read_file
from ppdm_desktop.engine.report.html import page_of
from ppdm_desktop.engine.table.reading.workbook.package import Package

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_PART = re.compile('<part name="([^"]*)">(.*?)</part>', re.DOTALL)
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_UNKNOWN = "\ufffd"
_MIDNIGHT = (2000, 1, 1, 0, 0, 0)


def render_docx(paper: Paper, typed: Mapping[str, str]) -> bytes:
    r"""Return a paper as the bytes of a DOCX file, in the current language; equal papers give equal bytes.

    Characters that XML forbids become "\ufffd".

    Parameters
    ----------
    typed
        Texts that people wrote into the open controls of an earlier copy, by the control's tag; they are kept.
    """
    parts = page_of("paper.docx.xml", paper=paper, typed=typed).decode("utf-8")
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _PART.findall(_NOT_IN_XML.sub(_UNKNOWN, parts)):
            entry = zipfile.ZipInfo(name, _MIDNIGHT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            archive.writestr(entry, (_HEAD + text).encode("utf-8"))
    return made.getvalue()


def read_controls(path: Path) -> dict[str, list[str]]:
    """Return the lines of text in each content control of a DOCX file, by tag, or by title where a tag is missing.

    Lines of several controls with the same tag are joined into one list. Controls with neither tag nor title are left
    out.

    Raises
    ------
    InputError
        When the file cannot be read or is not a DOCX file.
    """
    try:
        package = Package(read_file(path, PAPER))
        root = fromstring(b"".join(package.pieces("word/document.xml")), forbid_dtd=True)
    except (OSError, ParseError, DefusedXmlException, InputError) as error:
        raise InputError("error.dossier.not-a-paper", file=str(path)) from error
    controls: dict[str, list[str]] = {}
    for control in root.iter(f"{_WORD}sdt"):
        # Some programs keep the title of a control and drop its tag.
        named = (control.find(f"{_WORD}sdtPr/{_WORD}{name}") for name in ("tag", "alias"))
        tag = next((element.attrib[f"{_WORD}val"] for element in named if element is not None), None)
        content = control.find(f"{_WORD}sdtContent")
        if tag is not None and content is not None:
            controls.setdefault(tag, []).extend(lines_of(_read_control_text(content)))
    return controls


def _read_control_text(content: Element) -> str:
    """Return the text of a Word content control, with line breaks between paragraphs and blanks for tabs."""
    signs = {f"{_WORD}br": "\n", f"{_WORD}p": "\n", f"{_WORD}tab": " "}
    parts = (part.text if part.tag == f"{_WORD}t" else signs.get(part.tag) for part in content.iter())
    return "".join(part or "" for part in parts)


def differing_fields(paper: Paper, controls: Mapping[str, list[str]]) -> list[PaperField]:
    """Return the fields filled by the program whose text in a DOCX file is missing or differs from the paper's.

    ``controls`` holds the lines of each content control by tag, as `read_controls` returns them.
    """
    return [
        field
        for field in paper.fields
        if field.is_filled and controls.get(field.tag) != lines_of(_NOT_IN_XML.sub(_UNKNOWN, field.text))
    ]


def typed_answers(paper: Paper, controls: Mapping[str, list[str]]) -> dict[str, str]:
    """Return what people wrote into the open controls of a DOCX file, by tag.

    Controls that are empty or still contain the form's blank answer are left out. Lines are joined by line breaks.
    """
    return {
        field.tag: "\n".join(lines)
        for field in paper.fields
        if not field.is_filled and (lines := controls.get(field.tag, [])) not in ([], lines_of(field.blank_answer))
    }
