"""A method and an attack of a package outside of the checkout: listed, run, judged, named; refused when not wanted."""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cases import case_rows
from optional import existing
from outside_plugin import CARDS, MODULE, PUBLISHER, SOURCE, VERSION, install
from support import Command

from ppdm_desktop import api, plugins
from ppdm_desktop.engine import plugins as known
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.release.attack_audit.base import (
    all_attacks,
    declared_attacks,
    list_standard_attacks,
)
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.wording.texts import all_texts

PLUGIN = "outside-shuffle"
PEOPLE = "town,age,ill\r\n" + "".join(
    f"{'Bonn' if row % 2 else 'Ghent'},{30 + row % 3},{'flu' if row * row % 5 else 'gout'}\r\n" for row in range(60)
)
RECIPE = """
recipe = 1
[input]
one_row_per_person = true
[columns.town]
role = "quasi-identifier"
[columns.age]
role = "quasi-identifier"
[columns.ill]
role = "confidential"
[release]
type = "research"
"""
STEP = '[[steps]]\nmethod = "outside-shuffle"\n'
NAMED = f'{RECIPE}{STEP}[plugins]\nuse = ["Outside_Shuffle"]\n'
ACCEPT = {
    "who-is-found": "every combination occurs ten times by construction",
    "what-is-learnt": "drawn from the key alone among sixty invented patients",
    "reading-and-roles": "other attacks would say nothing about shuffled columns",
    "keys-and-draws": "reproducible seeds help whoever reads this file tomorrow",
}


def reasons_of(evaluation: api.Evaluation) -> dict[str, str]:
    """Return a reason for each cause of which a check holds the release back."""
    causes = {find_check(check).cause.id for check in evaluation.blocked_by}
    return {cause: text for cause, text in ACCEPT.items() if cause in causes}


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Path]]:
    """Install the package into a folder of its own; nothing of it is left afterwards."""
    folder = tmp_path / "site"

    def put(**options: object) -> Path:
        module = install(folder, **options)  # type: ignore[arg-type]
        monkeypatch.syspath_prepend(str(folder))
        importlib.invalidate_caches()
        return module

    yield put
    plugins.switch_off(PLUGIN)
    for module in (MODULE, CARDS.stem):
        sys.modules.pop(module, None)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE, "utf-8", newline="")
    return path


@pytest.fixture(autouse=True)
def _without_pdf(monkeypatch: pytest.MonkeyPatch) -> None:
    from ppdm_desktop.cli.commands import release

    monkeypatch.setattr(release, "pdf_renderers", dict)


def test_what_is_installed_is_described_before_a_line_of_it_runs(outside: Callable[..., Path]) -> None:
    outside(text="raise SystemExit('run')")
    (found,) = plugins.installed()
    assert (found.name, found.version, found.publisher) == (PLUGIN, VERSION, PUBLISHER)
    assert MODULE not in sys.modules


def test_nothing_is_there_until_it_is_switched_on_and_nothing_is_left_afterwards(outside: Callable[..., Path]) -> None:
    before = (list(all_methods()), list(all_attacks()), dict(all_texts()))
    outside()
    assert "outside-shuffle" not in api.methods()
    plugins.switch_on(["Outside.Shuffle"])
    assert api.methods()["outside-shuffle"].title == "Shuffle a column"
    assert "outside-stay" in all_attacks()
    plugins.switch_off(PLUGIN)
    assert (list(all_methods()), list(all_attacks()), dict(all_texts())) == before


def test_a_recipe_that_names_none_gets_none(outside: Callable[..., Path], people: Path) -> None:
    plain = api.Recipe.loads(RECIPE).with_step("random-swap")
    before = api.judge(api.protect(people, plain, seed=1))
    outside()
    plugins.switch_on([PLUGIN])
    again = api.judge(api.protect(people, plain, seed=1))
    assert again.candidate._made.prepared.recipe_sha256 == before.candidate._made.prepared.recipe_sha256
    assert again.report["program"]["plugins"] == []
    assert [each.id for each in again.attacks] == [each.id for each in before.attacks]
    with pytest.raises(RecipeError) as refused:
        api.protect(people, api.Recipe.loads(RECIPE + STEP))
    assert refused.value.id == "error.plugins.not-named"
    assert all("outside" not in str(each.recipe.steps) for each in api.candidates(people, plain, most=20))


def test_an_attack_that_is_always_made_is_so_only_where_its_package_is_named(
    outside: Callable[..., Path], people: Path
) -> None:
    outside(text=SOURCE.read_text("utf-8").replace("    order = 9_100\n", "    order = 9_100\n    always = True\n"))
    named = api.Recipe.loads(NAMED, plugins=True)
    assert "outside-stay" in list_standard_attacks()
    plain = api.Recipe.loads(RECIPE).with_step("random-swap")
    assert "outside-stay" not in declared_attacks(api.protect(people, plain, seed=1)._made)
    assert "outside-stay" in declared_attacks(api.protect(people, named, seed=1)._made)


def test_a_recipe_that_names_one_is_refused_while_it_is_off(outside: Callable[..., Path], people: Path) -> None:
    outside()
    recipe = api.Recipe.loads(NAMED)
    with pytest.raises(RecipeError) as refused:
        api.protect(people, recipe)
    assert refused.value.id == "error.plugins.off"
    assert PLUGIN in refused.value.__notes__[0]
    assert MODULE not in sys.modules


def test_from_recipe_to_certificate(outside: Callable[..., Path], people: Path, tmp_path: Path) -> None:
    module = outside()
    recipe = api.Recipe.loads(NAMED, plugins=True)
    candidate = api.protect(people, recipe, seed=1)
    assert sorted(candidate.to_frame()["ill"]) == sorted(api.read(people).to_frame()["ill"])
    evaluation = api.judge(candidate)
    made = {each.id for each in evaluation.attacks}
    assert "outside-stay" in made
    # It says that one attack does not fit; what is always made is made all the same.
    assert set(list_standard_attacks()) <= declared_attacks(candidate._made)
    reasons = reasons_of(evaluation)
    judged = api.judge(candidate, attacks=evaluation.attacks, accept=reasons)
    assert judged.blocked_by == ()
    done = api.release(judged, tmp_path / "out", options=api.ExportOptions(renderers={"certificate.pdf": str.encode}))
    (entry,) = done.report["program"]["plugins"]
    info = module.parent / f"{MODULE}-{VERSION}.dist-info"
    listed = sorted([module, info / "METADATA", info / "entry_points.txt"])
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(module.parent).as_posix()}\n"
        for path in listed
    ]
    lines.sort(key=lambda line: line.partition("  ")[2])
    assert entry == {
        "distribution": PLUGIN,
        "version": VERSION,
        "publisher": PUBLISHER,
        "sha256": hashlib.sha256("".join(lines).encode()).hexdigest(),
        "note": "not part of PPDM Desktop",
    }
    for name in ("certificate.pdf", "report.html"):
        page = (done.path / "internal" / name).read_text("utf-8")
        assert entry["sha256"] in page
        assert "not part of PPDM Desktop" in page
        assert PUBLISHER in page
    assert PUBLISHER not in (done.path / "release" / "release-note.html").read_text("utf-8")
    _verified(done.path, people, module)


def _verified(folder: Path, people: Path, module: Path) -> None:
    """With the plug-in the release is made again; without it, or with another version, that is not possible."""
    assert api.verify(folder, people).result == "identical"
    plugins.switch_off(PLUGIN)
    without = api.verify(folder, people)
    assert (without.result, PLUGIN in without.sentence) == ("not possible", True)
    assert api.verify(folder, people, plugins=True).result == "identical"
    plugins.switch_off(PLUGIN)
    sys.modules.pop(MODULE)
    module.write_text(SOURCE.read_text("utf-8").replace('f"order/{name}"', '"another"'), "utf-8")
    importlib.invalidate_caches()
    other = api.verify(folder, people, plugins=True)
    assert (other.result, "other versions" in other.sentence) == ("not possible", True)
    plugins.switch_off(PLUGIN)
    (folder / "release" / "data.csv").write_bytes(b"town\r\n")
    assert api.verify(folder, people).result == "different"


def test_the_command_line_wants_its_option(
    outside: Callable[..., Path], people: Path, tmp_path: Path, command: Command
) -> None:
    outside()
    recipe = tmp_path / "r.toml"
    accept = "".join(f'[accept.{id}]\nreason = "{text}"\n' for id, text in ACCEPT.items())
    recipe.write_text(NAMED + accept, "utf-8")
    assert "outside-shuffle" not in command("methods").out
    refused = command("release", people, "--recipe", recipe, "--out", tmp_path / "out", "--seed", "1")
    assert refused.code == 2
    assert "--plugins" in refused.err
    assert not (tmp_path / "out").exists()
    shown = command("methods", "--plugins")
    assert f"“{PLUGIN}” {VERSION} by {PUBLISHER}, not part of PPDM Desktop." in shown.out
    plugins.switch_off(PLUGIN)
    done = command(
        "release", people, "--recipe", recipe, "--out", tmp_path / "out", "--seed", "1", "--plugins", "--draft"
    )
    assert done.code == 0, done.err
    report = json.loads((tmp_path / "out" / "internal" / "report.json").read_text("utf-8"))
    assert [each["distribution"] for each in report["program"]["plugins"]] == [PLUGIN]


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    """The same people in the format of the reader of others."""
    names, *rows = (line.split(",") for line in PEOPLE.splitlines())
    path = tmp_path / "people.cards"
    texts = ("".join(f"{name}: {text}\n" for name, text in zip(names, row, strict=True)) for row in rows)
    path.write_bytes(b"%CARDS 1\n" + "\n".join(texts).encode())
    return path


def test_from_a_file_that_only_a_reader_of_others_reads_to_the_certificate(
    outside: Callable[..., Path], people: Path, cards: Path, tmp_path: Path
) -> None:
    """Nothing but the reader is used of the package: the release is what the same people as CSV would have given."""
    outside(reader=True, entries={})
    text = RECIPE + '[[steps]]\nmethod = "random-swap"\n[plugins]\nuse = ["outside-shuffle"]\n'
    with pytest.raises(RecipeError) as refused:
        api.protect(cards, api.Recipe.loads(text), seed=1)
    assert refused.value.id == "error.plugins.off"
    assert CARDS.stem not in sys.modules
    recipe = api.Recipe.loads(text, plugins=True)
    candidate = api.protect(cards, recipe, seed=1)
    read = candidate.original.to_frame(unsafe=True)
    assert read.to_dict("list") == api.read(people).to_frame().to_dict("list")
    judged = api.judge(candidate, attacks=(), accept=reasons_of(api.judge(candidate, attacks=())))
    done = api.release(judged, tmp_path / "out", options=api.ExportOptions(renderers={"certificate.pdf": str.encode}))
    assert done.report["input"]["format"] == "outside-cards"
    (entry,) = done.report["program"]["plugins"]
    for name in ("certificate.pdf", "report.html"):
        page = (done.path / "internal" / name).read_text("utf-8")
        assert entry["sha256"] in page
        assert f"{PLUGIN}” {VERSION} by {PUBLISHER}" in page
    assert PLUGIN not in (done.path / "release" / "release-note.html").read_text("utf-8")
    # A release is made again with its reader, and not without it: the file would be read as text.
    assert api.verify(done.path, cards).result == "identical"
    plugins.switch_off(PLUGIN)
    assert api.verify(done.path, cards).result == "not possible"


def test_a_bundle_never_loads_any(outside: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    outside()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert plugins.installed() == ()
    with pytest.raises(RecipeError) as refused:
        api.Recipe.loads(NAMED, plugins=True)
    assert refused.value.id == "error.plugins.bundle"
    assert MODULE not in sys.modules


@pytest.mark.parametrize(
    ("change", "options", "why"),
    case_rows("plugins-one-that-is-not-sound-is-not-offered-and-says-why"),
)
def test_one_that_is_not_sound_is_not_offered_and_says_why(
    outside: Callable[..., Path], change: tuple[str, str], options: dict[str, object], why: str
) -> None:
    before = (list(all_methods()), list(all_attacks()), dict(all_texts()))
    text = SOURCE.read_text("utf-8")
    assert change[0] in text
    outside(text=text.replace(*change) if change[0] else text, **options)
    found = existing(plugins.why_refused(PLUGIN.upper()))
    assert found.id == why
    assert known.find(PLUGIN) is None
    assert (list(all_methods()), list(all_attacks()), dict(all_texts())) == before
    with pytest.raises(RecipeError) as refused:
        plugins.switch_on([PLUGIN])
    assert str(found) in str(refused.value.arguments["reason"])


def test_one_that_is_not_installed() -> None:
    with pytest.raises(RecipeError) as refused:
        plugins.switch_on(["no-such-thing"])
    assert refused.value.id == "error.plugins.not-installed"
