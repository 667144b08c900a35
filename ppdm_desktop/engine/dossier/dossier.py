"""``dossier.json``: the value of every field that the papers of a release may ask for, and the papers made from it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ppdm_desktop.engine.decision_log import APPROVED, FILE, REFUSED, read_log
from ppdm_desktop.engine.dossier import INTERNAL
from ppdm_desktop.engine.dossier.blocks import BLOCKS, Block, make_paragraph
from ppdm_desktop.engine.dossier.facts import FACTS, INTERNAL_FACTS, safe_harbor_row
from ppdm_desktop.engine.dossier.forms import BY_APPROVAL, BY_HAND, Form, FormField, all_forms
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import REPORT, read_json
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.report.html import (
    counting_as_judged,
    format_iso_day,
    format_typed_day,
    name_recipients,
    yes_or_no,
)
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.report.report_texts import describe_outcome
from ppdm_desktop.engine.wording.catalogue import _, language
from ppdm_desktop.engine.wording.values import Term

DOSSIER = "dossier.json"
Answers = Mapping[str, Mapping[str, str]]
"""What people wrote in the recipe, by form and field."""


@counting_as_judged
def build_dossier(report: Report, answers: Answers) -> bytes:
    """Return the bytes of ``dossier.json``, in the current language.

    The file contains the hash of the report, the decision, the released columns, the value of every fact, record entry
    and answer in the recipe that is not blank, and which fields of all bundled forms are filled. Each value is stored
    once under the key of its source, so that a form added later finds it.
    """
    forms = all_forms().values()
    values = {f"fact:{name}": fact(report) for name, fact in FACTS.items()}
    values |= {f"record:{key}": _build_recorded_blocks(key, recorded) for key, recorded in report.operator}
    if RELEASE_TYPES[report.release.type].is_public:
        values |= _fill_for_public(report, all_forms()["agreement"], values)
    for form in forms:
        for field in form.rows:
            values[field.value_key(form.id)] = safe_harbor_row(
                report, field.id, can_be_seen=bool(field.words or field.patterns)
            )
    values |= {
        f"{form}.{field}": [make_paragraph(text)]
        for form, recorded in answers.items()
        for field, text in recorded.items()
        if text.strip()
    }
    document = {
        "format": 1,
        "report_sha256": hashlib.sha256(report.to_json()).hexdigest(),
        "language": language(),
        "decision": describe_outcome(report.release, report.verdict),
        "columns": [column.name for column in report.columns if column.released],
        "values": BLOCKS.dump_python({key: tuple(blocks) for key, blocks in values.items()}, mode="json"),
        "forms": [_describe_form(form, values) for form in forms],
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8") + b"\n"


def _build_recorded_blocks(key: str, recorded: str | bool | None) -> list[Block]:
    """Return a list with one paragraph that states an entry of the record; an empty list where nothing was entered.

    True and False become "yes" and "no", a day is written in the language of the paper, and other texts are unchanged.
    ``recorded`` is the entry, and ``key`` its key in ``operator`` of the report.
    """
    if recorded is None or recorded == "":
        return []
    text = yes_or_no(recorded) if isinstance(recorded, bool) else format_typed_day(recorded)
    return [make_paragraph(text, f"/operator/{key}")]


def _fill_for_public(report: Report, agreement: Form, values: Mapping[str, list[Block]]) -> dict[str, list[Block]]:
    """Return the answers that follow from a release being public, by key.

    The caller makes sure that it is. The recipient is the public, unless the record names one. All fields of the
    agreement that people fill in by hand, such as signatures, get "does not apply". Other values are not in the result.
    """
    unsigned = [make_paragraph(_("does not apply"), "/release/type")]
    signing = {field.value_key(agreement.id): unsigned for field in agreement.fields if field.source == BY_HAND}
    public = [make_paragraph(name_recipients(report.release.type), "/release/type")]
    return {"record:recipient": values["record:recipient"] or public, **signing}


def _describe_form(form: Form, values: Mapping[str, Sequence[Block]]) -> dict[str, Any]:
    """Return a form as plain data with the keys ``id``, ``date`` (ISO) and ``fields``.

    Each field has its ``id``, the key of its ``value``, and ``filled``: whether ``values`` has any block for this key.
    """
    fields = [
        {"id": field.id, "value": field.value_key(form.id), "filled": bool(values.get(field.value_key(form.id)))}
        for field in form.fields
    ]
    return {"id": form.id, "date": form.date.isoformat(), "fields": fields}


@dataclass(frozen=True)
class PaperField:
    """A field as a paper shows it; a field without blocks is left for people to fill in.

    ``columns`` are the names of the released columns.
    """

    tag: str
    field: FormField
    blocks: tuple[Block, ...]
    columns: tuple[str, ...] = ()

    @property
    def choices(self) -> list[str]:
        """Return the lines to choose from in a field for people: its options, or the released columns.

        A field of kind ``per-column`` has a line such as "age:" for each released column, one of kind ``yes-no`` has "☐
        yes" and "☐ no", any other a line "☐ ..." for each of its options. The list is empty where it has none.
        """
        if self.field.kind == "per-column":
            return [f"{column}:" for column in self.columns]
        options = [_("yes"), _("no")] if self.field.kind == "yes-no" else self.field.translated("options")
        return [f"☐ {option}" for option in options]

    @property
    def prompt(self) -> str:
        """Return the words before the blank that asks for reasons, remarks or a signature in a field for people.

        The text is empty for other kinds of fields.
        """
        signature = f"{_('Day')}, {_('Signature')}:"
        return {"choice": _("Why") + ":", "checks": _("Remarks") + ":", "signature": signature}.get(self.field.kind, "")

    @property
    def is_filled(self) -> bool:
        """Return whether the program filled this field."""
        return bool(self.blocks)

    @property
    def text(self) -> str:
        """Return the field's value as lines of text; "" where it has none."""
        return "\n".join(line for block in self.blocks for line in block.lines)

    @property
    def heading(self) -> str:
        """Return the field's question, followed in square brackets by the clause of the law that asks it, if any."""
        clause = self.field.translated("clause")
        return f"{self.field.translated('question')} [{clause}]" if clause else str(self.field.translated("question"))

    @property
    def help(self) -> str:
        """Return the help that is shown below a question for people: "For you:" and the form's own text."""
        return f"{_('For you:')} {self.field.translated('help')}".strip()

    @property
    def blank_answer(self) -> str:
        """Return the text that people edit to answer the field.

        It consists of the lines to choose from, then a line with the prompt or, without a prompt, a wide blank.
        """
        return "\n".join([*self.choices, self.prompt or "\u2003"])


@dataclass(frozen=True)
class Paper:
    """A form filled with the values of one release."""

    form: Form
    decision: str
    fields: tuple[PaperField, ...]

    @property
    def filled(self) -> int:
        """Return how many fields the program filled."""
        return sum(field.is_filled for field in self.fields)

    @property
    def for_people(self) -> int:
        """Return how many fields are for people to fill in."""
        return len(self.fields) - self.filled

    @property
    def has_internal_facts(self) -> bool:
        """Return whether a field of the form names rows of the source, which only the internal copy shows."""
        return any(_is_internal(field.field) for field in self.fields)

    @property
    def lines(self) -> list[str]:
        """Return the lines above the fields: source of the form, day, what is pending or filled, and the decision.

        If it applies, they also state that the form is the organisation's own, and how many of the form's rows (one
        for each kind of column) are addressed.
        """
        lines = [
            *self.form.translated("source"),
            _("Form of {day}", day=Term(format_iso_day(self.form.date.isoformat()))),
        ]
        if pending := self.form.translated("pending"):
            lines.append(_("Not final: {what}", what=Term(pending)))
        if self.form.is_own:
            lines.append(_("Own form of the organisation"))
        lines.append(_("{n} of {m} filled, the rest is for you", n=self.filled, m=len(self.fields)))
        if rows := [field for field in self.fields if field.field.kind == "row"]:
            addressed = sum(field.is_filled and not any(block.is_amber for block in field.blocks) for field in rows)
            lines.append(_("{n} of {m} rows addressed", n=addressed, m=len(rows)))
        return [*lines, self.decision]


def _is_internal(field: FormField) -> bool:
    """Return whether a field asks for a fact that names rows of the source, which only the internal copy may show."""
    return field.source.removeprefix("fact:") in INTERNAL_FACTS


class Dossier:
    """The values of the papers' fields for one release, read from its folder."""

    def __init__(self, directory: Path) -> None:
        """Read ``dossier.json`` and the log of decisions from the release folder ``directory``.

        Raises
        ------
        InputError
            When the folder holds no release with a dossier, or the log was changed.
        """
        file = directory / INTERNAL / DOSSIER
        try:
            document = read_json(file, REPORT)
            self.language: str = document["language"]
            self.decision: str = document["decision"]
            self._columns: tuple[str, ...] = tuple(document["columns"])
            self._values = BLOCKS.validate_python(document["values"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError("error.dossier.unreadable", file=str(file)) from error
        decided = [line for line in read_log(file.with_name(FILE)) if line.event in (APPROVED, REFUSED)]
        self._approval = decided[-1] if decided and decided[-1].event == APPROVED else None

    def paper(self, form: Form, *, internal: bool = False) -> Paper:
        """Return a form filled with the values of this release; only the ``internal`` copy names rows of the source.

        In other copies a field about rows says that the internal copy lists them. A field for the approval is filled
        with name and day if the last decision in the log is an approval. A field without a value shows what was
        entered by hand.
        """
        fields = []
        for field in form.fields:
            by_hand = self._values.get(f"{form.id}.{field.id}", ())
            blocks = self._values.get(field.value_key(form.id), ()) or by_hand
            if field.source == BY_APPROVAL and self._approval is not None:
                who, day = Term(self._approval.who), Term(format_typed_day(self._approval.at[:10]))
                blocks = (make_paragraph(_("{name}, {day}", name=who, day=day)),)
            if blocks and _is_internal(field) and not internal:
                blocks = (make_paragraph(_("Listed in the internal copy.")),)
            fields.append(PaperField(f"{form.id}.{field.id}", field, blocks, self._columns))
        return Paper(form, self.decision, tuple(fields))
