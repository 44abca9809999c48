"""Reading cards as a meld (RULES 5).

A *shape* is a meld of natural cards only: a set, a run or a rainbow. Cards are a meld if
their naturals fit a shape and the wild cards among them take the remaining places; each
shape that fits is one reading of the cards. ``readings`` lists those that the rules of
wild cards allow, and ``read_meld`` picks the one that was meant.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds.findings import alternatives, finding, unplayable, why_no_meld
from scorekeeper.domain.melds.meld import Meld
from scorekeeper.domain.melds.shapes import BIT, Fit, all_fits
from scorekeeper.domain.melds.wild_cards import ambiguous, objection_to, rival_fits, too_wild
from scorekeeper.domain.rules import RuleSet


def readings(cards: Sequence[Card], rules: RuleSet) -> list[Meld]:
    """Return every legal way to read the cards as one meld, as declared, in any order.

    Wild cards are interchangeable: readings do not differ in which of them takes which place.
    """
    return [fit.meld for fit in _legal(cards, rules)]


def is_meld(cards: Sequence[Card], rules: RuleSet) -> bool:
    """Return whether the cards, in some order, are a meld."""
    return any(True for _ in _legal(cards, rules))


def read_meld(cards: Sequence[Card], rules: RuleSet) -> Meld:
    """Return the meld that these cards form (RULES 5.3); raise RuleError if they form none."""
    if problem := unplayable(cards, rules):
        raise RuleError.of([problem])
    seen = all_fits(cards, rules)
    if not seen:
        raise RuleError.of([why_no_meld(cards, rules)])
    most = max(fit.naturals for fit in seen)
    likely = [fit for fit in seen if fit.naturals == most]  # a 2 is natural if it can be
    fit = likely[0] if most < rules.joker.min_naturals else _as_written(cards, likely)
    objection = too_wild(fit, rules)
    if not objection and fit.blocks:
        objection = ambiguous(fit, cards, rival_fits(cards, seen, rules))
    if objection:
        raise RuleError.of([objection()])
    return fit.meld


def _legal(cards: Sequence[Card], rules: RuleSet) -> Iterator[Fit]:
    """Yield the readings that the rules allow."""
    seen = [] if unplayable(cards, rules) else all_fits(cards, rules)
    rivals = rival_fits(cards, seen, rules)
    return (fit for fit in seen if not objection_to(fit, cards, rivals, rules))


def _as_written(cards: Sequence[Card], likely: Sequence[Fit]) -> Fit:
    """Return the reading that the written order shows, upwards or else downwards (RULES 5.3.3)."""
    if len(likely) == 1:
        return likely[0]
    declared = sum([BIT[card.stands_for] for card in cards if card.stands_for])
    bits = [
        BIT[card.stands_for] if card.stands_for else BIT.get(card, 0) & ~declared for card in cards
    ]
    for written in chain(_with_twins(bits), _with_twins(bits[::-1])):
        shown = [fit for fit in likely if fit.shape.kind == "set" or _shows(written, declared, fit)]
        if len(shown) == 1:
            return shown[0]
    if len({fit.wild for fit in likely}) == 1:
        return likely[0]  # they differ in the place of an ace only; no wild card is in doubt
    doubt = finding("E_JOKER_UNDECLARED", cards, **alternatives(*likely))
    raise RuleError.of([doubt])


def _with_twins(written: list[int]) -> Iterator[list[int]]:
    """Yield the order with each of several equal cards as the natural one; the others are wild.

    In 2H 2H 3H it is the second two, because nothing lies below the first.
    """
    yield written  # the first one
    for natural, twin in enumerate(written):
        if twin and twin in written[:natural]:
            yield [0 if bit == twin and at != natural else bit for at, bit in enumerate(written)]


def _shows(written: Sequence[int], declared: int, fit: Fit) -> bool:
    """Return whether cards written in this order show this run, once its gaps are filled.

    The cards with a known place must ascend, and there may be no more places below (above)
    them than undeclared wild cards written before (after) them.
    """
    order, sure = fit.shape.order, fit.natural | declared
    known = []
    before = behind = 0
    for bit in written:
        if bit & sure:
            known.append(order[bit])
            sure ^= bit
            behind = 0
        elif known:
            behind += 1
        else:
            before += 1
    above = len(written) - 1 - known[-1]
    return known == sorted(known) and known[0] <= before and above <= behind
