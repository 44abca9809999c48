"""The next game at the same table."""

import pytest

import short
from scorekeeper.domain.errors import RuleError
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


def test_a_player_without_a_name_is_named_first(ledger: Ledger) -> None:
    game = ledger.game(short.begun(ledger, "Anna", "Bernd", "Claire"))
    with pytest.raises(RuleError) as refused:
        rematch_of(game, ("Anna", "Bernd", ""))
    (problem,) = refused.value.problems

    assert (problem.code, problem.path) == ("E_FORM", ("players", 2, "name"))
    assert dict(problem.facts) == {"why": "no_name", "number": 3}
