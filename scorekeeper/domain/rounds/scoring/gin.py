"""Gin Rommé, for two and in teams, with every special rule (RULES 6.4, 7.4, 7.5).

A *side* is a player, or in teams two partners: the knocker's side plays against the
defending side. The winning side gets the difference in deadwood and the bonuses.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from scorekeeper.domain.cards.card import Rank
from scorekeeper.domain.errors import Findings, Problem, has_errors, problem
from scorekeeper.domain.melds import Meld, card_value
from scorekeeper.domain.rounds import checks
from scorekeeper.domain.rounds.facts import Cards, MeldRef, Round, ScoreLine
from scorekeeper.domain.rounds.scoring.glass import check_attempts
from scorekeeper.domain.rounds.scoring.holding import (
    Holding,
    better,
    check_declared_melds,
    own_melds,
    quick,
    suits_missing,
    without,
)
from scorekeeper.domain.rounds.scoring.receipt import Receipt
from scorekeeper.domain.rounds.scoring.table import Moves, play, read_melds
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
    big_gin: bool
    """In teams, neither partner of the knocker's side has deadwood; for two players, gin."""
    joker_discarded: bool

    def deadwood(self, side: int) -> int:
        return sum(h.points for seat, h in self.holdings.items() if side_of(seat) == side)

    @property
    def laid_off(self) -> Cards:
        """The cards that the defenders laid off."""
        return tuple(card for held in self.holdings.values() for card in held.laid_off)


def score(facts: Round, rules: RuleSet, findings: Findings) -> Receipt:
    """Check a round of gin and return its receipt."""
    findings += check_facts(facts, rules)
    findings.refuse_errors()  # impossible cards are not arranged
    showdown = lay_down(facts, rules)
    for holding in showdown.holdings.values():
        findings += holding.findings
    findings += check_announced(facts, showdown)
    findings += check_knock(facts, rules, showdown)
    findings.refuse_errors()
    return Receipt(
        winner=winning_side(rules, showdown),
        lines=(*deadwood_lines(showdown), *price(facts, rules, showdown)),
        verifications=tuple(holding.verification for holding in showdown.holdings.values()),
    )


# ---- the declared facts --------------------------------------------------------------


def check_facts(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Check the declared facts, before any cards are arranged."""
    yield from checks.check_deck(facts, rules)
    dealt = rules.deal.to(len(facts.seats))
    for i, seat in enumerate(facts.seats):
        at = ("seats", i)
        clashes = tuple(check_declared_melds(seat, rules, i))
        yield from clashes
        if seat.hand is not None and not clashes:
            yield from suits_missing(seat.hand, (*at, "hand"))
            yield from checks.check_count(facts, i, "hand", len(seat.hand), dealt, dealt)
        if seat.aces and not 0 <= seat.aces <= min(4, (seat.deadwood or 0) // rules.value.ace_hand):
            yield problem("E_POINTS", (*at, "aces"), why="aces", seat=i, value=seat.aces)
        if seat.announced is not None and seat.hand is None and seat.rest is None:
            yield problem("E_FORM", (*at, "announced"), why="announced", seat=i)
        if seat.layoffs and side_of(i) == side_of(facts.knocker or 0):
            yield problem("E_LAYOFF_KNOCKER", (*at, "layoffs"), seat=i)
    yield from checks.check_discard(facts.seats[facts.knocker or 0], rules, facts.knocker or 0)
    if rules.gin.oklahoma and facts.oklahoma_card is None:
        yield problem("E_OKLAHOMA_CARD", ("oklahoma_card",))
    yield from check_joker_discard(facts)
    yield from check_hirschn(facts)
    yield from check_attempts(facts, rules)


def check_joker_discard(facts: Round) -> Iterator[Problem]:
    """Check that ``joker_discarded`` agrees with the discard, if that is declared."""
    discard = facts.seats[facts.knocker or 0].discard
    if discard is not None and facts.joker_discarded not in (None, any_joker(discard)):
        yield problem("E_FORM", ("joker_discarded",), why="joker_discarded")


def check_hirschn(facts: Round) -> Iterator[Problem]:
    """Check that the caller knocks at least one turn after the call ([003] Hirschn!)."""
    call = facts.hirschn
    if call is None:
        return
    if call.caller >= len(facts.seats):
        yield problem("E_FORM", ("hirschn", "caller"), why="no_seat", seat=call.caller)
    elif call.caller == facts.knocker and call.turns_after == 0:
        yield problem("E_HIRSCHN", ("hirschn", "turns_after"), seat=call.caller)


# ---- laying down ---------------------------------------------------------------------


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
        found = held | {knocker: shown}
        found |= defend(facts, rules, defenders, shown, gin=gin)
        showdowns.append(
            Showdown(knocker, dict(sorted(found.items())), gin, joker_discarded(facts))
        )
        if not declared and showdowns[-1].deadwood(1 - side) >= most:
            break  # laying off makes no difference
    # Of their best arrangements, the knocker shows the one that leaves the defenders most.
    return max(showdowns, key=lambda showdown: showdown.deadwood(1 - side))


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
    table, misfits = lay_all(facts, declared, shown.melds, priced)
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


def lay_all(
    facts: Round, declared: Iterable[int], table: tuple[Meld, ...], rules: RuleSet
) -> tuple[tuple[Meld, ...], list[Problem]]:
    """Return the knocker's melds with all declared lay-offs, and the findings about misfits."""
    melds = {MeldRef(facts.knocker or 0, index): meld for index, meld in enumerate(table)}
    moves: Moves = [
        (("seats", i, "layoffs", k), move)
        for i in declared
        for k, move in enumerate(facts.seats[i].layoffs or ())
    ]
    misfits = play(moves, melds, rules)
    return tuple(melds.values()), misfits


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


# ---- after the knock -----------------------------------------------------------------


def check_announced(facts: Round, showdown: Showdown) -> Iterator[Problem]:
    """Warn if the announced deadwood differs from the cards, which count (RULES 6.4)."""
    for i, holding in showdown.holdings.items():
        announced = facts.seats[i].announced
        if announced is not None and announced != holding.points:
            at = ("seats", i, "announced")
            yield problem("W_ANNOUNCED", at, seat=i, announced=announced, held=holding.points)


def check_knock(facts: Round, rules: RuleSet, showdown: Showdown) -> Iterator[Problem]:
    """Check the knock limit and, with Tedesco, that the drawn discard is melded (6.6.8)."""
    shown = showdown.holdings[showdown.knocker]
    limit = knock_limit(facts, rules)
    if not has_errors(shown.findings) and shown.points > limit:
        yield problem(
            "E_KNOCK_LIMIT",
            ("seats", showdown.knocker),
            why="oklahoma" if rules.gin.oklahoma else "limit",
            seat=showdown.knocker,
            reached=shown.points,
            most=limit,
        )
    drawn = facts.drawn
    if drawn is None or drawn.source != "discard" or facts.seats[showdown.knocker].hand is None:
        return
    melded = {place.card for meld in shown.melds for place in meld.places}
    if drawn.card is not None and drawn.card.physical not in melded:
        yield problem("E_TEDESCO_DRAW", ("drawn", "card"), seat=showdown.knocker, card=drawn.card)


def knock_limit(facts: Round, rules: RuleSet) -> int:
    """Return the highest deadwood to knock; in Oklahoma, the turned-up card sets it (7.4.1)."""
    card = facts.oklahoma_card
    if not rules.gin.oklahoma or card is None or card.is_joker:
        return rules.gin.knock_limit
    return rules.gin.oklahoma_ace if card.rank == Rank.ACE else card_value(card, rules)


# ---- the score -----------------------------------------------------------------------


def deadwood_lines(showdown: Showdown) -> Iterator[ScoreLine]:
    """Yield lines without points that show the deadwood of each player."""
    for seat, holding in showdown.holdings.items():
        facts = {"of": seat, "held": holding.points, **holding.facts}
        yield ScoreLine(seat=side_of(seat), reason="deadwood", facts=facts)


def defended(rules: RuleSet, showdown: Showdown) -> int:
    """Return the defenders' deadwood, doubled if the knocker discarded a joker (7.4.5)."""
    factor = rules.gin.joker_discard_factor if showdown.joker_discarded else 1
    return showdown.deadwood(1 - side_of(showdown.knocker)) * factor


def winning_side(rules: RuleSet, showdown: Showdown) -> int:
    """Return the winning side: gin always wins, and a tie is an undercut (7.4.6)."""
    knocking = side_of(showdown.knocker)
    if showdown.big_gin or showdown.deadwood(knocking) < defended(rules, showdown):
        return knocking
    return 1 - knocking


def price(facts: Round, rules: RuleSet, showdown: Showdown) -> Iterator[ScoreLine]:
    """Yield the lines: difference, box, gin or undercut, Hirschn, glass (7.4.7-11)."""
    knocking, winner = side_of(showdown.knocker), winning_side(rules, showdown)
    own, others = showdown.deadwood(knocking), defended(rules, showdown)
    doubled = {"factor": rules.gin.joker_discard_factor} if showdown.joker_discarded else {}
    yield ScoreLine(
        seat=winner,
        reason="difference",
        plus=abs(others - own),
        facts={"own": own, "others": others, **doubled},
    )
    if winner != knocking:
        yield ScoreLine(seat=winner, reason="undercut", plus=rules.gin.undercut_bonus)
    else:
        yield from gin_bonus(rules, showdown)
    if has_boxes(rules):
        yield ScoreLine(seat=winner, reason="box", plus=rules.gin.box_bonus)
    yield from hirschn(facts, rules, winner=winner)
    for attempt in facts.glass or ():
        caller = side_of(attempt.by)
        yield ScoreLine(
            seat=caller if attempt.hit else 1 - caller,
            reason="glass" if attempt.hit else "glass_missed",
            plus=rules.gin.glass_bonus,
            facts={"of": attempt.by},
        )


def gin_bonus(rules: RuleSet, showdown: Showdown) -> Iterator[ScoreLine]:
    """Yield the bonus for gin; in teams for small gin (the knocker) or big gin (both) (7.5)."""
    side = side_of(showdown.knocker)
    if not rules.teams:
        if showdown.big_gin:
            yield ScoreLine(seat=side, reason="gin", plus=rules.gin.gin_bonus)
    elif showdown.big_gin:
        yield ScoreLine(seat=side, reason="big_gin", plus=rules.gin.team_big_gin)
    elif showdown.holdings[showdown.knocker].nothing_left:
        yield ScoreLine(seat=side, reason="small_gin", plus=rules.gin.team_small_gin)


def has_boxes(rules: RuleSet) -> bool:
    """Return whether there are boxes: the points limit is above ``gin.box_above_limit`` (7.4.8)."""
    if rules.end.mode not in ("points", "points_or_rounds"):
        return False
    return (rules.end.points or 0) > rules.gin.box_above_limit


def hirschn(facts: Round, rules: RuleSet, *, winner: int) -> Iterator[ScoreLine]:
    """Yield the bonus for a call of Hirschn!, or for the other side if it failed (7.4.10).

    The call pays if the caller knocks within three own turns and wins; it fails if they do not
    knock by then. A knock by the partner counts like one by an opponent (7.5).
    """
    call = facts.hirschn
    if call is None:
        return
    side, turns = side_of(call.caller), call.turns_after
    in_time = len(rules.gin.hirschn_bonus)
    about = {"of": call.caller, "turns": turns}
    if call.caller == facts.knocker and turns <= in_time:
        if winner == side:
            bonus = rules.gin.hirschn_bonus[turns - 1]
            yield ScoreLine(seat=side, reason="hirschn", plus=bonus, facts=about)
    elif turns >= in_time:
        fail = rules.gin.hirschn_fail
        yield ScoreLine(seat=1 - side, reason="hirschn_fail", plus=fail, facts=about)
