"""The attempts at the glass in a round of gin, and the cards that they removed (RULES 6.6.1)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from scorekeeper.domain.cards.card import Card, Suit
from scorekeeper.domain.errors import Problem, problem
from scorekeeper.domain.rounds import checks
from scorekeeper.domain.rounds.facts import Cards, Glass, Round
from scorekeeper.domain.rounds.glass import caught, check_glass, claimed, sequences_left
from scorekeeper.domain.rules import RuleSet


def check_attempts(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Check every attempt at the glass ([003] Glas auffangen).

    Attempts are listed in the order in which they were made [dec].
    """
    attempts = facts.glass or ()
    gone: list[Card] = []
    for k, attempt in enumerate(attempts):
        yield from check_glass(attempt, k, len(facts.seats))
        yield from _check_pile(attempt, rules, k, gone)
        gone += caught(attempt)
    yield from _check_sequences(facts, rules, attempts)


def _check_pile(attempt: Glass, rules: RuleSet, k: int, gone: Sequence[Card]) -> Iterator[Problem]:
    """Check that a pile is part of the deck, without cards that earlier attempts caught."""
    at, pile = ("glass", k, "pile"), attempt.pile or ()
    yield from checks.check_copies([(pile, at)], rules)
    mine, packs = caught(attempt), rules.deck.packs
    for card in dict.fromkeys(card for card in pile if card in gone and card not in mine):
        yield problem("E_DUPLICATE_CARD", at, why="caught", card=card, count=2, most=1)
    for card in dict.fromkeys(card for card in gone if card.is_bare):
        count = gone.count(card) + sum(one.rank is card.rank for one in pile)
        if count > 4 * packs and not any(one.rank is card.rank for one in mine):
            facts = {"card": card, "count": count, "most": 4 * packs}
            yield problem("E_DUPLICATE_CARD", at, why="rank", **facts)


def _check_sequences(facts: Round, rules: RuleSet, attempts: Sequence[Glass]) -> Iterator[Problem]:
    """Check that sequences whose cards are not known can be among the cards left."""
    unknown: Counter[object] = Counter()
    for k, attempt in enumerate(attempts):
        suit = attempt.suit
        if attempt.kind == "group" or not attempt.hit or suit is None or caught(attempt):
            continue
        gone = _elsewhere(facts, rules, k)
        unknown[suit] += attempt.pile is None
        if attempt.pile is None:
            is_possible = sequences_left(suit, gone, rules.deck.packs) >= unknown[suit]
        else:
            left = tuple(card for card in attempt.pile if gone[card] < rules.deck.packs)
            is_possible = bool(claimed(attempt, left)) or not claimed(attempt, attempt.pile)
        if not is_possible:
            cards = tuple(sorted(card for card in gone if card.suit is suit))
            named = {"why": "caught_sequence", "suit": suit, "cards": cards}
            yield problem("E_DUPLICATE_CARD", ("glass", k), **named)


def _elsewhere(facts: Round, rules: RuleSet, k: int) -> Counter[Card]:
    """Return the cards that attempt ``k`` cannot have caught: declared, or in a later pile.

    If one card of a rank is elsewhere and a group of that rank was caught, all of them are gone.
    """
    declared = (cards for cards, at in checks.declared_cards(facts, rules) if at != ("glass", k))
    later = (attempt.pile or () for attempt in (facts.glass or ())[k + 1 :])
    gone = _counted(declared) | _counted(later)
    most = 4 * rules.deck.packs
    for bare in [card for card in gone if card.is_bare]:
        if sum(count for card, count in gone.items() if card.rank is bare.rank) >= most:
            gone |= Counter({Card(bare.rank, suit): rules.deck.packs for suit in Suit})
    return gone


def _counted(groups: Iterable[Cards]) -> Counter[Card]:
    return Counter(card.physical for cards in groups for card in cards)
