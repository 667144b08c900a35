"""Labels that say that somebody gave no answer."""

from __future__ import annotations

import pytest

from ppdm_desktop.engine.table.reading.near_types import means_no_answer

SAY_SO = """
Refused|Don't know|Do not know|No answer|DK/NA|N/A|99 No answer|-9. Refused|Not applicable|Prefer not to say
keine Angabe|weiß nicht|Weiss nicht / keine Angabe|verweigert|Möchte ich nicht sagen
NS/NP|NS/NC|No sabe|No contesta|No sabe/No contesta|Ne sait pas|Refus|Sans réponse|NSP|Non concerné(e)
Non so|Non risponde|Rifiuta di rispondere|Não sabe|Não respondeu|Recusou responder|Weet niet|Geen antwoord|Weigert
Nie wiem|Odmowa odpowiedzi|Trudno powiedzieć|Brak danych|Vet ej|Uppgift saknas|Vill inte svara|Bilmiyor|Cevap yok
Don't know or refused|わからない|無回答|不知道|拒绝回答|不适用|Ved ikke|Ønsker ikke at svare|Nevím|Odmítl odpovědět
"""
ANSWERS = """
No|None|Never|Other|Neither|No trust at all|0 no trust at all|North|NC|ND|Namibia|Denmark|NR|DK|Refuse collector|Nein
keine|Nicht zufrieden|trifft nicht zu|weiß|Nunca|No sabe leer|Ninguno|Jamais|Ne sait pas lire|Non socio|Rifiuti|Não
Não sabe ler|Nooit|Nigdy|Aldrig|Hayır|Hiç|いいえ|没有|Ikke enig|Nikdy|Noto|9|1|10 complete trust|So|Missouri
"""


def _each(lines: str) -> list[str]:
    return [label for line in lines.strip().splitlines() for label in line.split("|")]


@pytest.mark.parametrize(
    ("label", "wanted"), [*((label, True) for label in _each(SAY_SO)), *((label, False) for label in _each(ANSWERS))]
)
def test_a_label_says_no_answer_in_twelve_languages(label: str, wanted: bool) -> None:
    assert means_no_answer(label) is wanted
