"""The table referee: what the rules have against one turn (RULES 10).

A turn is seen as a before and an after. With robbing only the cards count: all of them
lie in melds again (10.1). Without it every meld must lie on, grown at most, in a meld of
its own (10.3). A turn is refused only if no way of seeing it is allowed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

from scorekeeper.domain.budget import current
from scorekeeper.domain.cards import Card
from scorekeeper.domain.errors import Problem, RuleError, Where
from scorekeeper.domain.homes import Home, choices, homes_of, rivals
from scorekeeper.domain.melds import Meld, first_meld_points, read_meld, unpinned
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.rounds import Cards

Findings = Iterator[Problem]
Melds = Mapping[int, Meld]
"""Melds by their index, as they were declared."""
NONE_KNOWN: Mapping[Cards, Meld] = {}

WHYS = (
    "E_DUPLICATE_CARD.table",  # card, count, most: before the turn, with the cards played
    "E_TOO_MANY_JOKERS.table",  # count, most
    "E_CARD_NOT_RELAID.hand",  # cards: said to be played, but nowhere on the table
    "E_CARD_FROM_NOWHERE.not_in_meld",  # cards: not in the meld they are stolen from
    "E_STEAL_LEAVES_INCOMPLETE.short",  # rest, count, most: how many may be taken of so many
    "E_STEAL_LEAVES_INCOMPLETE.three",  # cards: of three cards all or none
    "E_STEAL_LEAVES_INCOMPLETE.apart",  # rest: enough cards, but they make no melds
    "E_JOKER_UNDECLARED.pinned",  # cards: a joker in a set of three that says nothing
    "E_NOT_LAID.rob",
    "E_NOT_LAID.lay_off",  # cards: laid off, or put in the place of a joker
    "E_NOT_LAID.first_turn",  # the same, where a first meld in this turn would do
    "E_FIRST_MIN.turn_single",  # reached, needed
    "E_FIRST_MIN.turn_together",
    "E_MELDS_PER_TURN.turn",  # count, most
    "E_REARRANGE.moved",  # cards: the meld; missing: what left it
    "E_REARRANGE.joker_moved",  # cards: the meld, with what its jokers stood for
    "E_REARRANGE.merged",  # one, other: two melds that became one
    "E_REARRANGE.to_hand",  # cards: taken into the hand
    "E_REARRANGE.steal",  # cards
    "E_SWAP_NOT_ALLOWED.never",  # cards: what the jokers stand for
    "E_SWAP_NOT_ALLOWED.own",
    "E_JOKER_TO_HAND.laid_off",  # cards: gained jokers laid off instead of newly melded
    "E_FORM.no_meld",  # number: a step names a meld that is not there (any more)
)
"""Why a turn is refused, beyond what ``melds`` says of its cards. Every finding has
``clause`` of RULES. Without ``why``: E_CARD_NOT_RELAID, E_CARD_FROM_NOWHERE,
E_STOLEN_TO_HAND, E_JOKER_TO_HAND (cards), W_NO_HAND_CARD; and as elsewhere
E_JOKER_NOT_IN_DECK, E_LAYOFF.none and .others (card), E_SWAP_MISMATCH.other_card."""


@dataclass(frozen=True)
class TableMeld:
    """A meld on the table before the turn, and whether the player whose turn it is owns it.

    A meld of which nothing is said is another player's: no rule is stricter there.
    """

    cards: Cards
    own: bool = False


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What one turn did to the table.

    ``has_laid`` says that the player had made a first meld before; say so too of a hand
    rommé that may lay off, where everything is laid at once (RULES 6.6.6).
    """

    before: tuple[TableMeld, ...] = ()
    hand_used: Cards = ()
    after: tuple[Cards, ...] = ()
    to_hand: Cards = ()
    has_laid: bool = True

    @cached_property
    def came(self) -> Counter[Card]:
        """The cards on the table before, and those from the hand."""
        return physical((*(meld.cards for meld in self.before), self.hand_used))

    @cached_property
    def went(self) -> Counter[Card]:
        """The cards on the table afterwards, and those taken into the hand."""
        return physical((*self.after, self.to_hand))


def check_turn(turn: Turn, rules: RuleSet) -> tuple[Problem, ...]:
    """What the rules have against a turn: nothing, warnings or errors (RULES 10)."""
    if impossible := tuple(check_deck(turn, rules)):
        return impossible
    before, findings = read_melds([meld.cards for meld in turn.before], "before", rules)
    known = {meld.cards: before[i] for i, meld in enumerate(turn.before) if i in before}
    after, unread = read_melds(turn.after, "after", rules, known)
    unaccounted = list(_check_conservation(turn))
    findings += [*unread, *unaccounted]
    if rules.robber.enabled:
        findings += _check_robbed_to_hand(turn)
    all_read = len(before) == len(turn.before) and len(after) == len(turn.after)
    if all_read and not unaccounted:
        check = _check_robbery if rules.robber.enabled else _check_growth
        findings += check(turn, before, after, rules)
    findings += [
        against("E_JOKER_UNDECLARED", "5.3.6", ("after", i), why="pinned", cards=meld.cards)
        for i, meld in after.items()
        if unpinned(meld, rules)
    ]
    return tuple(findings)


def against(code: str, clause: str, path: Where = (), /, **facts: object) -> Problem:
    """A finding with the clause of RULES that it stands for."""
    return Problem(code, {"clause": clause, **facts}, path)


def read_melds(
    melds: Sequence[Cards], name: str, rules: RuleSet, known: Mapping[Cards, Meld] = NONE_KNOWN
) -> tuple[Melds, list[Problem]]:
    """The melds by their index, and what is wrong with the others (10.1 T3).

    ``known`` are melds that were read before, by their cards: most lie as they lay.
    """
    read: dict[int, Meld] = {}
    findings: list[Problem] = []
    for i, cards in enumerate(melds):
        try:
            read[i] = known.get(cards) or read_meld(cards, rules)
        except RuleError as error:
            findings += error.under(name, i).problems
    return read, findings


# --- cards: where they come from, where they go -------------------------------------------


def physical(groups: Iterable[Iterable[Card]]) -> Counter[Card]:
    return Counter([card.physical for group in groups for card in group])


def listed(cards: Counter[Card]) -> Cards:
    """Cards in the order of a hand, whatever order they were counted in."""
    return tuple(sorted(cards.elements(), key=lambda card: (card.suit or "", card.rank or 0)))


def check_deck(turn: Turn, rules: RuleSet) -> Findings:
    """No card more often than the deck has it (RULES 6.6.1).

    This also bounds the search: no natural card lies in more than two melds.
    """
    for card, count in turn.came.items():
        most = rules.deck.jokers if card.is_joker else rules.deck.packs
        if count <= most or card.is_bare:
            continue  # bare ranks are refused where the melds are read
        if not card.is_joker:
            facts = {"why": "table", "card": card, "count": count, "most": most}
            yield against("E_DUPLICATE_CARD", "6.6.1", **facts)
        elif most:
            yield against("E_TOO_MANY_JOKERS", "6.6.1", why="table", count=count, most=most)
        else:
            yield against("E_JOKER_NOT_IN_DECK", "6.6.1")


def _check_conservation(turn: Turn) -> Findings:
    """Every card is somewhere afterwards, and none is new (10.1 T1)."""
    if missing := turn.came - turn.went:
        cards = listed(missing)
        if missing <= physical([turn.hand_used]):
            yield against("E_CARD_NOT_RELAID", "10.1 T1", ("hand_used",), why="hand", cards=cards)
        else:
            yield against("E_CARD_NOT_RELAID", "10.1 T1", ("after",), cards=cards)
    if surplus := turn.went - turn.came:
        yield against("E_CARD_FROM_NOWHERE", "10.1 T1", ("after",), cards=listed(surplus))


# --- with robbing -------------------------------------------------------------------------


def _check_robbed_to_hand(turn: Turn) -> Findings:
    """Robbed cards and jokers go back into melds at once (10.1 T2; [001] §8b)."""
    if turn.to_hand:
        yield against("E_STOLEN_TO_HAND", "10.1 T2", ("to_hand",), cards=turn.to_hand)


def _check_robbery(turn: Turn, before: Melds, after: Melds, rules: RuleSet) -> Findings:
    """Who robs has laid out, and should add a card from the hand (10.1 T4, T5).

    A first meld uses own cards only. In its turn melds may grow where ``layoff.first_turn``
    holds; nothing else on the table is touched until then.
    """
    unchanged = _unchanged(before, after)
    if unchanged is not None:
        new = _new_melds(unchanged, after)
        yield from _check_first_meld(turn, unchanged, new, rules)
        yield from _check_melds_per_turn(len(new), rules)
        return
    yield from _check_melds_per_turn(len(after) - len(before), rules)
    if not turn.has_laid:
        yield from _check_first_turn_of_robber(turn, before, after, rules)
    elif not turn.hand_used and not turn.to_hand:  # else it is refused, not only unusual
        yield against("W_NO_HAND_CARD", "10.1 T5", ("hand_used",))


def _check_first_turn_of_robber(
    turn: Turn, before: Melds, after: Melds, rules: RuleSet
) -> Findings:
    """Before the first meld nothing is robbed; what may be laid off is as without robbing."""
    groups = rivals(homes_of(i, old, after) for i, old in before.items())
    homes = _settle(groups, turn, rules) if rules.layoff.first_turn else None
    if homes is None:
        yield against("E_NOT_LAID", "10.1 T4", ("has_laid",), why="rob")
    else:
        yield from _check_settled(homes, turn, after, rules)


def _unchanged(before: Melds, after: Melds) -> list[Home] | None:
    """Where the melds lie that lie as before; None if one of them does not."""
    homes = (homes_of(i, old, after) for i, old in before.items())
    groups = rivals([home for home in each if not home.is_touched] for each in homes)
    found = [next(choices(group), None) for group in groups]
    if None in found:
        return None
    return [home for choice in found for home in choice or ()]


# --- without robbing ----------------------------------------------------------------------


def _check_growth(turn: Turn, before: Melds, after: Melds, rules: RuleSet) -> Findings:
    """Melds only grow, jokers are exchanged where they may be, new melds are own (10.3)."""
    groups = rivals(homes_of(i, old, after) for i, old in before.items())
    homes = _settle(groups, turn, rules)
    if homes is None:
        yield from _check_displaced(before, after, groups)
        return
    yield from _check_settled(homes, turn, after, rules)
    yield from _check_melds_per_turn(len(after) - len(homes), rules)


def _check_settled(homes: tuple[Home, ...], turn: Turn, after: Melds, rules: RuleSet) -> Findings:
    """What is against a turn that leaves every meld in a home."""
    offences = _offences(homes, turn, rules)
    yield from offences
    if not any(problem.code == "E_SWAP_NOT_ALLOWED" for problem in offences):
        yield from _check_gained(homes, turn, rules)
    yield from _check_first_meld(turn, homes, _new_melds(homes, after), rules)


def _check_melds_per_turn(new: int, rules: RuleSet) -> Findings:
    """No more new melds than a turn may lay ([002])."""
    limit = rules.meld.max_per_turn
    if new > limit > 0:
        facts = {"why": "turn", "count": new, "most": limit}
        yield against("E_MELDS_PER_TURN", "3.3", ("after",), **facts)


def _settle(
    groups: Iterable[list[list[Home]]], turn: Turn, rules: RuleSet
) -> tuple[Home, ...] | None:
    """The way to see the turn that breaks the fewest rules; None where melds have no home.

    Groups of rivals have only their jokers in common: of two ways that place the same
    jokers the better one is enough. Equally bad ones are told apart by their codes, equally
    good ones by what they leave to new melds, which a first meld may need.
    """

    def guilt(homes: tuple[Home, ...]) -> tuple[int, list[str], int]:
        problems = [*_offences(homes, turn, rules), *_check_gained(homes, turn, rules)]
        played = sum(len(home.played) for home in homes)
        return len(problems), sorted(problem.code for problem in problems), played

    def best(alike: list[tuple[Home, ...]]) -> tuple[Home, ...]:
        return alike[0] if len(alike) == 1 else min(alike, key=guilt)

    ways: dict[Cards, tuple[Home, ...]] = {(): ()}
    budget = current()
    for group in groups:
        found: dict[Cards, list[tuple[Home, ...]]] = {}
        for (jokers, homes), choice in product(ways.items(), choices(group)):
            way = (*homes, *choice)
            budget.spend(len(way))
            placed = listed(physical([jokers, *_jokers_that_count(choice, rules)]))
            found.setdefault(placed, []).append(way)
        ways = {jokers: best(alike) for jokers, alike in found.items()}
    return best(list(ways.values())) if ways else None


def _jokers_that_count(homes: Iterable[Home], rules: RuleSet) -> list[Cards]:
    """Return what ``_check_gained`` looks at, in which groups of rivals depend on each other."""
    if rules.joker.swapped_to == "meld_now":
        return [home.wild_added for home in homes]
    return [home.gained for home in homes]


def _offences(homes: Iterable[Home], turn: Turn, rules: RuleSet) -> list[Problem]:
    return [problem for home in homes for problem in _check_home(home, turn, rules)]


def _check_home(home: Home, turn: Turn, rules: RuleSet) -> Findings:
    """Who may exchange a joker here, and lay off here."""
    own, path = turn.before[home.old].own, ("after", home.new)
    if home.is_touched and waits(turn, rules) and not rules.layoff.first_turn:
        yield against("E_NOT_LAID", "10.3 first", path, why="lay_off", cards=home.played)
    if home.swapped and _is_closed(rules.joker.swap, own):
        why = "own" if rules.joker.swap == "others" else "never"
        facts = {"why": why, "cards": tuple(place.at for place in home.swapped)}
        yield against("E_SWAP_NOT_ALLOWED", "10.3", path, **facts)
    if home.added and _is_closed(rules.layoff.scope, own):
        for place in home.added:
            yield against("E_LAYOFF", "3.3", path, why=rules.layoff.scope, card=place.card)


def waits(turn: Turn, rules: RuleSet) -> bool:
    """Whether the player still needs a first meld before anything else."""
    return rules.meld.first_min > 0 and not turn.has_laid


def _is_closed(scope: str, own: bool) -> bool:
    return scope == "none" or (scope == "others" and own)


def _check_gained(homes: Iterable[Home], turn: Turn, rules: RuleSet) -> Findings:
    """A gained joker is newly melded at once, or may go to the hand; nothing else may.

    Jokers are alike: those laid off may be the ones from the hand, as many as there are.
    """
    homes = tuple(homes)
    gained = physical(home.gained for home in homes)
    to_hand = physical([turn.to_hand])
    if rules.joker.swapped_to == "meld_now":
        laid_off = physical(home.wild_added for home in homes) - physical([turn.hand_used])
        if kept := gained & to_hand:
            yield against("E_JOKER_TO_HAND", "10.3", ("to_hand",), cards=listed(kept))
        elif laid_off:
            facts = {"why": "laid_off", "cards": listed(laid_off)}
            yield against("E_JOKER_TO_HAND", "10.3", ("after",), **facts)
    if taken := to_hand - gained:
        facts = {"why": "to_hand", "cards": listed(taken)}
        yield against("E_REARRANGE", "10.3", ("to_hand",), **facts)


def _new_melds(homes: Iterable[Home], after: Melds) -> list[Meld]:
    grown = {home.new for home in homes}
    return [meld for k, meld in after.items() if k not in grown]


def _check_first_meld(
    turn: Turn, homes: Iterable[Home], new: Sequence[Meld], rules: RuleSet
) -> Findings:
    """The first melds of a player reach the minimum from own cards (RULES 5.5).

    Without them nothing may be laid off either, not even where their turn allows it.
    """
    if not waits(turn, rules):
        return
    homes = tuple(homes)
    needed, scope = rules.meld.first_min, rules.meld.first_scope
    gained = physical(home.gained for home in homes)
    reached = own_points(new, physical([turn.hand_used]), gained, rules) if gained else 0
    reached = reached if gained else first_meld_points(new, rules)
    if reached >= needed:
        return
    if new:
        facts = {"why": f"turn_{scope}", "reached": reached, "needed": needed}
        yield against("E_FIRST_MIN", "5.5", ("after",), **facts)
    for home in homes:
        if home.is_touched and rules.layoff.first_turn:
            facts = {"why": "first_turn", "cards": home.played, "needed": needed}
            yield against("E_NOT_LAID", "10.3 first", ("after", home.new), **facts)


def own_points(
    new: Sequence[Meld], hand: Counter[Card], gained: Counter[Card], rules: RuleSet
) -> int:
    """The most that new melds count which are all from the hand.

    Wild cards alike may be those of the hand or the gained ones: with ``first_scope``
    together it is the choice of melds that needs no gained one and counts most.
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


def _check_displaced(before: Melds, after: Melds, groups: Iterable[list[list[Home]]]) -> Findings:
    """Why melds have no home: each has lost cards, or two want the same one."""
    homeless = set(before)
    for group in groups:
        homeless -= {home.old for homes in group for home in homes}
        if all(group) and next(choices(group), None) is None:
            yield _merged(before, group)
    for i in sorted(homeless):
        yield _why_homeless(before[i], after).under("before", i)


def _merged(before: Melds, group: Iterable[list[Home]]) -> Problem:
    every = [home for homes in group for home in homes]
    one, other = next(
        (one, other)
        for one, other in combinations(every, 2)
        if one.new == other.new and one.old != other.old
    )
    facts = {"one": before[one.old].cards, "other": before[other.old].cards}
    return against("E_REARRANGE", "10.3", ("after", one.new), why="merged", **facts)


def _why_homeless(old: Meld, after: Melds) -> Problem:
    """The meld was torn apart, or only its jokers went elsewhere."""
    naturals = {place for place in old.places if not place.is_wild}
    around = [new for new in after.values() if naturals <= set(new.places)]
    if around:
        why = (_why_jokers_moved(old, new) for new in around)
        return max(why, key=lambda problem: problem.code)
    cards = physical([old.cards])
    lost = (cards - physical([new.cards]) for new in after.values())
    if missing := min(lost, key=Counter.total, default=cards):
        facts = {"why": "moved", "cards": old.cards, "missing": listed(missing)}
        return against("E_REARRANGE", "10.3", **facts)
    return against("E_REARRANGE", "10.3", why="joker_moved", cards=old.cards)


def _why_jokers_moved(old: Meld, new: Meld) -> Problem:
    """A joker was exchanged for another card than it stood for, or was moved."""
    cells = {place.at for place in new.places}
    lost = tuple(card for card in old.wild if card not in cells)
    strangers = [
        place.card for place in new.places if not place.is_wild and place not in old.places
    ]
    if lost and strangers and len(new.wild) < len(old.wild):
        facts = {"why": "other_card", "card": strangers[0], "allowed": lost, "cards": old.cards}
        return against("E_SWAP_MISMATCH", "10.3", **facts)
    return against("E_REARRANGE", "10.3", why="joker_moved", cards=old.cards)
