"""The best arrangement of a hand whose player may not have laid out yet (RULES 5.6)."""

from collections.abc import Iterator, Sequence
from itertools import islice

from scorekeeper.domain.budget import limited
from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.melds import Meld, hand_value
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver.arrangement import Arrangement
from scorekeeper.domain.solver.openings import ways_out
from scorekeeper.domain.solver.search import arrange, search_of
from scorekeeper.domain.solver.terms import Contract, is_waiting, terms_of_first_turn


def arrange_to_lay(
    hand: Sequence[Card],
    rules: RuleSet,
    table: Sequence[Meld] = (),
    *,
    has_laid: bool = False,
    contract: Contract = (),
) -> Arrangement:
    """Return the arrangement with the fewest points that the player may lay.

    Before the first meld this is nothing at all; or melds of which the first reach
    ``meld.first_min``, or which are the contract, with lay-offs if ``layoff.first_turn`` allows
    them; or a hand rommé with a discard. After a contract cards are only laid off. ``table`` are
    the melds that cards may be laid off on.
    """
    if has_laid or not (contract or is_waiting(rules, has_laid=False)):
        return arrange(hand, rules, table, melds=not contract)
    with limited():
        found = [
            arrange(hand, rules, melds=False),
            *_begun(hand, rules, table, contract),
            *_out(hand, rules, table, contract),
        ]
    return min(found, key=lambda arrangement: arrangement.points)


def _begun(
    hand: Sequence[Card], rules: RuleSet, table: Sequence[Meld], contract: Contract
) -> Iterator[Arrangement]:
    """Yield the best arrangement after a first meld, if the hand has one.

    It is usually the best arrangement overall.
    """
    terms = terms_of_first_turn(rules, table, contract)
    search = search_of(hand, rules, terms.table)
    least = next(search.best(hand))
    if terms.allow(least, rules):
        yield least
    else:
        yield from islice(search.best(hand, condition=terms.first(rules)), 1)


def _out(
    hand: Sequence[Card], rules: RuleSet, table: Sequence[Meld], contract: Contract
) -> Iterator[Arrangement]:
    """Yield the ways to go out, with the discard among the cards left."""
    for way in ways_out(hand, rules, table, contract=contract):
        discard = (way.discard,) if way.discard else ()
        rest = (*way.arrangement.rest, *discard)
        yield way.arrangement._replace(points=hand_value(rest, rules), rest=rest)
