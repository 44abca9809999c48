"""Laying down at the end of a round of gin: what everybody has left (RULES 7.4.2 to 7.4.4, 7.5)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from scorekeeper.domain.errors import Problem, has_errors, problem
from scorekeeper.domain.melds import Meld
from scorekeeper.domain.rounds.facts import Cards, Round
from scorekeeper.domain.rounds.scoring.holding import Holding, better, own_melds, quick, without
from scorekeeper.domain.rounds.scoring.table import lay_all, read_melds
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver import Arrangement, arrange, arrange_together, best_arrangements


def side_of(seat: int) -> int:
    """Return the side of a seat: two players are a side each; partners sit opposite each other."""
    return seat % 2


@dataclass(frozen=True)
class Showdown:
    """The cards that everyone has left once all have laid down, and how the round ended."""

    knocker: int
    holdings: dict[int, Holding]
    gin: bool
    """Nobody of the knocker's side has deadwood; in teams that is big gin."""
    undiscarded: bool
    """Big gin for two players: the knocker melded the card drawn too, instead of a discard."""
    joker_discarded: bool

    def deadwood(self, side: int) -> int:
        return sum(h.points for seat, h in self.holdings.items() if side_of(seat) == side)

    @property
    def is_refused(self) -> bool:
        return any(has_errors(held.findings) for held in self.holdings.values())

    @property
    def laid_off(self) -> Cards:
        """The cards that the defenders laid off."""
        return tuple(card for held in self.holdings.values() for card in held.laid_off)


def lay_down(facts: Round, rules: RuleSet) -> Showdown:
    """Return the showdown: first the knocker and then the defenders have laid down (7.4.2-4)."""
    knocker = facts.knocker or 0
    side = side_of(knocker)
    seats = range(len(facts.seats))
    held = {
        s: after_own_melds(facts, rules, s) for s in seats if side_of(s) == side and s != knocker
    }
    partners_gone = all(holding.nothing_left for holding in held.values())
    defenders = [s for s in seats if side_of(s) != side]
    most = sum(after_own_melds(facts, rules, s).points for s in defenders)
    declared = any(facts.seats[s].layoffs for s in defenders)
    showdowns: list[Showdown] = []
    for shown in ways_to_show(facts, rules, knocker):
        if not declared and any(takes_all(shown.melds, one.laid_off, rules) for one in showdowns):
            continue  # the defenders can be left with as little as in that showdown
        gin = shown.nothing_left and partners_gone
        whole = goes_out_whole(facts, rules)
        found = held | {knocker: shown}
        found |= defend(facts, rules, defenders, shown, gin=gin)
        showdowns.append(
            Showdown(knocker, dict(sorted(found.items())), gin, whole, joker_discarded(facts))
        )
        if not declared and showdowns[-1].deadwood(1 - side) >= most:
            break  # laying off makes no difference
    # Of their best arrangements, the knocker shows one that the declared lay-offs fit, and the one
    # that leaves the defenders most.
    return max(showdowns, key=lambda one: (not one.is_refused, one.deadwood(1 - side)))


def ways_to_show(facts: Round, rules: RuleSet, knocker: int) -> Iterator[Holding]:
    """Yield the melds that a knocker may show: the declared ones, else all best arrangements."""
    seat = facts.seats[knocker]
    if seat.hand is None or seat.melds is not None:
        yield after_own_melds(facts, rules, knocker)
        return
    for best in best_arrangements(seat.hand, rules):
        yield Holding(points=best.points, rest=best.rest, melds=best.melds)


def takes_all(melds: Sequence[Meld], laid_off: Cards, rules: RuleSet) -> bool:
    """Return whether all cards that were laid off on other melds can be laid off on these."""
    return not arrange(laid_off, rules.for_defenders, melds, melds=False).rest


def after_own_melds(facts: Round, rules: RuleSet, i: int) -> Holding:
    """Return what a seat has left after its own melds, without lay-offs."""
    seat = facts.seats[i]
    defends = side_of(i) != side_of(facts.knocker or 0)
    priced = rules.for_defenders if defends else rules
    dealt = rules.deal.to(len(facts.seats))
    # If its aces are declared, deadwood counts them as without Tedesco (RULES 6.4).
    given = quick(seat, rules if seat.aces else priced, dealt, i)
    if given is None:
        melds = not defends or rules.out.opponent_melds != "none"
        return own_melds(seat, priced, i, melds=melds)
    dearer = (priced.value.ace_hand - rules.value.ace_hand) * (seat.aces or 0)
    return replace(given, points=given.points + dearer)


def joker_discarded(facts: Round) -> bool:
    """Return whether the knocker discarded a joker."""
    discard = facts.seats[facts.knocker or 0].discard
    return any_joker(discard) if discard is not None else bool(facts.joker_discarded)


def any_joker(cards: Cards) -> bool:
    return any(card.is_joker for card in cards)


@dataclass(frozen=True)
class Declared:
    """The melds and lay-offs that a defender declared; the remaining cards are arranged (7.4.3)."""

    left: Cards
    """Cards that are neither in a declared meld nor laid off."""
    melds: tuple[Meld, ...]
    laid_off: Cards
    findings: tuple[Problem, ...]


def defend(
    facts: Round, rules: RuleSet, defenders: Sequence[int], shown: Holding, *, gin: bool
) -> dict[int, Holding]:
    """Return the defenders' holdings once they have laid off on the knocker's melds."""
    priced = rules.for_defenders
    shut = gin and not rules.gin.layoff_on_gin
    shut = shut or rules.out.opponent_melds != "own_and_layoff"
    holdings: dict[int, Holding] = {}
    declared: dict[int, Declared] = {}
    for i in defenders:
        seat = facts.seats[i]
        if seat.hand is not None and not shut:
            declared[i] = read_declared(facts, priced, i)
        elif shut and seat.layoffs:
            card = seat.layoffs[0].card
            refused = problem("E_LAYOFF_GIN", ("seats", i, "layoffs"), seat=i, card=card)
            holdings[i] = Holding(points=0, rest=(), findings=(refused,))
        else:
            holdings[i] = after_own_melds(facts, rules, i)
    table, misfits = lay_all(facts, declared, facts.knocker or 0, shown.melds, priced)
    wrong = [*misfits, *(found for laid in declared.values() for found in laid.findings)]
    if has_errors(wrong):
        return holdings | {i: unplayable(wrong, i) for i in declared}
    best = arranged(facts, declared, table, priced)
    for i, laid in declared.items():
        seat = facts.seats[i]
        findings = list(laid.findings)
        if len(declared) == 1 and (seat.melds is not None or seat.layoffs is not None):
            at = ("seats", i, "melds" if seat.melds is not None else "layoffs")
            findings += better(seat.hand or (), priced, best[i].points, at, i, shown.melds)
        holdings[i] = Holding(
            points=best[i].points,
            rest=best[i].rest,
            melds=(*laid.melds, *best[i].melds),
            laid_off=(*laid.laid_off, *(card for card, _ in best[i].layoffs)),
            findings=tuple(findings),
        )
    return holdings


def unplayable(findings: Iterable[Problem], i: int) -> Holding:
    """Return the holding of a seat with melds or lay-offs that cannot be played."""
    of_seat = (found for found in findings if found.path[:2] == ("seats", i))
    return Holding(points=0, rest=(), findings=tuple(of_seat))


def read_declared(facts: Round, rules: RuleSet, i: int) -> Declared:
    """Return a defender's declared melds and lay-offs, and the cards left after them."""
    seat, at = facts.seats[i], ("seats", i)
    melds, findings = read_melds(seat, rules, i)
    left, missing = without(seat.hand or (), seat.melds or (), (*at, "melds"))
    laid_off = tuple(move.card for move in seat.layoffs or ())
    left, more_missing = without(left, [(card,) for card in laid_off], (*at, "layoffs"))
    return Declared(left, tuple(melds.values()), laid_off, (*findings, *missing, *more_missing))


def arranged(
    facts: Round, declared: dict[int, Declared], table: tuple[Meld, ...], rules: RuleSet
) -> dict[int, Arrangement]:
    """Return the arrangements that leave the defenders fewest points together.

    Two share the knocker's melds, and a card of one may make room for a card of the other.
    """
    own_too = {i: facts.seats[i].melds is None for i in declared}
    laying = [i for i in declared if facts.seats[i].layoffs is None]
    if len(laying) > 1:
        hands = [laid.left for laid in declared.values()]
        found = arrange_together(hands, rules, table, list(own_too.values()))
        return dict(zip(declared, found, strict=True))
    return {
        i: arrange(laid.left, rules, table if i in laying else (), melds=own_too[i])
        for i, laid in declared.items()
    }


def goes_out_whole(facts: Round, rules: RuleSet) -> bool:
    """Return whether the knocker claims big gin: all cards melded, and no discard (7.6.1)."""
    return bool(rules.gin.big_gin) and (
        facts.big_gin or facts.seats[facts.knocker or 0].discard == ()
    )
