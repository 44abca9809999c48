"""The state of a game after its events."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from scorekeeper.domain import rules as options
from scorekeeper.domain.cards.notation import read_cards
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.game.frame import read_frame
from scorekeeper.domain.game.state import Game, Payment, created
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.history.codec import decode_round, decode_score, encode_score
from scorekeeper.domain.replay import replay
from scorekeeper.domain.rounds.facts import RoundScore, ScoreLine, SeatScore
from scorekeeper.domain.rules.presets import PRESETS

AT = "2026-06-12T19:40:05Z"
OUT = {"outcome": "out"}


def score(*minus: int, winner: int = 0) -> dict[str, Any]:
    return encode_score(
        RoundScore(
            outcome="out",
            winner=winner,
            verification="unverified",
            scores=tuple(SeatScore(points) for points in minus),
            lines=(),
        )
    )


def begun(rules: str = "german-family", players: int = 3, **changes: Any) -> Event:
    stored = options.encode_rules(PRESETS[rules].override(changes))
    names = {f"name.{seat}": name for seat, name in enumerate("ABCDEF"[:players])}
    texts = {"title": "Abend", **names}
    return Event(1, AT, "created", "pen", {"rules": stored, "players": players}, texts)


def happened(*later: tuple[str, dict[str, Any]], first: Event | None = None) -> list[Event]:
    events = [first or begun()]
    for kind, payload in later:
        texts = payload.pop("texts", {})
        events.append(Event(len(events) + 1, AT, kind, "pen", payload, texts))
    return events


def played(*later: tuple[str, dict[str, Any]], first: Event | None = None) -> Game:
    return replay("g", happened(*later, first=first))


def round_of(number: int, *minus: int, winner: int = 0) -> tuple[str, dict[str, Any]]:
    return "round", {
        "number": number,
        "round": OUT,
        "score": score(*minus, winner=winner),
    }


def totals(game: Game) -> list[int]:
    return [tally.minus for tally in game.sheet.tallies]


def test_a_game_is_the_result_of_its_events() -> None:
    game = played(round_of(1, 0, 15, 20), round_of(2, 5, 0, 7, winner=1))

    assert (game.version, game.title, game.players) == (3, "Abend", ("A", "B", "C"))
    assert totals(game) == [5, 15, 27]


@pytest.mark.parametrize(
    "change", [{"players": 1}, {"players": 10**9}, {"players": "3"}, {"rules": {"preset": "poker"}}]
)
def test_no_game_begins_with_an_invalid_first_event(change: dict[str, Any]) -> None:
    good = begun()
    rules = good.payload["rules"] | change.get("rules", {})

    with pytest.raises(ValueError, match=r"^1$|^10{9}$|^3$|no preset: .poker."):
        created("g", replace(good, payload=good.payload | change | {"rules": rules}))


def test_recording_is_the_same_as_replaying() -> None:  # L4
    events = happened(round_of(1, 0, 15, 20), ("struck", {"number": 1}), round_of(2, 1, 2, 0))
    game = created("g", events[0])
    for event in events[1:]:
        game = game.apply(event)

    assert game == replay("g", events)


def test_a_game_knows_the_event_of_its_version() -> None:
    events = happened(round_of(1, 0, 15, 20), ("struck", {"number": 1}), ("ended", {}))

    for version in range(1, len(events) + 1):
        assert replay("g", events[:version]).latest == events[version - 1]


def test_an_event_out_of_order_is_refused() -> None:
    with pytest.raises(ValueError, match="after version"):
        played().apply(Event(3, AT, "ended", "pen"))


def test_a_new_title_does_not_change_the_sheet() -> None:
    game = played(("details", {"fields": ["title"], "texts": {"title": "Finale"}}))

    assert (game.title, game.players) == ("Finale", ("A", "B", "C"))


def test_ending_and_reopening_by_hand() -> None:
    assert played(("ended", {})).is_over
    assert not played(("ended", {}), ("reopened", {})).is_over


def test_a_limit_ends_the_game_and_the_players_may_play_on() -> None:  # RULES 8.1
    limit = begun("romme-palast", **{"end.points": 100})
    lost = round_of(1, 0, 101, 20)

    assert played(lost, first=limit).is_over
    assert not played(lost, ("reopened", {}), first=limit).is_over


def test_a_game_ends_early_only_if_the_rules_set_an_end() -> None:  # RULES 8.1
    limited = begun("romme-palast")

    assert played(("ended", {}), first=limited).ended_early
    assert not played(("ended", {})).ended_early


def test_a_payment_that_was_made_comes_before_those_still_due() -> None:
    game = played(round_of(1, 0, 100, 40), ("paid", {"from": 1, "to": 0, "amount": "14"}))

    assert game.payments == (Payment(1, 0, Fraction(14), AT, 3), Payment(1, 2, Fraction(2)))


def fail() -> Any:
    pytest.fail("no settlement")


def test_there_is_no_settlement_if_the_rules_settle_nothing() -> None:
    assert played(first=begun(**{"settle.mode": "none"})).settlement() is None


def test_the_stake_of_the_table_is_due_once_the_game_is_over() -> None:  # RULES 9.7
    staked = begun(**{"settle.stake": "10"})
    rounds = (round_of(1, 0, 100, 40),)  # +140, -160, +20 points of 1/10 Pf
    running, over = played(*rounds, first=staked), played(*rounds, ("ended", {}), first=staked)
    again = played(*rounds, ("ended", {}), ("reopened", {}), first=staked)

    assert stakes(running) == stakes(again) == ["0", "0", "0"]
    assert running.stake_outcome == again.stake_outcome == "open"
    assert (stakes(over), over.stake_outcome) == (["20", "-10", "-10"], "won")
    assert money(over) == ["34", "-26", "-8"]


def test_winners_share_the_stake_of_the_table() -> None:  # RULES 9.7
    level = begun(**{"settle.stake": "5", "settle.mode": "none"})
    shared = played(round_of(1, 7, 7, 40, winner=-1), ("ended", {}), first=level)
    nobody = played(round_of(1, 7, 7, 7, winner=-1), ("ended", {}), first=level)

    assert (stakes(shared), shared.stake_outcome) == (["5/2", "5/2", "-5"], "shared")
    assert (stakes(nobody), nobody.stake_outcome) == (["0", "0", "0"], "nobody")


def test_in_teams_every_loser_pays_one_winner() -> None:  # RULES 9.7
    teams = begun("gin-palast", 4, teams=True, **{"settle.stake": "5", "settle.mode": "none"})
    won = encode_score(
        RoundScore(
            outcome="knock",
            winner=1,
            verification="unverified",
            scores=(SeatScore(), SeatScore(0, 120)),
            lines=(),
        )
    )
    over = played(("round", {"number": 1, "round": OUT, "score": won}), first=teams)

    assert over.is_over
    assert (stakes(over), over.stake_outcome) == (["-10", "10"], "teams")


def test_sides_that_never_played_pay_no_stake() -> None:
    staked = begun(**{"settle.stake": "10"})
    late = {"seat": 3, "texts": {"name.3": "D"}}
    over = played(round_of(1, 0, 100, 40), ("player", late), ("ended", {}), first=staked)

    assert stakes(over) == ["20", "-10", "-10", "0"]


def stakes(game: Game) -> list[str]:
    return [str(part) for part in (game.settlement() or fail()).stakes or ()]


def money(game: Game) -> list[str]:
    return [str(amount) for amount in (game.settlement() or fail()).amounts or ()]


def test_before_the_first_round_nobody_owes_anything() -> None:
    settlement = played().settlement()

    assert settlement is not None
    assert (settlement.balances, settlement.transfers) == ((0, 0, 0), ())


def test_the_first_dealer_is_chosen_or_drawn() -> None:  # RULES 3.1
    chosen = played(first=begun(**{"deal.first_dealer": 2}))
    drawn = played(first=drew(1))

    assert (chosen.sheet.next_deal.dealer, chosen.drawn_dealer) == (2, None)
    assert (drawn.sheet.next_deal.dealer, drawn.drawn_dealer) == (1, 1)
    assert (played().sheet.next_deal.dealer, played().drawn_dealer) == (0, None)


def drew(seat: object) -> Event:
    first = begun(**{"deal.first_dealer": "draw"})
    return replace(first, payload={**first.payload, "dealer": seat})


@pytest.mark.parametrize(
    "first",
    [
        drew(3),
        drew(-1),
        drew(True),
        drew("1"),
        drew(None),
        begun(**{"deal.first_dealer": "draw"}),
        begun(**{"deal.first_dealer": 3}),
        replace(begun(), payload={**begun().payload, "dealer": 0}),
    ],
)
def test_an_invalid_first_dealer_is_refused(first: Event) -> None:
    with pytest.raises(ValueError, match=r"dealer|seat"):
        played(first=first)


def test_a_side_is_two_partners_in_teams() -> None:
    teams = begun("gin-palast", 4, teams=True)

    assert played(first=teams).sides == ("A + C", "B + D")


def test_a_score_is_stored_unchanged() -> None:
    cards, _ = read_cards("KH JK=9S JK")
    original = RoundScore(
        outcome="out",
        winner=0,
        verification="verified",
        scores=(SeatScore(0, 50), None, SeatScore(50, 0, 10, 3)),
        lines=(
            ScoreLine(seat=2, reason="hand", minus=50, facts={"cards": cards}),
            ScoreLine(seat=0, reason="reduction", reduction=10),
        ),
        warnings=(Problem("W_HAND_COUNT", {"why": "many", "card": cards[0]}, ("seats", 2)),),
    )

    assert decode_score(encode_score(original)) == original


def test_a_stored_round_with_an_unknown_field_is_refused() -> None:
    for stored in ({"outcome": "out", "colour": 1}, {"outcome": "out", "seats": [{"table": []}]}):
        with pytest.raises(KeyError):
            decode_round(stored)


def test_an_erased_name_is_empty_and_the_numbers_stand() -> None:
    first = replace(begun(), texts={"title": "Abend", "name.0": "A", "name.2": "C"})

    game = played(round_of(1, 0, 15, 20), first=first)

    assert (game.players, totals(game)) == (("A", "", "C"), [0, 15, 20])


def without_option(first: Event, name: str) -> Event:
    """The same beginning as a version stored it that did not have the option yet."""
    rules = first.payload["rules"]
    said = {key: value for key, value in rules["options"].items() if key != name}
    return replace(first, payload={**first.payload, "rules": {**rules, "options": said}})


def test_a_game_from_before_the_option_keeps_its_winner() -> None:  # RULES 3.6
    """A 60, B 90, C 20 in the only round that C played: C won then, and has won today."""
    points = ((0, 10, 20), (0, 40, None), (30, 0, None), (0, 40, None), (30, 0, None))
    rounds = [("round", absent_round(n, *one)) for n, one in enumerate(points, 1)]
    today = begun(**{"settle.stake": "500"})

    old = played(*rounds, ("ended", {}), first=without_option(today, "end.min_rounds_to_win"))
    new = played(*rounds, ("ended", {}), first=today)

    assert (old.sheet.ranks, new.sheet.ranks) == ((2, 3, 1), (1, 2, 3))
    assert old.settled and old.settled.stakes == (-500, -500, 1000)
    assert new.settled and new.settled.stakes == (1000, -500, -500)
    assert options.encode_rules(old.rules)["options"]["end.min_rounds_to_win"] == "0"


def absent_round(number: int, *minus: int | None) -> dict[str, Any]:
    scores = tuple(None if points is None else SeatScore(points) for points in minus)
    winner = next(seat for seat, points in enumerate(minus) if points == 0)
    told = RoundScore(
        outcome="out", winner=winner, verification="unverified", scores=scores, lines=()
    )
    return {"number": number, "round": OUT, "score": encode_score(told)}


def test_a_frame_whose_texts_were_erased_has_empty_ones() -> None:
    about = {"fields": ["name.1", "place", "title"], "began": AT, "order": [1, 0]}

    frame = read_frame(Event(5, AT, "frame", "pen", about, {"title": "Friday"}))

    assert frame.words == {"title": "Friday", "place": ""}
    assert frame.names == {1: ""}
    assert (frame.began, frame.order, frame.dealers, frame.rules) == (AT, (1, 0), {}, None)
