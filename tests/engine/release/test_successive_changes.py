"""A condensed release changed three times: an intruder who has all four files works nobody out of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from leaving_support import Person, changed, entered, people, released, statistics, worked_out, write

from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate.results import CheckResult
from ppdm_desktop.engine.release.top_up import leaving
from ppdm_desktop.engine.release.writing.export import evaluate

NEEDS = (5, 5, 6)
ARRIVING, GOING = (17, 17, 16), (7, 7, 6)


def judged(candidate: Candidate) -> CheckResult:
    return next(each for each in evaluate(candidate).checks if each.id == "joined-or-left")


def changed_three_times(folder: Path, more: str) -> tuple[list[Path], list[Person]]:
    """Let fifty arrive and twenty leave in three changes, among those who leave some who had just come."""
    old = people(1, 40, NEEDS)
    everybody, inside = list(old), list(old)
    releases = [released(folder, old, more)]
    for turn, (arriving, going) in enumerate(zip(ARRIVING, GOING, strict=True), start=1):
        joining = people(10 + turn, arriving, NEEDS)
        # Who came last leaves first, beside others who were there from the beginning.
        gone = [*inside[-2:], *inside[: 3 * (going - 2) : 3]]
        candidate = changed(releases[-1], joining, gone, seed=2 + turn)
        assert judged(candidate).status == "green"
        releases.append(folder / f"out{turn + 1}")
        write(candidate, releases[-1])
        everybody += joining
        inside = [each for each in inside if each not in gone] + entered(candidate, joining)
    assert len(everybody) == 40 + sum(ARRIVING)
    after = statistics(releases[-1])
    assert int(after.moments.n.sum()) == len(inside)
    assert (after.moments.n >= after.moments.pmax).all()
    return releases, everybody


@pytest.mark.parametrize("more", ["", "\ndynamic = true"])
def test_all_releases_together_tell_nobody(tmp_path: Path, more: str) -> None:
    releases, everybody = changed_three_times(tmp_path, more)
    known = np.array([each[:2] for each in everybody])
    assert not list(worked_out([statistics(each) for each in releases], known, 3))


def test_the_attack_finds_who_was_taken_off_in_one_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three changes the second one takes a person off a group's statistics: first and last release show it."""
    old = people(1, 68, (5,))
    releases = [released(tmp_path, old)]
    size, mean = statistics(releases[0]).moments.n, statistics(releases[0]).moments.mean
    members = statistics(releases[0]).members
    assert members is not None
    # Three groups that stay large enough when one leaves.
    group, *others = np.flatnonzero(size > 5).tolist()[:3]
    made = leaving._recompute_from_rows

    def subtracted(*given: object) -> object:
        found = made(*given)  # type: ignore[arg-type]
        means = found.moments.mean.copy()
        means[group] = (size[group] * mean[group] - point) / (size[group] - 1)
        return replace(found, moments=replace(found.moments, mean=means))

    first, who, last = (int(np.flatnonzero(members.of == each)[0]) for each in (others[0], group, others[1]))
    point = np.array(old[who][:2])
    for turn, gone in enumerate((first, who, last), start=1):
        with monkeypatch.context() as planted:
            if gone == who:
                planted.setattr(leaving, "_recompute_from_rows", subtracted)
            write(changed(releases[-1], [], [old[gone]], seed=2 + turn), tmp_path / f"out{turn + 1}")
        releases.append(tmp_path / f"out{turn + 1}")
    known = np.array([each[:2] for each in old])
    assert (who,) in list(worked_out([statistics(releases[0]), statistics(releases[3])], known, 2))
    assert (who,) in list(worked_out([statistics(each) for each in releases], known, 2))
