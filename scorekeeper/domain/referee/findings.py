"""Why a turn is refused: findings about the cards and melds on the table (RULES 10)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.errors import Problem, Where
from scorekeeper.domain.melds import Meld
from scorekeeper.domain.melds.order import ranks_of
from scorekeeper.domain.referee.pairings import Pairing, assignments
from scorekeeper.domain.rounds.facts import Cards
from scorekeeper.domain.rules import RuleSet

Melds = Mapping[int, Meld]
"""Melds by their index in the declaration."""

WHYS = (
    "E_DUPLICATE_CARD.table",  # card, count, most: before the turn and in the cards played
    "E_TOO_MANY_JOKERS.table",  # count, most
    "E_CARD_NOT_RELAID.hand",  # cards: declared as played, but not on the table
    "E_CARD_FROM_NOWHERE.not_in_meld",  # cards: not in the meld they are stolen from
    "E_STEAL_LEAVES_INCOMPLETE.short",  # rest, count, most: how many of the cards may be taken
    "E_STEAL_LEAVES_INCOMPLETE.three",  # cards: of three cards all or none
    "E_STEAL_LEAVES_INCOMPLETE.apart",  # rest: enough cards, but they form no melds
    "E_JOKER_UNDECLARED.pinned",  # cards: an undeclared joker in a set of three
    "E_NOT_LAID.rob",
    "E_NOT_LAID.lay_off",  # cards: laid off, or swapped for a joker
    "E_NOT_LAID.first_turn",  # the same, but a first meld in this turn would suffice
    "E_NOT_LAID.hand_romme",  # cards: laid off in a hand rommé
    "E_NOT_LAID.hand_romme_swap",  # cards: swapped for a joker in one
    "E_LIVES.turn",  # runs: how many are needed; pure: how many of them without a wild card
    "E_CONTRACT.turn",  # need: the melds that the contract asks for
    "E_CONTRACT.turn_more",  # the contract lies, and nothing else may be melded
    "E_FIRST_MIN.turn_single",  # reached, needed
    "E_FIRST_MIN.turn_together",
    "E_MELDS_PER_TURN.turn",  # count, most
    "E_REARRANGE.moved",  # cards: the meld; missing: the cards that left it
    "E_REARRANGE.joker_moved",  # cards: the meld, with the cards that its jokers stood for
    "E_REARRANGE.merged",  # one, other: two melds that became one
    "E_REARRANGE.to_hand",  # cards: taken into the hand
    "E_REARRANGE.steal",  # cards
    "E_SWAP_NOT_ALLOWED.never",  # cards: the cards that the jokers stand for
    "E_SWAP_NOT_ALLOWED.own",
    "E_JOKER_TO_HAND.laid_off",  # cards: gained jokers laid off instead of newly melded
    "E_FORM.no_meld",  # number: a step names a meld that does not exist (any more)
    "E_FORM.missing",  # a step names no meld
)
"""The reasons why a turn is refused, in addition to the reasons of ``melds``. Every finding has
``clause`` of RULES. Without ``why``: E_CARD_NOT_RELAID, E_CARD_FROM_NOWHERE,
E_STOLEN_TO_HAND, E_JOKER_TO_HAND (cards), W_NO_HAND_CARD; and as elsewhere
E_JOKER_NOT_IN_DECK, E_LAYOFF.none and .others (card), E_SWAP_MISMATCH.other_card."""


def against(code: str, clause: str, path: Where = (), /, **facts: object) -> Problem:
    """Return a finding with its clause of RULES."""
    return Problem(code, {"clause": clause, **facts}, path)


def physical(groups: Iterable[Iterable[Card]]) -> Counter[Card]:
    return Counter([card.physical for group in groups for card in group])


def listed(cards: Counter[Card]) -> Cards:
    """Return cards by suit and rank, regardless of the order in which they were counted."""
    return tuple(sorted(cards.elements(), key=lambda card: (card.suit or "", card.rank or 0)))


def beyond_deck(cards: Counter[Card], rules: RuleSet) -> Iterator[Problem]:
    """Yield the findings about cards that occur more often than in the deck."""
    for card, count in cards.items():
        most = rules.deck.jokers if card.is_joker else rules.deck.packs
        if count <= most or card.is_bare:
            continue  # bare ranks are refused where the melds are read
        if not card.is_joker:
            facts = {"why": "table", "card": card, "count": count, "most": most}
            yield against("E_DUPLICATE_CARD", "6.6.1", **facts)
        elif most:
            yield against("E_TOO_MANY_JOKERS", "6.6.1", why="table", count=count, most=most)
        else:
            yield against("E_JOKER_NOT_IN_DECK", "6.6.1")


def not_in_deck(cards: Iterable[Card], rules: RuleSet, path: Where = ()) -> Iterator[Problem]:
    """Yield the findings about cards of ranks that the deck does not have (RULES-MORE 5.4).

    In melds they are found where the melds are read.
    """
    ranks = ranks_of(rules.deck.ranks)
    for card in dict.fromkeys(cards):
        if card.rank and card.rank not in ranks:
            yield against("E_CARD_NOT_IN_DECK", "more 5.4", path, card=card)


def check_displaced(
    before: Melds, after: Melds, groups: Iterable[list[list[Pairing]]]
) -> Iterator[Problem]:
    """Find out why melds have no pairing: each has lost cards, or two need the same one."""
    unpaired = set(before)
    for group in groups:
        unpaired -= {pairing.old for pairings in group for pairing in pairings}
        if all(group) and next(assignments(group), None) is None:
            yield _merged(before, group)
    for i in sorted(unpaired):
        yield _why_unpaired(before[i], after).under("before", i)


def _merged(before: Melds, group: Iterable[list[Pairing]]) -> Problem:
    every = [pairing for pairings in group for pairing in pairings]
    one, other = next(
        (one, other)
        for one, other in combinations(every, 2)
        if one.new == other.new and one.old != other.old
    )
    facts = {"one": before[one.old].cards, "other": before[other.old].cards}
    return against("E_REARRANGE", "10.3", ("after", one.new), why="merged", **facts)


def _why_unpaired(old: Meld, after: Melds) -> Problem:
    """Return the finding about a meld that lost cards, or only its jokers."""
    around = [new for new in after.values() if old.natural_places <= new.natural_places]
    if around:
        why = (_why_jokers_moved(old, new) for new in around)
        return max(why, key=lambda problem: problem.code)
    cards = physical([old.cards])
    lost = (cards - physical([new.cards]) for new in after.values())
    if missing := min(lost, key=Counter.total, default=cards):
        facts = {"why": "moved", "cards": old.cards, "missing": listed(missing)}
        return against("E_REARRANGE", "10.3", **facts)
    return against("E_REARRANGE", "10.3", why="joker_moved", cards=old.cards)


def _why_jokers_moved(old: Meld, new: Meld) -> Problem:
    """Return the finding about a joker that was swapped for a wrong card, or moved."""
    cells = {place.at for place in new.places}
    lost = tuple(card for card in old.wild if card not in cells)
    strangers = [
        place.card for place in new.places if not place.is_wild and place not in old.places
    ]
    if lost and strangers and len(new.wild) < len(old.wild):
        facts = {"why": "other_card", "card": strangers[0], "allowed": lost, "cards": old.cards}
        return against("E_SWAP_MISMATCH", "10.3", **facts)
    return against("E_REARRANGE", "10.3", why="joker_moved", cards=old.cards)
