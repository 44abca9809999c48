"""Findings about melds: the reasons why cards are no meld, or do not fit one."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from scorekeeper.domain.cards.card import Card, Rank
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.melds.order import Order, ranks_of
from scorekeeper.domain.melds.shapes import (
    BIT,
    Fit,
    all_fits,
    known_and_loose,
    shapes_holding,
)
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.citations import clause_of

WHYS = (
    "E_SET.suit_twice",  # suit, rank: the set holds that card twice
    "E_SET.too_many",  # rank, count: a set has at most four cards
    "E_SET.declared",  # rank, card: a wild card was declared to be of another rank
    "E_MELD_SHORT.run",  # count, needed: a run must be longer here
    "E_RUN.suits_mixed",  # two suits, and they are no set either
    "E_RUN.card_twice",  # card
    "E_RUN.too_many",  # count: a run has at most thirteen cards
    "E_RUN.ace_low_only",  # an ace after the king, although it may only precede the two
    "E_RUN.ace_high_only",  # an ace before the two, although it may only follow the king
    "E_RUN.corner_off",  # K-A-2, although runs end at the ace; ace: "high" if none begins with it
    "E_RUN.gap",  # missing (cards), count (wild cards available for the gaps)
    "E_RUN.rainbow_length",  # count: a rainbow has exactly four cards
    "E_RUN.rainbow_suit_twice",  # suit
    "E_RUN.rainbow_colours",  # one, other (cards): adjacent cards of the same colour
    "E_RUN.rainbow_gap",  # the ranks do not follow each other
    "E_JOKER_UNDECLARED.kind",  # rank, run (cards): a set, or a run with these jokers
    "E_JOKER_AMBIGUOUS.kind",  # the same
    "E_LAYOFF.rainbow",  # card: nothing may be laid off on a rainbow
    "E_LAYOFF.set",  # card, allowed (cards): does not belong to this set
    "E_LAYOFF.run",  # card, allowed (cards): does not continue this run
    "E_LAYOFF.full",  # card: this meld cannot take more cards
    "E_LAYOFF.joker_adjacent",  # count, limit: as E_JOKER_ADJACENT
    "E_LAYOFF.joker_ambiguous",  # one, other (cards): as E_JOKER_AMBIGUOUS
    "E_SWAP_MISMATCH.no_joker",  # card: this meld has no wild card
    "E_SWAP_MISMATCH.other_card",  # card, allowed (cards): the cards that the wild cards stand for
)
"""The reasons why cards are no meld or do not fit one. Every finding has ``cards``, in the
order written (on the table: as they lie), and ``clause`` of RULES. The codes without ``why``:
E_MELD_SHORT (count), E_MIN_NATURALS (count, needed), E_JOKER_ADJACENT (count, limit),
E_JOKER_UNDECLARED and E_JOKER_AMBIGUOUS (one, other: cards that the wild cards may be;
readings: all of these), E_JOKER_NOT_IN_DECK, E_SUIT_NEEDED (rank), E_RULE_OFF (option)."""


def finding(code: str, cards: Sequence[Card], /, **facts: object) -> Problem:
    clause = clause_of(code, facts.get("why"))
    return Problem(code, {"cards": tuple(cards), "clause": clause, **facts})


def alternatives(*fits: Fit) -> dict[str, object]:
    """Return the facts of an ambiguity: the cards that the wild cards may stand for."""
    wild = tuple(fit.stood_for for fit in fits)
    facts: dict[str, object] = {"one": wild[0], "other": wild[1], "readings": wild}
    kinds = {fit.shape.kind: fit for fit in fits[:2]}
    if len(kinds) > 1 and "set" in kinds:  # name the rank of the set and the jokers of the run
        rank = next(iter(kinds.pop("set").shape.cells.values())).rank
        (run,) = kinds.values()
        return facts | {"why": "kind", "rank": rank, "run": run.stood_for}
    return facts


def unplayable(cards: Sequence[Card], rules: RuleSet) -> Problem | None:
    """Return the finding against cards that cannot be read as a meld at all, or None."""
    for card in cards:
        if card.suit and not card.stands_for and rules.deck.ranks == 52:
            continue
        if card.rank and card.rank not in ranks_of(rules.deck.ranks):
            return finding("E_CARD_NOT_IN_DECK", cards, card=card)
        if card.is_bare:
            return finding("E_SUIT_NEEDED", cards, token=str(card), rank=card.rank)
        if card.is_joker and not rules.deck.jokers:
            return finding("E_JOKER_NOT_IN_DECK", cards)
        if card.stands_for and not card.is_joker and not rules.wild_rank:
            return finding("E_RULE_OFF", cards, option="wild.twos")
    if len(cards) < 3:
        return finding("E_MELD_SHORT", cards, count=len(cards))
    return None


def why_no_meld(cards: Sequence[Card], rules: RuleSet) -> Problem:
    """Return why the naturals and the declared cards among these fit no meld."""
    if is_short_run(cards, rules):
        return finding(
            "E_MELD_SHORT", cards, why="run", count=len(cards), needed=rules.meld.run_min
        )
    known, loose = known_and_loose(cards, rules)
    naturals = [place.at for place in known if not place.is_wild]
    at = [place.at for place in known]
    if not naturals:
        needed = rules.joker.min_naturals
        return finding("E_MIN_NATURALS", cards, count=0, needed=needed)
    if len(naturals) > 1 and len({card.rank for card in naturals}) == 1:
        return finding("E_SET", cards, **_why_no_set(at, naturals[0].rank, len(cards)))
    return finding("E_RUN", cards, **_why_no_run(at, loose, rules))


def is_short_run(cards: Sequence[Card], rules: RuleSet) -> bool:
    """Return whether the cards would be a run if runs of three were enough (``meld.run_min``)."""
    if len(cards) >= rules.meld.run_min:
        return False
    return bool(all_fits(cards, replace(rules, meld=replace(rules.meld, run_min=3))))


def _why_no_set(known: Sequence[Card], rank: Rank | None, size: int) -> dict[str, object]:
    """Return why naturals of one rank, perhaps with declared wild cards, are no set."""
    for card in known:
        if card.rank != rank:
            return {"why": "declared", "rank": rank, "card": card}
    if twice := _twice(known):
        return {"why": "suit_twice", "rank": rank, "suit": twice.suit}
    return {"why": "too_many", "rank": rank, "count": size}


def _why_no_run(known: Sequence[Card], loose: Sequence[Card], rules: RuleSet) -> dict[str, object]:
    """Return why cards of several ranks, or a single natural among wild cards, are no run."""
    size = len(known) + len(loose)
    if twice := _twice(known):
        return {"why": "card_twice", "card": twice}
    if size > len(Rank):
        return {"why": "too_many", "count": size}
    if _fits_the_circle(known, size, rules):
        return _why_not_the_ace(known, size, rules)
    if len({card.suit for card in known}) > 1:
        return _why_no_rainbow(known, size) if rules.meld.rainbow else {"why": "suits_mixed"}
    return {"why": "gap", "missing": _missing(known, rules), "count": len(loose)}


def _why_not_the_ace(known: Sequence[Card], size: int, rules: RuleSet) -> dict[str, object]:
    """Return why the ace of a run may not stand there; ``ace`` is where alone it may, if told."""
    order, bits = Order.of(rules), sum(map(BIT.__getitem__, known))
    low = shapes_holding(known[0], size, order._replace(low=True), rules.meld.rainbow)
    if any(not bits & ~shape.bits for shape in low):
        return {"why": "ace_high_only"}
    if not order.high:
        return {"why": "ace_low_only"}
    return {"why": "corner_off"} if order.low else {"why": "corner_off", "ace": "high"}


def _fits_the_circle(known: Sequence[Card], size: int, rules: RuleSet) -> bool:
    """Return whether the cards would be a run if the ace could stand anywhere."""
    bits = sum(map(BIT.__getitem__, known))
    circle = shapes_holding(known[0], size, Order.of(rules).circle, rules.meld.rainbow)
    return any(not bits & ~shape.bits for shape in circle)


def _why_no_rainbow(known: Sequence[Card], size: int) -> dict[str, object]:
    """Return why cards of several suits are no rainbow."""
    if size != 4:
        return {"why": "rainbow_length", "count": size}
    suits = [card.suit for card in known]
    for suit in suits:
        if suits.count(suit) > 1:
            return {"why": "rainbow_suit_twice", "suit": suit}
    for one, other in permutations(known, 2):
        steps = ((other.rank or 0) - (one.rank or 0)) % len(Rank)
        if steps == 1 and _is_red(one) == _is_red(other):
            return {"why": "rainbow_colours", "one": one, "other": other}
    return {"why": "rainbow_gap"}


def _is_red(card: Card) -> bool:
    return card.suit is not None and card.suit.is_red


def _twice(cards: Sequence[Card]) -> Card | None:
    """Return a card that occurs more than once, or None."""
    return next((card for card in cards if cards.count(card) > 1), None)


def _missing(known: Sequence[Card], rules: RuleSet) -> tuple[Card, ...]:
    """Return the cards missing from the shortest run through all known cards of one suit."""
    bits = sum(map(BIT.__getitem__, known))
    return next(
        tuple(card for bit, card in shape.cells.items() if not bits & bit)
        for size in range(len(known) + 1, len(Rank) + 1)
        for shape in shapes_holding(known[0], size, Order.of(rules), False)
        if not bits & ~shape.bits
    )
