"""The referee, the solver and the score agree about the same turn (RULES 10.4).

What the solver offers is a turn that the referee allows, and a hand rommé that the score
accepts is one that the referee allows, too.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from scorekeeper.domain.cards.card import JOKER, PACK, Card, Rank, Suit
from scorekeeper.domain.errors import Problem, RuleError, has_errors
from scorekeeper.domain.melds import Meld, first_meld_points, lay_off, read_meld
from scorekeeper.domain.referee.facts import Turn
from scorekeeper.domain.referee.table_change import TableChange, TableMeld
from scorekeeper.domain.referee.turn import check_turn
from scorekeeper.domain.rounds.facts import Cards, Drawn, LayOff, MeldRef, Round, Seat
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import preset
from scorekeeper.domain.solver import Arrangement, arrange
from scorekeeper.domain.solver.laying import arrange_to_lay
from scorekeeper.domain.solver.openings import ways_out

# --- random hands that nearly go out ------------------------------------------------------

LAY = ("german-family", "romme-palast", "robber", "luxembourg")
OTHERS = ("wiener", "american-continental", "gin-palast", "knock-rummy")
HOUSE_RULES: dict[str, tuple[object, ...]] = {
    "hand_romme.allow_layoff": (True, False),
    "hand_romme.waives_first_min": (True, False),
    "layoff.first_turn": (True, False),
    "layoff.scope": ("none", "others", "all"),
    "meld.first_scope": ("single", "together"),
    "out.discard_required": (True, False),
    "out.max_rest": (0, 5),
    "wild.twos": (False, True),
    "robber.enabled": (False, True),
}


@st.composite
def lay_rules(draw: st.DrawFn, names: Sequence[str] = LAY) -> RuleSet:
    """Return rules of family lay, with some house rules."""
    rules = preset(draw(st.sampled_from(names)))
    names = draw(st.lists(st.sampled_from([*HOUSE_RULES]), max_size=3, unique=True))
    options = {name: draw(st.sampled_from(HOUSE_RULES[name])) for name in names}
    if "hand_romme.enabled" in rules.silent or not rules.hand_romme.enabled:
        options = {name: value for name, value in options.items() if "hand_romme" not in name}
    return rules.override(options)


class Deal:
    """Random cards of one deck: melds on the table, and a hand that is mostly melds."""

    def __init__(self, rng: Random, rules: RuleSet, size: int) -> None:
        self.rng = rng
        self.highest = rng.choice((4, 12))
        """The highest rank that melds begin with; low ones do not reach a minimum."""
        self.left = Counter({card: rules.deck.packs for card in PACK})
        self.left[JOKER] = rules.deck.jokers
        self.table = [meld for _ in range(rng.randrange(3)) for meld in self.melds()]
        self.hand: list[Card] = []
        while len(self.hand) < size:
            self.hand += self.part()
        del self.hand[size:]

    def part(self) -> Cards:
        """Return cards for the hand: usually a meld, or one that a meld on the table takes."""
        if self.table and self.rng.random() < 0.25:
            return self.taken([self.rng.choice(self.near(self.rng.choice(self.table)))])
        if self.rng.random() < 0.1:
            return self.taken([self.rng.choice([*PACK, JOKER])])
        return tuple(card for meld in self.melds() for card in meld)

    def melds(self) -> list[Cards]:
        """Return one meld of cards that are left, or none."""
        low, size = self.rng.randrange(1, self.highest), self.rng.choice((3, 3, 3, 4))
        suits = self.rng.sample(list(Suit), size)
        in_run = [Card(Rank(low + n), suits[0]) for n in range(size) if low + n <= 13]
        in_set = [Card(Rank(low), suit) for suit in suits]
        meld = self.rng.choice((in_run, in_set))
        is_there = len(meld) >= 3 and all(self.left[card] for card in meld)
        return [self.taken(meld)] if is_there else []

    def near(self, meld: Cards) -> list[Card]:
        """Return the cards that might be laid off on a meld."""
        ranks = {(card.rank or 0) + step for card in meld for step in (-1, 0, 1)}
        return [card for card in PACK if card.rank in ranks]

    def taken(self, cards: Sequence[Card]) -> Cards:
        """Take these cards from the deck, as far as it has them."""
        found = [card for card in cards if self.left[card]]
        self.left.subtract(found)
        return tuple(found)


def declared(meld: Meld) -> Cards:
    """Return the cards of a meld; jokers of an open suit stand for one that is free."""
    free = [suit for suit in Suit if suit not in {place.at.suit for place in meld.places}]
    return tuple(
        card._replace(stands_for=place.at._replace(suit=free.pop()))
        if place.is_wild and place.at.suit is None
        else card
        for card, place in zip(meld.cards, meld.places, strict=True)
    )


def laid(play: Arrangement, table: Sequence[Cards], rules: RuleSet, **facts: bool) -> TableChange:
    """Return the changes to the table when a hand is laid like this."""
    melds = [read_meld(cards, rules) for cards in table]
    for card, number in play.layoffs:
        melds[number] = lay_off(melds[number], card, rules)
    new = [declared(meld) for meld in play.melds]
    played = [card for cards in new for card in cards] + [card for card, _ in play.layoffs]
    return TableChange(
        before=tuple(map(TableMeld, table)),
        hand_used=tuple(card.physical for card in played),
        after=(*(meld.cards for meld in melds), *new),
        **facts,
    )


STOCK = (Drawn("stock"),)


def going_out(
    play: Arrangement, discard: Cards, table: Sequence[Cards], rules: RuleSet, *, has_laid: bool
) -> Turn:
    """Return the turn in which a player goes out like this, or knocks."""
    return Turn(
        change=laid(play, table, rules, has_laid=has_laid),
        has_laid=has_laid,
        drawn=STOCK,
        discard=discard,
        hand_left=len(play.rest),
        knock=True if rules.family in ("gin", "knock") else None,
    )


def refused(found: Sequence[Problem]) -> list[str]:
    return [problem.code for problem in found if problem.is_error]


SEEDS = st.integers(0, 2**32)

# --- what the solver offers ---------------------------------------------------------------


@given(lay_rules(), SEEDS, st.booleans())
def test_a_way_to_go_out_is_an_allowed_turn(rules: RuleSet, seed: int, has_laid: bool) -> None:
    rng = Random(seed)
    dealt = max(rules.deal.cards.values())
    size = rng.randrange(2, 8) if has_laid else dealt + 1
    deal = Deal(rng, rules, size)
    table = tuple(read_meld(cards, rules) for cards in deal.table)

    for way in ways_out(deal.hand, rules, table, has_laid=has_laid):
        event(f"{rules.preset}: goes out")
        discard = (way.discard,) if way.discard else ()
        turn = going_out(way.arrangement, discard, deal.table, rules, has_laid=has_laid)
        assert refused(check_turn(turn, rules)) == []


@pytest.mark.parametrize("name", OTHERS)
@given(seed=SEEDS, free=st.booleans())
def test_a_way_to_end_a_round_without_laying_is_an_allowed_turn(
    name: str, seed: int, free: bool
) -> None:
    rules = preset(name).override({"out.discard_required": not free})
    deal = Deal(Random(seed), rules, max(rules.deal.cards.values()) + 1)
    deal.table = []

    for way in ways_out(deal.hand, rules):
        event("goes out")
        discard = (way.discard,) if way.discard else ()
        assume(discard or rules.family != "gin")  # a knocker in gin always discards
        turn = going_out(way.arrangement, discard, (), rules, has_laid=True)
        assert refused(check_turn(turn, rules)) == []


@given(lay_rules(LAY[:3]), SEEDS)
def test_what_is_offered_before_the_first_meld_is_an_allowed_turn(
    rules: RuleSet, seed: int
) -> None:
    rng = Random(seed)
    deal = Deal(rng, rules, rng.randrange(6, 15))
    table = tuple(read_meld(cards, rules) for cards in deal.table)

    best = arrange_to_lay(deal.hand, rules, table, has_laid=False)
    event("lays" if best.melds else "lays nothing")
    drawn = deal.taken(PACK)[:1]  # a card for the discard, if nothing else is left
    discard = best.rest[-1:] or (drawn if rules.out.discard_required else ())
    turn = Turn(
        change=laid(best, deal.table, rules, has_laid=False),
        has_laid=False,
        drawn=STOCK,
        discard=discard,
        hand_left=max(0, len(best.rest) - 1),
    )

    assert refused(check_turn(turn, rules)) == []


# --- what the score accepts ---------------------------------------------------------------


@given(lay_rules(LAY[:3]), SEEDS)
def test_a_hand_romme_is_judged_like_its_round(rules: RuleSet, seed: int) -> None:
    """Compare turns whose melds do not reach the minimum, so that only a hand rommé is left.

    With enough points, the referee may also allow them as ordinary first turns.
    """
    deal = Deal(Random(seed), rules, max(rules.deal.cards.values()) + 1)
    table = tuple(read_meld(cards, rules) for cards in deal.table)
    for discard in dict.fromkeys(deal.hand):
        hand = list(deal.hand)
        hand.remove(discard)
        play = arrange(hand, rules, table)
        if play.points > rules.out.max_rest or not play.melds or is_ambiguous(play, deal.table):
            continue
        turn = going_out(play, (discard,), deal.table, rules, has_laid=False)

        is_scored = not has_errors(score_of(play, discard, deal.table, rules))
        is_allowed = not refused(check_turn(turn, rules))

        is_enough = first_meld_points(play.melds, rules) >= rules.meld.first_min
        event(f"scored: {is_scored}, allowed: {is_allowed}, enough: {is_enough}")
        assert is_allowed or not is_scored
        assert is_allowed == is_scored or is_enough


def is_ambiguous(play: Arrangement, table: Sequence[Cards]) -> bool:
    """Return whether a new meld has a twin on the table: nobody sees which cards were laid off."""
    new = [Counter(card.physical for card in meld.cards) for meld in play.melds]
    return any(Counter(card.physical for card in old) <= meld for old in table for meld in new)


def score_of(
    play: Arrangement, discard: Card, table: Sequence[Cards], rules: RuleSet
) -> tuple[Problem, ...]:
    """Return the findings about a round that ends with this hand rommé."""
    winner = Seat(
        melds=tuple(map(declared, play.melds)),
        layoffs=tuple(LayOff(card, MeldRef(1, number)) for card, number in play.layoffs),
        hand=play.rest,
        discard=(discard,),
    )
    seats = (winner, Seat(melds=tuple(table), points=9))
    facts = Round(outcome="out", winner=0, hand_romme=True, seats=seats)
    try:
        return score_round(facts, rules, 2).warnings
    except RuleError as error:
        return error.problems
