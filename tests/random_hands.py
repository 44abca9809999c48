"""Random hands, rules and tables: strategies of Hypothesis for tests of the solver."""

from dataclasses import replace

from hypothesis import strategies as st

from brute_force import Lying, Naive
from scorekeeper.domain.cards.card import JOKER, Card, Rank, Suit
from scorekeeper.domain.melds import Meld, Place
from scorekeeper.domain.rules import Ace, Joker, RuleSet, Value, Wild
from scorekeeper.domain.rules.presets import preset

GIN = preset("gin-palast")
WIENER = preset("wiener")


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Return any rules that the options of RULES 3 can express, with or without jokers."""
    high = draw(st.booleans())
    base = draw(st.sampled_from((GIN, WIENER)))
    return replace(
        base,
        deck=replace(base.deck, packs=2, jokers=draw(st.sampled_from((0, 4, 8)))),
        value=Value(
            ace_hand=draw(st.sampled_from((1, 11, 15))),
            ace_red=draw(st.sampled_from((None, 1))),
        ),
        wild=Wild(twos=draw(st.booleans()), twos_value=draw(st.sampled_from(("joker", "face")))),
        ace=Ace(high=high, corner=high and draw(st.booleans())),
        meld=replace(
            base.meld,
            rainbow=draw(st.booleans()),
            run_min=draw(st.sampled_from((3, 4))),
            set_suits=draw(st.sampled_from(("different", "any")))
            if base is WIENER
            else "different",
        ),
        joker=Joker(
            hand_value=draw(st.sampled_from((0, 2, 15, 20))),
            min_naturals=draw(st.sampled_from((1, 2))),
            max_adjacent=draw(st.sampled_from((0, 1, 2))),
            placement=draw(st.sampled_from(("declared", "unique_if_two"))),
        ),
        layoff=replace(base.layoff, scope="all"),
    )


@st.composite
def packs(draw: st.DrawFn) -> tuple[Card, ...]:
    """Return a pack of a few adjacent ranks and suits, so that hands have many melds."""
    start = draw(st.integers(0, 12))
    ranks = [tuple(Rank)[(start + step) % 13] for step in range(draw(st.integers(3, 6)))]
    if draw(st.booleans()):
        ranks.append(Rank.TWO)
    suits = tuple(Suit)[: draw(st.integers(1, 4))]
    return tuple(Card(rank, suit) for rank in dict.fromkeys(ranks) for suit in suits)


@st.composite
def hands(draw: st.DrawFn, most: int = 8) -> tuple[Card, ...]:
    """Return up to eight cards with up to four jokers."""
    pack = draw(packs())
    jokers = draw(st.integers(0, 4))
    deck = [*pack, *pack]
    chosen = draw(st.lists(st.integers(0, len(deck) - 1), unique=True, max_size=most - jokers))
    return (*(deck[i] for i in chosen), *[JOKER] * jokers)


Case = tuple[tuple[Card, ...], RuleSet, list[Meld], tuple[Lying, ...]]


@st.composite
def tables(draw: st.DrawFn) -> Case:
    """Return a hand, rules, and melds on the table, for both solvers."""
    rules, hand = draw(rule_sets()), draw(hands(most=6))
    naive = Naive(rules)
    melds_of = Naive(replace(rules, meld=replace(rules.meld, set_suits="different"))).targets
    near = {card.rank - 1 for card in hand if card.rank} or {6}
    melds: list[Meld] = []
    lying: list[Lying] = []
    for _ in range(draw(st.integers(1, 3))):
        targets = [
            (kind, cells)
            for kind, cells in melds_of(draw(st.integers(3, 4)))
            if near & {rank for rank, _ in cells}
        ]
        kind, cells = draw(st.sampled_from(targets))
        wild = draw(st.sets(st.sampled_from(cells), max_size=2 * bool(rules.deck.jokers)))
        at = [
            (rank, "?" if kind == "set" and (rank, suit) in wild else suit) for rank, suit in cells
        ]
        if len(cells) == 4 and not (kind == "set" and naive.free_sets):
            at = list(cells)
        lies = sorted(
            (
                (place, "wild JK" if cell in wild else named(cell))
                for place, cell in zip(at, cells, strict=True)
            ),
            key=lambda place: kind == "set" and place[0][1] == "?",
        )
        if naive.lies_well((kind, tuple(lies))):
            lying.append((kind, tuple(lies)))
            melds.append(
                Meld(
                    kind,
                    tuple(
                        Place(JOKER if what == "wild JK" else card_at(place), card_at(place))
                        for place, what in lies
                    ),
                )
            )
    return hand, rules, melds, tuple(lying)


def lying(meld: Meld) -> Lying:
    """Return a meld on the table for the second solver."""
    return meld.kind, tuple(
        (
            (int(place.at.rank or 0) - 1, str(place.at.suit or "?")),
            f"wild {place.card.physical}" if place.is_wild else str(place.card),
        )
        for place in meld.places
    )


def named(cell: tuple[int, str]) -> str:
    return str(card_at(cell))


def card_at(cell: tuple[int, str]) -> Card:
    rank, suit = cell
    return Card(tuple(Rank)[rank], None if suit == "?" else Suit(suit))
