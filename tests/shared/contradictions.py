"""Every output of a release beside the verdict it is printed from: statuses, figures and decision have to be equal.

What an output says is read back from its own text; nothing of how it was written is used again.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from ppdm_desktop.cli.commands.release import tell_gate
from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine.report.certificate import number_reasons, render_certificate
from ppdm_desktop.engine.report.figures_and_limits import check_title, find_stated_count
from ppdm_desktop.engine.report.html import render_report
from ppdm_desktop.engine.report.model import CheckEntry, Report, Verdict
from ppdm_desktop.engine.report.report_texts import STATUSES
from ppdm_desktop.engine.wording.texts import all_texts
from ppdm_desktop.engine.wording.values import Name, Share

JUDGED = {
    "green": "within the limit",
    "amber": "beyond the limit: needs a reason",
    "not-run": "not checked: needs a reason",
    "red": "stops the release",
}
_DAY = re.compile(r"\d{4}-\d\d-\d\d\S*|\d{1,2} [A-Z][a-z]+ \d{4}")
_COUNTED = re.compile(r"(?<![\w.,-])(\d[\d,]*(?:\.\d+)?)[ \u00a0]?(%|of\b|people\b|person\b|rows?\b)|\bof (\d[\d,]*)")
"""Numbers before people, rows, % or of, and those behind of."""
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


class Page(HTMLParser):
    """A page's tables by class, its cells as text, its first strong words and its marked figures."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[tuple[str, list[str]]] = []
        self.data: list[tuple[str, str]] = []
        self.text = ""
        self.first = ""
        self._table = ""
        self._open: set[str] = set()
        self.feed(re.sub(r"(?s)<style>.*?</style>|<head>.*?</head>", "", html))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a table, a row or a cell."""
        given = dict(attrs)
        self._open.add(tag)
        if tag == "table":
            self._table = given.get("class") or ""
        elif tag == "tr":
            self.rows.append((self._table, []))
        elif tag in ("td", "th") and self.rows:
            self.rows[-1][1].append("")
        elif tag == "data":
            self.data.append((given.get("data-key") or "", given.get("value") or ""))
        elif tag == "p" and self._open & {"td", "th"} and self.rows[-1][1][-1]:
            self.rows[-1][1][-1] += "\n"
        self.text += " " if tag in ("td", "th", "p", "tr", "h1", "h2") else ""

    def handle_endtag(self, tag: str) -> None:
        """Close it."""
        self._open.discard(tag)

    def handle_data(self, data: str) -> None:
        """Keep text."""
        self.text += data
        if "strong" in self._open and not self.first:
            self.first = data
        if self._open & {"td", "th"} and self.rows and self.rows[-1][1]:
            self.rows[-1][1][-1] += data

    def table(self, name: str) -> list[list[str]]:
        """Return the rows of the tables of a class that have no heading's cells only."""
        return [cells for table, cells in self.rows if table == name]

    def id_of(self, head: str, verdict: Verdict) -> str:
        """Return the id of a heading of page 1: a check's title, or a title that page 2 gives an id for."""
        for title, id in [*self.table("ids"), *((check_title(check), check.id) for check in verdict.checks)]:
            if head == title or head.startswith(f"{title}, ") or head.endswith(f", {title}"):
                return id
        raise AssertionError(head)


def numbers_in(value: Any) -> Iterator[float]:
    """Return every number of plain data, those inside its texts and the shares that its counts make among them."""
    if isinstance(value, dict):
        if value.get("is") == "share" and value["of"]:
            yield value["hits"] / value["of"]
        for each in value.values():
            yield from numbers_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from numbers_in(each)
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int | float):
        yield float(value)
    elif isinstance(value, str):
        yield from (float(each.replace(",", "")) for each in _NUMBER.findall(value))


# --- the object itself ---------------------------------------------------------------------------


def check_verdict(verdict: Verdict) -> None:
    """A verdict's decision follows from its checks, and each check's figure from its people."""
    decision, of = verdict.decision, {each.id: each.status for each in verdict.checks}
    open_ones = [id for id, status in of.items() if status in ("amber", "not-run") and id not in decision.accepted]
    against = [id for id, status in of.items() if status == "red"] + open_ones
    if decision.status == "not-judged":
        assert not verdict.checks
    else:
        assert set(decision.blocked_by) == set(against)
        expected = "blocked" if against else "released-with-reasons" if decision.accepted else "released"
        assert decision.status == expected
        assert all(of[id] in ("amber", "not-run") for id in decision.accepted)
        assert sorted(decision.accepted) == sorted(id for reason in decision.reasons for id in reason.checks)
    for check in verdict.checks:
        if check.hits is not None and check.of is not None:
            assert 0 <= check.hits <= check.of <= max(verdict.rows, check.of if check.of else 0)
        if check.status == "green":
            assert not beyond(check), check
    counted = {"certain-disclosure": verdict.certain_by_others, "certain-by-all": verdict.certain_by_all}
    for id, people in counted.items():
        if people is not None and id in of and of[id] not in ("not-run", "not-applicable"):
            assert verdict.check(id).hits == people
    if verdict.singled is not None and of.get("singling-out") in ("green", "amber", "red"):
        assert verdict.check("singling-out").of == verdict.singled.people


def beyond(check: CheckEntry) -> bool:
    """Say whether the end of a figure that is judged lies beyond its limit."""
    value = check.judged_value
    if value is None or not isinstance(check.limit, int | float):
        return False
    over = value - check.limit if check.direction == "at-most" else check.limit - value
    return over > 1e-9


_WITHOUT_RECORD = " (without their record: "

# --- outputs -----------------------------------------------------------------------------------


def check_certificate(report: Report) -> None:
    """Line 1 is the decision, no other line is worse, and every number of people is in the object."""
    page, verdict = Page(render_certificate(report).decode()), report.verdict
    decision = verdict.decision
    if decision.status == "blocked":
        assert page.first.startswith("Not released: ")
        named = [row[0] for row in page.table("against")]
        assert [page.id_of(head.removeprefix("Against the release: "), verdict) for head in named] == [
            each.id for each in verdict.checks if each.id in decision.blocked_by
        ]
    elif not decision.released:
        assert page.first == "Not released: this is a draft."
    elif decision.accepted:
        assert re.fullmatch(rf"Released with {len(decision.reasons)} written reasons?", page.first)
    else:
        assert page.first in ("Released", "Released, relying on the agreement")
    _check_figures(page, report)
    reasons = page.table("reasons")
    assert [page.id_of(row[0].partition(": ")[2], verdict) for row in reasons] == [
        each.cause for each in decision.reasons
    ]
    for row, reason in zip(reasons, decision.reasons, strict=True):
        assert row[-1] == reason.reason
        heads = [line.partition(": ")[0] for line in row[1].split("\n") if line]
        assert {page.id_of(head, verdict) for head in heads} == set(reason.checks)
    if decision.released:
        worse = re.findall(r"stops the release|needs a reason|TOO LITTLE", page.text)
        assert not worse, worse
    _check_numbers(page.text, report)


def _check_figures(page: Page, report: Report) -> None:
    rows, verdict = page.table("figures")[1:], report.verdict
    lines: list[tuple[CheckEntry, bool]] = []
    for check in verdict.figures:
        # People are counted alike on all pages; where the check judged another count, it has its own line.
        stated = find_stated_count(verdict, check)
        is_alike = stated is not None or (check.counts_singled and verdict.singled_out is not None)
        lines.append((check, is_alike))
        if stated is not None:
            lines.append((check, False))
    assert [page.id_of(row[0], verdict) for row in rows] == [check.id for check, _ in lines]
    numbers = number_reasons(verdict.decision)
    for row, (check, is_alike) in zip(rows, lines, strict=True):
        stated = find_stated_count(verdict, check) if is_alike else None
        if is_alike:
            assert verdict.singled_out is not None
            hits, of = verdict.singled_out if stated is None else (stated.hits, stated.of)
            assert row[2].startswith(f"{hits:,} of {of:,}"), row
        else:
            _check_found(row[2], check)
        if report.original is not None and row[1] != "–" and not is_alike:
            _check_found(row[1], report.original.check(check.id))
        if stated is not None:
            assert row[3:] == ["–", "No limit applies"], row
        elif check.id in numbers:
            assert row[4] == f"reason {numbers[check.id]}"
        elif check.status in JUDGED:
            is_limited = check.status != "green" or row[3] != "–"
            assert row[4] == (JUDGED[check.status] if is_limited else "No limit applies"), row
        else:
            assert row[4] in ("does not apply", "judged by group size")
        if not is_alike:
            _check_limit(row, check)


def _check_found(words: str, check: CheckEntry) -> None:
    """The people are the object's, and the share is that of the judged end of the figure.

    What is guessed without the record is the figure that the check's own sentence states.
    """
    column = check.sentence.note.arguments.get("column")
    if isinstance(column, Name):
        assert words.startswith("“"), f"{words} names no column"
    words, _, control = words.rpartition("”: ")[2].removesuffix(")").partition(_WITHOUT_RECORD)
    if control:
        stated = check.sentence.note.arguments["control"]
        assert isinstance(stated, Share)
        counts = [int(count) for count in re.findall(r"\d+", control)]
        assert counts in ([stated.hits, stated.of], [round(100 * stated.hits / stated.of)]), control
    people = re.match(r"([\d,]+) of ([\d,]+)", words)
    if people is not None:
        assert [int(count.replace(",", "")) for count in people.groups()] == [check.hits, check.of], words
    for share in re.findall(r"(?<!above )(?<!below )(?<!than )([\d.]+)%", words):
        judged = check.judged_value
        assert judged is not None
        if judged == check.hits and check.of:  # a count carries its share
            judged = check.hits / check.of
        off = (float(share) - 100 * judged) * 10.0 ** len(share.partition(".")[2])
        is_end = check.figure is not None and check.judged_value != check.figure.value
        # An end of an interval is rounded outward, so that "up to" and "at least" are true as they are written.
        outward = off if check.direction == "at-most" else -off
        assert (-1e-6 <= outward <= 1.0001) if is_end else abs(off) <= 0.5001, words


def _check_limit(row: list[str], check: CheckEntry) -> None:
    """What stands in the line reads as its colour does: a green figure lies within the limit, both as written."""
    cells = (row[2].partition(_WITHOUT_RECORD)[0], row[3])
    found, limit = (re.findall(r"([\d.]+)%", cell.replace(",", "")) for cell in cells)
    if not found or not limit or re.search("above|below|than", row[2]):
        return
    over = float(found[-1]) - float(limit[-1])
    assert (over > 0) == (beyond(check) and check.direction == "at-most"), row
    if check.status == "green":
        assert over <= 0, row


def _check_numbers(text: str, report: Report) -> None:
    """Every number before or after people, rows, % or of is one of the verdicts', or a text's own."""
    held = {report.verdict.model_dump_json(): report.verdict}
    if report.original is not None:
        held[report.original.model_dump_json()] = report.original
    known = {value for dumped in held for value in numbers_in(json.loads(dumped))}
    for verdict in held.values():
        for check in verdict.checks:
            known |= {value for value in (check.judged_value, check.share) if value is not None}
            # A sentence may name a rule of its own ("9 of 10"): that is no figure.
            known |= set(numbers_in(re.sub(r"\{[^}]*\}", "", all_texts()[check.sentence.id].sentence)))
            if isinstance(check.limit, int | float) and check.of:
                known.add(float(int(check.limit * check.of + 1e-9)))
    known |= {float(report.release.columns), float(report.release.k_min), 95.0}
    for before, unit, behind in _COUNTED.findall(_DAY.sub("", text)):
        token = (before or behind).replace(",", "")
        decimals = len(token.partition(".")[2])
        value = float(token)
        near = 1.0001 * 10.0**-decimals if unit == "%" else 0.5001 * 10.0**-decimals
        if unit == "%":
            assert any(abs(100 * each - value) <= near or abs(each - value) <= 1e-9 for each in known), (token, unit)
        else:
            # "0.43 of the original error" is a ratio as it is written; people are counted exactly.
            exact = near if decimals else 1e-9
            assert any(abs(each - value) <= exact for each in known), (token, unit or "of")


def check_report_page(report: Report, *, in_full: bool) -> None:
    """report.html and its annex give each check the object's status, and each marked figure the object's value."""
    page = Page(render_report(report, in_full=in_full).decode())
    document = report.document()
    marked = [(key, value) for key, value in page.data if key.startswith(("verdict.", "original."))]
    assert marked
    for key, value in marked:
        found: Any = document
        for part in key.split("."):
            found = found[int(part)] if isinstance(found, list) else found[part]
        found = found["value"] if isinstance(found, dict) else found
        assert float(value) == float(found), key
    ids = {each.id: each for each in report.verdict.checks}
    seen = []
    for _, cells in page.rows:
        if len(cells) == 7 and (id := cells[0].rpartition(" ")[2]) in ids:
            seen.append(id)
            reason = report.verdict.decision.reason_for(id)
            stated = STATUSES[ids[id].status].english if reason is None else "Explained by a written reason"
            assert cells[1].endswith(str(stated)), cells
            assert cells[6] == ("" if reason is None else f"{reason.reason} {reason.cause}")
    shown = [id for id, check in ids.items() if in_full or check.status not in ("green", "not-applicable")]
    assert seen == shown


def check_json(report: Report) -> None:
    """report.json read back gives the very object."""
    document = json.loads(report.to_json())
    verdict = Verdict.model_validate(document["verdict"])
    assert verdict.model_dump(mode="json") == report.verdict.model_dump(mode="json")
    if report.original is not None:
        original = Verdict.model_validate(document["original"])
        assert original.model_dump(mode="json") == report.original.model_dump(mode="json")


def check_release_text(report: Report) -> None:
    """What ``release`` prints begins with the decision and names each check that is not green, and no other."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        tell_gate(report.document(), Console())
    first, *lines = [line for line in out.getvalue().splitlines() if line.strip()]
    assert first.strip() == Page(render_certificate(report).decode()).first
    said = {}
    for line in lines:
        if (found := re.match(r"([A-Z][a-z, ]+): .* \[([a-z-]+)\]$", line)) is not None:
            said[found[2]] = found[1]
    words = {"red": "Stops the release", "amber": "Needs a reason", "not-run": "Not checked, needs a reason"}
    assert said == {
        each.id: "Explained by a written reason" if each.id in report.verdict.decision.accepted else words[each.status]
        for each in report.verdict.checks
        if each.status in words
    }
    green = sum(each.status == "green" for each in report.verdict.checks)
    assert lines[-2].startswith(f"{green} checks passed")
    assert lines[-1] == report.verdict.usefulness.summary
    asked = [line for line in lines if line.startswith("One reason answers ")]
    open_checks = [each for each in report.verdict.to_answer if each.id not in report.verdict.decision.accepted]
    assert len(asked) == len({each.cause for each in open_checks})


def check_note(report: Report, note: str) -> None:
    """The note for the recipient holds none of the counts that only the verdict knows."""
    text = re.sub(r"(?s)<style>.*?</style>|[0-9a-f]{64}", "", note)
    public = {report.verdict.rows, report.verdict.rows_released, report.verdict.people, report.verdict.k_min}
    inside = {
        people
        for verdict in (report.verdict, report.original)
        if verdict is not None
        for check in verdict.checks
        for people in (check.hits,)
        if people is not None and people > 99 and people not in public
    }
    shown = {int(each.replace(",", "")) for each in re.findall(r"(?<![\d.])\d[\d,]*(?![\d.])", text)}
    assert not inside & shown, inside & shown
    for check in report.verdict.checks:
        assert check.id not in text or check.id in ("linkage", "inference")


def check_every_output(report: Report, note: str) -> None:
    """Hold every output that needs no window beside the object."""
    check_verdict(report.verdict)
    if report.original is not None:
        check_verdict(report.original)
    check_certificate(report)
    for in_full in (False, True):
        check_report_page(report, in_full=in_full)
    check_json(report)
    check_release_text(report)
    check_note(report, note)
