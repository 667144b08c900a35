"""The local ledger: a file of releases of each source by recipe and day, and of earlier random draws from it.

A draw is one candidate whose random values were drawn and judged, whether it was released or not. The ledger holds
hashes, column names, days and results of checks, but no data and no key of a release. Texts that a person
entered are kept only where the owner asked for a list of releases. The key of sketches is in a file next to it. The
caller chooses where both are; the engine writes nothing there unless asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ppdm_desktop.engine.decision_log import PREPARED, REFUSED, RELEASED
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import LEDGER, SECRET, read_file, read_json
from ppdm_desktop.engine.files.saving import make_private_folder, save_whole
from ppdm_desktop.engine.release.storage.atomic_folder import list_tokens
from ppdm_desktop.engine.release.storage.file_lock import hold_lock
from ppdm_desktop.engine.release.storage.source_sketch import SourceSketch
from ppdm_desktop.engine.wording.values import Reason

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from ppdm_desktop.engine.release.candidate.model import Candidate

FILE, KEY_FILE, FORMAT = "ledger.json", "ledger.key", 3
_PATIENCE = 10.0
"""Seconds to wait for another process; entering a release takes some thousandths of one."""


def _refuse_other_days(*days: str) -> None:
    """Raise ValueError unless each text is a day as ISO writes it, or "" where there is none."""
    for day in filter(None, days):
        if date.fromisoformat(day).isoformat() != day:
            raise ValueError(day)


@dataclass(frozen=True)
class LedgerEntry:
    """One release in the ledger.

    Attributes
    ----------
    input_sha256
        Hash of the source file.
    recipe_sha256
        Hash of the effective recipe.
    day
        Day of the release, ISO.
    columns
        Names of the released columns.
    draw
        64 hexadecimal digits that are the same for two releases if all their random draws are the same;
        nothing can be computed from them.
    drawn
        Names of the released confidential columns whose values were drawn at random.
    sketch
        Hashes of a sample of the source's rows, by which versions of the source are recognised; None if not known.
    type
        Type of release.
    status
        ``released``; ``prepared`` while it waits for approval; ``refused``.
    review, expires
        ISO days on which the release is to be reviewed, and after which it is not to be used; "" where not entered.
    log_head
        Hash of the last line of its log of decisions when the release was written, by which its folder is recognised.
    dataset, recipient
        As entered for the record, where a list of releases is kept.
    """

    input_sha256: str
    recipe_sha256: str
    day: str
    columns: tuple[str, ...]
    draw: str
    drawn: tuple[str, ...]
    sketch: SourceSketch | None
    type: str = ""
    status: str = RELEASED
    review: str = ""
    expires: str = ""
    log_head: str = ""
    dataset: str = ""
    recipient: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError for a day that is none."""
        _refuse_other_days(self.day, self.review, self.expires)

    def is_due(self, today: str) -> bool:
        """Return whether a released entry is to be reviewed by today or has expired; False if it is not released.

        ``today`` is an ISO date.
        """
        return self.status == RELEASED and ("" < self.review <= today or self.is_expired(today))

    def is_expired(self, today: str) -> bool:
        """Return whether the last day on which a release may be used is over; False where no such day was entered.

        ``today`` is an ISO date.
        """
        return bool(self.expires) and self.expires < today


@dataclass(frozen=True)
class DrawEntry:
    """One candidate whose random values were drawn and judged, released or not.

    Attributes
    ----------
    input_sha256
        Hash of the source file.
    steps
        Ids of the methods that drew, each with its columns (``drawing_steps``). Candidates with equal ``steps`` count
        as repeated draws of the same release, even if the recipe changed elsewhere.
    draw
        64 hexadecimal digits that are the same for two candidates if all their random draws are the same.
    day
        Day on which the candidate was judged, ISO.
    type
        Type of release that it was judged for.
    statuses
        Result of each check that was not passed, by the check's id.
    """

    input_sha256: str
    steps: tuple[tuple[str, tuple[str, ...]], ...]
    draw: str
    day: str
    type: str
    statuses: Mapping[str, str]

    def __post_init__(self) -> None:
        """Raise ValueError for a day that is none."""
        _refuse_other_days(self.day)


@dataclass(frozen=True)
class _Ledger:
    """The content of the ledger's file.

    Attributes
    ----------
    since
        First day on which random draws were recorded; None for a new ledger.
    releases, draws
        The releases, and the candidates drawn and judged, oldest first.
    unfinished
        Folders in which a release is being made, or was when the program ended.
    keeps_list
        Whether data set and recipient of each release are kept.
    """

    since: str | None
    releases: tuple[LedgerEntry, ...]
    draws: tuple[DrawEntry, ...]
    unfinished: tuple[str, ...] = ()
    keeps_list: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError for a day that is none."""
        _refuse_other_days(self.since or "")


@cache
def draws_adapter() -> TypeAdapter[list[DrawEntry]]:
    """Return what writes draws as plain data for JSON and reads them back; a wrong form is a ValueError."""
    from pydantic import TypeAdapter  # loaded only now: the window is shown without it

    return TypeAdapter(list[DrawEntry])


@cache
def _ledger_adapter() -> TypeAdapter[_Ledger]:
    """Return what writes a ledger as plain data for JSON and reads it back; a wrong form is a ValueError."""
    from pydantic import TypeAdapter

    return TypeAdapter(_Ledger)


@dataclass(frozen=True)
class History:
    """What the ledger knows of a candidate's source.

    Attributes
    ----------
    others
        Earlier releases of the source or of a version of it (at least half of the rows are in both), oldest first.
        Refused ones are left out, and those with the same random draws as the candidate: they disclose nothing new.
    is_readable
        Whether the ledger could be read; otherwise nothing is known.
    draws
        Candidates drawn from the source, oldest first, including the candidate itself if it was judged before.
    since
        First day on which draws were recorded; None for a new ledger.
    """

    others: tuple[LedgerEntry, ...]
    is_readable: bool = True
    draws: tuple[DrawEntry, ...] = ()
    since: str | None = None


def draw_of(candidate: Candidate) -> str:
    """Return a fingerprint of a candidate's random draws, from its key, source and recipe: 64 hexadecimal digits."""
    return candidate.streams.stream("ledger").words(4).astype("<u8").tobytes().hex()


def history_of(candidate: Candidate, path: Path) -> History:
    """Return the earlier releases and random draws that a ledger lists for a candidate's source.

    - Releases of the source and of versions of it, but not refused ones, nor those with the same random draws as the
      candidate.
    - Random draws from the same source only (the candidate's too, if listed), and the day since when draws are listed.
    - If the ledger cannot be read, nothing, marked as unreadable; if there is none, nothing.

    If sketches of other sources have to be compared and this computer has no key yet, the key is made and stored.
    """
    try:
        ledger = _read_ledger(path)
    except InputError:
        return History((), is_readable=False)
    draw, source = draw_of(candidate), candidate.prepared.account.sha256
    rest = tuple(entry for entry in ledger.releases if entry.draw != draw and entry.status != REFUSED)
    if any(entry.input_sha256 != source and entry.sketch is not None for entry in rest):
        sketch = _sketch_source(candidate, path)
    else:
        sketch = None
    rest = tuple(entry for entry in rest if entry.input_sha256 == source or _is_version(sketch, entry.sketch))
    return History(rest, True, tuple(draw for draw in ledger.draws if draw.input_sha256 == source), ledger.since)


def _is_version(sketch: SourceSketch | None, earlier: SourceSketch | None) -> bool:
    """Return whether both sketches exist and are of versions of one source (at least half of the rows are in both)."""
    return sketch is not None and earlier is not None and sketch.is_version_of(earlier)


def _sketch_source(candidate: Candidate, path: Path) -> SourceSketch | None:
    """Return the sketch of a candidate's source: hashes of a sample of its rows, made with this computer's key.

    A missing key is made; None if it can be neither read nor made. ``path`` is the ledger, next to which the key is.
    """
    from ppdm_desktop.engine.release.storage.sketching import sketch_of

    key = machine_key(path)
    return None if key is None else sketch_of(candidate.prepared.read, key)


def machine_key(path: Path) -> bytes | None:
    """Return this computer's secret key, with which sketches of rows are hashed, from the file next to the ledger.

    It has 32 bytes, and is made if there is none, with the folder if need be. None where the file cannot be read or
    made. ``path`` is the ledger.
    """
    from ppdm_desktop.engine.randomness import Key

    file = path.with_name(KEY_FILE)
    try:
        if not file.exists():
            make_private_folder(path.parent)
            save_whole(file, Key.fresh().hex().encode())
        return Key.from_hex(read_file(file, SECRET).decode("ascii")).bytes_
    except (InputError, OSError, ValueError):
        return None


def drawn_columns(candidate: Candidate) -> tuple[str, ...]:
    """Return the names of the released confidential columns whose values were drawn at random."""
    drawn = {name for step in candidate.steps if step.drawn for name in step.settings.columns}
    return tuple(column.name for column in candidate.released.with_role("confidential") if column.name in drawn)


def drawing_steps(candidate: Candidate) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return (method id, sorted names of its columns) for each step that drew random numbers, sorted, each once."""
    drawing = {(step.method.id, tuple(sorted(step.settings.columns))) for step in candidate.steps if step.drawn}
    return tuple(sorted(drawing))


def remember_draws(path: Path, entries: Sequence[DrawEntry], day: str) -> None:
    """Enter those random draws in the ledger that it does not have yet; the file is not written if it has all.

    The ledger has a draw if one of its entries has the same ``draw``, whatever the type of release or the results.

    Parameters
    ----------
    path
        The ledger.
    entries
        The draws, oldest first.
    day
        Today, ISO; written as the first day into a new ledger.

    Raises
    ------
    InputError
        When the ledger cannot be read, written, or locked within ten seconds.
    """
    with _hold_lock(path):
        ledger = _read_ledger(path)
        first_entries: dict[str, DrawEntry] = {}
        for entry in (*ledger.draws, *entries):
            first_entries.setdefault(entry.draw, entry)
        draws = tuple(first_entries.values())
        if draws != ledger.draws:
            _write_ledger(path, replace(ledger, since=ledger.since or day, draws=draws))


def remember(candidate: Candidate, path: Path, day: str, *, status: str = RELEASED, log_head: str = "") -> None:
    """Enter a candidate in the ledger as a release.

    If the ledger has an entry with the same random draws that was not refused, this entry keeps its day (and its
    sketch, if it has one) and gets the other new data; if it was released, it stays released, whatever ``status`` says.
    Data set and recipient are entered only if the ledger keeps them. This computer's key for sketches of sources is
    made if there is none yet.

    Parameters
    ----------
    candidate
        The candidate release.
    path
        The ledger.
    day
        Day of the release, ISO.
    status
        ``released``, ``prepared`` or ``refused``.
    log_head
        Hash of the last line of the release's log of decisions.

    Raises
    ------
    InputError
        When the ledger cannot be read or written, or another process held it for ten seconds.
    """
    prepared = candidate.prepared
    operator = prepared.recipe.operator
    entry = LedgerEntry(
        prepared.account.sha256,
        prepared.recipe_sha256,
        day,
        candidate.released_names,
        draw_of(candidate),
        drawn_columns(candidate),
        _sketch_source(candidate, path),
        prepared.type.id,
        status,
        operator.review_date or "",
        operator.expires or "",
        log_head,
        operator.dataset or "",
        operator.recipient or "",
    )
    remember_release(path, entry, once=True)


@contextmanager
def note_unfinished(path: Path | None, folder: Path) -> Iterator[None]:
    """Note in the ledger, while the block runs, that a release is being made in a folder; remove the note afterwards.

    If the process is killed meanwhile, the note remains and the next start looks there. It also remains while another
    export works in the folder, or its leftovers are there. A ledger that cannot be read or written, or None as
    ``path``, stops nothing: the block runs all the same.
    """
    if path is None:
        yield
        return
    name = str(folder)
    with suppress(InputError), _hold_lock(path):
        ledger = _read_ledger(path)
        _write_ledger(path, replace(ledger, unfinished=tuple(dict.fromkeys((*ledger.unfinished, name)))))
    try:
        yield
    finally:
        forget_unfinished(path, [folder])


def unfinished_folders(path: Path) -> tuple[Path, ...]:
    """Return the folders in which a release is being made, or was when the program ended, in the order they were noted.

    Each is the folder above a release folder. Empty for a missing or unreadable ledger.
    """
    return tuple(Path(folder) for folder in _read_or_empty(path).unfinished)


def forget_unfinished(path: Path, folders: Sequence[Path]) -> None:
    """Remove folders without files of an unfinished export from the ledger's list of those where a release is made.

    A folder that is not there now, as on a drive that was taken out, stays in the list. A ledger that cannot be read or
    written stays unchanged.
    """
    with suppress(InputError), _hold_lock(path):
        gone = {str(folder) for folder in folders if folder.is_dir() and not list_tokens(folder)}
        ledger = _read_ledger(path)
        if gone & set(ledger.unfinished):
            _write_ledger(
                path, replace(ledger, unfinished=tuple(folder for folder in ledger.unfinished if folder not in gone))
            )


def read_ledger(path: Path) -> tuple[LedgerEntry, ...]:
    """Return all releases in the ledger, oldest first; empty where there is no ledger yet.

    Raises
    ------
    InputError
        When the file cannot be read or is no ledger of this format.
    """
    return _read_ledger(path).releases


def read_draws(path: Path) -> tuple[DrawEntry, ...]:
    """Return all random draws in the ledger, oldest first; empty where there is no ledger yet.

    Raises
    ------
    InputError
        When the file cannot be read or is no ledger of this format.
    """
    return _read_ledger(path).draws


def _read_ledger(path: Path) -> _Ledger:
    """Return the content of a ledger; an empty one where there is no file.

    Raises InputError where the file cannot be read or has another format.
    """
    try:
        document = read_json(path, LEDGER)
        if document["format"] != FORMAT:
            raise ValueError
        return _ledger_adapter().validate_python(document)
    except FileNotFoundError:
        return _Ledger(None, (), ())
    except (OSError, KeyError, TypeError, ValueError, InputError):
        raise InputError("error.ledger.unreadable", file=str(path)) from None


def _read_or_empty(path: Path) -> _Ledger:
    """Return the content of a ledger; an empty one where it is missing or cannot be read."""
    try:
        return _read_ledger(path)
    except InputError:
        return _Ledger(None, (), ())


def remember_release(path: Path, entry: LedgerEntry, *, once: bool = False) -> None:
    """Add a release to the ledger; the file is replaced as a whole or stays unchanged.

    One process at a time reads, adds and writes, so that no entry is lost. Data set and recipient are dropped unless
    the ledger keeps them.

    Parameters
    ----------
    path
        The ledger.
    entry
        The entry of the release.
    once
        Whether to renew an entry with the same random draws that was not refused, instead of adding one. The renewed
        entry keeps its day, its sketch if it has one, and its status if it was released.

    Raises
    ------
    InputError
        When the ledger is unreadable (it is not overwritten) or cannot be written, or another process
        held it for ten seconds.
    """
    with _hold_lock(path):
        ledger = _read_ledger(path)
        if not ledger.keeps_list:
            entry = replace(entry, dataset="", recipient="")
        releases = list(ledger.releases)
        same = (release for release in releases if release.draw == entry.draw and release.status != REFUSED)
        earlier = next(same, None) if once else None
        if earlier is None:
            releases.append(entry)
        else:
            status = RELEASED if earlier.status == RELEASED else entry.status
            releases[releases.index(earlier)] = replace(
                entry, day=earlier.day, sketch=earlier.sketch or entry.sketch, status=status
            )
        _write_ledger(path, replace(ledger, since=ledger.since or entry.day, releases=tuple(releases)))


def renew_release(path: Path, log_head: str, *, status: str | None = None, review: str | None = None) -> None:
    """Change the status or review day of the release with this log in the ledger; without such a log nothing changes.

    Parameters
    ----------
    path
        The ledger.
    log_head
        Hash of the last line of the release's log of decisions when it was written; "" matches no release.
    status
        New status; only the status of a prepared release changes. None to leave it.
    review
        New review day, ISO. None to leave it.

    Raises
    ------
    InputError
        When the ledger is unreadable, cannot be written, or another process held it for ten seconds.
    """
    with _hold_lock(path):
        ledger = _read_ledger(path)
        renewed = []
        for entry in ledger.releases:
            if log_head and entry.log_head == log_head:
                # An earlier release with the same draws stays released, whatever becomes of this one.
                new_status = status if status is not None and entry.status == PREPARED else entry.status
                entry = replace(entry, status=new_status, review=entry.review if review is None else review)
            renewed.append(entry)
        if tuple(renewed) != ledger.releases:
            _write_ledger(path, replace(ledger, releases=tuple(renewed)))


def due_releases(path: Path, today: str) -> tuple[LedgerEntry, ...]:
    """Return the releases to be reviewed by today or expired, in the order in which they were entered.

    ``today`` is an ISO date. A release to be reviewed today is due; one that may be used until today has not expired.
    Prepared and refused releases are not due, and a day that was not entered never comes. Empty if the ledger is
    missing or unreadable.
    """
    return tuple(entry for entry in _read_or_empty(path).releases if entry.is_due(today))


def keeps_list(path: Path) -> bool:
    """Return whether the ledger keeps data set and recipient of each release; False if it is missing or unreadable."""
    return _read_or_empty(path).keeps_list


def set_keeps_list(path: Path, on: bool) -> None:
    """Keep data set and recipient of each release from now on (``on``), or stop and remove them all.

    Nothing changes if the ledger is set so already.

    Raises
    ------
    InputError
        When the ledger cannot be read, written, or locked within ten seconds.
    """
    with _hold_lock(path):
        ledger = _read_ledger(path)
        if ledger.keeps_list != on:
            # There are no texts from the time before it was switched on.
            releases = tuple(replace(entry, dataset="", recipient="") for entry in ledger.releases)
            _write_ledger(path, replace(ledger, keeps_list=on, releases=releases))


@contextmanager
def _hold_lock(path: Path) -> Iterator[None]:
    """Hold the ledger's lock while the block runs, so that one process at a time reads, adds and writes.

    The ledger's folder is made if needed, and files of an interrupted writing are removed. Where the disk does not
    support locks, the block runs without one. Raises InputError for any OSError, those of the block included, and where
    another process held the lock for ten seconds.
    """
    try:
        make_private_folder(path.parent)
        with hold_lock(path.with_name(f"{path.name}.lock"), _PATIENCE) as is_locked:
            if is_locked:
                # Left by a process that was ended while it wrote.
                for left in path.parent.glob(f"{path.name}.*.new"):
                    left.unlink(missing_ok=True)
            yield
    except OSError as error:
        raise InputError("error.ledger.not-writable", file=str(path), args={"reason": Reason.of(error)}) from error


def _write_ledger(path: Path, ledger: _Ledger) -> None:
    """Replace the ledger's file with these contents, completely or not at all; raise OSError if that fails."""
    optional = {name for name in ("unfinished", "keeps_list") if not getattr(ledger, name)}
    document = {"format": FORMAT, **_ledger_adapter().dump_python(ledger, mode="json", exclude=optional)}
    save_whole(path, json.dumps(document, indent=1).encode("utf-8"))
