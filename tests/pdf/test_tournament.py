"""Paper of a tournament: table cards, standings, certificates."""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from club_nights import NAMES, Club
from pdf.layout_checks import assert_inert, assert_no_overlap, assert_tidy, hostile_names
from pdf.paper import Print
from scorekeeper.domain.rules.presets import preset
from scorekeeper.domain.tournament.changes import Entry
from scorekeeper.domain.tournament.plan import Money, without_stakes
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.pdf import tournament_cards, tournament_certificates, tournament_standings
from scorekeeper.store import open_ledger
from scorekeeper.wording.tournament_paper import certificates, standings_words, table_cards

A6 = (298, 420)
LINK = "https://cards.example.org/enter#k2v9m4x7qa.7k2m-8d3p-1x9q-4b6n-5h2c-3v8j-6t1w"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    ledger = open_ledger(tmp_path / "club.sqlite")
    money = Money(fee=Fraction(5), unit="EUR", kept=Fraction(5))
    yield Club(ledger, minutes=45, money=money)
    ledger.close()


def play(club: Club, rounds: int) -> None:
    for _ in range(rounds):
        club.draw()
        club.play_all()
        club.close()


def cards(club: Club, code: str = "de", link: str | None = LINK) -> Print:
    lang = language(code)
    words = table_cards(club.group, club.now, lang, lambda _: (0, link))
    return Print(tournament_cards(words, lang))


def printed(club: Club, code: str = "de", upto: int | None = None) -> Print:
    lang = language(code)
    after = len(club.now.rounds) if upto is None else upto
    return Print(tournament_standings(standings_words(club.group, club.now, after, lang), lang))


def test_every_table_has_a_card_with_names_rules_and_its_code(club: Club) -> None:
    club.draw()
    paper = cards(club)
    first = club.now.rounds[0].tables[0]
    players = club.ledger.game(club.now.rounds[0].games[0]).players

    assert len(paper.reader.pages) == 4
    for page in paper.reader.pages:
        assert tuple(map(round, page.mediabox[2:])) == A6
    about = paper.reader.metadata
    assert about and about.subject == about.title
    text = " ".join(paper.pages[0].split())
    assert len(first) == len(players) == 4
    assert all(name in text for name in players)
    assert "Tisch" in text and "Runde 1 von 3" in text and "gibt zuerst" in text
    assert "Deutsches Familien-Rommé." in text
    assert "Gespielt werden 2 Spiele." in text
    assert "Ergebnis eintragen" in text and "Schluss ist um" in text


def test_a_card_without_a_link_says_where_the_list_goes(club: Club) -> None:
    club.draw()

    assert "Dem Leiter geben." in cards(club, link=None).text
    assert len(cards(club, link=None).data) < len(cards(club).data)


SCORED = "Vorn liegt, wer am wenigsten Minuspunkte hat."


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("romme-palast", {}, "Auslegen ab 30, der Sieger schreibt gut. "
         f"Schluss ist bei mehr als 500 Minuspunkten. {SCORED}"),
        ("romme-palast", {"end.mode": "manual"},
         f"Auslegen ab 30, der Sieger schreibt gut. {SCORED}"),
        ("robber", {"end.mode": "rounds", "end.rounds": 3},
         f"Auslegen ab 40, Liegendes darf man umbauen. Gespielt werden 3 Spiele. {SCORED}"),
        ("robber", {"joker.hand_value": 50, "settle.stake": "1"},
         f"{SCORED} Ein Joker auf der Hand zählt 50."),
        ("robber", {"score.mode": "winner_collects"},
         "Vorn liegt, wer am meisten Pluspunkte hat. Der Sieger bekommt die Punkte aller anderen."),
    ],
)  # fmt: skip
def test_a_card_says_what_the_rules_are_when_the_game_ends_and_who_wins(
    tmp_path: Path, name: str, options: dict[str, Any], words: str
) -> None:
    rules = without_stakes(preset(name).override(options))
    with closing(open_ledger(tmp_path / "club.sqlite")) as ledger:
        club = Club(ledger, rules=rules)
        club.draw()
        (card, *_) = table_cards(club.group, club.now, language("de"), lambda _: (0, None))

        assert card.rules == f"{language('de').preset(name)}. {words}"


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_card_has_room_for_a_handful_of_house_rules(tmp_path: Path, code: str) -> None:
    house = {
        "hand_romme.factor": 3, "joker.hand_value": 50, "meld.first_min": 50,
        "joker.swap": "none", "score.winner_reduction": 10,
    }  # fmt: skip
    ended = {"end.mode": "rounds", "end.rounds": 2}
    rules = without_stakes(preset("romme-palast").override({**house, **ended}))
    with closing(open_ledger(tmp_path / "club.sqlite")) as ledger:
        club = Club(ledger, rules=rules)
        club.draw()
        (card, *_) = table_cards(club.group, club.now, language(code), lambda _: (0, LINK))
        paper = Print(tournament_cards([card], language(code)))

    assert " ".join(card.rules.split()) in " ".join(paper.written.split())
    assert_tidy(paper)


def test_a_round_that_an_entrant_missed_is_a_dash(club: Club) -> None:
    club.draw()
    club.play_all()
    club.close()
    club.enter(Entry(("Nadia",)))
    club.draw()
    club.play_all()
    club.close()
    paper = printed(club, upto=2)
    (late,) = (line.split() for line in paper.lines() if "Nadia" in line.split())

    assert late[1:3] == ["Nadia", "–"]
    assert paper.text.count("–") == 1


def test_the_standings_show_all_rounds_ties_and_prizes(club: Club) -> None:
    play(club, 3)
    paper = printed(club)

    assert "Endstand" in paper.text
    assert "Runde 1 Runde 2 Runde 3" in paper.text
    assert "Bei gleichen Punkten gilt der Reihe nach" in paper.text
    assert "65,00 € Startgeld, davon behält der Verein 5,00 €." in paper.text
    assert re.search(r"Preise\s[^€]+30,00 €", paper.text)
    assert "Nach Runde 1" in printed(club, upto=1).text


def test_the_standings_after_an_earlier_round_are_those_of_then(club: Club) -> None:
    play(club, 1)
    then = printed(club).lines()
    play(club, 2)

    assert printed(club, upto=1).lines() == then


def test_between_equal_points_the_paper_says_that_fewer_minus_points_decided(club: Club) -> None:
    club.draw()
    for table, there in enumerate(club.now.rounds[0].tables):
        club.state(1, table, *(3 + 40 * seat + table for seat in range(len(there))))
    club.close()

    assert re.search(r"steht vor \w+ \(Minuspunkte: 3 zu 4\)\.", printed(club).text)
    assert "(minus points: 3 to 4)" in printed(club, "en").text


def test_more_rounds_than_fit_show_the_last_ones(club: Club, tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path / "long.sqlite")
    long = Club(ledger, rounds=10)
    play(long, 9)
    paper = printed(long)

    assert "Runde 1 " not in paper.text
    assert "Gezeigt sind die letzten 8 Runden." in paper.text
    assert all(name in paper.text for name in NAMES)
    assert_no_overlap(paper, 0)
    ledger.close()


def test_the_first_three_get_certificates(club: Club) -> None:
    play(club, 3)
    paper = Print(tournament_certificates(certificates(club.group, club.now, language("de")),
                                          language("de")))  # fmt: skip

    assert len(paper.reader.pages) == 3
    assert "Der Abend gehört" in paper.pages[0]
    assert "Erster Platz unter 13." in paper.pages[0]
    assert re.search(r"3 Runden gegen \d Gegner, (ein|\d) Tische? gewonnen\.", paper.pages[0])
    assert "Zweiter Platz unter 13." in paper.pages[1]
    assert "Dritter Platz unter 13." in paper.pages[2]
    assert "Turnierleitung" in paper.pages[2]


PAIRS = (
    ("Maximilian Freiherr von Hohenstein", "Alexandrine Comtesse de Montmorency"),
    ("Theo Krier", "Marie-Thérèse Schmit-Wagener"),
    ("Anna", "Bernd"),
    ("Claire", "Dieter"),
)


@pytest.mark.parametrize("code", LANGUAGES)
def test_both_names_of_a_pair_are_on_standings_and_certificates(tmp_path: Path, code: Any) -> None:
    ledger = open_ledger(tmp_path / "pairs.sqlite")
    club = Club(ledger, [], rounds=1, partners=2, size=2)
    club.enter(*map(Entry, PAIRS))
    club.draw()
    best = {}
    for table, there in enumerate(club.now.rounds[0].tables):
        best |= {entrant: 10 * entrant + 1 for entrant in there}
        club.state(1, table, *(best[entrant] for entrant in there))
    club.close()
    lang = language(code)
    certified = Print(tournament_certificates(certificates(club.group, club.now, lang), lang))
    paper = printed(club, code)

    first = " ".join(certified.pages[0].split())
    assert lang.all_of(PAIRS[0]) in first  # in large letters, on two lines
    for one, other in PAIRS:
        assert all(word in paper.text.split() for word in f"{one} / {other}".split())
    assert_tidy(paper)
    ledger.close()


@pytest.mark.parametrize("code", LANGUAGES)
def test_long_and_strange_names_stay_on_the_paper(tmp_path: Path, code: Any) -> None:
    ledger = open_ledger(tmp_path / "names.sqlite")
    club = Club(ledger, [], rounds=2)
    club.enter(*(Entry((name,)) for name in dict.fromkeys(hostile_names(6))))
    play(club, 1)
    lang = language(code)
    words = certificates(club.group, club.now, lang)
    certified = Print(tournament_certificates(words, lang))  # landscape, whose margins are its own
    for paper in (cards(club, code), printed(club, code)):
        assert_inert(paper)
        assert_tidy(paper)
    assert_inert(certified)
    for page in range(len(certified.pages)):
        assert_no_overlap(certified, page)
    ledger.close()


def test_the_same_paper_has_the_same_bytes(club: Club) -> None:
    club.draw()

    assert cards(club).data == cards(club).data
    assert replace(cards(club)).text == cards(club).text


def test_two_hundred_take_several_pages_with_the_head_on_each(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path / "large.sqlite")
    club = Club(ledger, [f"Gast {number:03}" for number in range(200)])
    play(club, 1)
    paper = printed(club)

    assert len(paper.reader.pages) > 3
    assert [page.count("Tischsiege") for page in paper.pages[:4]] == [1] * 4
    assert "200 Teilnehmer" in paper.text
    ledger.close()
