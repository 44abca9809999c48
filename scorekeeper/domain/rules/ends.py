"""The options about the end of a game, the ranking and the settlement (RULES 3.6)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from scorekeeper.domain.rules.fields import LAY, LAY_HAND, LISTED, PLAYERS_ALONE, Measure, option
from scorekeeper.domain.rules.kinds import Choice, Exact, Flag, Text, Whole

SettlingMode = Literal["none", "pairwise", "balance", "winner"]


@dataclass(frozen=True, kw_only=True)
class End:
    """The end of the game."""

    mode: Literal["manual", "points", "rounds", "points_or_rounds"] = option(
        "manual",
        LISTED,
        "[000] points; [002] points or rounds; [003] points; [001], [004] silent",
    )
    """Ended by the players, by a points limit, or after a number of rounds."""
    points: int | None = option(
        None, Whole(1, 100_000, optional=True), "[000] 500", usual=(100, 250, 500, 1000)
    )
    """The points limit."""
    rounds: int | None = option(
        None, Whole(1, 500, optional=True), "agreed by the players", usual=(5, 10, 20)
    )
    """The number of scored rounds."""
    compare: Literal["over", "reach"] = option("over", LISTED, "[000] over; [002], [003] reach")
    """Whether the limit must be exceeded or only reached."""
    measure: Measure = option("minus", LISTED, "[000] minus; [002], [003] plus")
    """The tally that is compared with the limit."""
    eliminate: bool = option(False, Flag(), "[ITW], [WPT], [ACA], [CLR]", PLAYERS_ALONE)
    """Who meets the limit is out, and the others play on until one is left."""
    rejoin: Literal["none", "highest", "highest_plus_one"] = option(
        "none", LISTED, "[ACA], [WPT] highest; [PS] highest and one more", PLAYERS_ALONE
    )
    """The total with which a player who is out may come back, if at all."""
    rejoin_max: int = option(0, Whole(0, 20), "[dec]", PLAYERS_ALONE, usual=(0, 1, 2))
    """How often a player may come back; 0: no limit."""
    rejoin_up_to: int | None = option(
        None, Whole(0, 100_000, optional=True), "[PS], [CLR] 79, 174", PLAYERS_ALONE
    )
    """Coming back is allowed only while the highest total of those left is not above this."""
    min_rounds_to_win: str = option(
        "1/2", Choice(("0", "1/4", "1/2", "3/4", "1")), "[dec]", ("lay", "hand", "knock")
    )
    """The share of the scored rounds that a player must have played to win.

    Others are listed with their points, but after all who played enough, and win neither the
    stake nor an evening of the season. If nobody played enough, everybody counts.
    """


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """The ranking."""

    measure: Measure = option("minus", LISTED, "[000], [001] fewest; [002], [003] most")
    """The tally that decides: fewest minus, most plus or most net points."""


@dataclass(frozen=True, kw_only=True)
class Settling:
    """Settlement (*Abrechnung*)."""

    mode: SettlingMode = option("pairwise", LISTED, "[001] §6 pairwise; [OSG] winner")
    """Each pair settles its difference, each balance is paid as it is, everybody pays the winner
    the difference, or nothing is settled."""
    measure: Measure = option("minus", LISTED, "= rank.measure")
    """The tally that is settled."""
    point_value: Fraction | None = option(
        None, Exact(optional=True), "[001] §6 1/10 Pf", usual=("1/10", "1/2", "1")
    )
    """Units per point; None: points are settled without money."""
    unit: str = option("ct", Text(12), "[dec] ct; [001] §6 Pf", usual=("ct", "EUR", "Pf"))
    """The name of the unit."""
    payable: Fraction = option(
        Fraction(1),
        Exact(positive=True),
        "[dec] the smallest coin: 1/100 for EUR, CHF, USD and GBP, else 1",
        usual=("1/100", "1", "5", "10"),
    )
    """The smallest payable amount in units; another unit brings its smallest coin (RULES 9.8)."""
    stake: Fraction = option(Fraction(0), Exact(), "[003] Tisch, [dec]", usual=("0", "1", "5"))
    """Units that every loser pays the winner once the game is over; 0: nothing."""
    rejoin_stake: Fraction | None = option(
        None, Exact(optional=True), "[ACA], [WPT]", PLAYERS_ALONE, usual=("1", "5")
    )
    """Units that a player who comes back puts into the pot; None: the stake once more."""
    round_stake: Fraction = option(
        Fraction(0), Exact(), "[WPT] call-up", LAY_HAND, usual=("0", "1", "2")
    )
    """Units that every other player present pays the winner of a round, at once."""
    hand_stake: Fraction | None = option(
        None, Exact(optional=True), "[WPT] kalookie", LAY, usual=("1", "2")
    )
    """The same if the winner went out by hand rommé; None: as ``round_stake``."""
