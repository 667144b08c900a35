"""Suggested kinds: scales in order, postcodes as categories."""

from __future__ import annotations

import random

import pytest

from ppdm_desktop.engine.table.inspect import suggest_kinds
from ppdm_desktop.engine.table.roles import suggest_roles
from ppdm_desktop.engine.table.scales import order_of_scale
from tests.engine.table.test_kinds import table

SCALES = """
Strongly disagree|Somewhat disagree|Neither agree nor disagree|Somewhat agree|Strongly agree
Disagree strongly|Disagree|Neutral|Agree|Agree strongly
Very dissatisfied|Dissatisfied|Neither|Satisfied|Very satisfied
not at all important|slightly important|moderately important|very important|extremely important
Very unlikely|Unlikely|Neutral|Likely|Very likely
Never|Rarely|Sometimes|Often|Always
Poor|Fair|Good|Very good|Excellent
sehr unzufrieden|eher unzufrieden|teils/teils|eher zufrieden|sehr zufrieden
stimme gar nicht zu|stimme eher nicht zu|teils/teils|stimme eher zu|stimme voll und ganz zu
trifft überhaupt nicht zu|trifft eher nicht zu|trifft eher zu|trifft voll und ganz zu
nie|selten|manchmal|oft|immer
nein|eher nein|eher ja|ja
sehr schlecht|schlecht|mittel|gut|sehr gut
Pas du tout d'accord|Plutôt pas d'accord|Plutôt d'accord|Tout à fait d'accord
Très insatisfait|Insatisfait|Neutre|Satisfait|Très satisfait
Jamais|Rarement|Parfois|Souvent|Toujours
Mauvais|Moyen|Bon|Très bon
Muy insatisfecho|Insatisfecho|Ni satisfecho ni insatisfecho|Satisfecho|Muy satisfecho
Totalmente en desacuerdo|En desacuerdo|Ni de acuerdo ni en desacuerdo|De acuerdo|Totalmente de acuerdo
Muy mala|Mala|Regular|Buena|Muy buena
Nada|Poco|Algo|Bastante|Mucho
Per niente d'accordo|Poco d'accordo|Abbastanza d'accordo|Molto d'accordo
Per niente soddisfatto|Poco soddisfatto|Abbastanza soddisfatto|Molto soddisfatto
Discordo totalmente|Discordo|Não concordo nem discordo|Concordo|Concordo totalmente
Muito insatisfeito|Insatisfeito|Neutro|Satisfeito|Muito satisfeito
Muito má|Má|Razoável|Boa|Muito boa
helemaal mee oneens|mee oneens|niet mee eens, niet mee oneens|mee eens|helemaal mee eens
zeer ontevreden|ontevreden|neutraal|tevreden|zeer tevreden
zdecydowanie się nie zgadzam|raczej się nie zgadzam|ani tak, ani nie|raczej się zgadzam|zdecydowanie się zgadzam
bardzo niezadowolony|niezadowolony|ani zadowolony, ani niezadowolony|zadowolony|bardzo zadowolony
naganne|nieodpowiednie|poprawne|dobre|bardzo dobre|wzorowe
mycket missnöjd|missnöjd|varken eller|nöjd|mycket nöjd
Mycket dålig|Dålig|Någorlunda|Bra|Mycket bra
instämmer inte alls|instämmer delvis|instämmer helt
meget utilfreds|utilfreds|hverken eller|tilfreds|meget tilfreds
helt uenig|uenig|hverken enig eller uenig|enig|helt enig
velmi nespokojen|spíše nespokojen|ani spokojen, ani nespokojen|spíše spokojen|velmi spokojen
rozhodně nesouhlasím|spíše nesouhlasím|ani souhlas, ani nesouhlas|spíše souhlasím|rozhodně souhlasím
rozhodně ne|spíše ne|spíše ano|rozhodně ano
hiç memnun değilim|memnun değilim|kararsızım|memnunum|çok memnunum
kesinlikle katılmıyorum|katılmıyorum|kararsızım|katılıyorum|kesinlikle katılıyorum
不満|やや不満|どちらともいえない|やや満足|満足
全くそう思わない|あまりそう思わない|どちらともいえない|ややそう思う|とてもそう思う
非常不满意|不满意|一般|满意|非常满意
非常不同意|不同意|中立|同意|非常同意
很不满意|不太满意|一般|比较满意|很满意
18-24|25-34|35-44|45-54|55-64|65+
under 1.000 €|1.000 - 1.999 €|2.000 - 2.999 €|3.000 € und mehr
0 bis 4|5 bis 9|10 bis 14
1 - gar nicht|2 - wenig|3 - mittel|4 - stark|5 - sehr stark
None|Mild|Moderate|Severe
Low|Medium|High
principiante|intermedio|avanzato
A1|A2|B1|B2|C1
No qualifications|GCSE|A level|Degree|Postgraduate
Needs Improvement|Meets Expectations|Exceeds Expectations|Outstanding
Licenza elementare|Licenza media|Diploma|Laurea
1.º ciclo|2.º ciclo|3.º ciclo|Secundário|Superior
Fundamental incompleto|Fundamental completo|Médio incompleto|Médio completo|Superior incompleto|Superior completo
No|Yes, somewhat|Yes, definitely
"""
NO_SCALES = """
North|South|East|West
Con|Lab|LD|Green|Other
red|green|blue
F|M|D
1a|1b|2a|2b|3a
Claims|IT|Legal
2021/12|2022/14|2023/15|2023/20
Vannes|Auray|Séné
yes|no|maybe
cash|card|voucher
I10.9|E11.9|J45.0|M54.5
4100|4110|4200
0761 123456|0761 223344|0762 555555
single|married|divorced|widowed
General Hospital|St Mary Hospital|Childrens Hospital
110 00|120 00|602 00
Main St 5|Main St 7|Main St 9
2024-01-05|2024-02-03|2024-03-09
R1|R2|R3
Paris 12|Paris 13|Paris 14
01/2024|02/2024|03/2024
150-0001|150-0042|151-0053
full time|part time|none
Hirsizlik|Yaralama|Tehdit
intake_arm_1|followup_1_arm_1|followup_2_arm_1
10.0.0.1|10.0.0.2|10.0.0.3
12:30|12:45|13:00
New York|New Jersey|York
good|bad|ugly
"""


@pytest.mark.parametrize("scale", SCALES.strip().splitlines())
def test_the_steps_of_a_scale_are_put_in_order(scale: str) -> None:
    steps = scale.split("|")
    shuffled = random.Random(scale).sample(steps, len(steps))
    assert order_of_scale(shuffled) == tuple(steps)


@pytest.mark.parametrize("words", NO_SCALES.strip().splitlines())
def test_other_words_have_no_order(words: str) -> None:
    assert order_of_scale(words.split("|")) is None


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ({"PLZ": ["79098", "79100", "79102"]}, "nominal"),
        ({"Zip Code": ["2108", "1801", "2139"]}, "nominal"),
        ({"PLZ": ["7", "8", "9"]}, "numeric"),
        ({"paid": ["79098", "79100", "79102"]}, "numeric"),
        ({"satisfaction": ["1", "5", "3"]}, "ordinal"),
        ({"Wie zufrieden sind Sie mit uns?": ["1", "5", "3"]}, "ordinal"),
        ({"Which of these newspapers do you read?": ["1", "5", "3"]}, "numeric"),
        ({"Wie viele Kinder haben Sie?": ["1", "5", "3"]}, "numeric"),
        ({"rooms": ["1", "5", "3"]}, "numeric"),
        ({"v_1": ["1", "5", "3"], "v_2": ["5", "2", "1"], "v_3": ["5", "1", "4"]}, "ordinal"),
        ({"v_1": ["1", "5", "3"], "v_2": ["5", "2", "1"], "w_3": ["5", "1", "4"]}, "numeric"),
        ({"v": ["often", "never", "rarely"]}, "ordinal"),
        ({"Patient": ["often", "never", "rarely"]}, "ordinal"),
    ],
)
def test_kinds_go_beyond_what_values_prove(columns: dict[str, list[str]], kind: str) -> None:
    made = table(**{name: texts * 8 for name, texts in columns.items()})
    suggested = suggest_kinds(made, suggest_roles(made), ".")
    assert next(iter(suggested.values())).kind == kind


def test_the_order_is_suggested_with_the_kind() -> None:
    made = table(v=["often", "never", "rarely"])
    suggested = suggest_kinds(made, suggest_roles(made), ".")["v"]
    assert (suggested.order, suggested.reason) == (("never", "rarely", "often"), "reason.kind.scale")
    assert made.column("v").kind == "nominal", "the table stays as it is"
