"""Rounds as they may be dealt and played: every preset, every option of jokers and melds."""

from dataclasses import dataclass
from random import Random

from scorekeeper.domain.budget import TooMuch, limited
from scorekeeper.domain.cards.card import JOKER, PACK, Card, Suit
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import Meld, card_value
from scorekeeper.domain.melds.order import ranks_of
from scorekeeper.domain.referee.verdicts import judge_hand
from scorekeeper.domain.rounds.facts import Cards, Round, Seat
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules import OPTIONS, RuleSet
from scorekeeper.domain.rules.kinds import Choice, Flag, Whole
from scorekeeper.domain.rules.presets import PRESETS, preset
from scorekeeper.domain.solver import arrange

GROUPS = ("teams", "deck", "wild", "ace", "meld", "joker", "layoff", "gin", "out", "value")
"""The groups of options that change what can be melded or laid off, and what it is worth."""

TOO_MANY_POINTS = {"E_KNOCK_LIMIT", "E_REST_TOO_HIGH"}


@dataclass(frozen=True)
class DealtRound:
    """The hands of all players when the round ends, and the card that the first one draws."""

    rules: RuleSet
    hands: tuple[Cards, ...]
    drawn: Card

    def most_steps(self) -> int:
        """Return the steps of the longest search: scoring the round, or judging the first hand.

        Raises TooMuch for a search that exceeds the budget.
        """
        return max(self._scored(), self._judged())

    def _scored(self) -> int:
        """Score the round, of which the first player is the knocker or the winner."""
        rules, hands = self.rules, list(self.hands)
        goes_out = rules.family == "hand"
        if goes_out:
            hands[0] = arrange(hands[0], rules).rest
        facts = Round(
            outcome="out" if goes_out else "knock",
            winner=0 if goes_out else None,
            knocker=None if goes_out else 0,
            seats=tuple(Seat(hand=hand) for hand in hands),
            oklahoma_card=self.drawn if rules.gin.oklahoma else None,
            wild=self.drawn if rules.wild.rank == "cut" else None,
            plan_row=self._plan_row(),
        )
        with limited() as used:
            try:
                if self.rules.family != "lay":  # family lay only adds the cards up
                    score_round(facts, self.rules, len(self.hands))
            except TooMuch:
                raise
            except RuleError as error:  # known only after arranging
                assert {found.code for found in error.problems} <= TOO_MANY_POINTS, error
        return used.spent

    def _plan_row(self) -> int | tuple[int, ...] | None:
        """Return the last row of the plan, if there is one."""
        last = len(self.rules.round.plan) or None
        by_player = last and self.rules.round.plan_by == "player"
        return (last,) * len(self.hands) if last and by_player else last

    def _judged(self) -> int:
        """Judge the first hand with the melds of the others on the table."""
        melds = [arrange(hand, self.rules).melds for hand in self.hands[1:]]
        table = tuple(declared(meld) for some in melds for meld in some)
        with limited() as used:
            judge_hand((*self.hands[0], self.drawn), self.rules, table, has_laid=bool(table))
        return used.spent


def declared(meld: Meld) -> Cards:
    """Return the cards of a meld, with the card that each wild card stands for."""
    shown = {place.at for place in meld.places}
    missing = [Card(meld.places[0].at.rank, suit) for suit in Suit]
    free = iter(card for card in missing if card not in shown)
    return tuple(
        place.card._replace(stands_for=place.at if place.at.suit else next(free, None))
        if place.is_wild
        else place.card
        for place in meld.places
    )


def dealt_round(dice: Random) -> DealtRound:
    """Deal a round; all players draw and discard a few times, the first one most of all."""
    rules = _rules(dice)
    players = dice.randint(rules.players.min, rules.players.max)
    of_round = rules.for_round(players, rules.round.plan[-1] if rules.round.plan else None)
    count, deck = of_round.deal.to(players), of_round.deck
    pack = [card for card in PACK if card.rank in ranks_of(deck.ranks)]
    stock = [*pack * int(deck.packs), *[JOKER] * int(deck.jokers)]
    dice.shuffle(stock)
    hands = [[stock.pop() for _ in range(count)] for _ in range(players)]
    for hand in reversed(hands):
        for _ in range(min(8 if hand is hands[0] else dice.choice((0, 1, 3)), len(stock) - 1)):
            hand.append(stock.pop())
            rest = arrange(hand, rules).rest or hand
            hand.remove(max(rest, key=lambda card: card_value(card, rules)))
    return DealtRound(rules, tuple(map(tuple, hands)), stock[0])


def gathered_round(dice: Random) -> DealtRound:
    """Deal a round of gin in which the hands hold most jokers, and cards that are neighbours."""
    rules = _gin(dice)
    rules = _varied(rules.override({"gin.joker_rule": True, "deck.jokers": 8}), dice)
    players = rules.players.max
    count = rules.deal.to(players)
    stock = [*PACK * rules.deck.packs]
    match dice.randrange(4):
        case 0:
            dice.shuffle(stock)
        case 1:
            stock.sort(key=lambda card: card.rank or 0)
    wanted = [dice.random() ** 2 for _ in range(players)]
    jokers = dice.choices(range(players), wanted, k=rules.deck.jokers)
    hands = []
    for seat in range(players):
        hand = ([JOKER] * jokers.count(seat))[:count]
        hands.append((*hand, *[stock.pop() for _ in range(count - len(hand))]))
    return DealtRound(rules, tuple(hands), stock[0])


def _rules(dice: Random) -> RuleSet:
    rules = preset(dice.choice(sorted(PRESETS)))
    if rules.family == "gin":
        rules = _gin(dice)
    elif dice.random() < 0.3 and rules.deck.ranks == len(PACK):
        rules = rules.override({"deck.jokers": dice.randint(1, 8)})
    return _varied(rules, dice)


def _gin(dice: Random) -> RuleSet:
    return preset("gin-palast").override(
        {
            "gin.joker_rule": dice.random() < 0.7,
            "teams": dice.random() < 0.7,
            "gin.big_gin": 0,
        }
    )


def _varied(rules: RuleSet, dice: Random) -> RuleSet:
    for name in rules.names():
        if name.partition(".")[0] in GROUPS and dice.random() < 0.2:
            try:
                rules = rules.override({name: _value(dice, name)})
            except RuleError:  # contradicts another option
                continue
    return rules


def _value(dice: Random, name: str) -> object:
    kind = OPTIONS[name].kind
    match kind:
        case Flag():
            return dice.random() < 0.5
        case Choice():
            return dice.choice(kind.values)
        case Whole():
            return dice.choice(OPTIONS[name].usual or range(kind.low, kind.high + 1))
    return kind.write(preset("gin-palast")[name])
