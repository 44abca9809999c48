"""The rules of wild cards in a meld (RULES 5.3.1, 5.3.4, 5.3.5)."""

from collections.abc import Callable, Sequence

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.melds.findings import alternatives, finding
from scorekeeper.domain.melds.shapes import Fit, all_fits
from scorekeeper.domain.rules import RuleSet

Objection = Callable[[], Problem]
"""A function that returns the finding against a meld; it is built only when needed."""


def objection_to(
    fit: Fit, cards: Sequence[Card], rivals: Sequence[Fit], rules: RuleSet
) -> Objection | None:
    """Return the objection of the rules of wild cards to one reading, or None."""
    return too_wild(fit, rules) or ambiguous(fit, cards, rivals)


def ambiguous(fit: Fit, cards: Sequence[Card], rivals: Sequence[Fit]) -> Objection | None:
    """Return the objection to adjacent wild cards that could stand for others (RULES 5.3.4)."""
    blocks = fit.blocks if rivals else []
    for rival in rivals:
        if any(block & ~rival.wild for block in blocks):
            return lambda: finding("E_JOKER_AMBIGUOUS", cards, **alternatives(fit, rival))
    return None


def too_wild(fit: Fit, rules: RuleSet) -> Objection | None:
    """Return the objection to too few naturals or too many adjacent wild cards (5.3.1, 5.3.5)."""
    needed, naturals = rules.joker.min_naturals, fit.naturals
    if naturals < needed:
        facts = {"count": naturals, "needed": needed}
        return lambda: finding("E_MIN_NATURALS", fit.meld.cards, **facts)
    limit = rules.joker.max_adjacent
    for block in fit.blocks if 0 < limit < fit.jokers and fit.shape.kind != "set" else []:
        if block.bit_count() > limit:
            facts = {"count": block.bit_count(), "limit": limit}
            return lambda: finding("E_JOKER_ADJACENT", fit.meld.cards, **facts)
    return None


def rival_fits(cards: Sequence[Card], seen: Sequence[Fit], rules: RuleSet) -> list[Fit]:
    """Return all possible readings if adjacent jokers must be unambiguous, else none.

    Order and declarations do not matter here, but a reading with too few naturals or too
    many adjacent jokers is none (RULES 5.3.4).
    """
    if rules.joker.placement != "unique_if_two":
        return []
    if any(card.stands_for for card in cards):
        seen = all_fits([card.physical for card in cards], rules)
    return [fit for fit in seen if not too_wild(fit, rules)]
