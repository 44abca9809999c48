"""The referee: judging the table before and after one turn (RULES 10).

With robbing, only the cards count: all of them must be in melds again (10.1). Without it,
every meld must continue, perhaps with more cards, in a meld of its own (10.3). A turn is
refused only if no reading of it is allowed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from scorekeeper.domain.budget import current
from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.errors import Problem, RuleError, Where
from scorekeeper.domain.melds import Meld, first_meld_points, read_meld, unpinned
from scorekeeper.domain.referee.findings import (
    Melds,
    against,
    beyond_deck,
    check_displaced,
    listed,
    physical,
)
from scorekeeper.domain.referee.pairings import Pairing, assignments, pairings_of, rivals
from scorekeeper.domain.rounds.facts import Cards
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.plan import Needed
from scorekeeper.domain.solver import has_lives
from scorekeeper.domain.solver.condition import fits

NONE_KNOWN: Mapping[Cards, Meld] = {}


@dataclass(frozen=True)
class TableMeld:
    """A meld on the table before the turn, and whether the player whose turn it is owns it.

    By default it is another player's: no rule is stricter about those.
    """

    cards: Cards
    own: bool = False


@dataclass(frozen=True, kw_only=True)
class TableChange:
    """The table before and after one turn.

    ``has_laid`` says that the player had laid a first meld before; ``hand_romme`` says that the
    turn is judged as a hand rommé, in which everything is laid at once (RULES 10.4).
    """

    before: tuple[TableMeld, ...] = ()
    hand_used: Cards = ()
    after: tuple[Cards, ...] = ()
    to_hand: Cards = ()
    has_laid: bool = True
    hand_romme: bool = False
    contract: tuple[Needed, ...] = ()
    """The melds that the player must lay first, where there is a contract (RULES-MORE 5.7)."""

    @cached_property
    def came(self) -> Counter[Card]:
        """The cards on the table before the turn, and those from the hand."""
        return physical((*(meld.cards for meld in self.before), self.hand_used))

    @cached_property
    def went(self) -> Counter[Card]:
        """The cards on the table after the turn, and those taken into the hand."""
        return physical((*self.after, self.to_hand))


def check_change(change: TableChange, rules: RuleSet) -> tuple[Problem, ...]:
    """Return the findings about the changes to the table (RULES 10.1, 10.3)."""
    if impossible := tuple(check_deck(change, rules)):
        return impossible
    before, findings = read_melds([meld.cards for meld in change.before], "before", rules)
    known = {meld.cards: before[i] for i, meld in enumerate(change.before) if i in before}
    after, unread = read_melds(change.after, "after", rules, known)
    unaccounted = list(_check_conservation(change))
    findings += [*unread, *unaccounted]
    if rules.robber.enabled:
        findings += _check_robbed_to_hand(change)
    all_read = len(before) == len(change.before) and len(after) == len(change.after)
    if all_read and not unaccounted:
        check = _check_robbery if rules.robber.enabled else _check_growth
        findings += check(change, before, after, rules)
    findings += [
        against("E_JOKER_UNDECLARED", "5.3.6", ("after", i), why="pinned", cards=meld.cards)
        for i, meld in after.items()
        if unpinned(meld, rules)
    ]
    return tuple(findings)


def read_melds(
    melds: Sequence[Cards], name: str, rules: RuleSet, known: Mapping[Cards, Meld] = NONE_KNOWN
) -> tuple[Melds, list[Problem]]:
    """Return the valid melds by their index, and the findings about the others (10.1 T3).

    ``known`` are melds read before, by their cards: most do not change in a turn.
    """
    read: dict[int, Meld] = {}
    findings: list[Problem] = []
    for i, cards in enumerate(melds):
        try:
            read[i] = known.get(cards) or read_meld(cards, rules)
        except RuleError as error:
            findings += error.under(name, i).problems
    return read, findings


# --- the cards before and after -----------------------------------------------------------


def check_deck(change: TableChange, rules: RuleSet) -> Iterator[Problem]:
    """Check that no card occurs more often than in the deck (RULES 6.6.1).

    This also bounds the search: no natural card is in more than two melds.
    """
    return beyond_deck(change.came, rules)


def _check_conservation(change: TableChange) -> Iterator[Problem]:
    """Check that no card disappeared and none is new (10.1 T1)."""
    if missing := change.came - change.went:
        cards = listed(missing)
        if missing <= physical([change.hand_used]):
            yield against("E_CARD_NOT_RELAID", "10.1 T1", ("hand_used",), why="hand", cards=cards)
        else:
            yield against("E_CARD_NOT_RELAID", "10.1 T1", ("after",), cards=cards)
    if surplus := change.went - change.came:
        yield against("E_CARD_FROM_NOWHERE", "10.1 T1", ("after",), cards=listed(surplus))


# --- with robbing -------------------------------------------------------------------------


def _check_robbed_to_hand(change: TableChange) -> Iterator[Problem]:
    """Check that robbed cards and jokers are melded again at once (10.1 T2; [001] §8b)."""
    if change.to_hand:
        yield against("E_STOLEN_TO_HAND", "10.1 T2", ("to_hand",), cards=change.to_hand)


def _check_robbery(
    change: TableChange, before: Melds, after: Melds, rules: RuleSet
) -> Iterator[Problem]:
    """Check that a player who robs has laid out, and adds a card from the hand (10.1 T4, T5).

    A first meld uses only cards from the hand. With ``layoff.first_turn``, cards may be laid off
    in its turn; otherwise nothing else on the table may change until then.
    """
    unchanged = _unchanged(before, after)
    if unchanged is not None:
        new = _new_melds(unchanged, after)
        yield from _check_first_meld(change, unchanged, new, rules)
        yield from _check_contract(change, new)
        yield from _check_lives(change, new, rules)
        yield from _check_melds_per_turn(len(new), change, rules)
        return
    yield from _check_melds_per_turn(len(after) - len(before), change, rules)
    if not change.has_laid:
        yield from _check_first_turn_of_robber(change, before, after, rules)
    elif not change.hand_used and not change.to_hand:  # with ``to_hand`` it is refused anyway
        yield against("W_NO_HAND_CARD", "10.1 T5", ("hand_used",))


def _check_first_turn_of_robber(
    change: TableChange, before: Melds, after: Melds, rules: RuleSet
) -> Iterator[Problem]:
    """Check a turn before the first meld: no robbing, and lay-offs as without robbing."""
    groups = rivals(pairings_of(i, old, after) for i, old in before.items())
    may_lay_off = rules.layoff.first_turn or change.hand_romme
    pairings = _settle(groups, change, rules) if may_lay_off else None
    if pairings is None:
        yield against("E_NOT_LAID", "10.1 T4", ("has_laid",), why="rob")
    else:
        yield from _check_settled(pairings, change, after, rules)


def _unchanged(before: Melds, after: Melds) -> list[Pairing] | None:
    """Return the pairings of the old melds if all are unchanged, else None."""
    pairings = (pairings_of(i, old, after) for i, old in before.items())
    groups = rivals([pairing for pairing in each if not pairing.is_touched] for each in pairings)
    found = [next(assignments(group), None) for group in groups]
    if None in found:
        return None
    return [pairing for assignment in found for pairing in assignment or ()]


# --- without robbing ----------------------------------------------------------------------


def _check_growth(
    change: TableChange, before: Melds, after: Melds, rules: RuleSet
) -> Iterator[Problem]:
    """Check that melds only grow, that jokers may be swapped, and new melds (10.3)."""
    groups = rivals(pairings_of(i, old, after) for i, old in before.items())
    pairings = _settle(groups, change, rules)
    if pairings is None:
        yield from check_displaced(before, after, groups)
        return
    yield from _check_settled(pairings, change, after, rules)
    yield from _check_melds_per_turn(len(after) - len(pairings), change, rules)


def _check_settled(
    pairings: tuple[Pairing, ...], change: TableChange, after: Melds, rules: RuleSet
) -> Iterator[Problem]:
    """Check a turn in which every old meld has a pairing."""
    offences = _offences(pairings, change, rules)
    yield from offences
    if not any(problem.code == "E_SWAP_NOT_ALLOWED" for problem in offences):
        yield from _check_gained(pairings, change, rules)
    new = _new_melds(pairings, after)
    yield from _check_first_meld(change, pairings, new, rules)
    yield from _check_contract(change, new)
    yield from _check_lives(change, new, rules)


def _check_melds_per_turn(new: int, change: TableChange, rules: RuleSet) -> Iterator[Problem]:
    """Check the number of new melds ([002]); a hand rommé lays everything at once (10.4)."""
    limit = rules.meld.max_per_turn
    if new > limit > 0 and not change.hand_romme:
        facts = {"why": "turn", "count": new, "most": limit}
        yield against("E_MELDS_PER_TURN", "3.3", ("after",), **facts)


def _settle(
    groups: Iterable[list[list[Pairing]]], change: TableChange, rules: RuleSet
) -> tuple[Pairing, ...] | None:
    """Return the reading of the turn that breaks the fewest rules; None if a meld has no pairing.

    Groups of rivals have only their jokers in common, so of two ways with the same jokers only
    the better one is needed. Ties are resolved by the codes of the findings, then by the cards
    left for new melds, which a first meld may need.
    """

    def guilt(pairings: tuple[Pairing, ...]) -> tuple[int, list[str], int]:
        problems = [*_offences(pairings, change, rules), *_check_gained(pairings, change, rules)]
        played = sum(len(pairing.played) for pairing in pairings)
        return len(problems), sorted(problem.code for problem in problems), played

    def best(alike: list[tuple[Pairing, ...]]) -> tuple[Pairing, ...]:
        return alike[0] if len(alike) == 1 else min(alike, key=guilt)

    ways: dict[Cards, tuple[Pairing, ...]] = {(): ()}
    budget = current()
    for group in groups:
        found: dict[Cards, list[tuple[Pairing, ...]]] = {}
        for (jokers, pairings), assignment in product(ways.items(), assignments(group)):
            way = (*pairings, *assignment)
            budget.spend(len(way))
            placed = listed(physical([jokers, *_jokers_that_count(assignment, rules)]))
            found.setdefault(placed, []).append(way)
        ways = {jokers: best(alike) for jokers, alike in found.items()}
    return best(list(ways.values())) if ways else None


def _jokers_that_count(pairings: Iterable[Pairing], rules: RuleSet) -> list[Cards]:
    """Return the jokers that ``_check_gained`` checks, through which groups are connected."""
    if rules.joker.swapped_to == "meld_now":
        return [pairing.wild_added for pairing in pairings]
    return [pairing.gained for pairing in pairings]


def _offences(pairings: Iterable[Pairing], change: TableChange, rules: RuleSet) -> list[Problem]:
    return [problem for pairing in pairings for problem in _check_pairing(pairing, change, rules)]


def _check_pairing(pairing: Pairing, change: TableChange, rules: RuleSet) -> Iterator[Problem]:
    """Check that the player may swap jokers and lay off on this meld."""
    own, path = change.before[pairing.old].own, ("after", pairing.new)
    if pairing.is_touched and waits(change, rules):
        if change.hand_romme:
            yield from _check_hand_romme(pairing, path, rules)
        elif not rules.layoff.first_turn:
            yield against("E_NOT_LAID", "10.3 first", path, why="lay_off", cards=pairing.played)
    if pairing.swapped and _is_closed(rules.joker.swap, own):
        why = "own" if rules.joker.swap == "others" else "never"
        facts = {"why": why, "cards": tuple(place.at for place in pairing.swapped)}
        yield against("E_SWAP_NOT_ALLOWED", "10.3", path, **facts)
    if pairing.added and _is_closed(rules.layoff.scope, own):
        for place in pairing.added:
            yield against("E_LAYOFF", "3.3", path, why=rules.layoff.scope, card=place.card)


def _check_hand_romme(pairing: Pairing, path: Where, rules: RuleSet) -> Iterator[Problem]:
    """Check that a hand rommé swaps no jokers, and lays off only if it may (10.4; [001] §5)."""
    if pairing.swapped:
        cards = tuple(place.at for place in pairing.swapped)
        yield against("E_NOT_LAID", "10.4 swap", path, why="hand_romme_swap", cards=cards)
    if pairing.added and not rules.hand_romme.allow_layoff:
        cards = tuple(place.card for place in pairing.added)
        yield against("E_NOT_LAID", "10.4 hand", path, why="hand_romme", cards=cards)


def waits(change: TableChange, rules: RuleSet) -> bool:
    """Return whether the player still needs a first meld before anything else."""
    needs_runs = rules.family == "lay" and rules.meld.lives[1] > 0
    needs_any = rules.meld.first_min > 0 or needs_runs or bool(change.contract)
    return needs_any and not change.has_laid


def minimum(change: TableChange, rules: RuleSet) -> int:
    """Return the points that the first melds must reach; at least one meld must be laid."""
    waived = change.hand_romme and rules.hand_romme.waives_first_min
    return 1 if waived or change.contract else max(1, rules.meld.first_min)


def _is_closed(scope: str, own: bool) -> bool:
    return scope == "none" or (scope == "others" and own)


def _check_gained(
    pairings: Iterable[Pairing], change: TableChange, rules: RuleSet
) -> Iterator[Problem]:
    """Check that gained jokers are in new melds, or in the hand if allowed, and nothing else is.

    Jokers are interchangeable: those laid off may be the ones from the hand.
    """
    pairings = tuple(pairings)
    gained = physical(pairing.gained for pairing in pairings)
    to_hand = physical([change.to_hand])
    if rules.joker.swapped_to == "meld_now":
        laid_off = physical(pairing.wild_added for pairing in pairings) - physical(
            [change.hand_used]
        )
        if refused := gained & to_hand:
            yield against("E_JOKER_TO_HAND", "10.3", ("to_hand",), cards=listed(refused))
        elif laid_off:
            facts = {"why": "laid_off", "cards": listed(laid_off)}
            yield against("E_JOKER_TO_HAND", "10.3", ("after",), **facts)
    if taken := to_hand - gained:
        facts = {"why": "to_hand", "cards": listed(taken)}
        yield against("E_REARRANGE", "10.3", ("to_hand",), **facts)


def _new_melds(pairings: Iterable[Pairing], after: Melds) -> list[Meld]:
    grown = {pairing.new for pairing in pairings}
    return [meld for k, meld in after.items() if k not in grown]


def _check_first_meld(
    change: TableChange, pairings: Iterable[Pairing], new: Sequence[Meld], rules: RuleSet
) -> Iterator[Problem]:
    """Check that a player's first melds reach the minimum with cards from the hand (RULES 5.5).

    Without them nothing may be laid off either, even if ``layoff.first_turn`` allows it.
    """
    if not waits(change, rules):
        return
    pairings = tuple(pairings)
    needed, scope = minimum(change, rules), rules.meld.first_scope
    gained = physical(pairing.gained for pairing in pairings)
    reached = own_points(new, physical([change.hand_used]), gained, rules) if gained else 0
    reached = reached if gained else first_meld_points(new, rules)
    if reached >= needed:
        return
    if new:
        facts = {"why": f"turn_{scope}", "reached": reached, "needed": needed}
        yield against("E_FIRST_MIN", "5.5", ("after",), **facts)
    for pairing in pairings:
        if pairing.is_touched and (rules.layoff.first_turn or change.hand_romme):
            facts = {"why": "first_turn", "cards": pairing.played, "needed": needed}
            yield against("E_NOT_LAID", "10.3 first", ("after", pairing.new), **facts)


def _check_contract(change: TableChange, new: Sequence[Meld]) -> Iterator[Problem]:
    """Check that the first melds are the contract, and that none follow (RULES-MORE 5.7)."""
    if not change.contract or not new:
        return
    if change.has_laid:
        yield against("E_CONTRACT", "more 5.7", ("after",), why="turn_more")
    elif not fits(new, change.contract):
        need = " ".join(map(str, change.contract))
        yield against("E_CONTRACT", "more 5.7", ("after",), why="turn", need=need)


def _check_lives(change: TableChange, new: Sequence[Meld], rules: RuleSet) -> Iterator[Problem]:
    """Check that first melds, or in family hand all melds, have the runs needed (RULES-MORE 5.6).

    A hand rommé does not waive them (6, check 5).
    """
    if rules.family == "lay" and change.has_laid:
        return
    if new and not has_lives(new, rules):
        pure, runs = rules.meld.lives
        yield against("E_LIVES", "more 5.6", ("after",), why="turn", pure=pure, runs=runs)


def own_points(
    new: Sequence[Meld], hand: Counter[Card], gained: Counter[Card], rules: RuleSet
) -> int:
    """Return the most points of new melds that consist of cards from the hand.

    Equal wild cards may be those from the hand or the gained ones. With ``first_scope``
    *together*, this is the choice of melds with the most points that needs no gained card.
    """
    limits = {card: hand[card] for card in gained}
    best: dict[Cards, int] = {(): 0}
    for meld in new:
        wanted = [place.card for place in meld.places if place.card in limits]
        points = first_meld_points([meld], rules)
        for used, reached in list(best.items()):
            cards = listed(Counter((*used, *wanted)))
            if all(count <= limits[card] for card, count in Counter(cards).items()):
                total = reached + points if rules.meld.first_scope == "together" else points
                best[cards] = max(best.get(cards, 0), total)
    return max(best.values())
