"""The local ledger of releases."""

import json

import pytest

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.release.ledger import LedgerEntry, earlier_releases, read_ledger, remember_release

FIRST = LedgerEntry("a" * 64, "b" * 64, "2026-03-01", ("Age", "Pay"), "1" * 64)
OTHER = LedgerEntry("c" * 64, "b" * 64, "2026-03-02", ("Age",), "2" * 64)


def test_what_was_released_is_remembered(tmp_path):
    path = tmp_path / "settings" / "ledger.json"
    assert read_ledger(path) == ()
    for entry in (FIRST, OTHER, FIRST):
        remember_release(path, entry)
    assert read_ledger(path) == (FIRST, OTHER, FIRST)
    assert earlier_releases(path, "a" * 64) == (FIRST, FIRST)
    assert earlier_releases(path, "d" * 64) == ()
    assert [each.name for each in path.parent.iterdir()] == ["ledger.json"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": 2, "releases": []}',
        json.dumps({"format": 1, "releases": [{"day": "2026-01-01"}]}),
        json.dumps({"format": 1, "releases": [{**FIRST.__dict__, "day": "yesterday"}]}),
    ],
)
def test_another_file_is_refused_and_kept(tmp_path, text):
    path = tmp_path / "ledger.json"
    path.write_text(text, encoding="utf-8")
    for ask in (read_ledger, lambda path: remember_release(path, FIRST)):
        with pytest.raises(InputError) as refused:
            ask(path)
        assert refused.value.id == "error.ledger.unreadable"
    assert path.read_text(encoding="utf-8") == text
