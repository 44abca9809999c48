"""Melds laid in one row, without marks where one ends and the next begins."""

from functools import cache

from scorekeeper.domain.cards.card import Rank
from scorekeeper.domain.melds import readings
from scorekeeper.domain.rounds.facts import Cards
from scorekeeper.domain.rules import RuleSet


def melds_in_order(cards: Cards, rules: RuleSet) -> tuple[Cards, ...]:
    """Split cards into melds, each as long as the following ones allow.

    ``7H 8H 9H 10H 10S 10D`` is a run of three and a set. If not all cards are in melds, the
    cards after the longest first melds are an unfinished meld.
    """

    @cache
    def cut(start: int, *, to_the_end: bool) -> tuple[Cards, ...] | None:
        if start == len(cards):
            return ()
        for end in range(min(len(cards), start + len(Rank)), start + 2, -1):
            if readings(cards[start:end], rules):
                rest = cut(end, to_the_end=to_the_end)
                if rest is not None:
                    return (cards[start:end], *rest)
        return None if to_the_end else (cards[start:],)

    return cut(0, to_the_end=True) or cut(0, to_the_end=False) or ()
