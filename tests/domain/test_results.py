"""The result of an evening for its group, compared with examples and a naive computation."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, groupby
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import EXAMPLES
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.results import Evening, Result, evening, longest
from scorekeeper.services.evening import read_evening, score_evening

AT = "2026-06-12T20:00:00Z"


def played(name: str) -> Game:
    return score_evening(read_evening((EXAMPLES / f"{name}.json").read_bytes()))


def hands(found: Evening) -> list[tuple[int, int, int | None, int | None]]:
    return [(one.left, one.lost, one.best, one.worst) for one in found.results]


def column(found: Evening, name: str) -> list[Any]:
    return [getattr(one, name) for one in found.results]


# ---- examples counted by hand --------------------------------------------------------


def test_the_evening_of_the_reference_settlement() -> None:
    found = evening(played("evening"))

    assert (found.rounds, found.unit, found.family, found.preset) == (
        7, "Pf", "lay", "german-family",
    )  # fmt: skip
    assert found.results[0] == Result(
        seat=0, rank=2, minus=220, plus=0, worth=-220, league=0, played=7, won=2,
        hand_rommes=1, gins=0, undercuts=0,
        left=50 + 30 + 40 + 55 + 45, lost=5, best=30, worst=55, streak=1, amount=Fraction(33),
    )  # fmt: skip
    assert column(found, "rank") == [2, 3, 1, 4]
    assert column(found, "victory") == [False, False, True, False]
    assert column(found, "amount") == [33, -23, 65, -75]
    met = {(one.one, one.other): (one.points, one.won, one.lost) for one in found.encounters}
    assert met == {  # the points are those of RULES 9.6
        (0, 1): (140, 5, 2), (0, 2): (-80, 3, 4), (0, 3): (270, 5, 1),
        (1, 2): (-220, 1, 6), (1, 3): (130, 6, 1), (2, 3): (350, 6, 1),
    }  # fmt: skip


def test_a_hand_romme_does_not_double_the_worst_hand() -> None:
    """In the second round B got 90 and D 120 minus points; they held 45 and 60."""
    found = evening(played("evening"))

    assert hands(found)[1] == (15 + 45 + 60 + 70 + 65 + 60, 6, 15, 70)
    assert hands(found)[3] == (50 + 60 + 85 + 75 + 90 + 70, 6, 50, 90)


def test_the_winner_collects_the_points_of_the_losers() -> None:
    assert hands(evening(played("luxembourg"))) == [
        (21 + 18 + 30, 3, 18, 30),
        (18 + 5 + 12 + 20 + 31, 5, 5, 31),
        (14 + 10 + 3 + 22, 4, 3, 22),
    ]


def test_the_winners_rest_is_not_a_lost_hand() -> None:
    """In Wiener Rommé Anna went out with 9 and with 8 points left."""
    assert hands(evening(played("wiener")))[0] == (31 + 96 + 9 + 14, 4, 9, 96)


def test_a_discarded_joker_does_not_double_the_worst_hand() -> None:
    """A gin with a discarded joker cost Anna 152 points; she held 76."""
    found = evening(played("gin-joker"))

    assert hands(found) == [(76 + 24 + 30, 3, 24, 76), (76 + 61 + 4 + 9 + 30, 5, 4, 76)]
    assert (column(found, "gins"), column(found, "undercuts")) == ([1, 2], [1, 0])
    assert (column(found, "league"), column(found, "streak")) == ([211, 253], [2, 1])


def scored(preset: str, options: dict[str, Any], *rounds: dict[str, Any]) -> Evening:
    players = [{"name": name} for name in "ABC"]
    about = {"title": "Abend", "rules": {"preset": preset, "options": options}, "players": players}
    return evening(score_evening(read_evening(json.dumps({**about, "rounds": rounds}).encode())))


def out(winner: int, *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"outcome": "out", "winner": winner, "seats": seats, **more}


def test_what_is_held_where_laid_cards_count_is_a_lost_hand() -> None:
    held = {"laid_points": 10, "points": 25}, {"laid": False, "hand": "K K 5"}
    found = scored(
        "rummy-500", {}, out(0, {"laid_points": 30}, *held), out(1, held[0], {"laid_points": 5}, {
            "laid_points": 0, "points": 7
        }),
    )  # fmt: skip

    assert hands(found) == [(25, 1, 25, 25), (25, 1, 25, 25), (25 + 7, 2, 7, 25)]


def test_a_limit_for_the_round_does_not_make_the_worst_hand_better() -> None:
    """B holds 50 and later 30 in a hand rommé; C has laid nothing in the second round."""
    found = scored(
        "german-family", {"score.cap": 40, "score.not_laid": 100},
        out(0, {}, {"laid": True, "hand": "K K K K K"}, {"laid": True, "points": 12}),
        out(0, {}, {"laid": True, "hand": "K K K"}, {"laid": False, "points": 20}, hand_romme=True),
    )  # fmt: skip

    assert hands(found)[1:] == [(50 + 30, 2, 30, 50), (12, 1, 12, 12)]
    assert column(found, "minus") == [0, 80, 52]


def test_a_hand_without_lives_counts_whole_but_leaving_is_no_hand() -> None:
    """Hands of 126 and 66 points lack a run without jokers; 80 are written for the first."""
    high, low = "KH QD JC AS KS QH JD 10C 9S 8D AD KD 9H", "4H 5H JK 9C 10C 7D QC 2S 2D 2H KC 9D 3S"
    found = scored(
        "indian-points", {},
        out(0, {}, {"points": 12}, {"hand": high}, wild="7"),
        out(0, {}, {"drop": "first"}, {"hand": low}, wild="7"),
    )  # fmt: skip

    assert hands(found)[1:] == [(12, 1, 12, 12), (126 + 66, 2, 66, 126)]
    assert column(found, "minus") == [0, 12 + 20, 80 + 66]


def test_sharing_a_pot_is_no_loss_and_absence_does_not_break_a_streak() -> None:
    """Knock Rummy: Bernd and Claire share the second pot; Dieter won the 4th and the 6th."""
    found = evening(played("knock-rummy"))

    assert hands(found) == [
        (12 + 37 + 5 + 8 + 0, 5, 0, 37),
        (12 + 10 + 11, 3, 10, 12),
        (20 + 20 + 12 + 15 + 30, 5, 12, 30),
        (9 + 9 + 6, 3, 6, 9),
    ]
    assert column(found, "streak") == [1, 1, 0, 2]
    assert column(found, "amount") == [-160, 212, -262, 210]
    assert column(found, "gins") == [0, 0, 0, 0]  # the rummies in the 3rd and 6th are no gin


def test_partners_share_figures_and_money_but_not_cards() -> None:
    found = evening(played("gin-teams"))

    assert hands(found) == [
        (9 + 3 + 18, 3, 3, 18),
        (9 + 9 + 37 + 20, 4, 9, 37),
        (14 + 12 + 1, 3, 1, 14),
        (14 + 14 + 17 + 30, 4, 14, 30),
    ]
    assert column(found, "plus") == [148, 109, 148, 109]
    assert (column(found, "gins"), column(found, "undercuts")) == ([1, 1, 1, 1], [0, 1, 0, 1])
    assert column(found, "amount") == [Fraction(39, 2), Fraction(-39, 2)] * 2
    met = {(one.one, one.other): one.points for one in found.encounters}
    assert met == {(0, 1): 39, (0, 3): 39, (1, 2): -39, (2, 3): 39}


def test_an_absent_player_has_no_encounters_in_that_round() -> None:
    found = evening(played("romme-palast"))

    rounds = {(one.one, one.other): one.rounds for one in found.encounters}
    assert rounds == {(0, 1): 5, (0, 2): 6, (0, 3): 6, (1, 2): 5, (1, 3): 5, (2, 3): 6}
    assert column(found, "hand_rommes") == [0, 1, 0, 0]
    assert column(found, "streak") == [2, 1, 1, 1]


def test_training_counts_for_no_league() -> None:  # RULES 7.4.13
    assert column(evening(played("gin-tedesco")), "league") == [0, 0]


def test_before_the_first_round_there_are_no_ranks_and_no_encounters() -> None:
    game = played("evening")

    found = evening(replace(game, sheet=replace(game.sheet, written=())))

    assert (found.rounds, found.encounters) == (0, ())
    assert column(found, "rank") == column(found, "worst") == [None] * 4
    assert column(found, "amount") == [0] * 4


def test_without_a_stake_there_is_no_money_and_no_unit() -> None:
    game = played("evening")

    found = evening(replace(game, rules=game.rules.override({"settle.point_value": None})))

    assert (column(found, "amount"), found.unit) == ([None] * 4, None)


def test_balances_that_do_not_add_up_to_zero_give_no_settlement() -> None:  # RULES 9.2
    game = played("evening")
    terms = {"settle.mode": "balance", "settle.measure": "net"}

    found = evening(replace(game, rules=game.rules.override(terms)))

    assert (column(found, "amount"), found.unit) == ([None] * 4, None)


def test_a_streak_is_the_longest_row_of_wins() -> None:
    assert [longest([]), longest([False]), longest([True, True, False, True])] == [0, 0, 2]


# ---- a naive computation -------------------------------------------------------------

Points = list[int | None]
"""The points that each seat held; None: absent."""


@dataclass
class Plain:
    """One round computed from RULES 7, by seat: in teams both partners have their side's."""

    worth: list[int | None]
    """By the measure of the table; more is better."""
    minus: list[int]
    plus: list[int]
    won: list[bool]
    lost: list[bool]
    gins: list[bool]
    undercuts: list[bool]
    hand_romme: bool = False


def nothing(held: Points) -> dict[str, Any]:
    return {
        "minus": [0] * len(held),
        "plus": [0] * len(held),
        "gins": [False] * len(held),
        "undercuts": [False] * len(held),
    }


def one_winner(held: Points, winner: int) -> dict[str, Any]:
    return {
        "won": [seat == winner for seat in range(len(held))],
        "lost": [n is not None and seat != winner for seat, n in enumerate(held)],
    }


def lay(held: Points, winner: int, special: bool, collects: str) -> Plain:
    figures, factor = nothing(held), 1 + special
    if collects != "winner_collects":
        figures["minus"] = [
            (n or 0) * (1 if seat == winner else factor) for seat, n in enumerate(held)
        ]
    others = sum(n or 0 for seat, n in enumerate(held) if seat != winner)
    if collects != "minus":
        figures["plus"][winner] = others * (factor if collects == "minus_plus" else 1)
    by, sign = ("plus", 1) if collects == "winner_collects" else ("minus", -1)
    worth = [None if n is None else sign * figures[by][seat] for seat, n in enumerate(held)]
    return Plain(worth=worth, hand_romme=special, **figures, **one_winner(held, winner))


def knock(held: Points, knocker: int, special: bool) -> Plain:
    figures, here = nothing(held), [seat for seat, n in enumerate(held) if n is not None]
    counts = {seat: held[seat] or 0 for seat in here}
    least = min(counts.values())
    order = [seat % len(held) for seat in range(knocker + 1, knocker + 1 + len(held))]
    low = [seat for seat in order if counts.get(seat) == least and seat != knocker]
    rummy = counts[knocker] == 0
    takers = [knocker] if rummy or not low else low
    for seat in here:
        if seat not in takers:
            figures["minus"][seat] = counts[seat] - least + 25 * rummy
    if knocker not in takers and counts[knocker] > least:
        figures["minus"][knocker] += 10
    pot = sum(figures["minus"])
    for place, seat in enumerate(takers):
        figures["plus"][seat] = pot // len(takers) + (place < pot % len(takers))
    net = [
        None if n is None else figures["plus"][seat] - figures["minus"][seat]
        for seat, n in enumerate(held)
    ]
    won = [takers == [seat] for seat in range(len(held))]
    lost = [seat in here and seat not in takers for seat in range(len(held))]
    return Plain(worth=net, won=won, lost=lost, **figures)


def gin(held: Points, knocker: int, special: bool) -> Plain:
    figures, side, teams = nothing(held), knocker % 2, len(held) == 4
    own, others = (sum(n or 0 for n in held[start::2]) for start in (side, 1 - side))
    gone, knocks = own == 0, own == 0 or own < others
    winner = side if knocks else 1 - side
    bonus = 0 if knocks else 20
    if gone:
        bonus = 30 if teams else 25
    elif knocks and held[knocker] == 0:
        bonus = 10
    for seat in range(len(held)):
        if seat % 2 == winner:
            figures["plus"][seat] = abs(own - others) + 10 + bonus
            figures["gins"][seat] = knocks and held[knocker] == 0
            figures["undercuts"][seat] = not knocks
    won = [seat % 2 == winner for seat in range(len(held))]
    return Plain(worth=list(figures["plus"]), won=won, lost=[not w for w in won], **figures)


@dataclass(frozen=True)
class Kind:
    """A kind of game, with functions to declare its rounds by points and to compute them."""

    preset: str
    sizes: tuple[int, int]
    field: str
    computed: Callable[[Points, int, bool], Plain]
    options: tuple[tuple[str, object], ...] = ()
    balance: bool = False

    @property
    def outcome(self) -> tuple[str, str]:
        return ("out", "winner") if self.field == "points" else ("knock", "knocker")


def laying(preset: str, collects: str, **options: object) -> Kind:
    named = tuple((name.replace("__", "."), value) for name, value in options.items())
    return Kind(preset, (2, 6), "points", lambda h, w, s: lay(h, w, s, collects), named)


KINDS = {
    "minus": laying("german-family", "minus"),
    "minus_plus": laying("romme-palast", "minus_plus", end__mode="manual"),
    "winner_collects": laying("luxembourg", "winner_collects", end__mode="manual"),
    "hand": laying("wiener", "minus"),
    "knock": Kind("knock-rummy", (2, 6), "count", knock, balance=True),
    "gin": Kind("gin-palast", (2, 2), "deadwood", gin, (("end.points", 10**5),)),
    "teams": Kind("gin-palast", (4, 4), "deadwood", gin, (("teams", True), ("end.points", 10**5))),
}


@dataclass
class Played:
    """A game as declared, and the naive result of every counted round."""

    game: Game
    rounds: list[tuple[Points, Plain]]
    seats: int
    value: Fraction


@st.composite
def evenings(draw: st.DrawFn, kind: Kind) -> Played:
    seats = draw(st.integers(*kind.sizes))
    value = draw(st.fractions(min_value=0, max_value=5, max_denominator=12))
    outcome, ender = kind.outcome
    declared: list[dict[str, Any]] = []
    computed: list[tuple[Points, Plain]] = []
    struck: list[int] = []
    for number in range(1, draw(st.integers(0, 7)) + 1):
        if draw(st.integers(0, 7)) == 7:
            declared.append({"outcome": "cancelled"})
            continue
        held: Points = [draw(st.integers(0, 60)) for _ in range(seats)]
        winner = draw(st.integers(0, seats - 1))
        held[winner] = draw(st.integers(0, 9)) if kind.preset != "knock-rummy" else held[winner]
        special = kind.preset in ("german-family", "romme-palast") and draw(st.booleans())
        if kind.preset in ("german-family", "romme-palast", "luxembourg"):
            held = [0 if seat == winner else (n or 0) + 2 for seat, n in enumerate(held)]
        if seats > 2 and kind.field != "deadwood" and draw(st.booleans()):
            held[(winner + draw(st.integers(1, seats - 1))) % seats] = None
        said = [{"absent": True} if n is None else {kind.field: n} for n in held]
        body: dict[str, Any] = {"outcome": outcome, ender: winner, "seats": said}
        declared.append(body | ({"hand_romme": True} if special else {}))
        if draw(st.integers(0, 5)) == 5:
            struck.append(number)
        else:
            computed.append((held, kind.computed(held, winner, special)))
    order = {
        "title": "Abend",
        "rules": {"preset": kind.preset, "options": dict(kind.options)},
        "stake": {"point_value": str(value), "unit": "ct", "payable": "1"},
        "players": [{"name": name} for name in "ABCDEF"[:seats]],
        "rounds": declared,
    }
    game = score_evening(read_evening(json.dumps(order).encode()))
    for number in struck:
        game = replace(game, sheet=game.sheet.strike(number, AT))
    return Played(game, computed, seats, value)


def by_hand(kind: Kind, table: Played, seat: int) -> dict[str, Any]:
    """Return one seat's figures, added up round by round."""
    own = [(held[seat], plain) for held, plain in table.rounds if held[seat] is not None]
    left = [n for n, plain in own if plain.lost[seat] and n is not None]
    rows = [len(list(row)) for won, row in groupby(plain.won[seat] for _, plain in own) if won]
    return {
        "minus": sum(plain.minus[seat] for _, plain in own),
        "plus": sum(plain.plus[seat] for _, plain in own),
        "worth": sum(plain.worth[seat] or 0 for _, plain in own),
        "league": sum(plain.plus[seat] - 10 * plain.won[seat] for _, plain in own)
        if kind.field == "deadwood"
        else 0,
        "played": len(own),
        "won": sum(plain.won[seat] for _, plain in own),
        "hand_rommes": sum(plain.won[seat] and plain.hand_romme for _, plain in own),
        "gins": sum(plain.gins[seat] for _, plain in own),
        "undercuts": sum(plain.undercuts[seat] for _, plain in own),
        "left": sum(left),
        "lost": len(left),
        "best": min(left, default=None),
        "worst": max(left, default=None),
        "streak": max(rows, default=0),
    }


def between(table: Played, one: int, other: int) -> list[int]:
    """Return how much better one seat was than another, in each round that both played."""
    worths = [(plain.worth[one], plain.worth[other]) for _, plain in table.rounds]
    return [own - his for own, his in worths if own is not None and his is not None]


@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=60)
@given(data=st.data())
def test_an_evening_has_the_result_of_a_naive_computation(name: str, data: st.DataObject) -> None:
    kind = KINDS[name]
    table = data.draw(evenings(kind))
    seats = range(table.seats)
    partners = 2 if name == "teams" else 1

    found = evening(table.game)

    for seat, one in enumerate(found.results):
        figures = by_hand(kind, table, seat)
        assert {field: getattr(one, field) for field in figures} == figures
    needed = len(table.rounds) / 2
    many = any(one.played >= needed for one in found.results)
    keys = [
        (one.played >= needed or not many, one.worth, one.won) if one.played else None
        for one in found.results
    ]
    assert column(found, "rank") == [ranked(seat, keys, partners) for seat in seats]
    pairs = [
        (one, other) for one, other in combinations(seats, 2)
        if between(table, one, other) and (partners == 1 or (other - one) % 2)
    ]  # fmt: skip
    assert [(met.one, met.other) for met in found.encounters] == pairs
    for met in found.encounters:
        points = between(table, met.one, met.other)
        assert (met.points, met.rounds) == (sum(points), len(points))
        assert met.won == len([n for n in points if n > 0])
        assert met.lost == len([n for n in points if n < 0])
    assert sum(column(found, "amount")) == 0
    for seat, one in enumerate(found.results):
        if kind.balance:
            balance = one.worth
        else:
            others = range(1 - seat % 2, 2) if partners == 2 else seats
            balance = sum(sum(between(table, seat, other)) for other in others if other != seat)
        assert one.amount == balance * table.value / partners
    assert (found.rounds, found.unit) == (len(table.rounds), "ct")


def ranked(seat: int, keys: Sequence[tuple[bool, int, int] | None], partners: int) -> int | None:
    """A rank is one more than the number of columns ahead; partners share one."""
    key = keys[seat]
    if key is None:
        return None
    return 1 + sum(other > key for other in keys if other is not None) // partners


@settings(max_examples=60)
@given(data=st.data(), name=st.sampled_from(["minus", "minus_plus", "winner_collects", "gin"]))
def test_encounters_add_up_to_the_pairwise_balances(name: str, data: st.DataObject) -> None:
    table = data.draw(evenings(KINDS[name]))
    settlement = table.game.settlement()
    balances = [0] * table.seats

    for met in evening(table.game).encounters:
        balances[met.one] += met.points
        balances[met.other] -= met.points

    assert settlement is not None
    assert tuple(balances) == settlement.balances
