"""A whole turn: drawing, order, claim, discard, glass, whose turn it is (RULES 10.4).

Every fact is optional, and facts that are not stated are not judged. Each rule has one
function; ``check_whole_turn`` calls them all, and the referee of the table (10.1 to 10.3).
``remedies`` finds moves that would be allowed instead.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.domain.cards import Card, Rank
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.melds import Meld, lay_off, read_meld, swap_joker
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.referee import Turn, against, check_turn, physical
from scorekeeper.domain.rounds import Cards, Drawn, Glass
from scorekeeper.domain.scoring.gin import check_glass
from scorekeeper.domain.steps import Step, after_steps

SMALL_TABLE = 3
"""The most players at a small table ([001] §9j)."""

WHYS = (
    "E_NOT_IN_TURN.laid",
    "E_NOT_IN_TURN.claimed",  # card: the claimant lays nothing before their own turn
    "E_NOT_IN_TURN.drawn",
    "E_NOT_IN_TURN.discarded",  # card
    "E_KLOPFEN_OFF.turn",  # card
    "E_KLOPFEN_TOO_EARLY.turn",  # card
    "E_DRAWN_TWICE.two",  # count: more than two at a small table
    "E_DISCARD_NOT_MELDED.discarded",  # card: it was discarded again
    "E_DISCARD_REQUIRED.turn",
    "E_HIRSCHN.turn",
    "E_RULE_OFF.knock",
)
"""The reasons why a turn is refused. Without ``why``: E_KLOPFEN_REFUSED,
E_KLOPFEN_NOT_MELDED, E_DISCARD_NOT_MELDED, E_RETURNED, W_RETURNED (card), E_NOT_DRAWN,
E_DRAWN_TWICE (count), E_DRAW_FIRST, E_DISCARD_MISSING, E_GLASS_AGAIN (count), E_RULE_OFF
(option); and findings about an attempt at the glass (E_GLASS). Every finding has ``clause``."""


class Claim(NamedTuple):
    """A claim of a discard (*Klopfen* of [000], [001] §9a)."""

    card: Card
    consent: bool | None = None
    """Whether the player whose turn it was agreed; None: not stated."""


@dataclass(frozen=True, kw_only=True)
class WholeTurn:
    """The facts of one turn; None: not stated."""

    table: Turn | None = None
    """The changes to the table; ``steps`` may replace its ``after``."""
    steps: tuple[Step, ...] | None = None
    has_laid: bool = True
    drawn: tuple[Drawn, ...] | None = None
    """The cards drawn, in order; empty: none."""
    laid_before_drawing: bool | None = None
    discard: Cards | None = None
    """One card, or none."""
    discard_is_drawn: bool | None = None
    """With two packs: whether the discard is the card that was drawn, not its duplicate."""
    in_turn: bool | None = None
    claim: Claim | None = None
    glass: tuple[Glass, ...] | None = None
    hirschn: bool | None = None
    """Whether the player called Hirschn! in this turn."""
    knock: bool | None = None
    """Whether the player knocked in this turn (gin, knock)."""
    hand_left: int | None = None
    """Cards still held at the end."""
    players: int | None = None

    @property
    def is_out_of_turn(self) -> bool:
        return self.in_turn is False

    @property
    def taken(self) -> tuple[Card, ...]:
        """The cards drawn from the discard pile, as far as they are named."""
        drawn = self.drawn or ()
        return tuple(one.card for one in drawn if one.source == "discard" and one.card)


def check_whole_turn(turn: WholeTurn, rules: RuleSet) -> tuple[Problem, ...]:
    """Return the findings about a turn (RULES 10)."""
    table, findings = _after_steps(turn, rules)
    if table:
        findings += check_turn(table, rules)
    for check in (
        check_in_turn,
        check_claim,
        check_drawn,
        check_order,
        check_discard,
        check_glass_attempts,
        check_hirschn,
    ):
        findings += check(turn, rules)
    findings += check_claimed_meld(turn, table, rules)
    findings += check_taken(turn, table, rules)
    findings += check_returned(turn, rules)
    return tuple(findings)


def _after_steps(turn: WholeTurn, rules: RuleSet) -> tuple[Turn | None, list[Problem]]:
    """Return the table before and after; None if it is not stated or a step is refused."""
    if turn.table is None or turn.steps is None:
        return turn.table, []
    try:
        return after_steps(turn.table, turn.steps, rules), []
    except RuleError as error:
        return None, list(error.problems)


# --- whose turn it is ---------------------------------------------------------------------


def check_in_turn(turn: WholeTurn, rules: RuleSet) -> Iterator[Problem]:
    """Check that only the player whose turn it is lays, draws and discards ([000]).

    A claim takes its cards out of turn, but nothing is laid before the claimant's own turn.
    """
    if not turn.is_out_of_turn:
        return
    if _lays(turn):
        card = turn.claim and turn.claim.card
        why = "claimed" if turn.claim else "laid"
        yield against("E_NOT_IN_TURN", "10.4 turn", ("in_turn",), why=why, card=card)
    if turn.drawn and not turn.claim:
        yield against("E_NOT_IN_TURN", "10.4 turn", ("in_turn",), why="drawn")
    if turn.discard:
        facts = {"why": "discarded", "card": turn.discard[0]}
        yield against("E_NOT_IN_TURN", "10.4 turn", ("in_turn",), **facts)


def _lays(turn: WholeTurn) -> bool:
    """Return whether anything on the table was laid, laid off, swapped or moved."""
    if turn.steps or turn.table is None:
        return bool(turn.steps)
    before = (physical([meld.cards]) for meld in turn.table.before)
    after = (physical([cards]) for cards in turn.table.after)
    return bool(turn.table.hand_used) or _alike(before) != _alike(after)


def _alike(melds: Iterator[Counter[Card]]) -> Counter[frozenset[tuple[Card, int]]]:
    """Return the melds by their cards, without order."""
    return Counter(frozenset(meld.items()) for meld in melds)


# --- the claim ----------------------------------------------------------------------------


def check_claim(turn: WholeTurn, rules: RuleSet) -> Iterator[Problem]:
    """Check that claims are played, that the player may claim, and that consent was given."""
    if turn.claim is None:
        return
    card, path = turn.claim.card, ("claim",)
    if rules.klopfen.mode == "off":
        yield against("E_KLOPFEN_OFF", "10.4 claim", path, why="turn", card=card)
        return
    if rules.klopfen.after_first_meld and not turn.has_laid:
        yield against("E_KLOPFEN_TOO_EARLY", "10.4 claim", path, why="turn", card=card)
    if rules.klopfen.consent and turn.claim.consent is False:
        yield against("E_KLOPFEN_REFUSED", "10.4 claim", ("claim", "consent"), card=card)


def check_claimed_meld(turn: WholeTurn, table: Turn | None, rules: RuleSet) -> Iterator[Problem]:
    """Check that a claim by [001] §9a is melded at once with at least two cards of the hand."""
    if turn.claim is None or table is None or turn.is_out_of_turn:
        return
    card = turn.claim.card.physical
    if rules.klopfen.mode == "rasche" and not _melds_with_two(card, table):
        yield against("E_KLOPFEN_NOT_MELDED", "10.4 claim", ("after",), card=card)


def _melds_with_two(card: Card, table: Turn) -> bool:
    """Return whether a new meld holds the card and at least two others from the hand."""
    hand = physical([table.hand_used]) - Counter([card])
    old = [physical([meld.cards]) for meld in table.before]
    for meld in (physical([cards]) for cards in table.after):
        from_hand = (meld - Counter([card])) & hand
        if meld[card] and from_hand.total() >= 2 and not any(cards <= meld for cards in old):
            return True
    return False


# --- drawing ------------------------------------------------------------------------------


def check_drawn(turn: WholeTurn, rules: RuleSet) -> Iterator[Problem]:
    """Check the number of cards drawn ([000], [002]; two cards by [001] §9j)."""
    if turn.drawn is None or turn.is_out_of_turn:
        return
    if not turn.drawn:
        yield against("E_NOT_DRAWN", "10.4 draw", ("drawn",))
    elif len(turn.drawn) > (most := max_drawn(rules, turn.players)):
        facts = {"count": len(turn.drawn), **({"why": "two"} if most == 2 else {})}
        yield against("E_DRAWN_TWICE", "10.4 draw", ("drawn",), **facts)


def max_drawn(rules: RuleSet, players: int | None) -> int:
    """Return the most cards drawn in a turn; a table of unknown size counts as small."""
    is_small = players is None or players <= SMALL_TABLE
    return 2 if rules.draw.two_small_table and is_small else 1


def check_order(turn: WholeTurn, rules: RuleSet) -> Iterator[Problem]:
    """Check that drawing comes before melds ([002])."""
    if turn.laid_before_drawing and not turn.is_out_of_turn:
        yield against("E_DRAW_FIRST", "10.4 draw", ("laid_before_drawing",))


# --- the card from the discard pile -------------------------------------------------------


def check_taken(turn: WholeTurn, table: Turn | None, rules: RuleSet) -> Iterator[Problem]:
    """Check that a card from the discard pile is in a meld after the turn ([001] §8b)."""
    if not rules.draw.discard_only_to_meld:
        return
    for card in turn.taken:
        if _is_returned(card, turn, rules) is True:
            path = ("discard",)
            yield against("E_DISCARD_NOT_MELDED", "10.4 taken", path, why="discarded", card=card)
        elif table is not None and not _comes_to_table(card, table):
            yield against("E_DISCARD_NOT_MELDED", "10.4 taken", ("after",), card=card)


def _comes_to_table(card: Card, table: Turn) -> bool:
    """Return whether the table has more copies of this card than before."""
    lay = physical(meld.cards for meld in table.before)[card.physical]
    return physical(table.after)[card.physical] > lay


def check_returned(turn: WholeTurn, rules: RuleSet) -> Iterator[Problem]:
    """Check that a card from the discard pile is not discarded in the same turn ([002])."""
    if not rules.draw.no_immediate_return:
        return
    for card in turn.taken[:1] if len(set(turn.taken)) == 1 else turn.taken:
        is_returned = _is_returned(card, turn, rules)
        if is_returned:
            yield against("E_RETURNED", "10.4 returned", ("discard",), card=card)
        elif is_returned is None:
            yield against("W_RETURNED", "10.4 returned", ("discard",), card=card)


def _is_returned(card: Card, turn: WholeTurn, rules: RuleSet) -> bool | None:
    """Return whether the discard is the card that was drawn; None: it may be its duplicate."""
    if not turn.discard or turn.discard[0].physical != card.physical:
        return False
    copies = rules.deck.jokers if card.is_joker else rules.deck.packs
    return True if copies == 1 else turn.discard_is_drawn


# --- the end of the turn ------------------------------------------------------------------


def check_discard(turn: WholeTurn, rules: RuleSet) -> Iterator[Problem]:
    """Check that the turn ended with a discard, if one is required."""
    if turn.discard != () or turn.hand_left is None or turn.is_out_of_turn:
        return
    if turn.hand_left:
        yield against("E_DISCARD_MISSING", "10.4 discard", ("discard",), count=turn.hand_left)
    elif rules.out.discard_required:
        yield against("E_DISCARD_REQUIRED", "10.4 discard", ("discard",), why="turn")


def check_glass_attempts(turn: WholeTurn, rules: RuleSet) -> Iterator[Problem]:
    """Check that there was only one attempt at the glass, and check the attempt ([003])."""
    attempts = turn.glass or ()
    if attempts and not rules.gin.glass:
        yield against("E_RULE_OFF", "6.1 off", ("glass",), option="gin.glass")
        return
    if len(attempts) > 1:
        yield against("E_GLASS_AGAIN", "10.4 glass", ("glass",), count=len(attempts))
    for k, attempt in enumerate(attempts):
        for found in check_glass(attempt, k, players=6):
            yield against(found.code, "10.4 glass", found.path, **found.facts)


def check_hirschn(turn: WholeTurn, rules: RuleSet) -> Iterator[Problem]:
    """Check that the call of Hirschn! and the knock were not in the same turn ([003])."""
    if turn.hirschn and not rules.gin.hirschn:
        yield against("E_RULE_OFF", "6.1 off", ("hirschn",), option="gin.hirschn")
    elif turn.hirschn and turn.knock:
        yield against("E_HIRSCHN", "10.4 hirschn", ("hirschn",), why="turn")
    if turn.knock and rules.family not in ("gin", "knock"):
        yield against("E_RULE_OFF", "6.1 off", ("knock",), why="knock")


# --- remedies -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Instead:
    """Something that would be allowed instead; the catalogues word it by its key."""

    key: str
    cards: Cards = ()
    on: Cards = ()
    """The meld that the cards go on."""


def remedies(problem: Problem, turn: WholeTurn, rules: RuleSet) -> tuple[Instead, ...]:
    """Return what would be allowed instead of the move that a finding is about."""
    card = problem.facts.get("card")
    match problem.code:
        case "E_DISCARD_NOT_MELDED" if isinstance(card, Card):
            fits = [Instead("lay_off", (card,), cards) for cards in _fits(card, turn, rules)]
            return (*fits, Instead("meld_it", (card,)), Instead("draw_stock"))
        case "E_NOT_IN_TURN":
            claim = [Instead("claim")] if rules.klopfen.mode != "off" and not turn.claim else []
            return (Instead("wait_turn"), *claim)
        case "E_KLOPFEN_TOO_EARLY":
            return (Instead("first_meld"), Instead("leave_discard"))
        case "E_NOT_LAID":
            return (Instead("first_meld" if rules.layoff.first_turn else "only_first_meld"),)
        case "E_NOT_DRAWN":
            return (Instead("draw_from_stock"), Instead("draw_discard"))
        case "E_RETURNED":
            return (Instead("discard_other"), Instead("discard_later", _one(card)))
        case "E_DRAWN_TWICE":
            return (Instead(f"draw_{max_drawn(rules, turn.players)}"),)
        case code if code in REMEDIES:
            return tuple(map(Instead, REMEDIES[code]))
    return ()


REMEDIES = {
    "E_DRAW_FIRST": ("draw_first",),
    "E_KLOPFEN_OFF": ("leave_discard",),
    "E_KLOPFEN_REFUSED": ("leave_discard",),
    "E_KLOPFEN_NOT_MELDED": ("meld_claim", "leave_discard"),
    "E_DISCARD_MISSING": ("discard",),
    "E_DISCARD_REQUIRED": ("keep_one",),
    "E_GLASS_AGAIN": ("glass_once",),
    "E_HIRSCHN": ("knock_later",),
    "E_FIRST_MIN": ("more_points", "keep_cards"),
    "E_MELDS_PER_TURN": ("meld_later",),
    "E_REARRANGE": ("put_back", "only_add"),
    "E_STOLEN_TO_HAND": ("relay",),
    "E_CARD_NOT_RELAID": ("relay",),
    "E_STEAL_LEAVES_INCOMPLETE": ("steal_less", "steal_all"),
    "E_SWAP_NOT_ALLOWED": ("leave_joker",),
    "E_SWAP_MISMATCH": ("swap_right", "leave_joker"),
    "E_JOKER_TO_HAND": ("meld_joker", "leave_joker"),
    "E_LAYOFF": ("keep_cards",),
}
"""Remedies that do not depend on the cards."""


def _one(card: object) -> Cards:
    return (card,) if isinstance(card, Card) else ()


def _fits(card: Card, turn: WholeTurn, rules: RuleSet) -> Iterator[Cards]:
    """Yield the melds on the table that take the card, laid off or swapped for a joker."""
    if turn.table is None or not turn.has_laid:
        return
    melds = turn.table.after or [meld.cards for meld in turn.table.before]
    for cards in dict.fromkeys(melds):
        if _is_near(card, cards, rules) and _takes(cards, card, rules):
            yield cards


def _is_near(card: Card, cards: Cards, rules: RuleSet) -> bool:
    """Return whether a meld might take a card; this quickly rules out most melds."""
    if card.rank is None or any(_may_be_wild(one, rules) for one in (card, *cards)):
        return True
    steps = {(one.rank or 0) - card.rank for one in cards if one.suit == card.suit}
    is_next = bool(steps & {-12, -1, 1, 12}) and card not in cards
    return is_next or all(one.rank == card.rank for one in cards)


def _may_be_wild(card: Card, rules: RuleSet) -> bool:
    return card.is_joker or (rules.wild.twos and card.rank is Rank.TWO)


def _takes(cards: Sequence[Card], card: Card, rules: RuleSet) -> bool:
    try:
        meld = read_meld(cards, rules)
    except RuleError:
        return False
    return any(_goes(move, meld, card, rules) for move in _moves(rules))


def _moves(rules: RuleSet) -> Iterator[Callable[[Meld, Card, RuleSet], object]]:
    if rules.layoff.scope != "none":
        yield lay_off
    if rules.joker.swap != "none":
        yield swap_joker


def _goes(
    move: Callable[[Meld, Card, RuleSet], object], meld: Meld, card: Card, rules: RuleSet
) -> bool:
    try:
        move(meld, card, rules)
    except RuleError:
        return False
    return True
