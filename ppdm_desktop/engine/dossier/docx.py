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
_UNKNOWN = "\ufffd"
_MIDNIGHT = (2000, 1, 1, 0, 0, 0)
_WIDTH = 9638
"""Width of the text in twentieths of a point: A4 with margins of 2 cm."""
_LETTER, _MARGIN, _LONGEST = 125, 240, 60
"""Width of a bold letter and of a cell's margins, and how many letters of a text count for the width of its column."""
_BLANK = "\u2003"
"""A space that an empty control shows, so that it can be clicked."""


def _run(text: str) -> str:
    """Return a run of text."""
    return f'<w:r><w:t xml:space="preserve">{escape(_NOT_IN_XML.sub(_UNKNOWN, text))}</w:t></w:r>'


def _paragraph(content: str, style: str = "") -> str:
    """Return a paragraph of runs and controls in a style of the file."""
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{content}</w:p>' if style else f"<w:p>{content}</w:p>"


def _controls(tag: str, text: str, style: str = "", *, locked: bool) -> str:
    """Return a paragraph for each line of a text, in a content control; a locked one cannot be edited or deleted.

    Each line has a control of its own, because some programs keep none that holds several.
    """
    lock = "sdtContentLocked" if locked else "sdtLocked"
    start = (
        f"<w:sdt><w:sdtPr><w:alias w:val={quoteattr(tag)}/><w:tag w:val={quoteattr(tag)}/>"
        f'<w:lock w:val="{lock}"/><w:text w:multiLine="1"/></w:sdtPr><w:sdtContent>'
    )
    lines = (f"{start}{_run(line)}</w:sdtContent></w:sdt>" if line else "" for line in text.split("\n"))
    return "".join(_paragraph(line, style) for line in lines)


def _widths(block: Block) -> list[int]:
    """Return the widths of a table's columns: none breaks a word, and longer texts get more of what is left."""
    columns = list(zip(block.head, *((cell.text for cell in row) for row in block.rows), strict=True))
    words = [max(len(word) for text in texts for word in text.split() or [""]) for texts in columns]
    least = [min(_MARGIN + _LETTER * length, _WIDTH // len(columns)) for length in words]
    lengths = [min(max(map(len, texts)), _LONGEST) for texts in columns]
    return [width + (_WIDTH - sum(least)) * n // (sum(lengths) or 1) for width, n in zip(least, lengths, strict=True)]


def _block(block: Block, tag: str) -> str:
    """Return a block as paragraphs, or as a table whose head is repeated on each page."""
    if not block.head:
        style = "List" if block.listed else ""
        return "".join(_controls(tag, cell.text, style, locked=True) for row in block.rows for cell in row)
    widths = _widths(block)
    grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)

    def row(texts: Iterable[str], style: str, repeated: str = "") -> str:
        """Return one row of the table."""
        cells = "".join(
            f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>'
            f"{_controls(tag, text, style, locked=True)}</w:tc>"
            for width, text in zip(widths, texts, strict=True)
        )
        return f"<w:tr><w:trPr><w:cantSplit/>{repeated}</w:trPr>{cells}</w:tr>"

    rows = "".join(row((cell.text for cell in cells), "Cell") for cells in block.rows)
    return (
        f'<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/><w:tblW w:w="{_WIDTH}" w:type="dxa"/>'
        f'<w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid>{grid}</w:tblGrid>'
        f"{row(block.head, 'Head', '<w:tblHeader/>')}{rows}</w:tbl>{_paragraph('', 'Cell')}"
    )


def blank_answer(field: PaperField) -> str:
    """Return what stands in an open control before anybody wrote into it: the options, and a line for the reason."""
    return "\n".join([*(f"☐ {option}" for option in field.field.options), field.prompt or _BLANK])


def _field(field: PaperField, typed: str) -> str:
    """Return the question of a field and its controls."""
    clause = f" [{field.field.clause}]" if field.field.clause else ""
    heading = _paragraph(_run(f"{field.field.question}{clause}"), "Question")
    if field.is_filled:
        return heading + "".join(_block(block, field.tag) for block in field.blocks)
    help = _paragraph(_run(f"{_('For you:')} {field.field.help}".strip()), "Grey")
    return heading + help + _controls(field.tag, typed or blank_answer(field), locked=False)


def render_docx(paper: Paper, typed: Mapping[str, str] | None = None) -> bytes:
    """Return a paper as the bytes of a DOCX file, in the current language.

    Parameters
    ----------
    typed
        What people wrote into the open controls of an earlier copy, by tag.
    """
    typed = typed or {}
    parts = [_paragraph(_run(paper.form.name), "Title"), *(_paragraph(_run(line)) for line in paper.lines)]
    parts += [_field(field, typed.get(field.tag, "")) for field in paper.fields]
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
        "Head": '<w:pPr><w:spacing w:after="20"/></w:pPr><w:rPr><w:b/><w:sz w:val="18"/></w:rPr>',
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
    controls: dict[str, list[str]] = {}
    for control in root.iter(_named("sdt")):
        # Some programs keep the title of a control and drop its tag.
        named = (control.find(f"{_named('sdtPr')}/{_named(name)}") for name in ("tag", "alias"))
        tag = next((found.attrib[_named("val")] for found in named if found is not None), None)
        content = control.find(_named("sdtContent"))
        if tag is not None and content is not None:
            lines = (" ".join(line.split()) for line in _text(content).split("\n"))
            controls.setdefault(tag, []).extend(line for line in lines if line)
    return controls


def _named(name: str) -> str:
    """Return a name of the word processor's namespace."""
    return f"{{{_NAMESPACE}}}{name}"


def _text(content: Element) -> str:
    """Return the text of a control, with a line for each paragraph and line break."""
    signs = {_named("br"): "\n", _named("p"): "\n", _named("tab"): " "}
    parts = (part.text if part.tag == _named("t") else signs.get(part.tag) for part in content.iter())
    return "".join(part or "" for part in parts)


def differing_fields(paper: Paper, controls: Mapping[str, list[str]]) -> list[PaperField]:
    """Return the filled fields whose text in a DOCX file is missing or differs from the release's own."""
    return [
        field
        for field in paper.fields
        if field.is_filled and controls.get(field.tag) != [line for block in field.blocks for line in _kept(block)]
    ]


def _kept(block: Block) -> list[str]:
    """Return the lines of a block as a file can hold them."""
    return [_NOT_IN_XML.sub(_UNKNOWN, line) for line in block.lines]


def typed_answers(paper: Paper, controls: Mapping[str, list[str]]) -> dict[str, str]:
    """Return what people wrote into the open controls of a DOCX file, by tag."""
    answers = {field.tag: "\n".join(controls.get(field.tag, ())) for field in paper.fields if not field.is_filled}
    blanks = {field.tag: blank_answer(field).strip() for field in paper.fields}
    return {tag: text for tag, text in answers.items() if text and text != blanks[tag]}
