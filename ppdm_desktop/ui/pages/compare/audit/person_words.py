"""A person with several rows in words: what one row finds, what all of them find, a line for each. No widget."""

from __future__ import annotations

from ppdm_desktop.engine.release.attack_audit.attacked_person import AttackedPerson, AttackedRecord, FoundTogether
from ppdm_desktop.engine.release.attack_audit.prepared_attack import RecordAttack
from ppdm_desktop.engine.wording.catalogue import _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.values import Chance, Name, Terms
from ppdm_desktop.ui.pages.compare.audit.record_words import shown
from ppdm_desktop.ui.state.number_words import count


def best_row(attacked_person: AttackedPerson) -> int:
    """Return the place of the row by which the person is found best, the first of several."""
    chances = [record.found for record in attacked_person.records]
    return chances.index(max(chances))


def person_words(attack: RecordAttack, attacked_person: AttackedPerson) -> tuple[str, str]:
    """Return severity and sentences: what an intruder with one row finds, and one with all rows."""
    if not attack.columns:
        return "note", _("There is nothing to find this person by: no column that others may know is released.")
    removed = sum(record.removed for record in attacked_person.records)
    if removed == len(attacked_person.records):
        return "passed", _(
            "All {n} rows of this person were left out of the release. There is nothing to find.", n=removed
        )
    by_one, one = _by_one(attacked_person.records[best_row(attacked_person)])
    by_all, all = _by_all(attacked_person.together, attacked_person.linked)
    sentences = [one, all] if all else [one]
    if removed:
        sentences.append(
            _("Left out of the release: {n} of this person’s {all} rows.", n=removed, all=len(attacked_person.records))
        )
    judged = max(by_one, by_all if attacked_person.linked else 0.0)
    severity = "amber" if judged == 1 else "note" if judged else "passed"
    return severity, " ".join(sentences)


def _by_one(best: AttackedRecord) -> tuple[float, str]:
    """Return the chance that one row finds the person, and say so in people."""
    if not best.found:
        return 0.0, _("Anyone who knows one row of this person does not find them: other people’s rows are closer.")
    if best.tied_people == 1:
        return 1.0, _(
            "Anyone who knows row {row:place} of this person finds them: nobody else is as close.", row=int(best.number)
        )
    return best.found, _(
        "Anyone who knows row {row:place} finds {n} people who are equally close. This person is one of them, so the "
        "chance of being found is {share}.",
        row=int(best.number),
        n=int(best.tied_people),
        share=Chance(best.found),
    )


def _by_all(together: FoundTogether | None, linked: bool) -> tuple[float, str]:
    """Return the chance that all rows find the person, and say so in people."""
    if together is None:
        return 0.0, ""
    rows, fit = int(together.rows), int(together.fit)
    if not together.fit:
        nobody = lazy("Nobody’s released rows are exactly the same as all {rows} rows of this person.")
        return 0.0, nobody.said(rows=rows)
    if not together.own:
        sentence = lazy("All {rows} {rows:row|rows} together fit {fit} {fit:person|people}, but not this one.")
        return 0.0, sentence.said(rows=rows, fit=fit)
    if together.fit == 1:
        sentence = lazy("Anyone who knows all {rows} released rows finds this person: they fit nobody else.")
        if not linked:
            sentence = lazy(
                "If all {rows} released rows could be linked, they would identify this person: they fit nobody else."
            )
        return 1.0, sentence.said(rows=rows)
    sentence = lazy("All {rows} released rows together fit {fit} people, and this person is one of them.")
    if not linked:
        sentence = lazy(
            "If all {rows} released rows could be linked, they would fit {fit} people, and this person is one of them."
        )
    return 1 / together.fit, sentence.said(rows=rows, fit=fit)


def secret_words(attacked_person: AttackedPerson) -> str:
    """Say for each confidential column how many of those who fit all rows show this person's true values."""
    together = attacked_person.together
    if together is None or not together.fit or not together.shown:
        return ""
    sentence = lazy("{column} {n} of {all}")
    counts = tuple(sentence.said(column=Name(name), n=int(n), all=int(together.fit)) for name, n in together.shown)
    return _(
        "Of the people who fit all rows, so many show this person’s true values in all of them: {counts}.",
        counts=Terms(counts),
    )


def row_headers(attack: RecordAttack) -> tuple[str, ...]:
    """Return the headings of a person's rows."""
    return (
        _("Row"),
        _("Closest record"),
        _("People equally close"),
        _("Chance"),
        _("Guessed correctly"),
        *attack.columns,
    )


def row_lines(attacked_person: AttackedPerson) -> list[tuple[str, ...]]:
    """Return for each row of a person what an intruder who knows this row alone finds."""
    rows: list[tuple[str, ...]] = []
    for record in attacked_person.records:
        if record.removed:
            whose = _("– left out of the release")
        else:
            whose = _("✓ this person’s") if record.own_tied else _("someone else’s")
        right = ", ".join(guess.column for guess in record.guesses if guess.right)
        near = count(record.tied_people) if record.nearest else "–"
        chance = numbers_of(language()).chance(record.found) if record.nearest else "–"
        rows.append(
            (
                numbers_of(language()).place(int(record.number)),
                whose,
                near,
                chance,
                right or "–",
                *(shown(text) for _, text in record.known),
            )
        )
    return rows
