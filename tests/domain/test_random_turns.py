"""The referee with random turns: properties, a naive second referee, bounded work (RULES 10)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorekeeper.domain.cards.card import JOKER, PACK, Card, Rank, Suit
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import lay_off, read_meld, swap_joker
from scorekeeper.domain.referee import pairings
from scorekeeper.domain.referee import table_change as referee
from scorekeeper.domain.referee.pairings import Pairing
from scorekeeper.domain.referee.table_change import TableChange, TableMeld, check_change
from scorekeeper.domain.rules import RuleSet
from turns import FAMILY, PALAST, ROBBER, Cards, is_allowed, named, turn

# --- properties ---------------------------------------------------------------------------

RUNS = [
    tuple(Card(Rank(low + n), suit) for n in range(size))
    for suit in Suit
    for low in range(1, 12)
    for size in range(3, min(8, 15 - low))
]
SETS = [
    tuple(Card(rank, suit) for suit in Suit if suit is not out)
    for rank in Rank
    for out in (None, *Suit)
]


@st.composite
def tables(draw: st.DrawFn, most: int = 6) -> list[Cards]:
    """Return melds of two packs, some with a declared joker."""
    melds: list[Cards] = []
    for meld in draw(st.lists(st.sampled_from(RUNS + SETS), min_size=1, max_size=most)):
        wild = draw(st.integers(-8, len(meld) - 1))
        cards = tuple(JOKER._replace(stands_for=c) if i == wild else c for i, c in enumerate(meld))
        if is_in_deck([*melds, cards]):
            melds.append(cards)
    return melds


def is_in_deck(melds: Sequence[Cards]) -> bool:
    count = Counter(card.physical for meld in melds for card in meld)
    return all(n <= (6 if card.is_joker else 2) for card, n in count.items())


@st.composite
def turns(draw: st.DrawFn, rob: bool = False) -> TableChange:
    """Return a valid turn: new melds, lay-offs, swaps, and robbing if wanted."""
    before = draw(tables())
    melds, hand, gained = [read_meld(cards, FAMILY) for cards in before], [], []
    for _ in range(draw(st.integers(1, 4))):
        i = draw(st.integers(0, len(melds) - 1))
        card = draw(st.sampled_from(PACK))
        if not is_in_deck([*before, (*hand, card)]):
            continue
        try:
            melds[i] = lay_off(melds[i], card, FAMILY)
        except RuleError:
            continue
        hand.append(card)
    for i, meld in enumerate(melds):
        if meld.wild and is_in_deck([*before, (*hand, meld.wild[0])]) and draw(st.booleans()):
            melds[i], joker = swap_joker(meld, meld.wild[0], FAMILY)
            hand.append(meld.wild[0])
            gained.append(joker)
    for laid in draw(tables(most=2)):
        if is_in_deck([*before, hand, laid]):
            melds.append(read_meld(laid, FAMILY))
            hand += laid
    after = [meld.cards for meld in melds]
    if rob:
        after = draw(robbed(after))
    return TableChange(
        before=tuple(map(TableMeld, before)),
        hand_used=tuple(card.physical for card in hand),
        after=tuple(after),
        to_hand=tuple(gained),
    )


@st.composite
def robbed(draw: st.DrawFn, melds: list[Cards]) -> list[Cards]:
    """Return the melds with runs cut in two, and end cards of one meld laid on another."""
    found: list[Cards] = []
    for meld in melds:
        cut = draw(st.integers(3, 5))
        is_run = read_meld(meld, FAMILY).kind == "run"
        pieces = [meld[:cut], meld[cut:]] if is_run and len(meld) - cut >= 3 else [meld]
        plain = [sum(not card.is_joker for card in piece) >= 2 for piece in pieces]
        found += pieces if all(plain) else [meld]
    for i, meld in enumerate(found):
        for k, other in enumerate(found):
            if i == k or len(meld) < 4:
                continue
            try:
                grown = lay_off(read_meld(other, FAMILY), meld[-1], FAMILY)
            except RuleError:
                continue
            if meld[-1].stands_for is None and sum(not c.is_joker for c in meld[:-1]) >= 2:
                found[k], found[i] = grown.cards, meld[:-1]
                meld = found[i]
    return found


ROBBER_SIX = ROBBER.override({"deck.jokers": 6})


@given(turns())
def test_valid_turns_without_robbing_are_allowed(played: TableChange) -> None:
    assert named(check_change(played, FAMILY)) == []


@given(turns(rob=True))
def test_valid_turns_with_robbing_are_allowed(played: TableChange) -> None:
    assume(not played.to_hand)

    assert is_allowed(check_change(played, ROBBER_SIX))


@given(turns() | turns(rob=True))
def test_turns_allowed_without_robbing_are_allowed_with_it(played: TableChange) -> None:
    if is_allowed(check_change(played, FAMILY)) and not played.to_hand:
        assert is_allowed(check_change(played, ROBBER_SIX))


@given(turns(), st.sampled_from([FAMILY, ROBBER_SIX]), st.data())
def test_a_missing_card_on_the_table_is_found(
    played: TableChange, rules: RuleSet, data: Any
) -> None:
    i = data.draw(st.integers(0, len(played.after) - 1))
    meld = list(played.after[i])
    meld.remove(data.draw(st.sampled_from(meld)))
    after = (*played.after[:i], tuple(meld), *played.after[i + 1 :])
    codes = [problem.code for problem in check_change(replace(played, after=after), rules)]

    assert "E_CARD_NOT_RELAID" in codes


@given(turns(), st.sampled_from([FAMILY, ROBBER_SIX]), st.sampled_from(PACK), st.data())
def test_an_additional_card_on_the_table_is_found(
    played: TableChange, rules: RuleSet, card: Card, data: Any
) -> None:
    i = data.draw(st.integers(0, len(played.after) - 1))
    after = (*played.after[:i], (*played.after[i], card), *played.after[i + 1 :])
    codes = [problem.code for problem in check_change(replace(played, after=after), rules)]

    assert "E_CARD_FROM_NOWHERE" in codes


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_equal_melds_the_unchanged_one_is_the_old_one(order: int) -> None:
    old, new = "JK=AC 2C 3C 4C", "AC 2C 3C 4C"

    found = check_change(turn([old], new, [old, new][::order], has_laid=False), PALAST)

    assert named(found) == ["E_FIRST_MIN.turn_single"]  # 10, and no joker was swapped


@given(
    turns(rob=True),
    st.sampled_from([FAMILY, PALAST, ROBBER_SIX]),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_the_order_of_melds_and_cards_changes_nothing(
    played: TableChange, rules: RuleSet, has_laid: bool, random: Any
) -> None:
    def shuffled(things: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(random.sample(things, len(things)))

    played = replace(played, has_laid=has_laid)
    other = TableChange(
        before=shuffled([TableMeld(shuffled(meld.cards), meld.own) for meld in played.before]),
        hand_used=shuffled(played.hand_used),
        after=shuffled([shuffled(meld) for meld in played.after]),
        to_hand=shuffled(played.to_hand),
        has_laid=has_laid,
    )

    one, two = check_change(played, rules), check_change(other, rules)
    assert sorted(named(one)) == sorted(named(two))


# --- a naive second referee ---------------------------------------------------------------

HEARTS = [Card(rank, Suit.HEARTS) for rank in Rank if 4 <= rank <= 8]


@st.composite
def crowded(draw: st.DrawFn) -> tuple[list[Cards], list[Cards]]:
    """Return melds of few ranks with many jokers, so that they fit each other in many ways."""

    def run() -> Cards:
        low, size = draw(st.sampled_from([(0, 3), (1, 3), (2, 3), (0, 4), (1, 4), (0, 5)]))
        wild = draw(st.sampled_from([None, None, 0, 1, 2]))
        return tuple(
            JOKER._replace(stands_for=card) if i == wild else card
            for i, card in enumerate(HEARTS[low : low + size])
        )

    before = [run() for _ in range(draw(st.integers(1, 3)))]
    return before, [run() for _ in range(draw(st.integers(len(before), 4)))]


def tries_everything(played: TableChange, rules: RuleSet) -> bool:
    """Return whether RULES 10.3 allows some assignment of old to new runs of one suit."""
    hand = Counter(played.hand_used)[JOKER]
    for order in permutations(played.after, len(played.before)):
        gained = laid_off = 0
        good = True
        for old, new in zip(played.before, order, strict=True):
            there = {card.stands_for or card: card for card in new}
            for card in old.cards:
                now = there.pop(card.stands_for or card, None)
                good &= now == card or (card.is_joker and now is not None)
                gained += card.is_joker and now != card
                good &= not (card.is_joker and now != card and old.own and rules is PALAST)
            laid_off += sum(card.is_joker for card in there.values())
        taken = len(played.to_hand)
        if rules is PALAST:  # the gained joker into a new meld
            good &= taken == 0 and laid_off <= hand
        if good and all(card.is_joker for card in played.to_hand) and taken <= gained:
            return True
    return False


@given(
    crowded(), st.lists(st.booleans(), min_size=3, max_size=3), st.sampled_from([FAMILY, PALAST])
)
def test_the_referee_agrees_with_a_naive_one(
    melds: tuple[list[Cards], list[Cards]], own: list[bool], rules: RuleSet
) -> None:
    before, after = melds
    came = Counter(card.physical for meld in before for card in meld)
    went = Counter(card.physical for meld in after for card in meld)
    assume(is_in_deck(after) and is_in_deck([*before, tuple((went - came).elements())]))
    played = TableChange(
        before=tuple(map(TableMeld, before, own)),
        hand_used=tuple((went - came).elements()),
        after=tuple(after),
        to_hand=tuple((came - went).elements()),
    )

    assert is_allowed(check_change(played, rules)) == tries_everything(played, rules)


# --- bounded ------------------------------------------------------------------------------


SUITS = [[Card(rank, suit) for rank in Rank] for suit in Suit]
DECK = [tuple(suit[i : i + 3]) for suit in SUITS for i in (0, 3, 6, 9)] * 2


@pytest.fixture
def choosing(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list of the number of unassigned melds, appended at every step of the search."""
    assignments, asked = pairings.assignments, []

    def counted(
        open_yet: list[list[Pairing]], *taken: frozenset[int]
    ) -> Iterator[tuple[Pairing, ...]]:
        asked.append(len(open_yet))
        return assignments(open_yet, *taken)

    for module in (pairings, referee):
        monkeypatch.setattr(module, "assignments", counted)
    return asked


def test_a_turn_with_a_whole_deck_is_judged_meld_by_meld(choosing: list[int]) -> None:
    """Every meld is there twice and has two pairings, so the turn has 2 to the 16 readings."""
    kings = tuple(suit[12] for suit in SUITS)
    grown = [
        (*meld, Card(Rank.KING, meld[2].suit)) if meld[2].rank is Rank.QUEEN else meld
        for meld in DECK
    ]
    table = TableChange(before=tuple(map(TableMeld, DECK)), hand_used=kings * 2, after=tuple(grown))

    assert named(check_change(table, FAMILY)) == []
    assert 0 < len(choosing) <= 4 * len(DECK)


def test_an_invalid_turn_with_a_whole_deck_is_judged_meld_by_meld(choosing: list[int]) -> None:
    after = tuple(tuple(suit[:12]) for suit in SUITS) * 2
    table = TableChange(before=tuple(map(TableMeld, DECK)), after=after)

    assert "E_REARRANGE.merged" in named(check_change(table, FAMILY))
    assert 0 < len(choosing) <= 4 * len(DECK)
