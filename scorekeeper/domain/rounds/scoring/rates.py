"""The rates with which a browser counts a round by itself: prices of cards, and a few rules.

The browser shows its numbers at once and without a connection; the score is still computed
on the server. The browser waits for it where points depend on the arrangement of a hand or on a
call during the round.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.domain.cards.card import JOKER, Card, Rank
from scorekeeper.domain.melds import card_value
from scorekeeper.domain.rounds.checks import DROPS
from scorekeeper.domain.rounds.marks import ENDS
from scorekeeper.domain.rounds.scoring.gin import boxes_for
from scorekeeper.domain.rules import RuleSet

COUNTED_LINES = ("lay", "hand")
"""The families whose points follow from what every player has left."""


@dataclass(frozen=True, kw_only=True)
class GinRates:
    """The worth of a knock in gin, as ``static/knocks.js`` reads it."""

    oklahoma: bool
    """Whether the rank of the upcard sets the limit; otherwise a joker does."""
    limits: Mapping[str, int]
    defenders: Mapping[str, int]
    """The points of a card that a defender has left."""
    dearer: int
    """The additional points of a declared ace of a defender, beyond those in ``cards``."""
    gin: int
    undercut: int
    box: int
    """The points of a box that counts at once."""
    boxes: Mapping[str, int]
    """How many boxes a round brings, by how it ends."""
    joker_factor: int
    counted: bool
    """Whether the browser knows enough: not where the suit of the upcard decides."""
    teams: bool
    small_gin: int
    big_gin: int


@dataclass(frozen=True, kw_only=True)
class KnockRates:
    """The worth of a knock in Knock Rummy, as ``static/knocks.js`` reads it."""

    limit: int | None
    penalty: int
    bonus: int
    """The bonus for rummy."""
    each: bool
    """Whether every opponent pays the whole bonus; otherwise they share it."""
    unbeatable: bool
    split: bool
    """Whether opponents who are tied share the pot."""
    order: Sequence[int]
    """The seats clockwise; empty for the order of the columns."""


@dataclass(frozen=True, kw_only=True)
class Rates:
    """The rates of a rule set, as ``static/count.js`` reads them."""

    cards: Mapping[str, int]
    """The points of a card left in hand, by rank from 1 to 13, and of a joker.

    Those that depend on more than the rank are left out.
    """
    arranged: bool
    """Whether cards that are entered with their suits are arranged before they count."""
    line: bool
    """Whether the points of a round follow from what every player has left."""
    measure: str
    """The points that a table writes: minus, plus or net."""
    collects: bool
    """Whether the winner writes what the others have left, who then write nothing."""
    gains: bool
    """Whether the winner writes it as plus points and the others as minus points."""
    factor: int
    """The multiplier of a hand rommé."""
    reduction: int
    """Minus points that the winner takes off."""
    max_rest: int
    """The most points that the winner may have left."""
    melded: bool
    """Whether everybody writes what they have laid, less what they hold."""
    cap: int | None
    """The most minus points of a round; None: any number."""
    not_laid: int | None
    """Minus points of a player who laid nothing; None: the value of the hand."""
    bonus: int | None
    """Plus points of a winner who goes out at once, or with nothing left."""
    one_run: int | None
    """Plus points, in place of this bonus, of a winner whose cards are one run."""
    one_run_wins: bool
    """Whether such a winner has won the game."""
    drops: Mapping[str, int] | None
    """The price of each way to leave a round."""
    gin: GinRates | None
    knock: KnockRates | None


def rates(rules: RuleSet, order: Sequence[int] = ()) -> Rates:
    """Return the rates of a rule set, for players who sit in this order."""
    laid, one_run = rules.family == "lay", rules.out.one_run
    priced = zip(DROPS, rules.drop.points, strict=True)
    return Rates(
        cards=_prices(rules),
        arranged=not laid,
        line=rules.family in COUNTED_LINES,
        measure=rules.rank.measure,
        collects=laid and rules.score.mode == "winner_collects",
        gains=rules.score.mode == "minus_plus",
        factor=rules.hand_romme.factor if laid and rules.hand_romme.enabled else 1,
        reduction=rules.score.winner_reduction if rules.score.losers_write else 0,
        max_rest=rules.out.max_rest,
        melded=rules.score.mode == "melded",
        cap=rules.score.most or None,
        not_laid=rules.score.price_not_laid or None,
        bonus=rules.score.out_bonus or None,
        one_run=one_run if isinstance(one_run, int) else rules.score.out_bonus or None,
        one_run_wins=one_run == "wins",
        drops={name: cost for name, cost in priced if cost} or None,
        gin=_gin_rates(rules) if rules.family == "gin" else None,
        knock=_knock_rates(rules, order) if rules.family == "knock" else None,
    )


def _prices(rules: RuleSet) -> dict[str, int]:
    if rules.wild.rank == "cut":  # the rank that is wild has the points of a joker
        return {}
    ranks = [rank for rank in Rank if rank is not Rank.ACE or rules.value.ace_red is None]
    prices = {str(int(rank)): card_value(Card(rank, None), rules) for rank in ranks}
    return prices | {"JK": card_value(JOKER, rules)}


def _gin_rates(rules: RuleSet) -> GinRates:
    gin = rules.gin
    return GinRates(
        oklahoma=gin.oklahoma,
        limits=_prices(rules) | {"1": gin.oklahoma_ace, "JK": gin.knock_limit},
        defenders=_prices(rules.for_defenders),
        dearer=rules.for_defenders.value.ace_hand - rules.value.ace_hand,
        gin=gin.gin_bonus,
        undercut=gin.undercut_bonus,
        box=gin.box_bonus if gin.box_at == "hand" else 0,
        boxes={how: boxes_for(rules, (how,)) for how in ("knock", *ENDS)},
        joker_factor=gin.joker_discard_factor,
        counted=gin.oklahoma_spades == 1,
        teams=rules.teams,
        small_gin=gin.team_small_gin,
        big_gin=gin.team_big_gin if rules.teams else gin.big_gin,
    )


def _knock_rates(rules: RuleSet, order: Sequence[int]) -> KnockRates:
    knock = rules.knock
    return KnockRates(
        limit=knock.limit,
        penalty=knock.penalty,
        bonus=knock.rummy_bonus,
        each=knock.rummy_bonus_from == "each",
        unbeatable=knock.rummy_unbeatable,
        split=knock.ties == "split",
        order=order,
    )
