"""Forms of laws and standards: which questions a paper asks, and where the answer to each comes from."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ppdm_desktop.engine.dossier.facts import FACTS, SAFE_HARBOR
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import FORM, parse_toml, read_file
from ppdm_desktop.engine.recipe.models import Operator
from ppdm_desktop.engine.table.column_names import name_lists
from ppdm_desktop.engine.table.patterns import PATTERNS
from ppdm_desktop.engine.wording.catalogue import SOURCE, language
from ppdm_desktop.engine.wording.values import Reason, Term

BY_HAND, BY_APPROVAL = "by-hand", "log:approved"
Kind = Literal[
    "line", "text", "table", "list", "choice", "checks", "yes-no", "day", "per-column", "row", "signature"
]  # fmt: skip
Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
Options = Annotated[list[str], Field(max_length=8)]


class _Entry(BaseModel):
    """Base class of the tables in a form's file; an unknown key in the file is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def translated(self, key: str) -> Any:
        """Return the text of a key in German if that is the current language and the text exists, else in English."""
        return (language() == "de" and getattr(self, f"{key}_de")) or getattr(self, key)


class FormField(_Entry):
    """One question of a form.

    Attributes
    ----------
    id
        Id of the field within the form.
    clause, question, help, options
        The clause of the law that asks the question, the question, its help and its options; in English, and with
        ``_de`` in German.
    source
        Where the answer comes from: ``fact:NAME``, ``record:KEY``, ``log:approved`` or ``by-hand``.
    kind
        Kind of field, such as ``choice`` or ``signature``.
    words, patterns
        For the kind ``row``: lists of column names and of text patterns by which a column is recognised as what the
        row asks for. A row without these is answered by hand.
    """

    id: Key
    clause: str = ""
    clause_de: str = ""
    question: Annotated[str, Field(min_length=1, alias="en")]
    question_de: str = Field("", alias="de")
    help: str = Field("", alias="help_en")
    help_de: str = ""
    source: str = Field(alias="from")
    kind: Kind
    options: Options = Field([], alias="options_en")
    options_de: Options = []
    words: list[str] = []
    patterns: list[str] = []

    def value_key(self, form: str) -> str:
        """Return the key of the field's value in ``dossier.json``; ``form`` is the form's id.

        A handwritten answer has a key for each form and field (``agreement.signed``), and a row of a table one for each
        row (``fact:safe-harbor/b2-a``). Other fields with the same source share one key, the source
        (``fact:audience``).
        """
        if self.source == BY_HAND:
            return f"{form}.{self.id}"
        return f"{self.source}/{self.id}" if self.kind == "row" else self.source


class Form(_Entry):
    """A form for the dossier, such as a checklist for an authority, with its title, its sources and its fields.

    ``source_de`` has the sources in German. ``pending`` says which source is not final yet (``pending_de`` in German),
    ``asked_by`` what the form is for and who asks for it, and ``most_pages`` how many pages its PDF may have.
    """

    id: Key
    date: datetime.date
    source: Annotated[list[str], Field(min_length=1)]
    source_de: list[str] = []
    pending: str = ""
    pending_de: str = ""
    most_pages: int | None = None
    title: Mapping[str, str]
    asked_by: Mapping[str, str] = {}
    fields: Annotated[list[FormField], Field(min_length=1)]

    @property
    def name(self) -> str:
        """Return the form's title in the current language, or in English if there is no translation."""
        return self.title.get(language()) or self.title[SOURCE]

    @property
    def purpose(self) -> str:
        """Return what the form is for and who asks for it, in the current language or else in English.

        The text is empty where the form does not state it.
        """
        return self.asked_by.get(language()) or self.asked_by.get(SOURCE, "")

    @property
    def is_own(self) -> bool:
        """Return whether the form is the organisation's own, that is, equal to no form bundled with the program."""
        return self not in _read_bundled_forms()

    @property
    def rows(self) -> list[FormField]:
        """Return the fields of kind ``row``, each of which asks for one kind of column, such as names or postcodes."""
        return [field for field in self.fields if field.kind == "row"]


def read_form(text: str, path: Path) -> Form:
    """Return the form written in a TOML text after checking it; ``path`` is only named in errors.

    Raises
    ------
    InputError
        When the text is no TOML; when a key, fact or kind is unknown, a field occurs twice, or source, date or title is
        missing; or when a value does not fit in another way.
    """
    try:
        form = Form.model_validate(parse_toml(text, FORM, path))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        key = Term(".".join(map(str, fault["loc"])))
        ids = {"extra_forbidden": "error.form.unknown-key", "missing": "error.form.missing-key"}
        raise InputError(ids.get(fault["type"], "error.form.bad-value"), file=str(path), args={"key": key}) from error
    except ValueError as error:
        raise InputError("error.form.not-toml", file=str(path), args={"reason": Reason(str(error))}) from error
    _check_form(form, path)
    return form


def _check_form(form: Form, path: Path) -> None:
    """Raise InputError for a repeated or unfit field, no English title, or an unknown source, name list or pattern.

    The error names what is wrong: the field, or the unknown source, list or pattern. Only fields of the kinds "choice"
    and "checks" have options, as many in German as in English, or none in German.
    """
    sources = {BY_HAND, BY_APPROVAL, *(f"fact:{name}" for name in (SAFE_HARBOR, *FACTS))}
    sources |= {f"record:{key}" for key in Operator.model_fields}
    counts = Counter(field.id for field in form.fields)
    unfit = set() if SOURCE in form.title else {f"title.{SOURCE}"}
    for field in form.fields:
        unfit |= (
            ({field.source} - sources) | set(field.words).difference(name_lists()) | (set(field.patterns) - {*PATTERNS})
        )
        has_options = bool(field.options) and len(field.options_de) in (0, len(field.options))
        if counts[field.id] > 1 or (field.kind in ("choice", "checks")) != has_options:
            unfit.add(field.id)
    if unfit:
        raise InputError("error.form.bad-value", file=str(path), args={"key": Term(", ".join(sorted(unfit)))})


@cache
def _read_bundled_forms() -> tuple[Form, ...]:
    """Return all versions of the forms bundled with the program, sorted by date, then id."""
    folder = resources.files("ppdm_desktop.resources") / "forms"
    files = (file for file in folder.iterdir() if file.name.endswith(".toml"))
    forms = (read_form(file.read_text(encoding="utf-8"), Path(file.name)) for file in files)
    return tuple(sorted(forms, key=lambda form: (form.date, form.id)))


def _read_own_forms(folder: Path) -> Iterable[Form]:
    """Yield the forms in an organisation's own folder, sorted by path; files that do not end in ``.toml`` are ignored.

    Raises
    ------
    InputError
        When the folder or a form cannot be read, or a form has the id of one that comes with the program.
    """
    try:
        for path in sorted(file for file in folder.iterdir() if file.suffix == ".toml"):
            form = read_form(read_file(path, FORM).decode("utf-8-sig"), path)
            if any(bundled.id == form.id for bundled in _read_bundled_forms()):
                raise InputError("error.form.bad-value", file=str(path), args={"key": Term(form.id)})
            yield form
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("error.form.not-toml", file=str(folder), args={"reason": Reason(str(error))}) from error


def form_versions(ids: Collection[str] | None = None, folder: Path | None = None) -> list[Form]:
    """Return all versions of some forms: bundled ones, then those from ``folder``, each sorted by date.

    Old papers are compared with old versions. ``ids`` selects forms (None for all; unknown ids are ignored).
    InputError is raised where ``folder`` or a form in it cannot be read, or a form there has a bundled form's id.
    """
    own = () if folder is None else sorted(_read_own_forms(folder), key=lambda form: form.date)
    return [form for form in (*_read_bundled_forms(), *own) if ids is None or form.id in ids]


def all_forms(folder: Path | None = None) -> dict[str, Form]:
    """Return the newest version of each form by its id, including forms from the organisation's folder if given.

    The errors are those of `form_versions`.
    """
    return {form.id: form for form in form_versions(folder=folder)}
