"""What every method of ours must pass beside the battery that ``tests/test_batteries.py`` runs."""

from __future__ import annotations

import contextlib
import itertools
import json
from pathlib import Path

import pytest
from swap_support import streams

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.base.declaration import Method, all_methods
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.candidate.public_settings import SAYS_NOTHING
from ppdm_desktop.testing.methods import method_table

METHODS = list(all_methods().values())
SETTINGS_IN_DRAWS = Path(__file__).parents[2] / "golden" / "settings_in_draws.json"
"""Settings that every draw of a method depends on, written in the recipe or not."""
STATED = {
    *("condensation.common", "leave-out-rows.most", "mondrian.most"),
    *("microaggregation.rules", "microaggregation.within", "two-phase-noise.rules"),
}
"""Settings that came later and that data dictionaries have stated from the first version on, also at their defaults."""


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.id)
def test_the_worst_figure_is_what_the_method_says_it_is(method: Method) -> None:
    """The report names it by what the method declares: a group is counted in records, and nothing broken is 0."""
    table = method_table(method)
    settings = method.settings(table, None, {})
    method.check(table, settings)
    result = method.run(table, settings, streams())
    for name in set(table.names) & set(result.table.names) - set(settings.columns):
        if result.table.rows == table.rows:
            assert result.table.column(name) is table.column(name), "an untouched column is shared"
    guarantee = method.recount(table, result.table, settings, result.detail).guarantee
    worst, checked = guarantee.worst, guarantee.checked
    assert worst is not None
    fits = {
        "departures": worst == 0,
        "group": worst >= 1 and worst == int(worst) and worst <= table.rows,
        "privacy": 0 < worst < 1,
        "total": 0 <= worst < 1,
    }
    assert fits[method.worst_is], (method.worst_is, worst)
    assert (checked <= table.rows) if method.counts == "records" else checked > 0


def test_a_new_setting_leaves_the_draws_of_recipes_that_do_not_write_it() -> None:
    """A setting that came later is `silent_unless_written`, or old recipes would be drawn anew under their key."""
    expected = json.loads(SETTINGS_IN_DRAWS.read_text("utf-8"))
    in_draws = {
        method.id: [
            parameter.name
            for parameter in method.parameters
            if parameter.moves_draws and not parameter.silent_unless_written
        ]
        for method in METHODS
    }
    assert in_draws == expected, "give it silent_unless_written=True"


def test_a_new_public_setting_is_not_stated_at_its_default() -> None:
    """Or the dictionary of a release made before would be found to be different."""
    stated = set()
    for method, table in zip(METHODS, map(method_table, METHODS), strict=True):
        public = method.public_parameters - method.ineffective_parameters(table, method.settings(table, None, {}))
        came_later = {parameter.name for parameter in method.parameters if parameter.silent_unless_written}
        said = {parameter.name for parameter in method.parameters if parameter.default not in SAYS_NOTHING}
        stated |= {f"{method.id}.{name}" for name in public & came_later & said}
    assert stated == STATED, "name it in ineffective_parameters where it has its default"


@pytest.mark.parametrize("role", ["quasi-identifier", "confidential"])
def test_columns_without_values_or_of_one_or_only_rare_values_are_treated_or_refused(tmp_path: Path, role: str) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("age,no,none,never,one,rare\n" + "".join(f"{20 + i % 40},,,,5,t{i}\n" for i in range(60)), "utf-8")
    kinds = {"age": "numeric", "no": "numeric", "none": "nominal", "never": "date", "one": "numeric", "rare": "nominal"}
    columns = {
        name: {"role": "quasi-identifier" if name == "age" else role, "kind": kind} for name, kind in kinds.items()
    }
    columns["never"]["format"] = "%Y-%m-%d"
    for method, treated in itertools.product(METHODS, [None, *(("no",), ("none",), ("never",), ("one",), ("rare",))]):
        step: dict[str, object] = {"method": method.id, **({} if treated is None else {"columns": treated})}
        document = {"recipe": 1, "columns": columns, "steps": [step], "release": {"type": "research"}}
        if method.id == "generalize" and treated == ("never",):
            step["parameters"] = {"months": {"never": 12}}
        with contextlib.suppress(PpdmError):
            candidate = run_candidate(prepare(path, parse_recipe(document), need_type=True), Key.from_seed(1))
            assert set(candidate.final.names) <= {*columns}, method.id
