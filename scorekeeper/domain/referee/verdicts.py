"""Verdicts about cards as a meld, and about a hand (RULES 5).

``melds`` and the solver decide; this module adds the grounds, as clauses of RULES that the
catalogues word, and finds remedies by trying them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Literal

from scorekeeper.domain.budget import limited
from scorekeeper.domain.cards.card import PACK, Card
from scorekeeper.domain.errors import Problem, RuleError, problem
from scorekeeper.domain.melds import Meld, first_meld_points, read_meld, readings, unpinned
from scorekeeper.domain.referee.findings import not_in_deck
from scorekeeper.domain.referee.table_change import TableChange, TableMeld, check_deck, read_melds
from scorekeeper.domain.rounds.facts import Cards
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.plan import Needed, PlanRow
from scorekeeper.domain.solver import (
    Arrangement,
    all_left,
    arrange_with_lives,
    has_lives,
)
from scorekeeper.domain.solver.condition import fits
from scorekeeper.domain.solver.laying import arrange_to_lay
from scorekeeper.domain.solver.openings import FirstMelds, WayOut, first_melds, ways_out
from scorekeeper.domain.solver.terms import is_waiting

MAX_REMEDIES = 4
"""The most remedies of each kind."""
UNDECLARED = ("E_JOKER_UNDECLARED", "W_JOKER_UNPINNED")
"""Findings that are remedied by declaring a wild card."""


@dataclass(frozen=True)
class Remedy:
    """A small change that makes the cards a meld."""

    how: Literal["declare", "without", "with", "instead"]
    cards: Cards
    """By ``how``: all cards, declared; the card to omit or to add; the card to omit and its
    replacement."""


@dataclass(frozen=True)
class FirstMeld:
    """The points of a meld as a first meld, and the minimum (RULES 5.5)."""

    reached: int
    needed: int

    @property
    def is_enough(self) -> bool:
        return self.reached >= self.needed


@dataclass(frozen=True)
class MeldVerdict:
    """The verdict about cards as a meld."""

    meld: Meld | None
    readings: tuple[Meld, ...]
    """Every legal way to read the cards, in any order."""
    grounds: tuple[str, ...]
    """The clauses of RULES that make them a meld."""
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    remedies: tuple[Remedy, ...]
    first: FirstMeld | None
    """None if not asked for, or if a first meld needs no minimum."""

    @property
    def is_valid(self) -> bool:
        return not self.problems

    @property
    def others(self) -> list[Meld]:
        """The readings other than ``meld``."""
        return [meld for meld in self.readings if meld != self.meld]


def judge_meld(
    cards: Cards, rules: RuleSet, *, first: bool = False, row: PlanRow | None = None
) -> MeldVerdict:
    """Return the verdict about cards as a meld; ``first``: as a first meld of a player.

    ``row`` is that of the round, where there is a plan: a first meld is part of its contract.
    """
    meld: Meld | None = None
    problems: list[Problem] = []
    warnings: list[Problem] = []
    try:
        meld = read_meld(cards, rules)
        problems += check_cards(cards, rules)
        if unpinned(meld, rules):
            warnings.append(problem("W_JOKER_UNPINNED", cards=cards, clause="5.3.6"))
    except RuleError as error:
        problems += error.problems
    seen = tuple(readings(cards, rules))
    remedies = tuple(_remedies(cards, seen, {p.code for p in problems + warnings}, rules))
    first_meld = _first_meld(meld, rules) if meld and first else None
    if first_meld and not first_meld.is_enough:
        problems.append(_too_cheap(first_meld))
    if meld and first and row and row.need and not any(fits([meld], [one]) for one in row.need):
        need = " ".join(map(str, row.need))
        problems.append(problem("E_CONTRACT", why="meld", need=need, clause="more 5.7"))
    grounds = tuple(_grounds(meld, seen)) if meld else ()
    return MeldVerdict(meld, seen, grounds, tuple(problems), tuple(warnings), remedies, first_meld)


def check_cards(cards: Cards, rules: RuleSet, table: Iterable[Cards] = ()) -> tuple[Problem, ...]:
    """Return the findings about cards that are not in the deck, or too often (RULES 6.6.1)."""
    on_table = tuple(TableMeld(meld) for meld in table)
    change = TableChange(before=on_table, hand_used=cards)
    return (*not_in_deck(cards, rules), *check_deck(change, rules))


def _first_meld(meld: Meld, rules: RuleSet) -> FirstMeld | None:
    needed = rules.meld.first_min
    return FirstMeld(first_meld_points([meld], rules), needed) if needed else None


def _too_cheap(first: FirstMeld) -> Problem:
    facts = {"why": "meld", "clause": "5.5", "reached": first.reached, "needed": first.needed}
    return Problem("E_FIRST_MIN", facts)


def _grounds(meld: Meld, seen: Sequence[Meld]) -> Iterator[str]:
    """Yield the clauses that make the cards a meld and that identify its wild cards."""
    yield {"set": "5.1", "run": "5.2", "rainbow": "5.2.rainbow"}[meld.kind]
    if meld.wild:
        yield "5.3.2" if len(seen) == 1 else "5.3.3"


# --- a hand -------------------------------------------------------------------------------


@dataclass(frozen=True)
class HandVerdict:
    """The verdict about a hand."""

    best: Arrangement
    first: FirstMelds | None
    """Its possible first melds."""
    needed: int
    """The minimum of a first meld; if it is 0, ``first`` is None."""
    ways_out: tuple[WayOut, ...]
    contract: tuple[Needed, ...] = ()
    """The melds that the player must lay first; none if they lie, or if there is no contract."""

    @property
    def has_contract(self) -> bool:
        """Whether the hand has the melds of the contract."""
        return bool(self.contract and self.best.melds)


def judge_hand(
    cards: Cards,
    rules: RuleSet,
    table: Sequence[Cards] = (),
    *,
    has_laid: bool = False,
    row: PlanRow | None = None,
) -> HandVerdict:
    """Return the best arrangement of a hand, its first melds, and the ways to go out.

    ``row`` is that of the round, where there is a plan; without it no contract is asked for.
    The hand may have up to 24 cards. Raises RuleError for cards that the deck does not have and
    for invalid melds on the table, and TooMuch beyond the budget, which all searches share.
    """
    if impossible := check_cards(cards, rules, table):
        raise RuleError.of(problem.under("cards") for problem in impossible)
    melds, findings = read_melds(table, "table", rules)
    if findings:
        raise RuleError.of(findings)
    laid = tuple(melds.values())
    own = tuple(card.physical for card in cards)
    needed = rules.meld.first_min if is_waiting(rules, has_laid=has_laid) else 0
    contract = row.need if row else ()
    if has_laid and not row:  # whichever contract was laid, cards are only laid off after it
        contract = next(iter(rules.contracts), ())
    if rules.meld.lives[1] and not (has_laid or contract):
        return _with_lives(own, rules, laid, needed)
    with limited():
        return HandVerdict(
            best=arrange_to_lay(own, rules, laid, has_laid=has_laid, contract=contract),
            first=first_melds(own, rules) if needed else None,
            needed=needed,
            ways_out=ways_out(own, rules, laid, has_laid=has_laid, contract=contract),
            contract=() if has_laid else contract,
        )


def _with_lives(own: Cards, rules: RuleSet, table: Sequence[Meld], needed: int) -> HandVerdict:
    """Judge a hand that needs certain runs: without them nothing is melded (RULES-MORE 5.6, 7.3.3).

    In family lay they are part of the first melds, and cards are not laid off before.
    """
    with limited():
        found = arrange_with_lives(own, rules)
        if found and needed and first_meld_points(found.melds, rules) < needed:
            found = None
        first = first_melds(own, rules) if needed and found else None
        if first and found:
            cheapest, dearest = (
                melds if has_lives(melds, rules) else found.melds
                for melds in (first.cheapest, first.dearest)
            )
            first = FirstMelds(cheapest, dearest)
        ways = [
            WayOut(way.discard, rest)
            for way in ways_out(own, rules, table)
            for rest in [arrange_with_lives(_but(own, way.discard), rules)]
            if rest and rest.points <= rules.out.max_rest
        ]
        return HandVerdict(found or all_left(own, rules), first, needed, tuple(ways))


def _but(cards: Cards, one: Card | None) -> Cards:
    place = len(cards) if one is None else cards.index(one)
    return (*cards[:place], *cards[place + 1 :])


# --- remedies -----------------------------------------------------------------------------


def _remedies(
    cards: Cards, seen: Sequence[Meld], codes: set[str], rules: RuleSet
) -> Iterator[Remedy]:
    """Yield remedies: declare wild cards; else omit a card, add one, or replace one."""
    if codes.intersection(UNDECLARED):
        yield from islice((Remedy("declare", one) for one in _declared(seen)), MAX_REMEDIES)
    elif codes and len(cards) <= 14 and not any(card.is_bare for card in cards):
        changed = [
            *islice(_without(cards, rules), MAX_REMEDIES),
            *islice(_with(cards, rules), MAX_REMEDIES),
        ]
        yield from changed or islice(_instead(cards, rules), MAX_REMEDIES)


def _declared(seen: Sequence[Meld]) -> Iterator[Cards]:
    """Yield the readings with every wild card declared, open suits in the first two ways."""
    for meld in seen:
        at = {place.at for place in meld.places}
        free = [card for card in PACK if card not in at and card._replace(suit=None) in at]
        opened = sum(place.at.suit is None for place in meld.places)
        for suits in islice(combinations(free, opened), 2):
            spare = iter(suits)
            yield tuple(
                one if place.at.suit else one._replace(stands_for=next(spare))
                for one, place in zip(meld.cards, meld.places, strict=True)
            )


def _without(cards: Cards, rules: RuleSet) -> Iterator[Remedy]:
    for card in dict.fromkeys(cards):
        left = list(cards)
        left.remove(card)
        if _is_meld(left, rules):
            yield Remedy("without", (card,))


def _with(cards: Cards, rules: RuleSet) -> Iterator[Remedy]:
    yield from (Remedy("with", (new,)) for new in PACK if _is_meld((*cards, new), rules))


def _instead(cards: Cards, rules: RuleSet) -> Iterator[Remedy]:
    for card in dict.fromkeys(cards):
        left = list(cards)
        left.remove(card)
        for new in PACK:
            if new != card and _is_meld([*left, new], rules):
                yield Remedy("instead", (card, new))


def _is_meld(cards: Sequence[Card], rules: RuleSet) -> bool:
    try:
        read_meld(cards, rules)
    except RuleError:
        return False
    return not check_cards(tuple(cards), rules)
