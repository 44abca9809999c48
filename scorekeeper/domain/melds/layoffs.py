"""Adding a card to a meld on the table: laying off, and swapping jokers (RULES 5.2, 5.3.6)."""

from scorekeeper.domain.cards.card import PACK, Card, Rank
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds.findings import finding, unplayable
from scorekeeper.domain.melds.meld import Meld, Place
from scorekeeper.domain.melds.order import Order
from scorekeeper.domain.melds.shapes import Fit, Shape, fitting, known_and_loose, shapes_holding
from scorekeeper.domain.melds.wild_cards import Objection, objection_to, rival_fits
from scorekeeper.domain.rules import RuleSet


def lay_off(meld: Meld, card: Card, rules: RuleSet) -> Meld:
    """Return the meld with one more card; raise E_LAYOFF if it does not fit (RULES 5.2, 7.4.3).

    An undeclared wild card continues a run upwards if it can, else downwards, as if it were
    written after it.
    """
    if problem := unplayable([*meld.cards, card], rules):
        raise RuleError.of([problem])
    if meld.kind == "rainbow":
        raise _no_lay_off(meld, card, why="rainbow")
    grown = _grown(meld, card, rules)
    if not grown:
        raise _no_lay_off(meld, card, **_why_no_lay_off(meld, rules))
    objections: list[Objection] = []
    for fit in grown:
        cards = fit.meld.cards
        objection = objection_to(fit, cards, rival_fits(cards, grown, rules), rules)
        if not objection:
            return fit.meld
        objections.append(objection)
    problem = objections[0]()
    why = problem.code.removeprefix("E_").lower()
    raise _no_lay_off(meld, card, **(dict(problem.facts) | {"why": why}))


def _grown(meld: Meld, card: Card, rules: RuleSet) -> list[Fit]:
    """Return the meld with this card, the other cards unchanged; the likeliest reading first."""
    known, loose = known_and_loose([card], rules)
    known += [place for place in meld.places if place.at.suit]
    loose += [place.card for place in meld.places if not place.at.suit]
    first = meld.places[0].at

    def likelihood(fit: Fit) -> tuple[int, bool]:
        return fit.naturals, next(iter(fit.shape.cells.values())) == first

    fits = [fit for fit in fitting(known, loose, rules) if _continues(fit.shape, meld)]
    return sorted(fits, key=likelihood, reverse=True)


def _continues(shape: Shape, meld: Meld) -> bool:
    """Return whether this is the meld with one more card; in a run, at one end."""
    if shape.kind != meld.kind or shape.kind == "set":
        return shape.kind == meld.kind
    at = list(shape.cells.values())
    return [place.at for place in meld.places] in (at[:-1], at[1:])


def _why_no_lay_off(meld: Meld, rules: RuleSet) -> dict[str, object]:
    """Return the facts of a refused lay-off: the cards that would fit, if any."""
    if meld.kind == "set" and rules.meld.set_suits == "any":
        rank = meld.places[0].at.rank
        return {"why": "set", "allowed": tuple(card for card in PACK if card.rank is rank)}
    known = [place.at for place in meld.places if place.at.suit]
    size, order = len(meld.places) + 1, Order.of(rules)
    allowed = {
        card
        for shape in shapes_holding(known[0], size, order, False)
        if size <= len(Rank) and _continues(shape, meld)
        for card in shape.cells.values()
        if card not in known
    }
    in_order = tuple(card for card in PACK if card in allowed)
    return {"why": meld.kind, "allowed": in_order} if in_order else {"why": "full"}


def _no_lay_off(meld: Meld, card: Card, /, **facts: object) -> RuleError:
    return RuleError.of([finding("E_LAYOFF", meld.cards, **(facts | {"card": card}))])


def swap_joker(meld: Meld, card: Card, rules: RuleSet) -> tuple[Meld, Card]:
    """Return the meld with the real card, and the wild card that it replaces (RULES 5.3.6).

    A wild card of an open suit may be swapped for a card of any suit missing from the set.
    """
    if problem := unplayable([*meld.cards, card], rules):
        raise RuleError.of([problem])
    allowed = _real_cards(meld, rules)
    if card not in allowed:
        why = "other_card" if allowed else "no_joker"
        facts = {"why": why, "card": card, "allowed": allowed}
        raise RuleError.of([finding("E_SWAP_MISMATCH", meld.cards, **facts)])
    places = list(meld.places)
    swapped = next(
        place for place in places if place.is_wild and place.at in (card, card._replace(suit=None))
    )
    places[places.index(swapped)] = Place(card, card)
    if meld.kind == "set":
        places.sort(key=lambda place: (place.at.suit is None, place.at.suit))
    return Meld(meld.kind, tuple(places)), swapped.card


def _real_cards(meld: Meld, rules: RuleSet) -> tuple[Card, ...]:
    """Return the cards for which the wild cards of a meld may be swapped."""
    any_suit = rules.meld.set_suits == "any"
    present = set() if any_suit else {place.at for place in meld.places}
    open_ranks = {place.at.rank for place in meld.places if not place.at.suit}
    return tuple(
        card
        for card in PACK
        if card in meld.wild or (card.rank in open_ranks and card not in present)
    )


def lay_on(meld: Meld, card: Card, rules: RuleSet) -> Meld:
    """Return the meld with a card laid on a joker that stands for it, or else laid off.

    Raises RuleError E_LAYOFF if it fits neither way (RULES 7.4.3).
    """
    if may_cover_jokers(rules) and meld.wild and not card.is_joker:
        try:
            return swap_joker(meld, card, rules)[0]
        except RuleError:
            pass
    return lay_off(meld, card, rules)


def may_cover_jokers(rules: RuleSet) -> bool:
    """Return whether the real card may be laid on a joker in an opponent's meld."""
    return rules.family == "gin" and rules.gin.joker_layon
