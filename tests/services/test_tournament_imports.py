"""A tournament is exported and imported without loss, or not at all."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from club_nights import NAMES, Club
from forged_exports import sealed
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.group.tables import Stated
from scorekeeper.domain.tournament.changes import Entry
from scorekeeper.domain.tournament.plan import Money
from scorekeeper.domain.tournament.standings import standings
from scorekeeper.services import groups, imports, tournaments
from scorekeeper.store import BadExport, Ledger
from scorekeeper.store.check import check
from scorekeeper.store.writes import Write
from transfers import sent, taken_in


@pytest.fixture
def club(ledger: Ledger) -> Club:
    return Club(ledger)


def _whole_evening(club: Club) -> None:
    """Everything that can happen."""
    tournaments.change_plan(
        club.ledger,
        club.id,
        replace(
            club.now.plan, money=Money(fee=Fraction(5), unit="EUR", booked=True), split_clubs=True
        ),
        Write(),
    )
    club.enter(Entry(("Nadia",), "SC Trier"), Entry(("Otto",), "SC Trier"))
    club.draw()
    tournaments.undraw_round(club.ledger, club.id, Write())
    club.draw()
    club.play_all()
    club.state(1, 0, 9, 8, 7, 6)
    tournaments.withdraw(club.ledger, club.id, 1, Write())
    club.close()
    club.enter(Entry(("Paula",), "SC Trier"), Entry(("Quentin",), "SV Prüm"))
    tournaments.withdraw(club.ledger, club.id, 2, Write())
    tournaments.bring_back(club.ledger, club.id, 2, Write())
    club.draw()
    club.play(0, [0, 1, 2, 3], [0, 2, 2, 2])
    club.state(2, 1, 7, None, 9, None)
    club.close(late=True)
    tournaments.conclude(club.ledger, club.id, Write())


def test_a_tournament_is_exported_and_imported_without_loss(club: Club, elsewhere: Ledger) -> None:
    _whole_evening(club)
    group, games_ = sent(club.ledger, club.id)

    there = taken_in(elsewhere, group, games_).group
    assert there.tournament == club.now
    assert standings(tournaments.tournament_of(there)) == standings(club.now)
    assert elsewhere.head(club.id) == club.ledger.head(club.id)
    assert there.balances == club.group.balances != {}
    assert tournaments.is_draw_confirmed(elsewhere, club.id, 2)
    tournaments.state_result(elsewhere, club.id, (2, 1), [Stated(n) for n in range(4)], Write())
    assert check(elsewhere).good


def test_a_knockout_won_by_walkover_is_exported_and_imported(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    """Of eight at tables of four, two are left for the final, and one of them leaves."""
    club = Club(ledger, NAMES[:8], format="knockout", rounds=9)
    club.draw()
    club.play_all()
    club.close()
    club.draw()
    tournaments.undraw_round(ledger, club.id, Write())
    one, other = club.now.present
    for move in (tournaments.withdraw, tournaments.bring_back, tournaments.withdraw):
        move(ledger, club.id, one, Write())
    tournaments.conclude(ledger, club.id, Write())
    group, games_ = sent(ledger, club.id)

    there = taken_in(elsewhere, group, games_).group
    assert there.tournament == club.now
    assert club.now.walkover == standings(club.now)[0].entrant == other
    assert club.kinds()[-1] == "concluded"


def test_a_tournament_with_an_erased_entrant_is_imported(club: Club, elsewhere: Ledger) -> None:
    groups.erase_member(club.ledger, club.id, 3, Write())
    club.draw()
    club.play_all()
    club.close()
    group, games_ = sent(club.ledger, club.id)

    assert taken_in(elsewhere, group, games_).group.tournament == club.now
    assert check(elsewhere).good


def test_erased_entrants_are_told_apart_from_people_who_are_named_like_numbers(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    club = Club(ledger, ("Anna", "Bernd", "#1", "#2"))
    for member in (0, 1):
        groups.erase_member(ledger, club.id, member, Write())
    club.draw()
    (game,) = club.now.rounds[0].games
    group, games_ = sent(ledger, club.id)

    assert set(ledger.game(game).players) == {"#1", "#2", "#3", "#4"}
    assert taken_in(elsewhere, group, games_).group.tournament == club.now


def test_clubs_that_an_erased_name_leaves_alike_are_imported_apart(
    club: Club, elsewhere: Ledger
) -> None:
    """Clubs may be named after people."""
    club.enter(Entry(("Nadia",), "Emil"), Entry(("Otto",), "Emils"), Entry(("Paula",), "Emils"))
    groups.erase_member(club.ledger, club.id, NAMES.index("Emil"), Write())
    club.enter(Entry(("Quentin",), "SV Prüm"))
    group, games_ = sent(club.ledger, club.id)
    there = taken_in(elsewhere, group, games_).group

    assert [there.texts[f"club.{number}"] for number in range(3)] == ["…", "…", "SV Prüm"]
    assert [one.club for one in club.now.entrants[len(NAMES) :]] == [0, 1, 1, 2]
    assert there.tournament == club.now


def _change_payload(kind: str, **fields: Any) -> Callable[[Any], None]:
    def forge(export: Any) -> None:
        event = next(event for event in export["events"] if event["kind"] == kind)
        event["payload"].update(fields)

    return forge


@pytest.mark.sqlite  # refused before anything is written
def test_a_table_without_its_game_is_refused(club: Club) -> None:
    club.draw()
    group, games_ = sent(club.ledger, club.id)
    _change_payload("drawn", games=["aaaaaaaaaa", *club.now.rounds[0].games[1:]])(group)
    with pytest.raises(RuleError) as refused:
        imports.read_group(sealed(group), iter(games_))

    assert refused.value.problems[0].facts == {"why": "table", "id": "aaaaaaaaaa"}


@pytest.mark.sqlite  # refused before anything is written
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("club", False),
        ("club", 0.0),
        ("club", "0"),
        ("club", -1),
        ("since", True),
        ("since", 1.0),
        ("members", [13.0]),
        ("members", [-1]),
        ("members", ["13"]),
        ("members", []),
    ],
)
def test_an_entrant_with_other_numbers_is_refused(club: Club, field: str, value: object) -> None:
    club.enter(Entry(("Nadia",), "SC Trier"))
    group, games_ = sent(club.ledger, club.id)
    (entrant,) = group["events"][-1]["payload"]["entrants"]
    assert entrant == {"members": [13], "club": 0, "since": 1}
    imports.read_group(sealed(group), iter(games_))
    entrant[field] = value
    with pytest.raises((RuleError, BadExport)):
        imports.read_group(sealed(group), iter(games_))


@pytest.mark.sqlite  # refused before anything is written
@pytest.mark.parametrize("name", ["worth", "wins", "hand_wins"])
def test_a_result_with_another_kind_of_number_is_refused(club: Club, name: str) -> None:
    club.draw()
    club.play_all()
    club.close()
    group, games_ = sent(club.ledger, club.id)
    (result, *_) = (event for event in group["events"] if event["kind"] == "result")
    imports.read_group(sealed(group), iter(games_))
    (first, *_) = result["payload"]["scores"]
    first[name] = float(first[name])
    with pytest.raises((RuleError, BadExport)):
        imports.read_group(sealed(group), iter(games_))


@pytest.mark.sqlite  # refused before anything is written
@pytest.mark.parametrize(
    "forge",
    [
        _change_payload("drawn", tables=[[0, 1, 2, 3], [4, 5, 6, 6]]),
        _change_payload("drawn", tables=[[0, 1, 2, 3], [4, 5, 6, "7"]]),
        _change_payload("drawn", games=["x"]),
        _change_payload("drawn", seed="no seed"),
        _change_payload("tournament", plan={"format": "russian"}),
        _change_payload("result", table=9),
        _change_payload("result", source="dream"),
        _change_payload("result", scores=[{"worth": 1}]),
        _change_payload("result", scores=[None, None, None, None]),
        _change_payload("closed", late=[1]),
        _change_payload("entered", entrants=[{"members": [0], "club": None, "since": 2}]),
        _change_payload("entered", entrants=[{"members": [0], "club": 5, "since": 1}]),
    ],
)
def test_a_forged_tournament_is_refused(club: Club, forge: Callable[[Any], None]) -> None:
    club.draw()
    club.play_all()
    club.close()
    group, games_ = sent(club.ledger, club.id)
    forge(group)
    with pytest.raises((RuleError, BadExport)):
        imports.read_group(sealed(group), iter(games_))
