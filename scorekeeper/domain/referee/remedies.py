"""Remedies: what would have been allowed instead of a refused turn (RULES 10)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.melds import Meld, lay_off, read_meld, swap_joker
from scorekeeper.domain.referee.facts import Turn
from scorekeeper.domain.rounds.facts import Cards
from scorekeeper.domain.rules import RuleSet


@dataclass(frozen=True)
class Instead:
    """Something that would be allowed instead; the catalogues word it by its key."""

    key: str
    cards: Cards = ()
    on: Cards = ()
    """The meld that the cards go on."""


def remedies(problem: Problem, turn: Turn, rules: RuleSet) -> tuple[Instead, ...]:
    """Return what would be allowed instead of the move that a finding is about."""
    card = problem.facts.get("card")
    match problem.code:
        case "E_DISCARD_NOT_MELDED" if isinstance(card, Card):
            fits = [Instead("lay_off", (card,), cards) for cards in _fits(card, turn, rules)]
            return (*fits, Instead("meld_it", (card,)), Instead("draw_stock"))
        case "E_NOT_IN_TURN":
            claim = [Instead("claim")] if rules.klopfen.mode != "off" and not turn.claim else []
            return (Instead("wait_turn"), *claim)
        case "E_KLOPFEN_TOO_EARLY":
            return (Instead("first_meld"), Instead("leave_discard"))
        case "E_FIRST_MIN":
            terms = rules.hand_romme
            waived = [Instead("hand_romme")] if terms.enabled and terms.waives_first_min else []
            return (Instead("more_points"), *waived, Instead("keep_cards"))
        case "E_NOT_LAID":
            return (Instead("first_meld" if rules.layoff.first_turn else "only_first_meld"),)
        case "E_NOT_DRAWN":
            return (Instead("draw_from_stock"), Instead("draw_discard"))
        case "E_RETURNED":
            return (Instead("discard_other"), Instead("discard_later", _one(card)))
        case "E_CLAIM_PENALTY":
            return (Instead(f"penalty_{rules.klopfen.extra_cards}"),)
        case code if code in REMEDIES:
            return tuple(map(Instead, REMEDIES[code]))
    return ()


REMEDIES = {
    "E_NO_LAYING": ("keep_cards", "lay_at_end"),
    "E_DRAWN_TWICE": ("draw_1",),
    "E_DRAWN_COUNT": ("draw_2", "discard_and_2"),
    "E_DRAW_FIRST": ("draw_first",),
    "E_KLOPFEN_OFF": ("leave_discard",),
    "E_KLOPFEN_REFUSED": ("leave_discard",),
    "E_KLOPFEN_NOT_MELDED": ("meld_claim", "leave_discard"),
    "E_DISCARD_MISSING": ("discard",),
    "E_DISCARD_REQUIRED": ("keep_one",),
    "E_GLASS_AGAIN": ("glass_once",),
    "E_HIRSCHN": ("knock_later",),
    "E_MELDS_PER_TURN": ("meld_later",),
    "E_REARRANGE": ("put_back", "only_add"),
    "E_STOLEN_TO_HAND": ("relay",),
    "E_CARD_NOT_RELAID": ("relay",),
    "E_STEAL_LEAVES_INCOMPLETE": ("steal_less", "steal_all"),
    "E_SWAP_NOT_ALLOWED": ("leave_joker",),
    "E_SWAP_MISMATCH": ("swap_right", "leave_joker"),
    "E_JOKER_TO_HAND": ("meld_joker", "leave_joker"),
    "E_LAYOFF": ("keep_cards",),
    "E_CONTRACT": ("keep_cards",),
}
"""Remedies that do not depend on the cards."""


def _one(card: object) -> Cards:
    return (card,) if isinstance(card, Card) else ()


def _fits(card: Card, turn: Turn, rules: RuleSet) -> Iterator[Cards]:
    """Yield the melds on the table that take the card, laid off or swapped for a joker."""
    if turn.change is None or not turn.has_laid:
        return
    melds = turn.change.after or [meld.cards for meld in turn.change.before]
    for cards in dict.fromkeys(melds):
        if _is_near(card, cards, rules) and _takes(cards, card, rules):
            yield cards


def _is_near(card: Card, cards: Cards, rules: RuleSet) -> bool:
    """Return whether a meld might take a card; this quickly rules out most melds."""
    if card.rank is None or any(_may_be_wild(one, rules) for one in (card, *cards)):
        return True
    steps = {(one.rank or 0) - card.rank for one in cards if one.suit == card.suit}
    is_next = bool(steps & {-12, -1, 1, 12}) and card not in cards
    return is_next or all(one.rank == card.rank for one in cards)


def _may_be_wild(card: Card, rules: RuleSet) -> bool:
    return card.is_joker or card.rank is rules.wild_rank


def _takes(cards: Sequence[Card], card: Card, rules: RuleSet) -> bool:
    try:
        meld = read_meld(cards, rules)
    except RuleError:
        return False
    return any(_goes(move, meld, card, rules) for move in _moves(rules))


def _moves(rules: RuleSet) -> Iterator[Callable[[Meld, Card, RuleSet], object]]:
    if rules.layoff.scope != "none":
        yield lay_off
    if rules.joker.swap != "none":
        yield swap_joker


def _goes(
    move: Callable[[Meld, Card, RuleSet], object], meld: Meld, card: Card, rules: RuleSet
) -> bool:
    try:
        move(meld, card, rules)
    except RuleError:
        return False
    return True
