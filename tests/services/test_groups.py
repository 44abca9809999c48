"""The account book of a group follows every change of an evening; sums are always zero."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import short
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.group import changes as group_changes
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.domain.replay import replay
from scorekeeper.services import games, groups
from scorekeeper.services.games import new_rules
from scorekeeper.store import Ledger, open_ledger
from scorekeeper.store.check import check
from scorekeeper.store.writes import Write

TENTH = {"point_value": Fraction(1, 10), "unit": "Pf"}


class Stammtisch:
    """Four friends who meet more than once."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        order = NewGroup("Kegelclub", ("Anna", "Ben", "Carl", "Doris"))
        self.id = groups.create_group(ledger, order).group.id

    @property
    def group(self):
        return self.ledger.group(self.id)

    def evening(self, *players: str, stake=TENTH, key=None, **more):
        order = NewGame("", "", new_rules("german-family", {}, stake), players)
        return groups.open_evening(self.ledger, self.id, order, Write(key=key), **more)

    def round(self, game, *points: int, number: int = 0):
        if number:
            short.correct(self.ledger, game.id, number, *points)
        else:
            short.record(self.ledger, game.id, *points)

    def end(self, game):
        return games.end_game(self.ledger, game.id, write=Write())

    def money(self, unit="Pf"):
        return [str(amount) for amount in self.group.balance(unit)]

    def kinds(self):
        return [event.kind for event in self.ledger.events(self.id)]


@pytest.fixture
def table(new_database: Callable[[], Path | str]) -> Iterator[Stammtisch]:
    ledger = open_ledger(new_database())
    table = Stammtisch(ledger)
    yield table

    group = table.group
    assert replay(group.id, ledger.events(group.id)) == group
    for unit in group.balances:
        assert sum(group.balance(unit)) == 0
    assert check(ledger).good
    ledger.close()


def refused(action: Callable[[], object]) -> tuple[str, tuple[object, ...], dict[str, object]]:
    """Return code, place and facts of the only problem."""
    with pytest.raises(RuleError) as error:
        action()
    (problem,) = error.value.problems
    return problem.code, tuple(problem.path), dict(problem.facts)


def test_an_evening_is_booked_when_it_ends_and_not_before(table):
    game = table.evening("Anna", "Ben", "Carl")
    table.round(game, 0, 30, 45)
    assert table.group.balances == {}
    table.end(game)

    # Anna gets 30 from Ben and 45 from Carl, Ben 15 from Carl, at a tenth of a Pfennig
    assert table.money() == ["15/2", "-3/2", "-6", "0"]


def test_the_stake_of_the_table_is_booked_with_the_points(table):  # RULES 9.7
    game = table.evening("Anna", "Ben", "Carl", stake={**TENTH, "stake": Fraction(2)})
    table.round(game, 0, 30, 45)
    table.end(game)

    assert table.money() == ["23/2", "-7/2", "-8", "0"]


def test_a_later_correction_adds_an_entry(table):
    game = table.evening("Anna", "Ben")
    table.round(game, 0, 30)
    table.end(game)
    table.round(game, 0, 50, number=1)

    assert table.money() == ["5", "-5", "0", "0"]
    assert table.kinds() == ["founded", "game", "booked", "booked"]


def test_reopening_an_evening_reverses_its_booking_until_it_ends_again(table):
    game = table.evening("Anna", "Ben")
    table.round(game, 0, 30)
    table.end(game)
    games.reopen_game(table.ledger, game.id, write=Write())
    assert table.money() == ["0", "0", "0", "0"]
    table.round(game, 10, 0)
    table.end(game)

    assert table.money() == ["2", "-2", "0", "0"]


def test_a_payment_marked_in_the_game_is_booked(table):
    game = table.evening("Anna", "Ben")
    table.round(game, 0, 30)
    table.end(game)
    games.mark_paid(table.ledger, game.id, 0, True, write=Write())
    assert table.money() == ["0", "0", "0", "0"]
    games.mark_paid(table.ledger, game.id, 0, False, write=Write())

    assert table.money() == ["3", "-3", "0", "0"]
    assert table.kinds()[-3:] == ["booked", "paid", "reversed"]


CENT = {"point_value": Fraction(1), "unit": "ct"}


def paid(table, game, number=0, made=True):
    games.mark_paid(table.ledger, game.id, number, made, write=Write())


def test_payments_stay_made_after_a_correction(table):  # S13
    game = table.evening("Anna", "Ben", "Carl", "Doris", stake=CENT)
    table.round(game, 0, 10, 20, 30)
    table.end(game)
    paid(table, game)
    assert table.money("ct") == ["0", "20", "-20", "0"]
    table.round(game, 0, 10, 20, 50, number=1)

    assert table.money("ct") == ["20", "40", "0", "-60"]
    for number in (1, 2):
        paid(table, game, number)
    assert table.money("ct") == ["0", "0", "0", "0"]
    assert table.kinds()[2:] == ["booked", "paid", "booked", "paid", "paid"]
    paid(table, game, 0, made=False)
    assert table.money("ct")[3] == str(-table.ledger.game(game.id).payments[-1].amount)


def test_a_payment_during_an_evening_is_booked_at_once(table):
    game = table.evening("Anna", "Ben")
    table.round(game, 0, 30)
    paid(table, game)
    assert table.money() == ["-3", "3", "0", "0"]
    paid(table, game, made=False)
    assert table.money() == ["0", "0", "0", "0"]
    paid(table, game)
    table.end(game)

    assert table.money() == ["0", "0", "0", "0"]


def test_the_same_payment_twice_is_booked_twice(table):
    game = table.evening("Anna", "Ben")
    table.round(game, 0, 30)
    table.end(game)
    paid(table, game)
    games.reopen_game(table.ledger, game.id, write=Write())
    assert table.money() == ["-3", "3", "0", "0"]
    short.record(table.ledger, game.id, 0, 30, key="once more")
    paid(table, game, 1)
    table.end(game)

    assert table.money() == ["0", "0", "0", "0"]
    paid(table, game, 0, made=False)
    assert table.money() == ["3", "-3", "0", "0"]
    assert len(table.ledger.game(game.id).paid) == 1
    paid(table, game, 1)
    assert table.money() == ["0", "0", "0", "0"]


def test_a_late_player_leaves_what_was_paid(table):
    game = table.evening("Anna", "Ben")
    table.round(game, 0, 30)
    paid(table, game)
    games.add_player(table.ledger, game.id, "Carl", write=Write())
    table.round(game, 0, 0, 10)
    table.end(game)

    assert table.money() == ["1", "1", "-2", "0"]
    assert [one.due for one in table.ledger.game(game.id).payments if not one.paid_at] == [
        (2, 0, 1),
        (2, 1, 1),
    ]


def test_payments_of_a_group_without_evenings_go_by_the_smallest_coin(table):  # RULES 9.8
    groups.pay(table.ledger, table.id, Transfer(0, 1, Fraction(5, 4)), "CHF", write=Write())

    assert [str(one.amount) for one in group_changes.open_payments(table.group, "CHF")] == ["5/4"]


def test_training_does_not_count_until_it_is_made_an_evening(table):
    game = table.evening("Anna", "Ben", training=True)
    table.round(game, 0, 30)
    table.end(game)
    assert table.money() == ["0", "0", "0", "0"]
    assert table.ledger.seasons.figures(table.id) == []
    groups.admit_game(table.ledger, table.id, game.id, training=False, write=Write())

    assert table.money() == ["3", "-3", "0", "0"]
    assert [one.worth for one in table.ledger.seasons.figures(table.id)] == [0, -30]


def test_a_game_can_be_added_to_a_group_later_and_removed_again(table):
    order = NewGame("", "", new_rules("german-family", {}, TENTH), ("Ben", "Erna"))
    game = games.create_game(table.ledger, order).game
    table.round(game, 20, 0)
    table.end(game)
    groups.admit_game(table.ledger, table.id, game.id, write=Write())
    assert table.group.players[4] == "Erna"
    assert table.money() == ["0", "-2", "0", "0", "2"]
    groups.admit_game(table.ledger, table.id, game.id, members=[0, None], write=Write())
    assert table.money() == ["-2", "0", "0", "0", "2"]
    groups.release_game(table.ledger, table.id, game.id, write=Write())

    assert table.money() == ["0"] * 5
    assert table.ledger.seasons.evenings(table.id) == []


def test_the_group_of_a_game_is_known_as_soon_as_it_changes(table):
    ledger = table.ledger
    order = NewGame("", "", new_rules("german-family", {}, TENTH), ("Ben", "Erna"))
    game = games.create_game(ledger, order).game
    assert ledger.group_of(game.id) is None
    groups.admit_game(ledger, table.id, game.id, write=Write())
    assert ledger.group_of(game.id) == table.id
    with ledger.transaction():
        assert ledger.group_of(game.id) == table.id
    groups.release_game(ledger, table.id, game.id, write=Write())

    assert ledger.group_of(game.id) is None
    assert ledger.group_of(table.id) is None
    assert ledger.group_of("nowhere") is None


def test_a_game_belongs_to_one_group(table):
    game = table.evening("Anna", "Ben")
    other = groups.create_group(table.ledger, NewGroup("Freitag", ())).group

    with pytest.raises(RuleError) as refused:
        groups.admit_game(table.ledger, other.id, game.id, write=Write())

    assert refused.value.problems[0].facts["why"] == "other_group"


@pytest.mark.parametrize("members", [[0], [0, 1, 2], []])
def test_every_seat_has_one_member(table, members):
    game = table.evening("Anna", "Ben")

    def seated() -> None:
        groups.admit_game(table.ledger, table.id, game.id, write=Write(), members=members)

    facts = {"why": "seats", "seats": 2, "stated": len(members)}
    assert refused(seated) == ("E_GROUP", ("members",), facts)


def test_only_games_of_the_group_can_leave_it(table):
    game = short.begun(table.ledger, "Anna", "Ben")

    assert refused(lambda: groups.release_game(table.ledger, table.id, game, Write())) == (
        "E_GROUP", ("game",), {"why": "no_game"}
    )  # fmt: skip


def test_games_of_training_rules_never_count(table):
    training = new_rules("gin-palast", {"gin.training": True})
    order = NewGame("", "", training, ("Anna", "Ben"))
    game = groups.open_evening(table.ledger, table.id, order, Write())

    def counted() -> None:
        groups.admit_game(table.ledger, table.id, game.id, write=Write(), training=False)

    assert refused(counted) == ("E_GROUP", ("training",), {"why": "training_rules"})
    groups.admit_game(table.ledger, table.id, game.id, write=Write())


def test_a_late_player_becomes_the_member_of_that_name(table):
    game = table.evening("Anna", "Ben")
    games.add_player(table.ledger, game.id, "Doris", write=Write())
    games.add_player(table.ledger, game.id, "Emil", write=Write())

    assert table.group.evenings[game.id].members == (0, 1, 3, 4)
    assert table.group.players[4] == "Emil"


def test_a_payment_larger_than_the_debt_is_a_credit(table):
    groups.pay(table.ledger, table.id, Transfer(1, 0, Fraction(500)), "Pf", write=Write())

    assert table.money() == ["-500", "500", "0", "0"]


def test_all_open_payments_are_entered_as_one(table):
    game = table.evening("Anna", "Ben", "Carl", "Doris")
    table.round(game, 0, 30, 45, 100)
    table.end(game)
    before = table.group.balance("Pf")
    groups.settle_up(table.ledger, table.id, "Pf", write=Write())

    assert all(abs(amount) < 1 for amount in table.group.balance("Pf"))
    assert before != table.group.balance("Pf")
    assert group_changes.open_payments(table.group, "Pf") == ()
    groups.reverse(table.ledger, table.id, table.group.version, write=Write())
    assert table.group.balance("Pf") == before


def test_a_retired_member_stays_and_may_come_back(table):
    def retire(member: int, retired: bool) -> frozenset[int]:
        return groups.retire_member(table.ledger, table.id, member, retired, Write()).retired

    assert retire(2, True) == {2}
    assert retire(0, True) == {0, 2}
    assert retire(2, False) == {0}
    assert retire(2, False) == {0}
    assert table.kinds()[-3:] == ["retired", "retired", "reinstated"]
    assert table.group.active == ("Ben", "Carl", "Doris")


def test_units_are_converted_at_an_agreed_rate_only(table):
    groups.pay(table.ledger, table.id, Transfer(1, 0, Fraction(200)), "Pf", write=Write())
    with pytest.raises(RuleError) as refused:
        groups.convert(table.ledger, table.id, "Pf", "EUR", write=Write())
    groups.agree_rate(table.ledger, table.id, "Pf", "EUR", Fraction(1, 200), write=Write())
    groups.convert(table.ledger, table.id, "Pf", "EUR", write=Write())

    assert refused.value.problems[0].facts["why"] == "no_rate"
    assert table.money() == ["0", "0", "0", "0"]
    assert table.money("EUR") == ["-1", "1", "0", "0"]
    with pytest.raises(RuleError) as again:
        groups.convert(table.ledger, table.id, "Pf", "EUR", write=Write())
    assert again.value.problems[0].facts == {"why": "nothing_open", "unit": "Pf"}


def test_amounts_stay_within_their_limit(table):
    groups.pay(table.ledger, table.id, Transfer(1, 0, Fraction(1, 7)), "Pf", write=Write())
    for unit, into, rate in (
        ("Pf", "EUR", Fraction(999_983, 999_979)),
        ("EUR", "Pf", Fraction(7, 9)),
    ):
        groups.agree_rate(table.ledger, table.id, unit, into, rate, write=Write())

    with pytest.raises(RuleError) as refused:
        for _ in range(100):
            groups.convert(table.ledger, table.id, "Pf", "EUR", write=Write())
            groups.convert(table.ledger, table.id, "EUR", "Pf", write=Write())

    assert refused.value.problems[0].facts["why"] == "too_fine"


def test_of_two_evenings_on_one_day_the_later_one_comes_first(table, monkeypatch):
    games = []
    for hour in (20, 14, 18):
        monkeypatch.setattr(groups, "now", lambda at=f"2026-06-12T{hour}:00:00Z": at)
        games.append(table.evening("Anna", "Ben").id)

    shown = [evening.game for evening in table.ledger.seasons.evenings(table.id)]

    assert shown == [games[0], games[2], games[1]]


def test_an_entry_is_reversed_once_and_an_evening_never(table):
    groups.pay(table.ledger, table.id, Transfer(1, 0, Fraction(2)), "Pf", write=Write())
    paid = table.group.version
    groups.reverse(table.ledger, table.id, paid, write=Write())
    game = table.evening("Anna", "Ben")
    table.round(game, 0, 30)
    table.end(game)

    for number, why in ((paid, "reversed"), (table.group.version, "not_reversible")):
        with pytest.raises(RuleError) as refused:
            groups.reverse(table.ledger, table.id, number, write=Write())
        assert refused.value.problems[0].facts["why"] == why


def test_an_erased_name_disappears_from_every_evening_and_the_numbers_stay(table):
    game = table.evening("Anna", "Ben")
    table.round(game, 0, 30)
    table.end(game)
    groups.erase_member(table.ledger, table.id, 1, write=Write())

    assert table.group.players == ("Anna", "", "Carl", "Doris")
    assert table.ledger.game(game.id).players == ("Anna", "")
    assert ("Ben",) not in table.ledger.store.engine.rows("SELECT text FROM texts")
    assert table.money() == ["3", "-3", "0", "0"]


def test_erased_names_do_not_match_each_other(table):
    game = table.evening("Anna", "Ben")
    for member in (0, 1):
        groups.erase_member(table.ledger, table.id, member, write=Write())
    games.add_player(table.ledger, game.id, "Emil", write=Write())

    assert table.ledger.game(game.id).players == ("", "", "Emil")


def test_limited_entries_are_the_last_ones(table):
    for points in (10, 20, 30):
        game = table.evening("Anna", "Ben")
        table.round(game, 0, points)
        table.end(game)
    groups.pay(table.ledger, table.id, Transfer(1, 0, Fraction(1)), "Pf", write=Write())
    entries = groups.statement(table.ledger, table.group)

    assert len(entries) == groups.count_entries(table.ledger, table.group) == 4
    for most in range(6):
        last = groups.statement(table.ledger, table.group, limit=most)
        assert last == entries[max(len(entries) - most, 0) :]


def test_a_statement_lists_every_entry_with_the_balance_after_it(table):
    game = table.evening("Anna", "Ben")
    table.round(game, 0, 30)
    table.end(game)
    groups.pay(table.ledger, table.id, Transfer(1, 0, Fraction(2)), "Pf", write=Write())
    entries = groups.statement(table.ledger, table.group, 1)

    assert [(entry.event.kind, entry.balances["Pf"]) for entry in entries] == [
        ("booked", -3),
        ("paid", -1),
    ]


def test_the_pen_of_a_group_writes_in_its_games(table):
    order = NewGroup("Freitag", ("Anna", "Ben"))
    founded = groups.create_group(table.ledger, order, browser="phone", key="k")
    rules = new_rules("german-family", {})
    game = groups.open_evening(
        table.ledger, founded.group.id, NewGame("", "", rules, ("Anna", "Ben")), write=Write()
    )
    ledger = table.ledger

    assert ledger.rights.of_secret(game.id, founded.pen) == "pen"
    assert ledger.rights.of_secret(game.id, founded.watch) == "watch"
    assert ledger.rights.of_browser("phone", game.id) == "pen"
    assert ledger.rights.of_browser("another", game.id) is None
    groups.release_game(ledger, founded.group.id, game.id, write=Write())
    assert ledger.rights.of_secret(game.id, founded.pen) is None
    assert ledger.rights.of_browser("phone", game.id) is None


def test_a_repeated_request_begins_one_evening(table):
    first = table.evening("Anna", "Ben", key="k")
    again = table.evening("Anna", "Ben", key="k")

    assert again.id == first.id
    assert len(table.group.evenings) == 1
