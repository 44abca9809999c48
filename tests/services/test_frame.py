"""Correcting the frame of an evening, inserting a missed round, throwing an evening away."""

from datetime import datetime, timedelta

import pytest

import short
from club_nights import Club
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game import frame
from scorekeeper.domain.game.changes import NewGame, score_for
from scorekeeper.domain.game.frame import Frame
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.history.book import Event
from scorekeeper.i18n import language
from scorekeeper.services import games, groups, imports, retention
from scorekeeper.services.bookkeeping import append_draft, update_group
from scorekeeper.services.clock import TIME, set_clock
from scorekeeper.services.discard import KEPT_DAYS, discard_due
from scorekeeper.services.games import new_rules
from scorekeeper.services.writes import Stale
from scorekeeper.store import Ledger
from scorekeeper.store.check import check
from scorekeeper.store.errors import NotFound
from scorekeeper.store.writes import PROGRAM, Write
from scorekeeper.wording import pad
from short import FAMILY, facts, record
from transfers import arrived, sent, taken_in

NOW = "2026-06-12T20:00:00Z"


def begun(ledger: Ledger, *players: str) -> str:
    return short.begun(ledger, *(players or ("Anna", "Berndt", "Claire", "Dieter")))


def framed(ledger: Ledger, game_id: str, **parts: object) -> Game:
    new = Frame(**parts)  # type: ignore[arg-type]
    return games.correct_frame(ledger, game_id, repr(parts), lambda _: new, PROGRAM)


def refused(ledger: Ledger, game_id: str, **parts: object) -> tuple[str, object]:
    with pytest.raises(RuleError) as error:
        framed(ledger, game_id, **parts)
    return error.value.problems[0].code, error.value.problems[0].facts.get("why")


def inserted(ledger: Ledger, game_id: str, number: int, *left: int | None, note: str = "") -> Game:
    game = ledger.game(game_id)
    scored = score_for(game.under(game.sheet.rules_at(number)), facts(*left, note=note))
    return games.insert_round(ledger, game_id, number, scored, PROGRAM).game


def dealers(game: Game) -> list[int]:
    return [row.dealer for row in game.sheet.rows] + [game.sheet.next_deal.dealer]


def ago(days: int) -> str:
    return (datetime.fromisoformat(NOW) - timedelta(days=days)).strftime(TIME)


# ---- names, date, dealers, order -----------------------------------------------------


def test_a_name_and_the_date_are_corrected_in_one_event(ledger, elsewhere):
    game_id = begun(ledger)
    record(ledger, game_id, 0, 10, 20, 30)
    game = framed(ledger, game_id, names={1: "Bernd"}, began="2026-01-02T18:30:00Z")

    assert game.players == ("Anna", "Bernd", "Claire", "Dieter")
    assert game.created_at == "2026-01-02T18:30:00Z"
    assert game.version == 3
    assert arrived(ledger, game_id, elsewhere).players == game.players


def test_what_is_so_already_makes_no_event(ledger):
    game_id = begun(ledger)
    game = framed(ledger, game_id, names={1: "Berndt"}, order=(0, 1, 2, 3), dealers={1: 0})

    assert game.version == 1


def test_title_and_place_alone_are_an_event_that_version_1_1_understands(ledger):
    game = framed(ledger, begun(ledger), words={"title": "Finale"})

    assert (game.latest.kind, game.title) == ("details", "Finale")


@pytest.mark.parametrize(
    "parts, why",
    [
        ({"names": {1: "Anna"}}, ("E_FORM", "same_name")),
        ({"names": {1: "Аnna"}}, ("E_FORM", "lookalike")),
        ({"names": {4: "Emil"}}, ("E_FRAME", "seat")),
        ({"began": "2999-01-01T00:00:00Z"}, ("E_FRAME", "future")),
        ({"order": (0, 1, 2)}, ("E_FRAME", "order")),
        ({"order": (0, 0, 1, 2)}, ("E_FRAME", "order")),
        ({"dealers": {3: 0}}, ("E_FRAME", "round")),
        ({"dealers": {0: 0}}, ("E_FRAME", "round")),
        ({"dealers": {1: 4}}, ("E_FRAME", "seat")),
        ({"dealers": {1: 3}}, ("E_FRAME", "absent")),
        ({"rules": new_rules("robber", {})}, ("E_FRAME", "preset")),
        ({"rules": FAMILY.override({"players.max": 2})}, ("E_CONFIG", "player_count")),
        ({"rules": FAMILY.override({"deal.first_dealer": 2})}, ("E_FRAME", "first_dealer")),
        ({"rules": FAMILY.override({"score.mode": "minus_plus"})}, ("E_FRAME", "begun")),
    ],
)
def test_a_frame_that_cannot_be_is_refused_and_nothing_is_written(ledger, parts, why):
    game_id = begun(ledger)
    record(ledger, game_id, 0, 10, 20, None)

    assert refused(ledger, game_id, **parts) == why
    assert ledger.version(game_id) == 2


def test_who_really_dealt_moves_the_deals_that_follow(ledger, elsewhere):
    game_id = begun(ledger)
    for left in range(3):
        record(ledger, game_id, 0, 10, 20, left + 1)
    assert dealers(ledger.game(game_id)) == [0, 1, 2, 3]

    game = framed(ledger, game_id, dealers={2: 3})
    assert dealers(game) == [0, 3, 0, 1]
    game = framed(ledger, game_id, dealers={1: 2, 4: 3})
    assert dealers(game) == [2, 3, 0, 3]
    assert dealers(arrived(ledger, game_id, elsewhere)) == [2, 3, 0, 3]
    record(ledger, game_id, 0, 10, 20, 4)
    assert dealers(ledger.game(game_id)) == [2, 3, 0, 3, 0]


def test_a_dealer_who_was_named_stays_with_the_round(ledger, elsewhere):
    game_id = begun(ledger)
    for left in range(4):
        record(ledger, game_id, 0, 10, 20, left + 1)
    framed(ledger, game_id, dealers={3: 0, 5: 3})
    game = record(ledger, game_id, 0, 10, 20, 5).game
    assert dealers(game) == [0, 1, 0, 1, 3, 0]

    assert dealers(framed(ledger, game_id, dealers={1: 2})) == [2, 3, 0, 1, 3, 0]
    game = inserted(ledger, game_id, 2, 0, 1, 1, 1)
    assert dealers(game) == [2, 3, 0, 0, 1, 3, 0]
    game = inserted(ledger, game_id, 1, 0, 1, 1, 1)
    assert dealers(game) == [2, 3, 0, 1, 0, 1, 3, 0]
    assert dealers(arrived(ledger, game_id, elsewhere)) == dealers(game)


def test_the_first_dealer_is_named_before_the_first_round(ledger):
    game_id = begun(ledger)
    framed(ledger, game_id, dealers={1: 2})
    record(ledger, game_id, 0, 10, 20, 30)

    assert dealers(ledger.game(game_id)) == [2, 3]


def test_another_order_of_seats_leaves_the_deals_so_far(ledger, elsewhere):
    game_id = begun(ledger)
    record(ledger, game_id, 0, 10, 20, 30)
    record(ledger, game_id, 0, 10, 20, 31)
    game = framed(ledger, game_id, order=(0, 2, 1, 3))

    assert dealers(game) == [0, 1, 3]
    assert dealers(arrived(ledger, game_id, elsewhere)) == [0, 1, 3]
    game = games.add_player(ledger, game_id, "Emil", PROGRAM)
    assert game.sheet.clockwise == (0, 2, 1, 3, 4)


# ---- rules ---------------------------------------------------------------------------


def test_a_house_rule_changed_later_counts_for_the_rounds_to_come(ledger, elsewhere):
    game_id = begun(ledger)
    record(ledger, game_id, 0, 10, 20, 30, hand_romme=True)
    framed(ledger, game_id, rules=FAMILY.override({"hand_romme.factor": 3}))
    record(ledger, game_id, 0, 10, 20, 31, hand_romme=True)
    game = ledger.game(game_id)
    assert [row.score.scores[1].minus for row in game.sheet.rows] == [20, 30]

    first = score_for(game.under(game.sheet.row(1).rules), facts(0, 11, 20, 30, hand_romme=True))
    game = games.correct_round(ledger, game_id, 1, first, PROGRAM).game
    assert [row.score.scores[1].minus for row in game.sheet.rows] == [22, 30]
    game = inserted(ledger, game_id, 1, 0, 1, 1, 1)
    assert game.sheet.row(1).rules.hand_romme.factor == 2
    assert check(ledger, score_for).clean
    assert arrived(ledger, game_id, elsewhere).sheet == game.sheet


def test_a_round_scored_under_the_rules_before_is_stale(ledger):
    game_id = begun(ledger)
    scored = score_for(ledger.game(game_id), facts(0, 10, 20, 30))
    framed(ledger, game_id, rules=FAMILY.override({"hand_romme.factor": 3}))

    with pytest.raises(Stale):
        games.record_round(ledger, game_id, scored, Write(key="k"))


def test_before_the_first_round_every_house_rule_may_change(ledger):
    game = framed(ledger, begun(ledger), rules=FAMILY.override({"score.mode": "minus_plus"}))

    assert game.rules.score.mode == "minus_plus"


def test_the_stake_is_corrected_until_something_was_paid(ledger):
    game_id = begun(ledger)
    record(ledger, game_id, 0, 10, 20, 30)
    games.end_game(ledger, game_id, PROGRAM)
    game = framed(ledger, game_id, rules=FAMILY.override({"settle.point_value": "2"}))
    assert [int(one) for one in game.settlement().amounts] == [120, 40, -40, -120]

    unit = FAMILY.override({"settle.unit": "Pf"})
    assert refused(ledger, game_id, rules=unit) == ("E_FRAME", "over")
    games.mark_paid(ledger, game_id, 0, True, PROGRAM)
    assert refused(ledger, game_id, rules=FAMILY) == ("E_FRAME", "paid")


# ---- a missed round ------------------------------------------------------------------


def test_a_missed_round_is_inserted_in_its_place(ledger, elsewhere):
    game_id = begun(ledger)
    record(ledger, game_id, 0, 10, 20, 30, note="die erste")
    record(ledger, game_id, 10, 0, 20, 30, note="die zweite")
    game = inserted(ledger, game_id, 2, 1, 2, 0, 3, note="vergessen")

    assert [row.score.winner for row in game.sheet.rows] == [0, 2, 1]
    assert [game.note(number) for number in (1, 2, 3)] == ["die erste", "vergessen", "die zweite"]
    assert [tally.minus for tally in game.sheet.tallies] == [11, 12, 40, 63]
    assert dealers(game) == [0, 1, 2, 3]
    there = arrived(ledger, game_id, elsewhere)
    assert (there.sheet, there.texts) == (game.sheet, game.texts)

    again = score_for(game, facts(10, 0, 20, 31, note="anders"))
    game = games.correct_round(ledger, game_id, 3, again, PROGRAM).game
    assert [game.note(number) for number in (1, 2, 3)] == ["die erste", "vergessen", "anders"]
    changes = games.history(ledger, game_id)
    assert [change.event.kind for change in changes][-2:] == ["inserted", "corrected"]
    assert changes[-2].before is None
    assert changes[-1].before.number == 3


def test_only_a_place_among_the_rounds_takes_a_missed_one(ledger):
    game_id = begun(ledger)
    record(ledger, game_id, 0, 10, 20, 30)
    scored = score_for(ledger.game(game_id), facts(0, 1, 2, 3))

    for number in (0, 2):
        with pytest.raises(KeyError):
            games.insert_round(ledger, game_id, number, scored, PROGRAM)


def test_a_missed_round_is_inserted_once(ledger):
    game_id = begun(ledger)
    record(ledger, game_id, 0, 10, 20, 30)
    scored = score_for(ledger.game(game_id), facts(0, 1, 2, 3))
    for _ in range(2):
        games.insert_round(ledger, game_id, 1, scored, Write(key="once", expected=2))

    assert ledger.version(game_id) == 3


def test_points_kept_as_they_were_stay_marked_when_a_round_is_inserted(ledger):
    game_id = begun(ledger)
    record(ledger, game_id, 0, 10, 20, 30)
    export = ledger.export(game_id)
    game = imports.ready_game(export, as_it_was=False).book
    game = game.apply(Event(3, NOW, "as_it_was", "pen", {"rounds": [1]}))
    marked = game.sheet.insert(1, NOW, facts(0, 1, 2, 3), game.sheet.row(1).score)

    assert [row.ordinal in game.as_it_was for row in marked.rows] == [False, True]


# ---- the bin -------------------------------------------------------------------------


def test_an_evening_in_the_bin_takes_no_change_until_it_is_brought_back(ledger, elsewhere):
    game_id = begun(ledger)
    record(ledger, game_id, 0, 10, 20, 30)
    game = games.throw_away(ledger, game_id, PROGRAM)
    assert game.thrown_away_at
    assert refused(ledger, game_id, names={0: "Anne"}) == ("E_FRAME", "thrown_away")
    with pytest.raises(RuleError):
        record(ledger, game_id, 0, 10, 20, 31)
    with pytest.raises(RuleError):
        games.end_game(ledger, game_id, PROGRAM)
    assert games.throw_away(ledger, game_id, PROGRAM).version == game.version

    assert arrived(ledger, game_id, elsewhere).thrown_away_at
    assert games.bring_back(ledger, game_id, PROGRAM).thrown_away_at is None
    record(ledger, game_id, 0, 10, 20, 31)


def test_an_evening_in_the_bin_counts_nothing_in_its_group(ledger):
    group_id = groups.create_group(ledger, NewGroup("Runde", ("Anna", "Bernd"))).group.id
    new = NewGame("", "", FAMILY, ("Anna", "Bernd"))
    game_id = groups.open_evening(ledger, group_id, new, write=PROGRAM).id
    record(ledger, game_id, 0, 10)
    games.end_game(ledger, game_id, PROGRAM)
    owed = ledger.group(group_id).balance("ct")
    assert any(owed)

    games.throw_away(ledger, game_id, PROGRAM)
    assert not any(ledger.group(group_id).balance("ct"))
    assert ledger.seasons.evenings(group_id, over=True) == []
    games.bring_back(ledger, game_id, PROGRAM)
    assert ledger.group(group_id).balance("ct") == owed
    assert len(ledger.seasons.evenings(group_id, over=True)) == 1


def test_a_new_date_moves_an_evening_in_its_group(ledger):
    group_id = groups.create_group(ledger, NewGroup("Runde", ("Anna", "Bernd"))).group.id
    new = NewGame("", "", FAMILY, ("Anna", "Bernd"))
    game_id = groups.open_evening(ledger, group_id, new, write=PROGRAM).id
    framed(ledger, game_id, began="2025-12-31T20:00:00Z")

    assert ledger.seasons.evenings(group_id)[0].day == "2025-12-31"


def test_after_thirty_days_it_is_erased_with_its_links(ledger, elsewhere):
    with set_clock(ago(KEPT_DAYS + 2)):
        group_id = groups.create_group(ledger, NewGroup("Runde", ("Anna", "Bernd"))).group.id
        new = NewGame("Streit", "Küche", FAMILY, ("Anna", "Bernd"))
        game_id = groups.open_evening(ledger, group_id, new, write=PROGRAM).id
        alone = games.create_game(ledger, NewGame("Streit", "", FAMILY, ("Anna", "Bernd")))
        kept = begun(ledger, "Anna", "Bernd")
        for one in (game_id, alone.game.id):
            record(ledger, one, 0, 10, note="Bernd war sauer")
            games.change_details(ledger, one, {"title": "Zank"}, PROGRAM)
            games.end_game(ledger, one, PROGRAM)
    with set_clock(ago(KEPT_DAYS + 1)):
        for one in (game_id, alone.game.id, kept):
            games.throw_away(ledger, one, PROGRAM)
        games.bring_back(ledger, kept, PROGRAM)
    with set_clock(NOW):
        assert discard_due(ledger) == 2
        assert discard_due(ledger) == 0

    for one in (game_id, alone.game.id):
        assert not any(ledger.game(one).texts.values())
        assert ledger.names.written(lambda text: "Bernd" in text or "Zank" in text, one) == []
        with pytest.raises(RuleError):
            games.bring_back(ledger, one, PROGRAM)
    assert ledger.rights.of_secret(alone.game.id, alone.pen) is None
    assert ledger.rights.of_secret(alone.game.id, alone.watch) is None
    assert game_id not in ledger.group(group_id).evenings
    assert not any(ledger.group(group_id).balance("ct"))
    assert ledger.game(kept).players == ("Anna", "Bernd")
    assert check(ledger, score_for).good
    assert arrived(ledger, game_id, elsewhere).discarded


def test_it_can_be_brought_back_until_the_last_day(ledger):
    with set_clock(ago(KEPT_DAYS - 1)):
        game_id = begun(ledger)
        games.throw_away(ledger, game_id, PROGRAM)
    with set_clock(NOW):
        assert discard_due(ledger) == 0

    assert games.bring_back(ledger, game_id, PROGRAM).players[0] == "Anna"


def test_only_those_that_are_still_due_are_erased(ledger, monkeypatch):
    """Another process may bring an evening back, or erase it, after it was found to be due."""
    with set_clock(ago(KEPT_DAYS + 1)):
        due, back, again, erased = (begun(ledger) for _ in range(4))
        for game_id in (due, back, again, erased):
            games.throw_away(ledger, game_id, PROGRAM)
    found = ledger.names.thrown_away_before(ago(KEPT_DAYS))
    assert sorted(found) == sorted((due, back, again, erased))
    with set_clock(NOW):
        for game_id in (back, again):
            games.bring_back(ledger, game_id, PROGRAM)
        games.throw_away(ledger, again, PROGRAM)
        with monkeypatch.context() as patch:
            patch.setattr(ledger.names, "thrown_away_before", lambda _: [erased])
            assert discard_due(ledger) == 1
        gone = ledger.game(erased).version
        monkeypatch.setattr(ledger.names, "thrown_away_before", lambda _: found)

        assert discard_due(ledger) == 1
    assert [ledger.game(one).discarded for one in (due, back, again)] == [True, False, False]
    assert ledger.game(erased).version == gone
    assert ledger.game(back).players == ledger.game(again).players
    assert games.bring_back(ledger, again, PROGRAM).players[0] == "Anna"


def test_a_table_of_a_tournament_is_not_thrown_away(ledger):
    club = Club(ledger)
    club.draw()
    table = club.now.rounds[0].games[0]
    with pytest.raises(RuleError) as error:
        games.throw_away(ledger, table, PROGRAM)

    (problem,) = error.value.problems
    assert (problem.code, problem.facts) == ("E_GROUP", {"why": "table"})
    assert ledger.game(table).thrown_away_at is None


def test_a_table_that_an_earlier_version_threw_away_is_erased_in_its_place(ledger, elsewhere):
    with set_clock(ago(KEPT_DAYS + 1)):
        club = Club(ledger, names=("Anna", "Bernd", "Claire", "Dieter"), rounds=1)
        club.draw()
        (table,) = club.now.rounds[0].games
        club.play(0, [0, 10, 20, 30])
        with ledger.book_transaction(table) as transaction:
            append_draft(transaction, frame.throw_away(transaction.game))
            update_group(ledger, transaction)
        alone = begun(ledger)
        games.throw_away(ledger, alone, PROGRAM)
    with set_clock(NOW):
        assert discard_due(ledger) == 2
        assert discard_due(ledger) == 0
        club.state(1, 0, 1, 2, 3, 4)
        club.close()

    assert [ledger.game(one).discarded for one in (table, alone)] == [True, True]
    assert not any(ledger.game(table).texts.values())
    assert ledger.group_of(table) == club.id
    assert club.now.is_over
    assert taken_in(elsewhere, *sent(ledger, club.id)).group.players[0] == "Anna"
    assert elsewhere.game(table).discarded
    with set_clock(ago(-1)):
        assert retention.erase_untouched(ledger, 0) == 1
    assert ledger.group(club.id).players == ("", "", "", "")


def test_a_game_that_was_never_there_cannot_be_thrown_away(ledger):
    with pytest.raises(NotFound):
        games.throw_away(ledger, "nobody", PROGRAM)


def test_other_rules_are_announced_at_their_round_without_those_of_the_end(ledger):
    game_id = begun(ledger)
    record(ledger, game_id, 0, 10, 20, 30)
    now = ledger.game(game_id).rules
    then = framed(
        ledger, game_id, rules=now.override({"end.mode": "points", "end.points": 300})
    ).rules
    assert list(pad.new_rules(ledger.game(game_id), 2, language("en"))) == []
    game = framed(ledger, game_id, rules=then.override({"meld.first_min": 51}))

    (words,) = pad.new_rules(game, 2, language("en"))
    assert "51" in words and "300" not in words
    assert list(pad.new_rules(game, 1, language("en"))) == []
