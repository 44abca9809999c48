"""The next game at the same table."""

import pytest

import short
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.game.frame import Frame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.rules.presets import preset
from scorekeeper.services import games, groups
from scorekeeper.services.rematch import play_again, rematch_of
from scorekeeper.store import Ledger
from scorekeeper.store.writes import Write


def test_the_next_dealer_begins_at_the_same_table_under_the_same_rules(ledger: Ledger) -> None:
    game_id = short.begun(ledger, "Anna", "Bernd", "Claire", title="Freitag")
    short.record(ledger, game_id, 0, 10, 20, key="press")
    game = ledger.game(game_id)

    again, twice, other = (
        play_again(ledger, game, Write(key="press"), group_id=None, browser=browser)
        for browser in ("phone", "phone", "tablet")
    )

    assert again.game.id == twice.game.id
    assert len({game_id, again.game.id, other.game.id}) == 3
    assert (again.game.title, again.game.place) == ("Freitag", game.place)
    assert again.game.players == game.players
    assert again.game.sheet.next_deal.dealer == game.sheet.next_deal.dealer == 1
    assert again.game.sheet.rows == ()
    assert again.game.rules.settle == game.rules.settle
    assert ledger.game(game_id).version == game.version


def test_who_gave_up_the_place_is_not_seated_again(ledger: Ledger) -> None:
    lay = short.begun(ledger, "Anna", "Bernd", "Claire")
    short.record(ledger, lay, 0, 12, 5)
    games.add_player(ledger, lay, "Dora", Write(), in_place_of=1)
    gin = short.begun(ledger, "Anna", "Bernd", rules=preset("gin-palast"))
    games.add_player(ledger, gin, "Carl", Write(), in_place_of=0)
    three = ("Anna", "Bernd", "Claire")
    group = groups.create_group(ledger, NewGroup("Donnerstag", three)).group.id
    evening = NewGame("", "", short.FAMILY, three)
    inside = groups.open_evening(ledger, group, evening, Write()).id
    games.add_player(ledger, inside, "Dora", Write(), in_place_of=1)
    again = [
        play_again(ledger, ledger.game(game), Write(), group_id=group_id).game
        for game, group_id in ((lay, None), (gin, None), (inside, group))
    ]

    assert [game.players for game in again] == [
        ("Anna", "Dora", "Claire"),
        ("Carl", "Bernd"),
        ("Anna", "Dora", "Claire"),
    ]
    dealers = [game.players[game.sheet.next_deal.dealer] for game in again]
    assert dealers == ["Dora", "Bernd", "Anna"]


def test_who_left_is_not_seated_again_where_the_table_would_be_too_full(ledger: Ledger) -> None:
    game = short.begun(ledger, *"ABCDEF")
    short.record(ledger, game, 0, 1, 2, 3, 4, None)
    free = play_again(ledger, ledger.game(game), Write(), group_id=None).game.players
    games.add_player(ledger, game, "G", Write())
    full = play_again(ledger, ledger.game(game), Write(), group_id=None).game.players

    assert (free, full) == (tuple("ABCDEF"), tuple("ABCDEG"))


def test_the_corrected_order_stays_and_with_it_the_deal(ledger: Ledger) -> None:
    game = short.begun(ledger, "Anna", "Bernd", "Claire")
    short.record(ledger, game, 0, 12, 5)
    games.correct_frame(ledger, game, "order", lambda _: Frame(order=(0, 2, 1)), Write())
    before = ledger.game(game)
    again = play_again(ledger, before, Write(), group_id=None).game
    short.record(ledger, again.id, 0, 12, 5)

    assert before.players[before.sheet.next_deal.dealer] == "Claire"
    assert again.players == ("Anna", "Claire", "Bernd")
    assert again.sheet.next_deal.dealer == 1
    assert ledger.game(again.id).sheet.next_deal.dealer == 2


def test_partners_stay_partners_in_a_corrected_order(ledger: Ledger) -> None:
    teams = preset("gin-palast").override({"teams": True})
    game = short.begun(ledger, "Anna", "Bernd", "Claire", "Dieter", rules=teams)
    games.correct_frame(ledger, game, "order", lambda _: Frame(order=(0, 3, 2, 1)), Write())

    again = play_again(ledger, ledger.game(game), Write(), group_id=None).game

    assert again.players == ("Anna", "Dieter", "Claire", "Bernd")
    assert again.sheet.next_deal.dealer == ledger.game(game).sheet.next_deal.dealer == 0


def test_a_player_without_a_name_is_named_first(ledger: Ledger) -> None:
    game = ledger.game(short.begun(ledger, "Anna", "Bernd", "Claire"))
    with pytest.raises(RuleError) as refused:
        rematch_of(game, ("Anna", "Bernd", ""))
    (problem,) = refused.value.problems

    assert (problem.code, problem.path) == ("E_FORM", ("players", 2, "name"))
    assert dict(problem.facts) == {"why": "no_name", "number": 3}
