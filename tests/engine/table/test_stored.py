"""Columns on the disk: the same answers as in memory, nothing readable there, nothing left behind."""

from __future__ import annotations

import codecs
import errno
import os
import pickle
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from number_support import number_column
from thoroughness import examples

from ppdm_desktop.engine.errors import Cancelled, InputError
from ppdm_desktop.engine.files.private import abandoned_folders
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.reading import Reading, read_source, text_file
from ppdm_desktop.engine.table.stored.code_store import CodeStore, StoredColumn, column_class, store_column
from ppdm_desktop.engine.wording.texts import explain

WORDS = ["", "5", "5.0", "-0.25", "17", "3", "NA"]

pytestmark = pytest.mark.usefixtures("temporary")


@pytest.fixture
def store() -> Iterator[CodeStore]:
    with CodeStore(block_rows=7) as made:
        yield made


QUESTIONS: dict[str, Callable[[Column], object]] = {
    "rows": len,
    "codes": lambda column: column.codes.tolist(),
    "texts": lambda column: column.texts,
    "a few codes": lambda column: column.codes_at(np.arange(len(column))[::-2]).tolist(),
    "each text": lambda column: [column.text_at(row) for row in range(len(column))],
    "missing": lambda column: column.missing.tolist(),
    "numbers": lambda column: [str(number) for number in column.numbers.tolist()],
    "scaled": lambda column: column.scaled.tolist(),
    "category codes": lambda column: column.category_codes.tolist(),
    "categories": lambda column: column.categories,
    "category counts": lambda column: column.category_counts.tolist(),
    "values": lambda column: column.values(),
}


@given(
    texts=st.lists(st.sampled_from(WORDS[:-1]), max_size=60),
    numeric=st.booleans(),
    block_rows=st.integers(1, 70),
    asked=st.permutations(sorted(QUESTIONS)),
    seed=st.integers(0, 99),
)
@examples(30)
def test_a_column_on_the_disk_answers_as_one_in_memory(
    texts: list[str], numeric: bool, block_rows: int, asked: list[str], seed: int
) -> None:
    column = number_column("a", texts) if numeric else Column.from_texts("a", texts)
    rows = np.random.default_rng(seed).integers(0, max(len(texts), 1), 2 * len(texts))
    with CodeStore(block_rows) as place:
        kept = store_column(column, column_class(place))
        pairs = [(column, kept), (column.take(rows), kept.take(rows))]
        pairs += [(replace(column, role="other"), replace(kept, role="other"))]
        pairs += [(column.with_values(rows[:1], ["new"]), kept.with_values(rows[:1], ["new"]))]
        for here, there in pairs:
            assert isinstance(there, StoredColumn)
            for question in asked:
                if question in ("numbers", "scaled") and (not numeric or "new" in here.texts):
                    continue
                if numeric and "new" in here.texts and question.startswith("categor"):
                    continue
                assert QUESTIONS[question](here) == QUESTIONS[question](there), question
        assert QUESTIONS["values"](pickle.loads(pickle.dumps(kept))) == column.values()


@pytest.mark.parametrize(("most", "width"), [(200, 1), (300, 2), (70_000, 4)])
def test_codes_take_no_more_room_than_they_need(most: int, width: int) -> None:
    codes = np.arange(most, dtype=np.int32)
    with CodeStore(block_rows=1_000) as store:
        kept = store.keep(codes)
        assert (store.path / f"{kept.number}.codes").stat().st_size == most * width
        assert kept.load().tolist() == codes.tolist()
        assert kept.load().dtype == np.int32
        missing = store.keep(codes - 1)
        assert missing.load().tolist() == (codes - 1).tolist()


def test_the_disk_shows_nothing_and_only_to_its_owner(store: CodeStore) -> None:
    codes = np.zeros(100, dtype=np.int32)
    first, second = store.keep(codes), store.keep(codes.copy())
    one, other = ((store.path / f"{each.number}.codes").read_bytes() for each in (first, second))
    assert one != other, "no two arrays are encrypted alike"
    assert len(set(one)) > 20, "a hundred equal codes do not look equal"
    blocks = {one[start : start + 7] for start in range(0, 98, 7)}
    assert len(blocks) == 14, "nor do two blocks of one array"
    if os.name == "posix":
        assert stat.S_IMODE(store.path.stat().st_mode) == 0o700
        assert {stat.S_IMODE(each.stat().st_mode) for each in store.path.iterdir()} == {0o600}


def test_another_key_reads_nothing(store: CodeStore, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = np.arange(100, dtype=np.int32)
    kept = store.keep(codes)
    monkeypatch.setattr(store, "_key", bytes(32))
    assert kept.load().tolist() != codes.tolist()


def test_a_full_disk_is_said_and_leaves_nothing(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int, data: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    column = Column.from_texts("a", WORDS)
    with CodeStore() as store:
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(InputError) as caught:
            store_column(column, column_class(store))
    assert "No space left" in explain(caught.value)
    assert list(temporary.iterdir()) == []


def test_a_damaged_file_is_said(store: CodeStore) -> None:
    kept = store.keep(np.arange(20, dtype=np.int32))
    os.truncate(store.path / f"{kept.number}.codes", 5)
    with pytest.raises(InputError):
        kept.load()


def test_what_a_killed_process_leaves_is_found(temporary: Path) -> None:
    script = (
        "import sys, tempfile, time; tempfile.tempdir = sys.argv[1]\n"
        "from ppdm_desktop.engine.table.stored.code_store import CodeStore\n"
        "import numpy as np\n"
        "store = CodeStore(); kept = store.keep(np.arange(9)); print(store.path, flush=True); time.sleep(600)\n"
    )
    command = [sys.executable, "-c", script, str(temporary)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        place = Path(process.stdout.readline().strip())
        assert list(place.glob("*.codes"))
        assert abandoned_folders() == (), "somebody works in it"
        process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        process.wait()
    assert abandoned_folders() == (place,)


# --- reading --------------------------------------------------------------------------------

ROWS = "".join(f"{n},{n % 5},w{n % 3}\n" for n in range(400))
FILES = {
    "plain": f"a,b,c\n{ROWS}".encode(),
    "with a mark": codecs.BOM_UTF8 + f"a,b,c\n{ROWS}".encode(),
    "quotes and breaks": f'a,b,c\n{ROWS}1,"two\nlines, ""said""",x\n{ROWS}'.encode(),
    "a quote out of place": f'a,b,c\n{ROWS}1,2"3,x\n{ROWS}'.encode(),
    "rows of other lengths": f"a,b,c\n{ROWS}1,2\n\n1,2,3,4\n{ROWS}".encode(),
    "carriage returns": f"a;b;c\n{ROWS}".replace(",", ";").replace("\n", "\r\n").encode(),
    "blank end": f"a,b,c\n{ROWS}\n\r\n\n".encode(),
    "no last break": f"a,b,c\n{ROWS}9,9,end".encode(),
    "accents": f"a,b,c\n{ROWS}".replace("w", "é").encode(),
    "long words": f"a,b,c\n{ROWS}".replace("w", "w" * 60).encode(),
    "one column": "".join(f"{n % 7}\n" for n in range(300)).encode(),
    "latin-1": f"a,b,c\n{ROWS}".replace("w", "é").encode("latin-1"),
    "utf-16": f"a,b,c\n{ROWS}".encode("utf-16"),
    "notes below": f"a,b,c\n{ROWS},,\nTotal,800,\nthis is a note,,\n".encode(),
}


def same(first: Reading, second: Reading) -> None:
    assert second.account == first.account
    assert second.options == first.options
    assert second.table.row_numbers.tolist() == first.table.row_numbers.tolist()
    for here, there in zip(first.table.columns, second.table.columns, strict=True):
        assert isinstance(there, StoredColumn)
        assert there.texts == here.texts
        assert there.codes.tolist() == here.codes.tolist()
        for name in ("name", "header", "kind", "style", "missing_texts", "role"):
            assert getattr(there, name) == getattr(here, name), name


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("window", [64, 1000, 2**20])
def test_a_file_reads_the_same_through_a_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, window: int
) -> None:
    monkeypatch.setattr(text_file, "_WINDOW", window)
    monkeypatch.setattr(text_file, "_PIECE", window)
    path = tmp_path / "file.csv"
    path.write_bytes(FILES[name])
    with CodeStore(block_rows=window) as store:
        same(read_source(path, InputSection()), read_source(path, InputSection(), store=store))


@given(data=st.lists(st.sampled_from([*b'a1,;"\n\r', *"é".encode()]), min_size=1, max_size=80).map(bytes))
@examples(60)
def test_whatever_bytes_there_are_read_the_same(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder, CodeStore() as store:
        path = Path(folder) / "file.csv"
        path.write_bytes(data)
        found: list[object] = []
        for place in (None, store):
            try:
                reading = read_source(path, InputSection(), store=place)
                found.append([(c.name, c.kind, c.values()) for c in reading.table.columns])
                found.append(reading.account)
            except InputError as error:
                found += [error.id, error.arguments]
        assert found[:2] == found[2:]


def test_another_file_than_the_recipe_says_is_refused(tmp_path: Path, store: CodeStore) -> None:
    path = tmp_path / "file.csv"
    path.write_bytes(FILES["plain"])
    with pytest.raises(InputError) as caught:
        read_source(path, InputSection(sha256="0" * 64), store=store)
    assert caught.value.id == "error.read.other-file"


def test_a_file_that_grows_shorter_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: CodeStore
) -> None:
    path = tmp_path / "file.csv"
    path.write_bytes(FILES["plain"])
    monkeypatch.setattr(text_file, "_WINDOW", 100)
    seen = []

    def listener(fraction: float, doing: str) -> None:
        seen.append(doing)
        if doing == "progress.read.rows" and path.stat().st_size > 50:
            os.truncate(path, 50)

    with pytest.raises(InputError) as caught:
        Progress(listener).run(read_source, path, InputSection(), store=store)
    assert caught.value.id == "error.read.changed"
    assert "progress.read.rows" in seen


def test_a_stop_leaves_nothing(tmp_path: Path, temporary: Path) -> None:
    path = tmp_path / "file.csv"
    path.write_bytes(FILES["plain"])
    before = path.read_bytes()
    progress = Progress(lambda fraction, doing: progress.cancel() if fraction > 0.5 else None)
    with pytest.raises(Cancelled), CodeStore() as store:
        progress.run(read_source, path, InputSection(), store=store)
    assert list(temporary.iterdir()) == []
    assert path.read_bytes() == before
