"""Papers as DOCX: values stand in locked content controls, questions for people in open ones; and reading them back.

Equal papers give equal bytes. The file carries no author, no time and no path.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError
from xml.sax.saxutils import escape, quoteattr

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from ppdm_desktop.engine.dossier.blocks import Block
from ppdm_desktop.engine.dossier.dossier import Paper, PaperField
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import PAPER, read_file
from ppdm_desktop.engine.table.reading.workbook.package import Package
from ppdm_desktop.engine.wording.catalogue import _, language

_NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MIDNIGHT = (2000, 1, 1, 0, 0, 0)
_WIDTH = 9638
"""Width of the text in twentieths of a point: A4 with margins of 2 cm."""
_BLANK = "\u2003"
"""A space that an empty control shows, so that it can be clicked."""


def _run(text: str, format: str = "") -> str:
    """Return a run of text; line breaks are kept."""
    parts = (escape(_NOT_IN_XML.sub("\ufffd", part)) for part in text.split("\n"))
    texts = "<w:br/>".join(f'<w:t xml:space="preserve">{part}</w:t>' for part in parts)
    return f"<w:r>{f'<w:rPr>{format}</w:rPr>' if format else ''}{texts}</w:r>"


def _paragraph(text: str, style: str = "", format: str = "") -> str:
    """Return a paragraph in a style of the file."""
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}{_run(text, format)}</w:p>"


def _block(block: Block) -> str:
    """Return a block as paragraphs or as a table whose head is repeated on each page."""
    if not block.head:
        return "".join(_paragraph(cell.text, "List" if block.listed else "") for row in block.rows for cell in row)
    width = _WIDTH // len(block.head)
    grid = f'<w:gridCol w:w="{width}"/>' * len(block.head)

    def row(texts: Iterable[str], head: str = "") -> str:
        """Return one row of the table."""
        cells = (
            f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>'
            f"{_paragraph(text, 'Cell', '<w:b/>' if head else '')}</w:tc>"
            for text in texts
        )
        return f"<w:tr><w:trPr><w:cantSplit/>{head}</w:trPr>{''.join(cells)}</w:tr>"

    rows = "".join(row(cell.text for cell in cells) for cells in block.rows)
    return (
        f'<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/><w:tblW w:w="{_WIDTH}" w:type="dxa"/>'
        f'<w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid>{grid}</w:tblGrid>'
        f"{row(block.head, '<w:tblHeader/>')}{rows}</w:tbl>{_paragraph('', 'Cell')}"
    )


def _control(number: int, tag: str, content: str, *, locked: bool) -> str:
    """Return a content control; a locked one cannot be edited or deleted."""
    lock = f'<w:lock w:val="{"sdtContentLocked" if locked else "sdtLocked"}"/>'
    return (
        f"<w:sdt><w:sdtPr><w:alias w:val={quoteattr(tag)}/><w:tag w:val={quoteattr(tag)}/>"
        f'<w:id w:val="{number}"/>{lock}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>'
    )


def blank_answer(field: PaperField) -> str:
    """Return what stands in an open control before anybody wrote into it: the options, and a line for the reason."""
    options = field.field.options
    return "\n".join([*(f"☐ {option}" for option in options), _("Why:") if options else _BLANK])


def _field(number: int, field: PaperField, typed: str) -> str:
    """Return the question of a field and its control."""
    clause = f" [{field.field.clause}]" if field.field.clause else ""
    heading = _paragraph(f"{field.field.question}{clause}", "Question")
    if field.is_filled:
        return heading + _control(number, field.tag, "".join(map(_block, field.blocks)), locked=True)
    help = _paragraph(f"{_('For you:')} {field.field.help}".strip(), "Grey")
    answer = "".join(_paragraph(line or _BLANK) for line in (typed or blank_answer(field)).split("\n"))
    return heading + help + _control(number, field.tag, answer, locked=False)


def render_docx(paper: Paper, typed: Mapping[str, str] | None = None) -> bytes:
    """Return a paper as the bytes of a DOCX file, in the current language.

    Parameters
    ----------
    typed
        What people wrote into the open controls of an earlier copy, by tag.
    """
    typed = typed or {}
    parts = [_paragraph(paper.form.name, "Title"), *(_paragraph(line) for line in paper.lines)]
    parts += [_field(number, field, typed.get(field.tag, "")) for number, field in enumerate(paper.fields, start=1)]
    section = (
        '<w:sectPr><w:footerReference w:type="default" r:id="footer"/><w:pgSz w:w="11906" w:h="16838"/>'
        '<w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="567" w:footer="567" '
        'w:gutter="0"/></w:sectPr>'
    )
    spaces = f'xmlns:w="{_NAMESPACE}" xmlns:r="{_RELATIONS}"'
    files = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_TYPE}.document.main+xml"/>'
        f'<Override PartName="/word/styles.xml" ContentType="{_TYPE}.styles+xml"/>'
        f'<Override PartName="/word/footer1.xml" ContentType="{_TYPE}.footer+xml"/></Types>',
        "_rels/.rels": _relations({"document": ("officeDocument", "word/document.xml")}),
        "word/document.xml": f"<w:document {spaces}><w:body>{''.join(parts)}{section}</w:body></w:document>",
        "word/_rels/document.xml.rels": _relations(
            {"styles": ("styles", "styles.xml"), "footer": ("footer", "footer1.xml")}
        ),
        "word/styles.xml": f"<w:styles {spaces}>{_styles()}</w:styles>",
        "word/footer1.xml": f'<w:ftr {spaces}><w:p><w:pPr><w:jc w:val="right"/></w:pPr>{_number("PAGE")}{_run(" / ")}'
        f"{_number('NUMPAGES')}</w:p></w:ftr>",
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, _MIDNIGHT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            archive.writestr(entry, (_HEAD + text).encode("utf-8"))
    return made.getvalue()


def _relations(targets: Mapping[str, tuple[str, str]]) -> str:
    """Return the part that says which parts belong to another one."""
    entries = (
        f'<Relationship Id="{id}" Type="{_RELATIONS}/{kind}" Target="{target}"/>'
        for id, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{"".join(entries)}</Relationships>'


def _number(field: str) -> str:
    """Return a field that shows the page's number or the number of pages."""
    return f'<w:fldSimple w:instr=" {field} "><w:r><w:t>1</w:t></w:r></w:fldSimple>'


def _styles() -> str:
    """Return the styles of the file, with its language."""
    fonts = '<w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="Arial" w:eastAsia="Arial"/>'
    styles = {
        "Title": '<w:pPr><w:keepNext/><w:spacing w:after="120"/></w:pPr><w:rPr><w:b/><w:sz w:val="32"/></w:rPr>',
        "Question": '<w:pPr><w:keepNext/><w:spacing w:before="240" w:after="60"/><w:outlineLvl w:val="1"/></w:pPr>'
        '<w:rPr><w:b/><w:sz w:val="22"/></w:rPr>',
        "Grey": '<w:pPr><w:keepNext/></w:pPr><w:rPr><w:color w:val="595959"/></w:rPr>',
        "List": '<w:pPr><w:ind w:left="284"/></w:pPr>',
        "Cell": '<w:pPr><w:spacing w:after="20"/></w:pPr><w:rPr><w:sz w:val="18"/></w:rPr>',
    }
    borders = "".join(
        f'<w:{side} w:val="single" w:sz="4" w:color="A6A6A6"/>'
        for side in ("top", "left", "bottom", "right", "insideH", "insideV")
    )
    return (
        f'<w:docDefaults><w:rPrDefault><w:rPr>{fonts}<w:sz w:val="20"/><w:lang w:val="{language()}"/></w:rPr>'
        '</w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="60"/></w:pPr></w:pPrDefault></w:docDefaults>'
        + "".join(
            f'<w:style w:type="paragraph" w:styleId="{id}"><w:name w:val="{id}"/>{format}</w:style>'
            for id, format in styles.items()
        )
        + '<w:style w:type="table" w:styleId="Grid"><w:name w:val="Grid"/><w:tblPr><w:tblBorders>'
        f"{borders}</w:tblBorders></w:tblPr></w:style>"
    )


# --- reading back -------------------------------------------------------------------------


def read_controls(path: Path) -> dict[str, list[str]]:
    """Return the lines of text in each content control of a DOCX file, by tag.

    Raises
    ------
    InputError
        When it is no such file.
    """
    try:
        package = Package(read_file(path, PAPER))
        root = fromstring(b"".join(package.pieces("word/document.xml")), forbid_dtd=True)
    except (OSError, ParseError, DefusedXmlException, InputError) as error:
        raise InputError("error.dossier.not-a-paper", file=str(path)) from error
    controls = {}
    for control in root.iter(_named("sdt")):
        tag = control.find(f"{_named('sdtPr')}/{_named('tag')}")
        if tag is not None:
            lines = (line for element in control.iter(_named("p")) for line in _text(element).split("\n"))
            controls[tag.attrib[_named("val")]] = [text for line in lines if (text := " ".join(line.split()))]
    return controls


def _named(name: str) -> str:
    """Return a name of the word processor's namespace."""
    return f"{{{_NAMESPACE}}}{name}"


def _text(paragraph: Element) -> str:
    """Return the text of a paragraph, with its line breaks."""
    signs = {_named("br"): "\n", _named("tab"): " "}
    return "".join(
        signs.get(part.tag, (part.text or "") if part.tag == _named("t") else "") for part in paragraph.iter()
    )


def differing_fields(paper: Paper, controls: Mapping[str, list[str]]) -> list[PaperField]:
    """Return the filled fields whose text in a DOCX file is missing or differs from the release's own."""
    return [
        field
        for field in paper.fields
        if field.is_filled and controls.get(field.tag) != [line for block in field.blocks for line in _kept(block)]
    ]


def _kept(block: Block) -> list[str]:
    """Return the lines of a block as a file can hold them."""
    return [_NOT_IN_XML.sub("\ufffd", line) for line in block.lines]


def typed_answers(paper: Paper, controls: Mapping[str, list[str]]) -> dict[str, str]:
    """Return what people wrote into the open controls of a DOCX file, by tag."""
    answers = {field.tag: "\n".join(controls.get(field.tag, ())) for field in paper.fields if not field.is_filled}
    blanks = {field.tag: blank_answer(field).strip() for field in paper.fields}
    return {tag: text for tag, text in answers.items() if text and text != blanks[tag]}
