"""Which columns of a typed score sheet are players.

A column is no player if its heading is a word for something else (``Runde``, ``Total 2026``), or
if its numbers count the rounds or add up the other columns. The words come from all four
languages at once, because a sheet has no language.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate, groupby, pairwise
from typing import Literal

from scorekeeper.domain.lookalikes import spelling
from scorekeeper.wire.csv_cells import is_absent

Values = Sequence[int | None]
"""The points in a column, by row; None where there are none."""
NoPlayer = Literal["counts", "sum", "running"]
"""Why the numbers of a column are not a player's points."""
LeftOutWhy = NoPlayer | Literal["word", "text", "chosen"]
LEFT_OUT = ("word", "counts", "sum", "running", "text", "chosen")
"""Why something is left out: its heading, its numbers, no numbers, or by choice."""

MAX_LETTERS = 80
"""The letters of a heading that are looked at."""
MANY = 3
"""Rows from which a counter or running total is no coincidence."""


def plain(text: str) -> str:
    """Return a text in small letters without accents."""
    parts = unicodedata.normalize("NFKD", text).casefold().replace("n°", "no ")
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def _words(text: str) -> frozenset[str]:
    return frozenset(plain(text).split())


DAYS = _words("date dates datum daten day days dag deeg tag tage jour jours")
TOTALS = _words(
    """
    total totals sum sums subtotal overall score scores balance cumulative cumulated running result
    results final standing standings average mean minus plus net
    summe summen gesamt insgesamt zwischenstand stand saldo ergebnis ergebnisse schnitt durchschnitt
    mittelwert übertrag netto minuspunkte pluspunkte
    zesummen ganzen tëschestand resultat resultater duerchschnëtt iwwerdrag
    totaux somme sommes cumul cumulé solde soldes résultat résultats score moyenne report moins σ ø
    """
)
COMMENTS = _words(
    """
    note notes comment comments remark remarks info infos
    notiz notizen bemerkung bemerkungen kommentar kommentare anmerkung anmerkungen
    bemierkung bemierkungen remarque remarques commentaire commentaires observation observations
    """
)
OTHERS = _words(
    """
    round rounds rnd game games hand hands hände deal deals match matches no nr num number id index
    row line dealer winner loser pot kitty bank stake stakes rank ranking place position pos amount
    money cash eur euro euros cent cents ct pf points pts location status outcome rules season year
    month week weekday time start begin end duration table type
    runde runden rd spiel spiele partie partien nummer lfd zeile blatt geber kartengeber gibt
    gewinner sieger verlierer topf kasse einsatz rang rangliste platz platzierung betrag geld
    zahlung bezahlt punkte punkt pkt ort ausgang regeln saison jahr monat woche wochentag zeit
    uhrzeit beginn ende dauer tisch art abend
    ronn ronnen spill spiller nummer linn giewer gewënner verléierer dëppen keess asaz plaz suen
    bezuelt punkten reegelen joer mount woch owend auer zäit dësch uert
    manche manches donne donnes parties tour tours coup coups jeu jeux numéro ligne main mains
    donneur distributeur gagnant vainqueur perdant cagnotte mise enjeu classement montant argent
    payé lieu état statut issue règles année mois semaine heure heures début durée soirée
    """
) - {"spiller"}
FILLERS = _words(
    """
    of the each per and so far by in
    der die das des dem den von pro je jede jeder und im am zu bis ganzen spieler player players
    vun de d vum an bis all spiller
    du la le les par un une et l au à joueur joueurs anzahl nombre
    """
)
"""Words that say nothing by themselves; ``Spieler 1`` is a player."""
PREFIXES = _words("end gesamt zwischen tages abend abends monats jahres teil rest schluss sub")
_KNOWN = TOTALS | COMMENTS | OTHERS | DAYS
_LETTERS = re.compile(r"[^\W\d_]+")


def words_of(text: str) -> list[str]:
    """Return the words of a heading, in small letters without accents and digits."""
    return _LETTERS.findall(plain(text[:MAX_LETTERS]))


def is_day(heading: str) -> bool:
    """Return whether a heading announces days."""
    return any(word in DAYS for word in words_of(heading))


def is_total(cell: str) -> bool:
    """Return whether a cell announces a total: ``Summe``, ``Anna total``, ``Gesamtpunkte 2026``."""
    words = words_of(cell)
    return bool(words) and any(_is_in(TOTALS, word) for word in (words[0], words[-1]))


def is_total_row(cell: str) -> bool:
    """Return whether a cell announces a row of totals, and is no name."""
    return is_total(cell) and is_no_name(cell)


def is_comment(cell: str) -> bool:
    """Return whether a cell begins a comment."""
    return cell.startswith("#") or not COMMENTS.isdisjoint(words_of(cell)[:1])


def is_no_name(heading: str) -> bool:
    """Return whether a heading is a word for something else than a player, or only signs."""
    words = words_of(heading)
    if not words:
        return not any(unicodedata.category(sign) == "So" for sign in heading if sign > "\u2000")
    known = [_is_in(_KNOWN, word) for word in words]
    others = {word for word, is_known in zip(words, known, strict=True) if not is_known}
    return is_total(heading) or (any(known) and others <= FILLERS)


def _is_in(vocabulary: frozenset[str], word: str) -> bool:
    """Return whether a word is in a vocabulary, or ends in one of its words: ``Rundennummer``."""
    return word in vocabulary or any(
        word[place:] in vocabulary and _begins_compound(word[:place])
        for place in range(2, len(word) - 1)
    )


def _begins_compound(part: str) -> bool:
    return part in PREFIXES | _KNOWN or (part[:-1] in _KNOWN and part[-1] in "sn")


def is_text(cells: Sequence[str]) -> bool:
    """Return whether a column contains words, and nowhere a number."""
    filled = [cell for cell in cells if not is_absent(cell)]
    return bool(filled) and not any(sign.isdigit() for cell in filled for sign in cell)


def respelled(
    head: Sequence[str], members: Collection[str], answered: Collection[str]
) -> list[str]:
    """Return the headings, ``ANNA`` as Anna if that is a member and no other column is alike.

    Headings that were ``answered`` stay as they are.
    """
    known: dict[str, list[str]] = {}
    for member in members:
        known.setdefault(spelling(member), []).append(member)
    spellings = [spelling(heading[:MAX_LETTERS]) for heading in head]
    names = []
    for heading, spelled in zip(head, spellings, strict=True):
        alike = known.get(spelled, [])
        is_clear = len(alike) == 1 == spellings.count(spelled) and heading not in answered
        names.append(alike[0] if is_clear else heading)
    return names


# ---- numbers -------------------------------------------------------------------------


def no_players(
    columns: Mapping[int, Values], unknown: Collection[int], days: Sequence[str]
) -> dict[int, NoPlayer]:
    """Return which of the unknown columns have numbers that are no player's points, and why.

    ``columns`` are all that may be players, by index; ``days`` has the day of each row. A total
    adds up the columns to its left, all others, or the members' columns.
    """
    found: dict[int, NoPlayer] = {}
    members = {index: values for index, values in columns.items() if index not in unknown}
    running = {index: _running(values, days) for index, values in columns.items()}
    for index in sorted(unknown):
        values = columns[index]
        others = {n: column for n, column in columns.items() if n != index and n not in found}
        left = {n: column for n, column in others.items() if n < index}
        parts = (members, left, others)
        sums = [_sums(part) for part in parts if sum(map(any, part.values())) > 1]
        runs = [run for one in sums for run in _running(one, days)]
        runs += [run for other in others for run in running[other]]
        if _counts(values, days):
            found[index] = "counts"
        elif any(_equal(values, one, least=2) for one in sums):
            found[index] = "sum"
        elif any(_equal(values, run, least=MANY) for run in runs):
            found[index] = "running"
    return found


def _sums(columns: Mapping[int, Values]) -> list[int]:
    """Return the sums of columns by row."""
    return [sum(filter(None, row)) for row in zip(*columns.values(), strict=True)]


def _counts(values: Values, days: Sequence[str]) -> bool:
    """Return whether a column counts 1, 2, 3, over the whole sheet or every day anew."""
    found = [(day, value) for day, value in zip(days, values, strict=True) if value is not None]
    if len(found) < MANY:
        return False
    by_day = (range(1, 1 + len(list(rows))) for _, rows in groupby(found, key=lambda row: row[0]))
    numbers = [value for _, value in found]
    return max(numbers) > 1 and numbers in (
        list(range(1, 1 + len(found))),
        [n for count in by_day for n in count],
    )


def _running(values: Values, days: Sequence[str]) -> list[list[int]]:
    """Return the running totals of a column: over the whole sheet, and every day anew."""
    points = [value or 0 for value in values]
    rows = zip(days, points, strict=True)
    by_day = [
        total
        for _, day in groupby(rows, key=lambda row: row[0])
        for total in accumulate(value for _, value in day)
    ]
    return [list(accumulate(points)), by_day]


def _equal(values: Values, expected: Sequence[int], least: int) -> bool:
    """Return whether a column has these numbers, not all zero, in the rows where it has any."""
    pairs = zip(values, expected, strict=True)
    is_same = all(value in (None, other) for value, other in pairs)
    return is_same and any(values) and len(values) - values.count(None) >= least


def rising(evenings: Iterable[Sequence[tuple[int, Values]]]) -> int | None:
    """Return the line of the first evening with several rounds if points never fall in any.

    An evening is its rounds with their lines.
    """
    several = [rounds for rounds in evenings if len(rounds) > 1]
    columns = (
        column for rounds in several for column in zip(*(row for _, row in rounds), strict=True)
    )
    known = ([points for points in column if points is not None] for column in columns)
    never = all(before <= now for points in known for before, now in pairwise(points))
    return several[0][0][0] if several and never else None
