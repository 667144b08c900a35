"""Role suggestions: an ordered list of rules, each with a reason. Nothing is decided here.

Confidential is only hinted at: what must stay secret is the owner's to say.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.levels import LevelMap
from ppdm_desktop.engine.table.numbers import to_floats
from ppdm_desktop.engine.table.patterns import PATTERNS, count_patterns

_MOSTLY = 0.95
_NEARLY_UNIQUE = 0.9
_ENOUGH_ROWS = 20
_LONG_NUMBER = 6
_SAMPLE = 20_000


@dataclass(frozen=True)
class RoleSuggestion:
    """What a column may be.

    Attributes
    ----------
    role
        As in the recipe; unconfirmed.
    reason
        Text id, ``reason.role.<why>``.
    arguments
        Arguments of the reason.
    hint
        ``"confidential"`` when the name suggests that the owner may want to protect it, else None.
    """

    role: str
    reason: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    hint: str | None = None


# Words of column names in English, German, French, Spanish, Italian, Dutch and Portuguese, in
# small letters without accents. A name matches by a whole word or by a phrase of words.
_IDENTIFIER_WORDS = """
    surname lastname firstname forename familyname fullname middlename maidenname username login email mail
    phone telephone tel telefon mobile handy fax ssn passport iban bic swift iccid imei licenceplate url website
    nachname vorname familienname geburtsname benutzername rufnummer mobilnummer personalausweis reisepass
    kennzeichen sozialversicherungsnummer steuernummer kundennummer personalnummer patientennummer kontonummer
    nom prenom nomfamille courriel telephonique portable numerosecu passeport
    nombre apellido apellidos correo telefono movil pasaporte dni nif nie
    cognome codicefiscale cellulare passaporto
    achternaam voornaam bsn telefoonnummer paspoort
    sobrenome apelido celular cpf passaporte
    mrn nhs nhsnumber pesel personnummer cpr aadhaar address street anschrift adresse strasse rue calle
    direccion indirizzo via straat adres rua endereco signature ipaddress ip mac
"""
_IDENTIFIER_PHRASES = """
    first name|last name|family name|full name|given name|user name|maiden name|middle name|patient name|
    customer name|client name|employee name|contact name|person name|e mail|phone number|mobile number|
    account number|customer number|patient number|employee number|personnel number|card number|passport number|
    social security number|tax number|insurance number|licence plate|license plate|license number|
    licence number|ip address|street address|home address|numero de telephone|numero de telefono|
    numero di telefono|codice fiscale|house number|medical record number
"""
# A column called after people holds their names or numbers, unless it has few values.
_PERSON_WORDS = """
    patient client customer employee staff student pupil teacher doctor physician nurse member person people
    respondent participant subject tenant owner author agent contact worker user
    kunde kundin patientin klient mitarbeiter mitarbeiterin schueler lehrer arzt mitglied mieter person bearbeiter
    cliente paciente empleado alumno paziente dipendente klant werknemer eleve employe funcionario
"""
# Words that mean a key, not a quantity: such a column points at somebody also where it repeats.
_KEY_WORDS = "id uuid guid identifier kennung ident pid uid userid"
_ID_WORDS = "id uuid guid nr no num number nummer numero code key identifier kennung ident"
_QUASI_WORDS = """
    age alter idade edad eta leeftijd agegroup altersgruppe
    birth birthday birthdate dob born geburt geburtsdatum geburtstag geburtsjahr naissance nacimiento nascita
    geboortedatum nascimento
    sex gender geschlecht sexe genre sexo genero sesso genere geslacht
    zip zipcode postcode postalcode plz postleitzahl postal cap cep
    city town ort stadt wohnort ville ciudad citta stad cidade municipality gemeinde commune municipio comune
    gemeente county district bezirk kreis landkreis region provinz province provincia state bundesland etat
    estado departement country land pays pais paese location place residence
    race ethnicity ethnic ethnie raca raza etnia nationality nationalitat staatsangehorigkeit nationalite
    nacionalidad nazionalita nationaliteit nacionalidade citizenship
    marital married familienstand zivilstand civil matrimonial
    job occupation profession beruf metier profesion ocupacion professione beroep profissao ocupacao title
    employer arbeitgeber workclass industry branche education schooling degree bildung abschluss ausbildung
    schulbildung niveau estudios educacion istruzione opleiding escolaridade
    religion konfession language sprache langue idioma lingua taal household children kinder enfants hijos figli
    height weight groesse gewicht birthplace geburtsort neighbourhood neighborhood latitude longitude lat lon lng
    admission discharge visit hiredate relationship
"""
_QUASI_PHRASES = """
    date of birth|year of birth|birth date|birth year|postal code|zip code|native country|marital status|
    civil status|etat civil|estado civil|stato civile|burgerlijke staat|date of death|job title|
    place of birth|date de naissance|fecha de nacimiento|data di nascita|data de nascimento|code postal|
    codigo postal|codice postale|country of birth
"""
_CONFIDENTIAL_WORDS = """
    income salary wage wages earnings pay revenue gehalt einkommen lohn verdienst salaire revenu salario ingreso
    ingresos reddito stipendio salaris inkomen renda amount balance debt loan credit kredit schulden betrag
    capital gain loss wealth vermogen diagnosis diagnose disease illness krankheit maladie enfermedad malattia
    ziekte doenca diagnostic diagnostico diagnosi icd medication treatment therapy therapie hiv result ergebnis
    score grade note rating test lab drug drugs alcohol sexual orientation politics party vote crime conviction
    grievance complaint performance bonus offer claim claims premium insurance rent mortgage
"""
_WORD = re.compile(r"[a-z0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def _words(block: str) -> frozenset[str]:
    return frozenset(block.split())


def _phrases(block: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in block.split("|"))


_IDENTIFIERS = (_words(_IDENTIFIER_WORDS), _phrases(_IDENTIFIER_PHRASES))
_QUASI = (_words(_QUASI_WORDS), _phrases(_QUASI_PHRASES))
_CONFIDENTIAL = (_words(_CONFIDENTIAL_WORDS), frozenset[str]())
_IDS = _words(_ID_WORDS)
_KEYS = _words(_KEY_WORDS)
_PERSONS = _words(_PERSON_WORDS)


def name_words(header: str) -> list[str]:
    """Return a column name's words in small letters without accents: ``DateOfBirth`` is three."""
    spaced = _CAMEL.sub(" ", header).replace("ß", "ss")
    plain = unicodedata.normalize("NFKD", spaced).encode("ascii", "ignore").decode("ascii")
    return _WORD.findall(plain.lower())


def _named(words: list[str], lists: tuple[frozenset[str], frozenset[str]]) -> bool:
    single, phrases = lists
    spoken = f" {' '.join(words)} "
    return (
        bool(single.intersection(words))
        or "".join(words) in single
        or not _first_words(phrases).isdisjoint(words)
        and any(f" {phrase} " in spoken for phrase in phrases)
    )


@cache
def _first_words(phrases: frozenset[str]) -> frozenset[str]:
    return frozenset(phrase.split()[0] for phrase in phrases)


class _Facts:
    """What the rules look at, computed once for a column."""

    def __init__(self, column: Column) -> None:
        self.column = column
        self.words = name_words(column.header)
        self.texts = present_texts(column)
        self.filled = int(np.count_nonzero(~column.missing))

    @property
    def unique(self) -> bool:
        """Every filled row has a value of its own."""
        return self.filled >= _ENOUGH_ROWS and len(self.texts) == self.filled

    @property
    def nearly_unique(self) -> bool:
        """Almost every filled row has a value of its own: two people may share a name."""
        return self.filled >= _ENOUGH_ROWS and len(self.texts) >= _NEARLY_UNIQUE * self.filled

    @property
    def many(self) -> bool:
        """There are more values than a category has."""
        return len(self.texts) >= _ENOUGH_ROWS


Rule = Callable[[_Facts], RoleSuggestion | None]


def _empty(facts: _Facts) -> RoleSuggestion | None:
    return RoleSuggestion("left-out", "reason.role.empty") if not facts.filled else None


def _levels(facts: _Facts) -> RoleSuggestion | None:
    names = {level.name for level in LevelMap().named}
    if facts.texts and names.issuperset(facts.texts):
        return RoleSuggestion("privacy-level", "reason.role.levels")
    return None


def _pattern(facts: _Facts) -> RoleSuggestion | None:
    """Over 95 % of the values pass a test; a column of plain numbers is tested like any other."""
    sample = facts.texts[:: max(1, len(facts.texts) // _SAMPLE)]
    if not sample:
        return None
    found = count_patterns(sample)
    for name in PATTERNS:
        if found.counts[name] > _MOSTLY * found.cells:
            return RoleSuggestion(
                "identifier",
                f"reason.role.pattern-{name}",
                {"percent": 100 * found.counts[name] / found.cells},
            )
    return None


def _identifier_name(facts: _Facts) -> RoleSuggestion | None:
    if _named(facts.words, _IDENTIFIERS) or facts.words in (["name"], ["naam"], ["names"], ["nome"]):
        return RoleSuggestion("identifier", "reason.role.identifier-name")
    if facts.many and len(facts.words) == 1 and _PERSONS.intersection(facts.words):
        return RoleSuggestion("identifier", "reason.role.person-name", {"count": len(facts.texts)})
    mostly_own = len(facts.texts) > 0.5 * facts.filled
    if _IDS.intersection(facts.words) and mostly_own and not _named(facts.words, _QUASI):
        return RoleSuggestion("identifier", "reason.role.number-name")
    if facts.many and _KEYS.intersection(facts.words) and not _named(facts.words, _QUASI):
        return RoleSuggestion("identifier", "reason.role.key-name", {"count": len(facts.texts)})
    return None


def _quasi_name(facts: _Facts) -> RoleSuggestion | None:
    if _named(facts.words, _QUASI) and not _named(facts.words, _CONFIDENTIAL):
        return RoleSuggestion("quasi-identifier", "reason.role.quasi-name")
    return None


def _unique(facts: _Facts) -> RoleSuggestion | None:
    """Texts of which almost each occurs once, whole numbers that count the rows, long numbers of one length."""
    column = facts.column
    if not facts.nearly_unique or column.kind == "text":
        return None
    once = RoleSuggestion("identifier", "reason.role.unique", {"count": facts.filled})
    if column.kind in ("nominal", "ordinal"):
        if facts.unique:
            return once
        arguments = {"count": facts.filled, "distinct": len(facts.texts)}
        return RoleSuggestion("identifier", "reason.role.nearly-unique", arguments)
    if facts.unique and column.kind == "numeric" and column.style is not None and column.style.decimals == 0:
        numbers = to_floats(facts.texts)
        if numbers.max() - numbers.min() == len(numbers) - 1:
            return RoleSuggestion("identifier", "reason.role.row-number", {"count": facts.filled})
        lengths = set(map(len, facts.texts))
        if len(lengths) == 1 and lengths.pop() >= _LONG_NUMBER and not _named(facts.words, _CONFIDENTIAL):
            return once
    return None


def _free_text(facts: _Facts) -> RoleSuggestion | None:
    return RoleSuggestion("left-out", "reason.role.free-text") if facts.column.kind == "text" else None


def _date(facts: _Facts) -> RoleSuggestion | None:
    return RoleSuggestion("quasi-identifier", "reason.role.date") if facts.column.kind == "date" else None


def _confidential_name(facts: _Facts) -> RoleSuggestion | None:
    if _named(facts.words, _CONFIDENTIAL):
        return RoleSuggestion("other", "reason.role.maybe-confidential", hint="confidential")
    return None


RULES: tuple[Rule, ...] = (
    _empty,
    _levels,
    _pattern,
    _identifier_name,
    _quasi_name,
    _unique,
    _free_text,
    _date,
    _confidential_name,
)


def suggest_role(column: Column) -> RoleSuggestion:
    """Return the first rule's suggestion that fits; the rest is ``other``."""
    facts = _Facts(column)
    for rule in RULES:
        if (found := rule(facts)) is not None:
            return found
    return RoleSuggestion("other", "reason.role.rest")
