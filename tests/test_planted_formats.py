"""Readers, writers and samples: one claim a file, what is planted is seen everywhere, no id beside its class."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from format_files import FILES
from planted_formats import BROKEN, PAIRS, Bars, Pairs, Pets, plant
from source_trees import nodes_of
from support import PEOPLE, RECIPE, accepting

from ppdm_desktop.cli.main import run
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.samples import all_samples
from ppdm_desktop.engine.samples.base import Sample
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.table.reading.base import HEAD, READERS, Reader, register
from ppdm_desktop.engine.table.reading.raw import RawTable
from ppdm_desktop.engine.table.reading.registry import REFUSALS, Refusal, all_readers, list_format_claims, reader_of
from ppdm_desktop.engine.table.writing.base import Writer
from ppdm_desktop.engine.table.writing.registry import all_writers
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.testing import check_reader, check_sample, check_writer

PACKAGE = Path(__file__).resolve().parents[1] / "ppdm_desktop"


def heads() -> dict[str, bytes]:
    """How files begin: those above, and everything that is refused by name."""
    found = {f"{id} {place}": case.data[:HEAD] for id, cases in FILES.items() for place, case in enumerate(cases)}
    for refusal in REFUSALS:
        found.update({f"{refusal.id} {place}": mark for place, mark in enumerate(refusal.marks)})
    looks = {"html": b"\xef\xbb\xbf\r\n<!DOCTYPE html>", "json": b'[ {"a": 1}]', "xml": b'<?xml version="1.0"?>'}
    looks["web-archive"] = b"MIME-Version: 1.0\r\n"
    both = b"PK\x03\x04 xl/workbook.xml xl/workbook.bin application/vnd.oasis.opendocument.spreadsheet"
    return {**found, **looks, "any package": b"PK\x03\x04", "empty package": b"PK\x05\x06", "odd package": both}


@pytest.mark.parametrize("head", heads().values(), ids=heads())
def test_no_two_formats_claim_a_file_as_surely(head: bytes) -> None:
    claims = [claim for claim, _ in list_format_claims(head)]
    assert len(set(claims)) == len(claims)
    assert all(0 < claim <= 100 for claim in claims)


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.id)
def test_what_is_refused_is_refused_by_its_name(refusal: Refusal) -> None:
    beginnings = refusal.marks or tuple(head for id, head in heads().items() if id == refusal.id)
    assert beginnings
    for head in beginnings:
        with pytest.raises(InputError) as caught:
            reader_of(head + b" and more")
        assert (caught.value.id, caught.value.arguments) == (refusal.text, {"format": Term(refusal.name)})


# --- planted declarations ---------------------------------------------------------------


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """One declaration of each sort more than there are."""
    plant(monkeypatch)


def said_by(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    """Run the program; return its exit code and all it printed, in one line."""
    capfd.readouterr()
    code = run([str(each) for each in arguments])
    found = capfd.readouterr()
    return code, " ".join((found.out + found.err).split())


@pytest.mark.usefixtures("planted")
def test_what_is_planted_passes_its_battery() -> None:
    check_reader(Pairs, [PAIRS])
    check_writer(Bars)
    check_sample(Pets)


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize(("broken", "said"), BROKEN, ids=[each.__name__ for each, _ in BROKEN])
def test_a_battery_finds_what_is_broken(monkeypatch: pytest.MonkeyPatch, broken: type[Any], said: str) -> None:
    check: Callable[[], None]
    if issubclass(broken, Reader):
        monkeypatch.setitem(READERS._entries, broken.id, broken())
        check = partial(check_reader, broken, [PAIRS])
    else:
        check = partial(check_writer if issubclass(broken, Writer) else check_sample, broken)
    with pytest.raises(AssertionError, match=said):
        check()


@pytest.mark.usefixtures("planted")
def test_an_id_that_is_taken_is_refused() -> None:
    with pytest.raises(ValueError, match="pairs"):
        register(Pairs)


@pytest.mark.usefixtures("planted")
def test_a_planted_writer_makes_releases(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ppdm_desktop.cli.commands import release

    monkeypatch.setattr(release, "pdf_renderers", dict)
    source, recipe, out = tmp_path / "people.csv", tmp_path / "recipe.toml", tmp_path / "out"
    source.write_text(PEOPLE, encoding="utf-8")
    recipe.write_text(RECIPE.replace("[release]", '[release]\nformat = "bars"'), encoding="utf-8")
    code, said = said_by(capfd, "release", source, "--recipe", recipe, "--out", out, *accepting())
    assert code == 0, said
    assert (out / "release" / "data.bars").read_bytes().decode("utf-8").startswith("Age│City│Illness␤")
    assert "Text with bars" in (out / "release" / "release-note.html").read_text(encoding="utf-8")
    assert said_by(capfd, "verify", out, "--input", source)[0] == 0
    # Four columns are beyond what bars hold.
    recipe.write_text(recipe.read_text(encoding="utf-8").replace('"left-out"', '"other"'), encoding="utf-8")
    code, said = said_by(capfd, "release", source, "--recipe", recipe, "--out", tmp_path / "more", *accepting())
    assert code == 3, said
    assert "Stops the release: Size of the file [file-limits]" in said


def test_a_reader_whose_extra_is_not_there_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Foreign(Pairs):
        extra = "statistics"

        def read(self, data: bytes, options: InputSection) -> RawTable:
            raise ModuleNotFoundError("a library that nobody has")

    monkeypatch.setitem(READERS._entries, Foreign.id, Foreign())
    source = tmp_path / "x"
    source.write_bytes(PAIRS.data)
    with pytest.raises(InputError) as caught:
        read_source(source, InputSection())
    assert caught.value.id == "error.read.extra-missing"
    assert "ppdm-desktop[statistics]" in explain(caught.value)


# --- declared once ----------------------------------------------------------------------

# Where an id may stand outside the file of its class: the format of a recipe that names none.
DEFAULTS = {("engine/recipe/models.py", "csv")}


def places_of_ids() -> dict[str, set[str]]:
    """Return the files of the classes that have an id."""
    found: dict[str, set[str]] = {}
    everything: list[Reader | Writer | Sample] = [
        *all_readers().values(),
        *all_writers().values(),
        *all_samples().values(),
    ]
    for declared in everything:
        module = sys.modules[type(declared).__module__].__file__
        assert module is not None
        found.setdefault(declared.id, set()).add(Path(module).relative_to(PACKAGE).as_posix())
    return found


def test_no_id_stands_outside_its_own_file() -> None:
    places = places_of_ids()
    beside = set()
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        source = path.read_text(encoding="utf-8")
        if not any(id in source for id in places):
            continue
        for node in nodes_of(source):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and name not in places.get(text, {name}):
                beside.add((name, text))
    assert beside == DEFAULTS
