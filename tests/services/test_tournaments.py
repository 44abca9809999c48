"""A tournament from the plan to the last round, on each engine."""

from dataclasses import replace
from typing import Any

import pytest

import short
from club_nights import NAMES, RULES, Club
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import score_for
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.rules.presets import preset
from scorekeeper.domain.tournament.changes import Entry
from scorekeeper.domain.tournament.scale import Scale
from scorekeeper.domain.tournament.standings import standings
from scorekeeper.domain.tournament.state import Tournament
from scorekeeper.services import games, groups, tournaments
from scorekeeper.services.writes import Stale
from scorekeeper.store import Ledger, NotFound
from scorekeeper.store.rights import Withdrawn
from scorekeeper.store.writes import Holder, Write
from scorekeeper.wire.rounds import load_round


@pytest.fixture
def club(ledger: Ledger) -> Club:
    return Club(ledger)


def why(refused: pytest.ExceptionInfo[RuleError]) -> Any:
    (problem,) = refused.value.problems
    assert problem.code == "E_TOURNAMENT"
    return problem.facts["why"]


# ---- the evening ---------------------------------------------------------------------


def test_one_press_draws_a_round_and_begins_a_game_at_each_table(club: Club) -> None:
    club.draw()
    one = club.now.rounds[0]

    assert [len(table) for table in one.tables] == [4, 3, 3, 3]
    for table, game_id in zip(one.tables, one.games, strict=True):
        game = club.ledger.game(game_id)
        assert game.rules == RULES
        assert game.players == tuple(NAMES[entrant] for entrant in table)
        assert club.ledger.group_of(game_id) == club.id
    assert club.kinds()[3:] == ["drawn", *["game"] * 4]


def test_a_table_that_is_over_reports_its_result(club: Club) -> None:
    club.draw()
    club.play(1, [0, 12, 30])
    assert club.now.rounds[0].missing == (0, 1, 2, 3)
    club.play(1, [5, 0, 8])

    one = club.now.rounds[0]
    assert one.missing == (0, 2, 3)
    assert [each.worth for each in one.results[1].performances] == [-5, -12, -38]
    assert [each.wins for each in one.results[1].performances] == [1, 1, 0]
    assert [each.left for each in one.results[1].performances] == [(5,), (12,), (30, 8)]


def test_a_correction_at_the_table_corrects_the_result_also_after_the_round(club: Club) -> None:
    club.draw()
    club.play_all()
    club.close()
    game = club.now.rounds[0].games[0]

    short.correct(club.ledger, game, 1, 0, 10, 20, 99)
    result = club.now.rounds[0].results[0]
    assert [each.worth for each in result.performances] == [0, -21, -41, -130]
    assert club.kinds()[-1] == "result"


def test_a_table_that_plays_on_takes_its_result_back_until_the_round_is_closed(club: Club) -> None:
    club.draw()
    club.play_all()
    game = club.now.rounds[0].games[2]
    games.reopen_game(club.ledger, game, Write())
    assert club.now.rounds[0].missing == (2,)

    games.end_game(club.ledger, game, Write())
    club.close()
    games.reopen_game(club.ledger, game, Write())
    assert club.now.rounds[0].missing == ()


def test_typed_totals_count_whatever_the_table_writes_later(club: Club) -> None:
    """The director types the paper list of a table; points stand as on the pad."""
    club.draw()
    club.state(1, 0, 92, 89, 86, 161)
    club.play(0, [0, 1, 2, 3], [0, 2, 3, 4])
    result = club.now.rounds[0].results[0]
    assert [each.worth for each in result.performances] == [-92, -89, -86, -161]
    assert result.source == "stated"

    tournaments.state_result(club.ledger, club.id, (1, 0), None, Write())
    result = club.now.rounds[0].results[0]
    assert [each.worth for each in result.performances] == [0, -3, -5, -7]
    assert result.source == "game"


def test_typed_totals_stay_after_the_round_where_the_table_has_no_result(club: Club) -> None:
    club.draw()
    for table, there in enumerate(club.now.rounds[0].tables):
        club.state(1, table, *range(len(there)))
    club.close()
    with pytest.raises(RuleError) as refused:
        tournaments.state_result(club.ledger, club.id, (1, 0), None, Write())

    (problem,) = refused.value.problems
    assert problem.facts == {"why": "missing", "number": 1, "tables": [1]}
    assert club.now.rounds[0].results[0].source == "stated"


def test_a_list_with_somebody_missing_is_kept_and_counts_once_it_is_complete(club: Club) -> None:
    club.draw()
    club.state(1, 0, 92, None, 86, 161)
    assert club.now.rounds[0].missing == (0, 1, 2, 3)
    typed = club.now.rounds[0].typed[0]
    assert [one and one.worth for one in typed] == [-92, None, -86, -161]
    with pytest.raises(RuleError):
        tournaments.undraw_round(club.ledger, club.id, Write())
    with pytest.raises(RuleError):
        club.state(1, 1, None, None, None)

    club.state(1, 0, 92, 89, 86, 161)
    assert club.now.rounds[0].typed == {}
    assert club.now.rounds[0].missing == (1, 2, 3)
    club.state(1, 1, 5, None, 7)
    club.play(1, [0, 1, 2], [0, 2, 3])  # what is played counts before a list with a gap
    assert club.now.rounds[0].results[1].source == "game"

    for table in (2, 3):
        club.state(1, table, 1, 2, 3)
    club.close()
    with pytest.raises(RuleError):
        club.state(1, 0, 92, None, 86, 161)


def test_a_danish_evening_with_a_late_entrant_and_one_who_leaves(club: Club) -> None:
    """Fourteen from the second round; thirteen again in the third."""
    club.draw()
    club.play_all()
    club.close()
    club.enter(Entry(("Nadia",)))
    club.draw()
    assert [len(table) for table in club.now.rounds[1].tables] == [4, 4, 3, 3]
    order = [one.entrant for one in standings(club.now, 1)]
    assert set(club.now.rounds[1].tables[0]) == set(order[:4])

    tournaments.withdraw(club.ledger, club.id, 4, Write())
    club.play_all()
    club.close()
    club.draw()
    assert 4 not in club.now.rounds[2].entrants
    assert [len(table) for table in club.now.rounds[2].tables] == [4, 3, 3, 3]
    club.state(3, 0, 5, 4, 3, 2)
    for table in (1, 2, 3):
        club.play(table, [0, 3, 6], [0, 4, 7])
    club.close()

    assert club.now.is_over
    found = standings(club.now)
    assert sorted(one.entrant for one in found) == list(range(14))
    assert [len(one.rounds) for one in found if one.entrant in (4, 13)] == [2, 2]
    with pytest.raises(RuleError) as refused:
        club.draw()
    assert why(refused) == "over"


def test_somebody_who_left_may_return(club: Club) -> None:
    tournaments.withdraw(club.ledger, club.id, 2, Write())
    tournaments.bring_back(club.ledger, club.id, 2, Write())
    club.draw()

    assert 2 in club.now.rounds[0].entrants


def test_every_draw_can_be_confirmed_also_after_a_correction(club: Club) -> None:
    club.draw()
    club.play_all()
    club.close()
    club.draw()
    short.correct(club.ledger, club.now.rounds[0].games[0], 1, 0, 10, 20, 999)
    club.play_all()
    club.close()
    club.draw()

    assert [tournaments.is_draw_confirmed(club.ledger, club.id, n) for n in (1, 2, 3)] == [True] * 3


def test_a_forged_draw_is_not_confirmed(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = tournaments.draw

    def swapped(now: Tournament, seed: str) -> Any:
        found = drawn(now, seed)
        first, second, *others = found.tables
        exchanged = (second[0], *first[1:]), (first[0], *second[1:])
        return replace(found, tables=(*exchanged, *others))

    monkeypatch.setattr(tournaments, "draw", swapped)
    club.draw()

    assert not tournaments.is_draw_confirmed(club.ledger, club.id, 1)


def test_a_draw_is_taken_back_before_anything_was_played(club: Club) -> None:
    club.draw()
    before = club.now.rounds[0]
    club.ledger.rights.remember("phone", before.games[0], _pen(club, before.games[0]))
    tournaments.undraw_round(club.ledger, club.id, Write())
    assert club.now.rounds == ()
    assert club.group.evenings == {}
    assert all(club.ledger.game(game).thrown_away_at for game in before.games)
    assert club.ledger.rights.of_browser("phone", before.games[0]) == "watch"

    club.draw()
    assert set(club.now.rounds[0].games).isdisjoint(before.games)
    assert tournaments.is_draw_confirmed(club.ledger, club.id, 1)
    club.play(1, [0, 3, 6])
    with pytest.raises(RuleError) as refused:
        tournaments.undraw_round(club.ledger, club.id, Write())
    assert why(refused) == "played"


# ---- rights --------------------------------------------------------------------------


def _pen(club: Club, game: str) -> str:
    pen = club.ledger.link_secret(game, "pen")
    assert pen
    return pen


def _write_at(club: Club, game: str, pen: str, *points: int) -> None:
    write = Write(holders=(Holder(game, secret=pen),))
    scored = score_for(club.ledger.game(game), short.facts(*points))
    games.record_round(club.ledger, game, scored, write)


def test_the_right_to_write_at_a_table_ends_with_the_round(club: Club) -> None:
    club.draw()
    one = club.now.rounds[0]
    pen = _pen(club, one.games[1])
    club.ledger.rights.remember("phone", one.games[1], pen)
    _write_at(club, one.games[1], pen, 0, 7, 9)
    for table in range(4):
        club.state(1, table, *range(len(one.tables[table])))
    club.close()

    with pytest.raises(Withdrawn):
        _write_at(club, one.games[1], pen, 0, 8, 9)
    assert club.ledger.rights.of_secret(one.games[1], pen) is None
    assert club.ledger.rights.of_browser("phone", one.games[1]) == "watch"
    assert club.ledger.rights.of_secret(one.games[1], _group_pen(club)) == "pen"
    handed_on = _pen(club, one.games[1])  # the new link that the director can show
    assert club.ledger.rights.of_secret(one.games[1], handed_on) == "pen"


def _group_pen(club: Club) -> str:
    pen = club.ledger.link_secret(club.id, "pen")
    assert pen
    return pen


def test_the_pen_of_a_table_is_no_right_of_the_director(club: Club) -> None:
    club.draw()

    assert club.ledger.rights.of_secret(club.id, _pen(club, club.now.rounds[0].games[0])) is None


def test_a_late_table_keeps_its_right_until_its_result_is_there(club: Club) -> None:
    club.draw()
    one = club.now.rounds[0]
    pen = _pen(club, one.games[0])
    for table in (1, 2, 3):
        club.state(1, table, 3, 2, 1)
    club.close(late=True)
    club.draw()  # the next round does not wait

    _write_at(club, one.games[0], pen, 0, 5, 6, 7)
    _write_at(club, one.games[0], pen, 0, 1, 1, 1)
    assert club.now.rounds[0].missing == ()
    assert club.ledger.rights.of_secret(one.games[0], pen) is None


def test_a_draw_may_close_the_round_before_it_without_late_tables(club: Club) -> None:
    club.draw()
    with pytest.raises(RuleError) as refused:
        tournaments.draw_round(club.ledger, club.id, Write(), closing=True)
    tournaments.draw_round(club.ledger, club.id, Write(), closing=True, late=True)

    assert why(refused) == "missing"
    assert [one.closed for one in club.now.rounds] == [True, False]


# ---- what is refused -----------------------------------------------------------------


def test_a_round_is_not_closed_while_a_table_is_missing(club: Club) -> None:
    club.draw()
    for table in (1, 3):
        club.state(1, table, 1, 2, 3)
    before = club.group.version
    with pytest.raises(RuleError) as refused:
        club.close()

    assert refused.value.problems[0].facts == {"why": "missing", "number": 1, "tables": [1, 3]}
    assert club.group.version == before


def test_a_table_with_other_rules_has_no_result(club: Club) -> None:
    club.draw()
    game = club.now.rounds[0].games[1]
    for table in (0, 2, 3):
        club.state(1, table, *range(len(club.now.rounds[0].tables[table])))
    games.add_player(club.ledger, game, "Zaungast", Write())
    short.record(club.ledger, game, 0, 4, 8, 9)
    short.record(club.ledger, game, 0, 4, 8, 7)

    assert club.now.rounds[0].missing == (1,)
    with pytest.raises(RuleError) as refused:
        club.close()
    assert why(refused) == "other_rules"
    assert refused.value.problems[0].facts["table"] == 2


@pytest.mark.parametrize(
    ("reason", "place", "points"),
    [
        ("no_round", (2, 0), [1, 2, 3]),
        ("no_table", (1, 4), [1, 2, 3]),
        ("no_table", (1, -1), [1, 2, 3]),
        ("scores", (1, 1), [1, 2, 3, 4]),
        ("score", (1, 1), [1, 2, 10**7]),
    ],
)
def test_a_result_that_cannot_be_is_refused(
    club: Club, reason: str, place: tuple[int, int], points: list[int]
) -> None:
    club.draw()
    with pytest.raises(RuleError) as refused:
        club.state(*place, *points)

    assert why(refused) == reason


@pytest.mark.parametrize(
    ("reason", "names"),
    [
        ("twice", [("Anna",)]),
        ("twice", [("Olga",), ("Olga",)]),
        ("names", [("Olga", "Paul")]),
        ("many", [(f"Gast {number:03}",) for number in range(500)]),
        ("nobody", []),
    ],
)
def test_entrants_who_cannot_enter_are_refused(
    club: Club, reason: str, names: list[tuple[str, ...]]
) -> None:
    with pytest.raises(RuleError) as refused:
        club.enter(*map(Entry, names))

    assert why(refused) == reason
    assert len(club.now.entrants) == len(NAMES)


def test_a_name_that_looks_like_another_is_refused_at_its_entry(club: Club) -> None:
    with pytest.raises(RuleError) as refused:
        club.enter(Entry(("Olga",)), Entry(("Kar\u0406",)), Entry(("KarI",)))

    (problem,) = refused.value.problems
    assert (problem.facts["why"], problem.path) == ("lookalike", ("entrants", 1))


def test_one_entrant_cannot_be_drawn(ledger: Ledger) -> None:
    club = Club(ledger, ["Anna"])
    with pytest.raises(RuleError) as refused:
        club.draw()

    assert why(refused) == "few"
    assert club.now.rounds == ()


def test_what_is_not_there_is_refused(club: Club) -> None:
    for reason, change in (
        ("none_open", club.close),
        ("none_open", lambda: tournaments.undraw_round(club.ledger, club.id, Write())),
        ("entrant", lambda: tournaments.withdraw(club.ledger, club.id, 13, Write())),
        ("exists", lambda: tournaments.create_tournament(
            club.ledger, club.id, club.now.plan, Write()
        )),
    ):  # fmt: skip
        with pytest.raises(RuleError) as refused:
            change()
        assert why(refused) == reason
    club.draw()
    for reason, change in (
        ("open", club.draw),
        ("open", lambda: tournaments.conclude(club.ledger, club.id, Write())),
        ("begun", lambda: tournaments.change_plan(club.ledger, club.id, club.now.plan, Write())),
    ):
        with pytest.raises(RuleError) as refused:
            change()
        assert why(refused) == reason


def test_a_group_without_a_tournament_has_none(ledger: Ledger) -> None:
    group = groups.create_group(ledger, NewGroup("Kegelclub", ())).group
    with pytest.raises(NotFound):
        tournaments.draw_round(ledger, group.id, Write())


def test_a_knockout_does_not_wait_for_late_tables(ledger: Ledger) -> None:
    club = Club(ledger, format="knockout")
    club.draw()
    with pytest.raises(RuleError) as refused:
        club.close(late=True)

    assert why(refused) == "missing"


@pytest.mark.parametrize("name", ["round_robin", "mitchell", "knockout"])
def test_nobody_joins_a_schedule_that_is_fixed(ledger: Ledger, name: Any) -> None:
    club = Club(ledger, format=name, size=2)
    club.draw()
    with pytest.raises(RuleError) as refused:
        club.enter(Entry(("Nadia",)))

    assert why(refused) == "too_late"


# ---- writing -------------------------------------------------------------------------


def test_a_draw_that_is_sent_twice_is_drawn_once(club: Club) -> None:
    write = Write(key="draw-1")
    first = tournaments.draw_round(club.ledger, club.id, write)
    again = tournaments.draw_round(club.ledger, club.id, write)

    assert again == first
    assert len(club.now.rounds) == 1


def test_a_draw_on_an_old_version_is_refused(club: Club) -> None:
    with pytest.raises(Stale):
        tournaments.draw_round(club.ledger, club.id, Write(expected=club.group.version - 1))

    assert club.now.rounds == ()


def test_pairs_sit_opposite_each_other_and_add_up(ledger: Ledger) -> None:
    club = Club(ledger, [], size=2, partners=2, scale=Scale(victory=((0, 10, 10), (20, 15, 5))))
    club.enter(Entry(("Anna", "Bernd")), Entry(("Claire", "Dieter")))
    club.draw()
    one = club.now.rounds[0]
    first, second = one.tables[0]
    pairs = [("Anna", "Bernd"), ("Claire", "Dieter")]
    assert club.ledger.game(one.games[0]).players == tuple(
        pairs[entrant][partner] for partner in (0, 1) for entrant in (first, second)
    )

    club.play(0, [0, 30, 10, 5], [20, 0, 10, 5])
    result = club.now.rounds[0].results[0]
    assert [each.worth for each in result.performances] == [-40, -40]
    assert [one.points for one in standings(club.now)] == [10, 10]


def test_partners_in_teams_have_the_result_of_their_side(ledger: Ledger) -> None:
    rules = preset("gin-palast").override({"teams": True, "end.mode": "manual"})
    club = Club(ledger, [], size=2, partners=2, rules=rules)
    club.enter(Entry(("Anna", "Bernd")), Entry(("Claire", "Dieter")))
    club.draw()

    game = club.ledger.game(club.now.rounds[0].games[0])
    knock = {"outcome": "knock", "knocker": 0, "seats": [{"deadwood": n} for n in (3, 9, 12, 14)]}
    scored = score_for(game, load_round(knock).round)
    games.record_round(club.ledger, game.id, scored, Write())
    ended = games.end_game(club.ledger, game.id, Write())

    result = club.now.rounds[0].results[0]
    assert [each.worth for each in result.performances] == [
        tally.worth(rules.rank.measure) for tally in ended.sheet.tallies
    ]
    assert [each.wins for each in result.performances] == [1, 0]


def test_the_tables_play_for_nothing(club: Club) -> None:
    """Entry fees and prizes are the money of a tournament; no table books a debt."""
    club.draw()
    club.play_all()
    club.close()

    assert "booked" not in club.kinds()
    assert club.group.balances == {}
